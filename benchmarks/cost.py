"""Measure notes per second against note length and corpus size, and compute what an archive takes.

    python benchmarks/cost.py [--policies fast balanced best] [--price 0.05] [--docs docs/explanation/cost.md]

Each measurement is a process of its own on one core that reads JSON lines, detects, replaces and writes JSON
lines (`benchmarks/fast.py`'s way), in processor seconds:

- length: notes of 125, 250, 500, 1,000 and 2,000 words, the same number of words in all;
- size: one, two, four and eight times as many notes of 500 words, loading included;
- cold and warm: the first notes of a process, at most 50, and notes after them.

From the warm rate follow hours and money for ``--archive`` notes on 1, 16 and 200 cores at ``--price``
dollars per core-hour. Cores in one machine slow each other down: ``--efficiency`` is the share of its work
alone that each of 16 or 200 cores does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

from figures import put_between, rate, table
from notes import of_one_length, write_texts

from plainsight.evaluate.read_notes import read_notes

ROOT = Path(__file__).resolve().parents[1]
LENGTHS = (125, 250, 500, 1000, 2000)
SIZES = (1, 2, 4, 8)
SOURCES = 5
"""Every so many notes of the corpus give lines."""
CORES = (1, 16, 200)
COLD = 50
"""The most notes of the cold pass."""
HOSTED = {
    "John Snow Labs, licence alone": 2_418,
    "Amazon Comprehend Medical": 14_525,
    "GPT-4o": 21_400,
    "Claude 3.7": 23_330,
}
"""Published dollars for a million notes."""

_CHILD = """
import json, sys, time
from pathlib import Path
policy, target, *paths = sys.argv[1:]
import plainsight
from plainsight import Document
pipeline = plainsight.load(policy, key=bytes(range(32)))
list(pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")]))
took = [time.process_time()]
for path in paths:
    began = time.process_time()
    with Path(path).open(encoding="utf-8") as lines, Path(target).open("w", encoding="utf-8") as out:
        notes = (Document(note["id"], note["text"]) for note in map(json.loads, lines))
        for note in pipeline.deidentify(notes):
            print(json.dumps({"id": note.id, "text": note.text}), file=out)
    took.append(time.process_time() - began)
print(json.dumps(took))
"""


def seconds(policy: str, paths: Sequence[Path], folder: Path) -> list[float]:
    """Return the processor seconds of loading, then of each file in turn."""
    command = [sys.executable, "-c", _CHILD, policy, str(folder / "out.jsonl"), *map(str, paths)]
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **one_thread}
    )
    took: list[float] = json.loads(done.stdout)
    return took


def measured(policy: str, words: int, corpus: Path) -> dict[str, Any]:
    """Return the rates of a policy on about this many words of notes a measurement."""
    sources = read_notes(corpus, format="inline")[::SOURCES]
    count = max(words // 500, 1)
    first_notes = min(COLD, max(count // 2, 10))
    figures: dict[str, Any] = {"length": {}, "size": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = folder / "first.jsonl"
        every = of_one_length(sources, first_notes + count * SIZES[-1])
        write_texts(first, every[:first_notes])
        for length in LENGTHS:
            path = folder / "length.jsonl"
            notes = of_one_length(sources[::-1], max(words // length, 1), words=length)
            write_texts(path, notes)
            figures["length"][str(length)] = len(notes) / seconds(policy, [first, path], folder)[2]
        for size in SIZES:
            path = folder / "size.jsonl"
            write_texts(path, every[first_notes : first_notes + count * size])
            load, cold, took = seconds(policy, [first, path], folder)
            figures["size"][str(count * size)] = {"seconds": load + cold + took, "rate": count * size / took}
        figures |= {
            "load": load,
            "cold": first_notes / cold,
            "first": first_notes,
            "warm": count * size / took,
        }
    return figures


def archive_hours(notes: float, notes_per_second: float, cores: int, efficiency: float) -> float:
    """Return the hours that an archive takes.

    >>> round(archive_hours(104e6, 100, 1, 0.8), 1), round(archive_hours(104e6, 100, 16, 0.8), 1)
    (288.9, 22.6)
    """
    return notes / (notes_per_second * cores * (efficiency if cores > 1 else 1.0)) / 3600


def report(figures: dict[str, dict[str, Any]], asked: argparse.Namespace) -> str:
    """Return the tables as Markdown."""
    lengths = [
        [
            f"`{name}`",
            *(f"{rate(value)} ({value * int(length) / 1000:.1f})" for length, value in f["length"].items()),
        ]
        for name, f in figures.items()
    ]
    sizes = []
    for name, f in figures.items():
        cells = (f"{int(n):,}: {s['seconds']:.0f} s, {rate(s['rate'])}" for n, s in f["size"].items())
        sizes.append([f"`{name}`", *cells])
    rates = [
        [f"`{name}`", f"{f['load']:.1f}", f"{rate(f['cold'])} ({f['first']})", rate(f["warm"])]
        for name, f in figures.items()
    ]
    archive = []
    for name, f in figures.items():
        hours = [archive_hours(asked.archive, f["warm"], cores, asked.efficiency) for cores in CORES]
        paid = hours[1] * CORES[1] * asked.price
        archive.append(
            [f"`{name}`", *map(_span, hours), f"${paid:,.0f}", f"${paid / asked.archive * 1e6:,.2f}"]
        )
    archive += [
        [name, "", "", "", f"${price * asked.archive / 1e6:,.0f}", f"${price:,}"]
        for name, price in HOSTED.items()
    ]
    columns = [f"{cores} core{'s' * (cores > 1)}" for cores in CORES]
    return "\n\n".join(
        [
            f"Measured on {time.strftime('%Y-%m-%d')}: notes/s of processor time on one core, from "
            "JSON lines to JSON lines with surrogates.",
            table(["policy", "load, s", "cold (notes)", "warm"], rates),
            "Against the length of notes: notes/s, in brackets thousands of words per second.",
            table(["policy", *(f"{length:,} words" for length in LENGTHS)], lengths),
            "Against the number of notes (500 words each): seconds in all with loading, and notes/s.",
            table(["policy", *(f"{size} x" for size in SIZES)], sizes),
            f"{asked.archive:,.0f} notes of 500 words at ${asked.price:g} per core-hour. Beside others, a "
            f"core is taken to do {asked.efficiency:.0%} of what it does alone:",
            table(["", *columns, "for all notes", "for a million"], archive),
        ]
    )


def _span(hours: float) -> str:
    return (
        f"{hours / 24:.1f} days"
        if hours >= 48
        else f"{hours:.1f} h"
        if hours >= 1
        else f"{hours * 60:.0f} min"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced", "best"])
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus")
    parser.add_argument(
        "--words", type=int, nargs="+", default=[100_000, 20_000, 4_000],
        help="words of each measurement, for each policy",
    )  # fmt: skip
    parser.add_argument("--archive", type=float, default=104e6, help="notes of the archive")
    parser.add_argument("--price", type=float, default=0.05, help="dollars for a core-hour")
    parser.add_argument(
        "--efficiency", type=float, default=0.9, help="what a core does beside others, as a share"
    )
    parser.add_argument("--out", type=Path, help="keep the figures here, as JSON")
    parser.add_argument("--docs", type=Path, help="page to write the tables into")
    asked = parser.parse_args()
    if len(asked.words) != len(asked.policies):
        parser.error("--words needs one number for each policy")
    figures = {}
    for policy, words in zip(asked.policies, asked.words, strict=True):
        figures[policy] = measured(policy, words, asked.corpus)
        print(f"{policy}: {rate(figures[policy]['warm'])} notes/s", file=sys.stderr, flush=True)
    if asked.out is not None:
        asked.out.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    written = report(figures, asked)
    print(written)
    if asked.docs is not None:
        put_between(asked.docs, "cost", written)


if __name__ == "__main__":
    main()
