"""Measure what more cores gain: notes of 500 words through the command line, with one process and with more.

    python benchmarks/cores.py [NOTES] [--processes 1 2] [--count fast=1500 ...] [--rounds 2] [--json]

Notes are those that ``fast.py`` makes, with identifiers as rare as in real ones. Times are seconds by the
clock on the wall of ``plainsight deidentify NOTES.jsonl --policy NAME --processes N``, loading included; of
some rounds in turn the best counts. The ratio is of the first to the last.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from fast import realistic_notes, write_notes


def took(source: Path, policy: str, processes: int) -> float:
    """Return the seconds of one run."""
    with tempfile.TemporaryDirectory() as folder:
        given = ["deidentify", str(source), "-o", str(Path(folder, "out.jsonl")), "--forget-key"]
        how = ["--policy", policy, "--processes", str(processes)]
        began = perf_counter()
        subprocess.run([sys.executable, "-m", "plainsight", *given, *how], check=True, capture_output=True)
        return perf_counter() - began


def measured(
    folder: Path, counts: Sequence[str], processes: Sequence[int], rounds: int
) -> Iterator[list[Any]]:
    """Yield of each policy how many notes it had, the seconds of each number of processes, and the ratio."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "notes.jsonl")
        for policy, count in (choice.split("=") for choice in counts):
            texts = realistic_notes(folder, int(count))
            write_notes(source, texts)
            times = [[took(source, policy, number) for number in processes] for _ in range(rounds)]
            best = [min(its) for its in zip(*times, strict=True)]
            yield [policy, len(texts), *best, best[0] / best[-1]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--count", nargs="+", default=["fast=1500", "balanced=600", "best=200"])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    heads = ["policy", "notes", *(f"{number} at once, s" for number in asked.processes), "ratio"]
    rows = measured(asked.folder, asked.count, asked.processes, asked.rounds)
    if asked.json:
        json.dump([dict(zip(heads, row, strict=True)) for row in rows], sys.stdout, indent=1)
        return
    print(f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}")
    for policy, count, *figures in rows:
        print(f"| `{policy}` | {count:,} | {' | '.join(f'{figure:.2f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
