"""Show that time grows with the size of the input: odd notes, and many notes of one patient.

    python benchmarks/growth.py [--sizes 250000 500000] [--notes 2500 5000] [--policy fast] [--only NAME]

Each case is done at sizes that double; the last column is the largest ratio between neighbours. Double the
size may take at most 2.3 times as long. Times are seconds of processor time in one process.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from time import process_time
from typing import Any

import plainsight
from plainsight import Document, Pipeline

PIECES = [
    "www.",
    "1-1-",
    "1.",
    "7",
    "a@",
    "1/",
    "(",
    "Mr. Smith ",
    "MRN 12 ",
    "12 St. ",
    "a-",
    "'a",
    "\n",
    "A. ",
]
DISTINCT = {
    "record numbers": "MRN {number:08}. ",
    "names": "Mr. {word} {other}. ",
    "hospitals": "{word} Memorial Hospital. ",
    "streets": "{short} {word} Street. ",
    "dates": "on {month}/{day}/{year}. ",
    "phones": "Call 617-555-{short}. ",
    "e-mails": "{word}@{other}.org ",
    "towns": "lives in {word}, MA 0{short}. ",
    "employers": "works for {word} {other} Inc. ",
}


def distinct(form: str, size: int) -> str:
    """Return a text of this size in which the same form is filled in differently each time."""
    drawn = random.Random(1)

    def word() -> str:
        return "".join(drawn.choice("abcdefghilmnoprstuvw") for _ in range(7)).title()

    made: list[str] = []
    length = 0
    while length < size:
        made.append(
            form.format(
                number=drawn.randrange(10**8),
                short=drawn.randrange(1000, 9999),
                word=word(),
                other=word(),
                month=drawn.randrange(1, 13),
                day=drawn.randrange(1, 29),
                year=drawn.randrange(1950, 2020),
            )
        )
        length += len(made[-1])
    return "".join(made)[:size]


def notes_of_one_patient(count: int) -> list[Document]:
    """Return notes of one patient with new names, numbers and dates in each."""
    form = "Mr. {word} {other}, MRN {number:08}, was seen at {word} Hospital on {month}/{day}/{year}. "
    text = distinct(form, count * 90)
    return [Document(str(at), text[at * 90 : at * 90 + 90], (), "p") for at in range(count)]


def alike(count: int) -> list[Document]:
    """Return notes of one patient that all hold the same names."""
    text = "Mr. Ernest Okafor, MRN 44718829, was seen at Mercy Hospital on 3/4/2019 by Dr. Lund."
    return [Document(str(at), text, (), "p") for at in range(count)]


def cases(
    sizes: Sequence[int], counts: Sequence[int]
) -> Iterator[tuple[str, Sequence[int], Callable[[int], Any]]]:
    """Yield each case: its name, its sizes, and what makes the notes of a size."""
    for piece in PIECES:
        yield repr(piece), sizes, lambda size, piece=piece: [Document("1", (piece * size)[:size], (), "p")]
    for name, form in DISTINCT.items():
        yield (
            f"distinct {name}",
            sizes,
            lambda size, form=form: [Document("1", distinct(form, size), (), "p")],
        )
    yield "notes of one patient, all different", counts, notes_of_one_patient
    yield "notes of one patient, all alike", counts, alike


def seconds(pipeline: Pipeline, notes: list[Document]) -> float:
    """Return the processor time that notes take."""
    began = process_time()
    for _ in pipeline.deidentify(notes):
        pass
    return process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[250_000, 500_000])
    parser.add_argument("--notes", type=int, nargs="+", default=[2_500, 5_000])
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--only", help="only the cases with this in their name")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    pipeline = plainsight.load(asked.policy, key=bytes(32))
    seconds(pipeline, notes_of_one_patient(200))
    rows = []
    for name, sizes, make in cases(asked.sizes, asked.notes):
        if asked.only and asked.only not in name:
            continue
        took = [seconds(pipeline, make(size)) for size in sizes]
        ratio = max(after / before for before, after in pairwise(took))
        rows.append({"case": name, "sizes": list(sizes), "seconds": took, "ratio": ratio})
        if not asked.json:
            shown = ", ".join(f"{size:,}: {spent:.2f}" for size, spent in zip(sizes, took, strict=True))
            print(f"{name:40} {shown}  x{ratio:.2f}", flush=True)
    if asked.json:
        json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
