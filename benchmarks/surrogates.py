"""Measure what surrogates cost: milliseconds per note of 25 spans, by kind, and the memory of their lists.

    python benchmarks/surrogates.py [NOTES] [--rounds 5] [--json]

Takes notes in inline markup (default: corpus), each its own scope, and replaces their marked identifiers.
Times are processor time on one core, as in a pipeline: in batches of 64 notes, with the garbage collector
paused. They begin after a first round that loads the lists: by then all words of the notes have been met
and their readings are remembered. Of each batch the best of some rounds counts, so that others who use the
machine count less. "Notes not met before" is what an archive costs, in which each note is new: in a process
of its own every second note is replaced, which loads the lists, and then the others, once; that one round
is timed, with nothing chosen or left out. A kind is measured by giving it alone its labels; the parts add
up to more than the whole, since organisations and contacts ask for the people and places they share words
with. Memory is what the process grew by. A loop of three million additions, the best of as many rounds,
tells how fast the machine was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from plainsight import collector
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.labels import CATEGORIES
from plainsight.replace.surrogate.operation import Surrogate

KEY = bytes(range(32))
SPANS = 25
TOGETHER = 64  # notes


def read(folder: Path) -> list[Document]:
    notes = []
    for path in sorted(folder.rglob("*.txt")):
        if path.parent.name != "fragments":  # fifty unrelated scraps in a file are no note
            text, spans = parse(path.read_text(encoding="utf-8"))
            notes.append(Document(str(path.relative_to(folder)), text, spans))
    return notes


def memory() -> float:
    """Return the megabytes that this process holds."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that some work took; no garbage is collected, as in a pipeline."""
    with collector.paused():
        began = time.process_time()
        work()
        return time.process_time() - began


def seconds(notes: list[Document], rounds: int) -> float:
    """Return the least that notes took in some rounds, those of each part by itself."""
    operation = Surrogate(key=KEY)
    took = [[timed(partial(operation.replace, part)) for part in parts(notes)] for _ in range(rounds)]
    return sum(map(min, zip(*took, strict=True)))


def parts(notes: list[Document]) -> list[list[Document]]:
    """Return notes in batches."""
    return [notes[first : first + TOGETHER] for first in range(0, len(notes), TOGETHER)]


def unmet(folder: Path) -> float:
    """Return the seconds of a first round over every second note, in a process that met the others."""
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(_unmet, folder).result()


def _unmet(folder: Path) -> float:
    notes, operation = read(folder), Surrogate(key=KEY)
    for part in parts(notes[::2]):
        operation.replace(part)
    return sum(timed(partial(operation.replace, part)) for part in parts(notes[1::2]))


def add() -> None:
    total = 0
    for number in range(3_000_000):
        total += number


def only(notes: list[Document], labels: tuple[str, ...]) -> list[Document]:
    return [replace(note, spans=tuple(span for span in note.spans if span.label in labels)) for note in notes]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    notes = read(arguments.notes)
    before, began = memory(), time.perf_counter()
    operation = Surrogate(key=KEY)
    for part in parts(notes):
        operation.replace(part)
    first, grown = time.perf_counter() - began, memory() - before
    spans = sum(len(note.spans) for note in notes)
    whole = seconds(notes, arguments.rounds)
    fresh = unmet(arguments.notes) / sum(len(note.spans) for note in notes[1::2])
    rows = {
        category: (
            sum(len(note.spans) for note in only(notes, labels)),
            seconds(only(notes, labels), arguments.rounds),
        )
        for category, labels in CATEGORIES.items()
    }
    record = {
        "notes": len(notes),
        "spans": spans,
        "ms_per_25_spans": whole / spans * SPANS * 1e3,
        "ms_per_25_spans_not_met": fresh * SPANS * 1e3,
        "us_per_span_alone": {name: took / count * 1e6 for name, (count, took) in rows.items() if count},
        "first_round_s": first,
        "memory_mb": grown,
        "loop_s": min(timed(add) for _ in range(arguments.rounds)),
    }
    if arguments.json:
        print(json.dumps(record, indent=2))
        return
    print(f"{len(notes)} notes, {spans} spans")
    print(f"{record['ms_per_25_spans']:.2f} ms per note of {SPANS} spans; the loop: {record['loop_s']:.3f} s")
    print(f"notes not met before: {record['ms_per_25_spans_not_met']:.2f} ms")
    for name, (count, took) in rows.items():
        if count:
            print(f"  {name:<11} {count:>6} spans  {took / count * 1e6:>7.1f} µs a span, alone")
    print(f"first round, with loading: {first:.2f} s; lists and caches: {grown:.0f} MB")


if __name__ == "__main__":
    main()
