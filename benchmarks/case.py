"""Measure text in capitals and in small letters: a network alone, with restored case, and both together.

    python benchmarks/case.py NOTES [--format inline] [--model conv-en] [--json]

NOTES have marks. Prints token recall, precision, F (any label) and the share of notes without a leak, for the
notes as written, in capitals and in small letters.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is there

from detectors import found
from plainsight.config import Policy, load_policy
from plainsight.evaluate.read_notes import read_notes
from plainsight.model import read_manifest
from plainsight.pipeline import Pipeline

_POLICY = """\
labels = "all"
detectors = {detectors}
combine.propagate = false
"""
_DETECTORS = {
    "as-written": 'detector.as-written = {{ kind = "{kind}", model = "{model}" }}\n',
    "restored": 'detector.restored = {{ kind = "{kind}", model = "{model}", text = "restored" }}\n',
}
_SYSTEMS = {"as written": ["as-written"], "restored": ["restored"], "union": ["as-written", "restored"]}
_CASES: dict[str, Callable[[str], str]] = {"ordinary": str, "capitals": str.upper, "small letters": str.lower}


def policy(detectors: list[str], model: str) -> Policy:
    """Return a policy with these detectors and the patterns, whose claims the network reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "policy.toml")
        kind = read_manifest(model)["kind"]
        parts = [_DETECTORS[name].format(kind=kind, model=model) for name in detectors]
        head = _POLICY.format(detectors=json.dumps(["patterns", *detectors]))
        path.write_text(head + "".join(parts), encoding="utf-8")
        return load_policy(path)


def same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return a change of case that leaves a character as it is if its other case is longer."""
    return lambda text: "".join(new if len(new := change(char)) == 1 else char for char in text)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("notes", type=Path)
    options.add_argument("--format", default="inline")
    options.add_argument("--model", default="conv-en")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    notes = read_notes(given.notes, format=given.format)
    rows = []
    for case, change in _CASES.items():
        changed = [replace(note, text=same_length(change)(note.text)) for note in notes]
        for name, detectors in _SYSTEMS.items():
            figures = found(changed, Pipeline(policy(detectors, given.model)))
            rows.append({"text": case, "network reads": name} | figures)
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    print("| " + " | ".join(rows[0]) + " |\n" + "|---" * len(rows[0]) + "|")
    for row in rows:
        cells = [f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
