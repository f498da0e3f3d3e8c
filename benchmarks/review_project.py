"""Measure a review project of many notes: importing, opening, the queue, a note, an edit, all alike.

The notes are invented and bring their marks, so that no policy runs. Prints one line of JSON a step; the
question is whether opening takes under 2 s and a page of the queue under 200 ms at 100,000 notes.

    python benchmarks/review_project.py --notes 100000
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from plainsight.document import CONFIDENCE, Document, Span
from plainsight.review.project import Project

_NAMES = ("Okafor", "Lindqvist", "Marchetti", "Nakamura", "Osei", "Petrov", "Quigley", "Rashid")
_WORDS = [
    "the",
    "patient",
    "was",
    "seen",
    "in",
    "clinic",
    "with",
    "stable",
    "symptoms",
    "and",
    "no",
    "new",
    "complaints",
    "on",
    "review",
    "today",
]
_LABELS = ("PATIENT", "DOCTOR", "DATE", "HOSPITAL")


def notes(count: int, words: int) -> Iterator[Document]:
    """Yield invented notes with marks, of many sizes of doubt."""
    chance = random.Random(7)
    for number in range(count):
        pieces, spans, length = [], [], 0
        for place in range(words):
            word = chance.choice(_NAMES) if place % 20 == 0 else chance.choice(_WORDS)
            if place % 20 == 0:
                label = chance.choice(_LABELS)
                spans.append(
                    Span(length, length + len(word), label, round(chance.uniform(0.5, 1), 4), "conv")
                )
            pieces.append(word)
            length += len(word) + 1
        meta = {CONFIDENCE: round(chance.random(), 4)}
        yield Document(f"note-{number}", " ".join(pieces), tuple(spans), f"p{number // 5}", meta=meta)


def timed(name: str, work: Callable[[], Any], *, times: int = 1) -> Any:
    """Do some work, print the median and the longest of its wall and processor seconds."""
    wall, processor, result = [], [], None
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        result = work()
        wall.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    figures = {"step": name, "seconds": round(median(wall), 4), "slowest": round(max(wall), 4)}
    print(json.dumps(figures | {"processor_seconds": round(median(processor), 4)}), flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=200)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--url", help="a PostgreSQL database; default: embedded")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        with Project.create(folder, policy="fast", url=given.url) as project:
            timed("import", lambda: project.import_notes(notes(given.notes, given.words), marked=True))
        opened: list[Project] = []

        def reopen() -> None:
            while opened:
                opened.pop().close()
            opened.append(Project.open(folder))

        timed("open", reopen, times=given.times)
        project = opened[0]
        queue = project.queue
        middle, times = given.notes // 2, given.times
        timed("count", queue.counts, times=times)
        timed("queue, first page", lambda: queue.page("ann"), times=times)
        timed("queue, middle page", lambda: queue.page("ann", offset=middle), times=times)
        timed("queue, one label", lambda: queue.page("ann", label="DATE"), times=times)
        timed("queue, random order", lambda: queue.page("ann", order="random"), times=times)
        for note in range(1, given.notes // 10, 50):
            project.finish(note, "ann")
        timed("queue, after some are done", lambda: queue.page("ann"), times=times)
        timed("next note", lambda: queue.next("ann", after=middle), times=times)
        timed("open a note", lambda: (project.reading(middle, "ann"), project.document(middle)), times=times)

        def edit() -> None:
            reading = project.reading(middle, "ann")
            kind = "accept" if reading.revision % 2 else "reject"
            project.edit(middle, "ann", [{"do": kind, "span": 0}], reading.revision)

        timed("edit", edit, times=times)
        from plainsight.review import claims

        timed("claims, first page", lambda: claims.waiting(project, "ann"), times=times)
        revision = project.reading(middle, "ann").revision
        wanted = {"do": "alike", "what": "add", "where": "patient", "label": "DOCTOR", "start": 0, "end": 6}
        timed("all alike in the patient", lambda: project.edit(middle, "ann", [wanted], revision))
        text = project.document(middle).text
        rare = {**wanted, "where": "project", "end": text.index(" ", 60)}
        timed("all alike in the project", lambda: project.edit(middle, "ann", [rare], revision + 1))
        timed("check the audit log", project.audit_log.check)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(json.dumps({"notes": given.notes, "words": given.words, "megabytes": size >> 20}))
        project.close()


if __name__ == "__main__":
    main()
