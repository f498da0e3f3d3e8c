"""What the second pass brings: names with slips, and doubtful claims, in the notes of patients.

    python benchmarks/second_pass.py benchmarks/longitudinal --policy fast

In one of five long names two neighbouring letters are swapped, by a fixed seed. ``slips`` counts their words;
precision and recall are over all words of identifiers.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes
from plainsight.pipeline import Pipeline
from plainsight.text.tokens import scorer_tokens

_SHARE = 0.2
_NEEDS = {"fast": "convolution", "balanced": "cascade", "best": "cascade"}


def with_slips(notes: Sequence[Document]) -> tuple[list[Document], list[set[int]]]:
    """Return the notes with slips in names, and where the changed words begin."""
    draw = random.Random(7)
    made, changed = [], []
    for note in notes:
        text, places = list(note.text), set[int]()
        for span in note.spans:
            for start, end in scorer_tokens(note.text[span.start : span.end]):
                at = span.start + draw.randint(start + 1, max(start + 1, end - 2))
                is_name = span.label in ("PATIENT", "DOCTOR") and end - start > 5
                if is_name and draw.random() < _SHARE and text[at].islower() and text[at] != text[at + 1]:
                    text[at], text[at + 1] = text[at + 1], text[at]
                    places.add(span.start + start)
        made.append(replace(note, text="".join(text)))
        changed.append(places)
    return made, changed


def words(text: str, spans: Sequence[Span]) -> set[int]:
    return {s.start + start for s in spans for start, _ in scorer_tokens(text[s.start : s.end])}


def figures(policy: str, notes: Sequence[Document], changed: Sequence[set[int]]) -> dict[str, float]:
    found = [item.spans for item in Pipeline(load_policy(policy)).detect(notes) if isinstance(item, Document)]
    right = wrong = missed = slips = slips_found = 0
    for note, spans, places in zip(notes, found, changed, strict=True):
        gold, ours = words(note.text, note.spans), words(note.text, spans)
        right, wrong, missed = right + len(gold & ours), wrong + len(ours - gold), missed + len(gold - ours)
        slips, slips_found = slips + len(places), slips_found + len(places & ours)
    return {
        "precision": round(right / (right + wrong), 4),
        "recall": round(right / (right + missed), 4),
        "slips": slips,
        "slips_found": slips_found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", type=Path)
    parser.add_argument("--policy", default="fast", choices=sorted(_NEEDS))
    given = parser.parse_args()
    notes, changed = with_slips(read_notes(given.notes, format="inline", patient_folders=True))
    network = _NEEDS[given.policy]
    second = f'[detector.second-pass]\nof = ["patterns", "patient", "{network}"]\n'
    with tempfile.TemporaryDirectory() as folder:
        for threshold in (0.0, 0.7):
            for detectors, table in (("", ""), ('detectors = ["second-pass"]\n', second)):
                policy = Path(folder) / "policy.toml"
                head = f'extends = "{given.policy}"\n{detectors}{table}'
                policy.write_text(f"{head}[combine.thresholds]\n{network} = {threshold}\n")
                row = {"threshold": threshold, "second_pass": bool(table)}
                print(json.dumps(row | figures(str(policy), notes, changed)))


if __name__ == "__main__":
    main()
