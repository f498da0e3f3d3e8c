"""Measure what more cores gain: notes of 500 words through the command line, with one process and with more.

    python benchmarks/cores.py [NOTES] [--processes 1 2] [--count fast=1500 ...] [--rounds 2] [--json]

Notes are those that ``fast.py`` makes, with identifiers as rare as in real ones. Times are seconds by the
clock on the wall of ``plainsight deidentify NOTES.jsonl --policy NAME --processes N``, loading included; of
some rounds in turn the best counts. The ratio is of the first to the last. The ceiling is what as many runs
of one process reach side by side, which share nothing but the machine.
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


def took(source: Path, policy: str, processes: int, runs: int = 1) -> float:
    """Return the seconds until some equal runs side by side are done."""
    with tempfile.TemporaryDirectory() as folder:
        how = ["--forget-key", "--policy", policy, "--processes", str(processes)]
        command = [sys.executable, "-m", "plainsight", "deidentify", str(source), *how]
        began = perf_counter()
        started = [
            subprocess.Popen(
                [*command, "-o", str(Path(folder, f"{run}.jsonl"))],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for run in range(runs)
        ]
        codes = [run.wait() for run in started]
        if any(codes):
            raise SystemExit(f"failed: {policy} with {processes} processes")
        return perf_counter() - began


def measured(
    folder: Path, counts: Sequence[str], processes: Sequence[int], rounds: int
) -> Iterator[list[Any]]:
    """Yield of each policy its notes, the seconds of each number of processes, the ratio and the ceiling."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "notes.jsonl")
        for policy, count in (choice.split("=") for choice in counts):
            texts = realistic_notes(folder, int(count))
            write_notes(source, texts)
            first, last = processes[0], processes[-1]
            apart = last // first
            times = [
                [took(source, policy, number) for number in processes] + [took(source, policy, first, apart)]
                for _ in range(rounds)
            ]
            *best, side_by_side = [min(its) for its in zip(*times, strict=True)]
            yield [policy, len(texts), *best, best[0] / best[-1], apart * best[0] / side_by_side]


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

    heads = ["policy", "notes", *(f"{number} at once, s" for number in asked.processes), "ratio", "ceiling"]
    rows = measured(asked.folder, asked.count, asked.processes, asked.rounds)
    if asked.json:
        json.dump([dict(zip(heads, row, strict=True)) for row in rows], sys.stdout, indent=1)
        return
    print(f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}")
    for policy, count, *figures in rows:
        print(f"| `{policy}` | {count:,} | {' | '.join(f'{figure:.2f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
