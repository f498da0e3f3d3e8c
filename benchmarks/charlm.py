"""Train charlm on four fifths of marked notes and measure it on the rest, with and without rescoring.

    python benchmarks/charlm.py [NOTES] [--order 8] [--bias 0,-2,-4] [--json]

The side of a note is decided by its name, so that it stays when notes are added; fragments are only learnt
from, and notes of one patient (``p1-01``, ``p1-02``) stay together. Prints token figures without labels,
strict figures with labels, tokens per second of CPU time (``cold``: the first call, when no token is known
yet), and how the confidence in a note goes with its token F (Spearman).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from plainsight.document import Document
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.pairs import Pair
from plainsight.formats.inline import parse
from plainsight.lab.detect.charlm import Charlm
from plainsight.lab.train.charlm import train_charlm
from plainsight.text.tokens import tokenize


def read(folder: Path) -> tuple[list[Document], list[Document]]:
    """Return the notes to learn from and those to measure on."""
    sides: tuple[list[Document], list[Document]] = [], []
    for path in sorted(folder.rglob("*.txt")):
        name = path.relative_to(folder).as_posix()
        document = Document(name, *parse(path.read_text(encoding="utf-8")))
        digest = hashlib.sha256(name.split("-")[0].encode()).digest()
        sides[digest[0] < 256 // 5 and "fragments" not in path.parts].append(document)
    return sides


def measure(detector: Charlm, documents: list[Document]) -> dict[str, Any]:
    detector.detect([])  # loads the model
    tokens, seconds = sum(len(tokenize(document.text)) for document in documents), []
    for _ in range(2):
        start = time.process_time()
        found = detector.detect(documents)
        seconds.append(time.process_time() - start)
    pairs = [
        Pair(document.id, document.text, document.spans, tuple(spans))
        for document, spans in zip(documents, found, strict=True)
    ]
    scores = Evaluation(tuple(pairs)).scores
    figures = [tally.f for tally in scores["binary-token"].by_note]
    known = [place for place, figure in enumerate(figures) if figure is not None]
    confidence = np.array(detector.confidence(documents))[known]
    return {
        "binary token": scores["binary-token"].micro.to_json(),
        "strict": scores["strict"].micro.to_json(),
        "cold": tokens / seconds[0],
        "warm": tokens / seconds[1],
        "spearman": float(np.corrcoef(ranks(confidence), ranks(np.array(figures)[known]))[0, 1]),
    }


def ranks(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    _, inverse, counts = np.unique(values.astype(float), return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - counts / 2)[inverse]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--order", type=int, default=8)
    parser.add_argument("--bias", default="0,-2,-4")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    learn, test = read(arguments.notes)
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        train_charlm(learn, Path(folder), order=arguments.order)
        print(
            f"{len(learn)} notes learnt in {time.process_time() - start:.0f} s, {len(test)} to measure on,"
            f" {(Path(folder) / 'arrays.npz').stat().st_size / 1e6:.1f} MB",
            file=sys.stderr,
        )
        for rescore in (False, True):
            for bias in map(float, arguments.bias.split(",")):
                row = measure(Charlm(model=folder, bias=bias, rescore=rescore), test)
                rows[f"{'rescored' if rescore else 'first best'}, bias {bias:g}"] = row
                if not arguments.json:
                    token, strict = row["binary token"], row["strict"]
                    print(
                        f"{'rescored' if rescore else 'first best':10} bias {bias:4g}   token"
                        f" P {token['precision']:.4f} R {token['recall']:.4f} F {token['f']:.4f}"
                        f"   strict F {strict['f']:.4f}   {row['cold']:,.0f} tokens/s cold,"
                        f" {row['warm']:,.0f} warm   Spearman {row['spearman']:.3f}",
                        flush=True,
                    )
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
