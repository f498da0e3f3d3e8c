"""Compare detectors and ensembles: what each finds, how fast it is on one core, how large its models are.

    python benchmarks/detectors.py NOTES [--format inline] [--speed 60] [--also charlm=MODEL ...] [--json]

NOTES have marks: token recall, precision and F (any label), strict F (extent and label), and how many notes
are without a leak are measured on them. Speed is that of a whole de-identification of notes of 500 words,
with identifiers as rare as in real notes, made of the corpus as `fast.py` makes them; bundled models have
learnt from these notes, so a cascade doubts less there than it will elsewhere. MB are those of the models.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is there

from fast import realistic_notes, seconds
from plainsight.config import Policy, load_policy
from plainsight.document import Document
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.scorers import score
from plainsight.model import load_model, read_manifest
from plainsight.models import sources_of
from plainsight.pipeline import Pipeline

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "corpus"

_ALONE = """\
labels = "all"
detectors = ["{detector}"]
detector.{detector}.model = {model}
replace.default = "surrogate"
"""
_CHOSEN = {
    "rules": str(ROOT / "examples" / "rules-only.toml"),
    "`conv-en`": ("convolution", '"conv-en"'),
    "`wide-en`": ("convolution", '"wide-en"'),
    "`gte-en`": ("transformer", '"gte-en"'),
    "mean of `conv-en` and `wide-en`": ("average", '["conv-en", "wide-en"]'),
    "mean of `wide-en` and `gte-en`": ("average", '["wide-en", "gte-en"]'),
    "`fast`": "fast",
    "`balanced`": "balanced",
    "`best`": "best",
}


def policies(also: Sequence[str]) -> Iterator[tuple[str, Policy]]:
    """Yield each policy to compare with its name."""
    chosen: dict[str, str | tuple[str, str]] = dict(_CHOSEN)
    for given in also:
        detector, _, model = given.partition("=")
        chosen[f"`{detector}`"] = (detector, json.dumps(model))
    with tempfile.TemporaryDirectory() as folder:
        for name, choice in chosen.items():
            if isinstance(choice, tuple):
                path = Path(folder, "policy.toml")
                path.write_text(_ALONE.format(detector=choice[0], model=choice[1]), encoding="utf-8")
                yield name, load_policy(path)
            else:
                yield name, load_policy(choice)


def found(documents: Sequence[Document], pipeline: Pipeline) -> dict[str, float]:
    """Return how well a pipeline finds what is marked."""
    pairs = [
        Pair(note.id, note.text, note.spans, made.spans)
        for note, made in zip(documents, pipeline.detect(documents), strict=True)
        if isinstance(made, Document)
    ]
    tokens, exact = score(pairs, "binary-token"), score(pairs, "strict")
    whole = tokens.micro
    return {
        "recall": whole.recall or 0.0,
        "precision": whole.precision or 0.0,
        "F": whole.f or 0.0,
        "strict F": exact.micro.f or 0.0,
        "clean": sum(note.recall in (None, 1.0) for note in tokens.by_note),
    }


def megabytes(policy: Policy) -> float:
    """Return the size of a policy's models."""
    sources = {source for choice in policy.detectors for source in sources_of(choice)}
    folders = [load_model(source, kind=read_manifest(source)["kind"]).folder for source in sources]
    return sum(file.stat().st_size for folder in folders for file in folder.iterdir()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path)
    parser.add_argument("--format", default="inline")
    parser.add_argument("--speed", type=int, default=60, help="how many notes to time")
    parser.add_argument("--also", nargs="*", default=[], metavar="DETECTOR=MODEL")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    gold = read_notes(asked.notes, format=asked.format)
    timed = [Document(str(n), text) for n, text in enumerate(realistic_notes(CORPUS, asked.speed))]
    rows = {}
    for name, policy in policies(asked.also):
        pipeline = Pipeline(policy, key=bytes(range(32)))
        rows[name] = found(gold, pipeline)
        list(pipeline.deidentify(timed))
        rows[name]["notes/s"] = len(timed) / seconds(lambda p=pipeline: list(p.deidentify(timed)))
        rows[name]["MB"] = megabytes(policy)
        print(name, file=sys.stderr)
    if asked.json:
        json.dump(rows, sys.stdout, indent=1)
        return
    print("| | token recall | precision | F | strict F | notes without a leak | notes/s | MB of models |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, row in rows.items():
        shares = " | ".join(f"{row[part]:.3f}" for part in ("recall", "precision", "F", "strict F"))
        rest = f"{row['clean']:.0f} of {len(gold)} | {row['notes/s']:.3g} | {row['MB']:.1f}"
        print(f"| {name} | {shares} | {rest} |")


if __name__ == "__main__":
    main()
