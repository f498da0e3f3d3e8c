"""Measure what more cores gain: notes of 500 words through the command line, with one process and with more.

    python benchmarks/cores.py [NOTES] [--processes 1 2] [--count fast=1500 balanced=600 best=200]

Notes are those that ``fast.py`` makes, with identifiers as rare as in real ones. Times are seconds by the
clock on the wall of ``plainsight deidentify NOTES.jsonl --policy NAME --processes N``, loading included; of
some rounds in turn the best counts. The ratio is of the first to the last.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from fast import WORDS, of_500_words
from plainsight.formats.jsonl import JsonLines
from speed import clean_lines, notes


def took(source: Path, policy: str, processes: int) -> float:
    """Return the seconds of one run."""
    with tempfile.TemporaryDirectory() as folder:
        given = ["deidentify", str(source), "-o", str(Path(folder, "out.jsonl")), "--forget-key"]
        how = ["--policy", policy, "--processes", str(processes)]
        began = perf_counter()
        subprocess.run([sys.executable, "-m", "plainsight", *given, *how], check=True, capture_output=True)
        return perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--count", nargs="+", default=["fast=1500", "balanced=600", "best=200"])
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()

    heads = [f"{number} process{'es' if number > 1 else ''}, s" for number in asked.processes]
    print(f"| policy | notes | {' | '.join(heads)} | ratio |\n|---|{'--:|' * (len(heads) + 2)}")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "notes.jsonl")
        for choice in asked.count:
            policy, count = choice.split("=")
            megabytes = int(count) * WORDS * 8 / 1e6
            made = of_500_words(notes(asked.folder, megabytes, clean_lines(asked.folder)), int(count))
            JsonLines().write(made, source)
            rounds = [[took(source, policy, n) for n in asked.processes] for _ in range(asked.rounds)]
            best = [min(times) for times in zip(*rounds, strict=True)]
            cells = [f"`{policy}`", f"{len(made):,}", *(f"{time:.1f}" for time in best)]
            print(f"| {' | '.join(cells)} | {best[0] / best[-1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
