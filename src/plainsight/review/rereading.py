"""Read a project's notes again with the policy that it has now, such as one whose model was just accepted.

A note that nobody has edited or finished takes the new marks: readers see them, and a release of unread notes
uses them. A note that a person has worked on stays as that person left it; what the policy finds in it now is
kept beside it, because the leaks of the audit sample are counted by the policy in use.

The number of the last note lies in a file until all notes are read again. So a reading that was interrupted
goes on, and nothing is released before it has ended.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import islice
from typing import Any

import sqlalchemy as sa

from plainsight.pipeline import Doubted
from plainsight.review import store
from plainsight.review.importing import labels_of
from plainsight.review.notes import DONE, claimed, misses_of
from plainsight.review.project import Project
from plainsight.run.processes import Limits, spread
from plainsight.site.folder import write_private

_BATCH = 100
_FILE = "rereading"


def is_unfinished(project: Project) -> bool:
    """Whether notes wait to be read again."""
    return (project.folder.path / _FILE).is_file()


def begin(project: Project) -> None:
    """Remember that all notes must be read again."""
    write_private(project.folder.path / _FILE, b"0\n")


def read_again(project: Project, *, limits: Limits | None) -> Generator[tuple[int, int]]:
    """Go on to read the notes again; yield how many are done, and of how many, after each batch.

    A note that cannot be handled keeps its marks.
    """
    file = project.folder.path / _FILE
    last = int(file.read_text(encoding="utf-8"))
    numbers = _numbers(project)
    done = sum(number <= last for number in numbers)
    texts = (replace(project.document(number), spans=()) for number in numbers[done:])
    results = spread(project.pipeline, "doubt", texts, processes=1, limits=limits)
    left = zip(numbers[done:], results, strict=True)
    while batch := list(islice(left, _BATCH)):
        with project.store.write() as connection:
            for number, item in batch:
                if isinstance(item, Doubted):
                    _write(project, connection, number, item)
        done += len(batch)
        write_private(file, f"{batch[-1][0]}\n".encode())
        yield done, len(numbers)
    file.unlink()


def _numbers(project: Project) -> list[int]:
    with project.store.read() as connection:
        return list(connection.execute(sa.select(store.notes.c.id).order_by(store.notes.c.id)).scalars())


def _write(project: Project, connection: sa.Connection, number: int, item: Doubted) -> None:
    """Store what was found in a note now, as far as people's work allows."""
    notes, readings, table = project.note_table, store.readings, store.notes
    confidence = item.doubts.confidence
    values: dict[str, Any] = {"confidence": confidence, "doubt": round(1 - confidence, 4)}
    rows = connection.execute(sa.select(readings).where(readings.c.note == number)).all()
    if any(row.state == DONE or row.sealed is not None for row in rows):
        found = notes.found_again(connection, number, item.document)
    else:
        misses = misses_of(item.doubts.places)
        found = notes.found_anew(connection, number, item.document, misses)
        before = connection.execute(
            sa.select(table.c.urgency, table.c.doubt).where(table.c.id == number)
        ).one()
        values["marks"] = len(item.document.spans)
        if before.urgency == before.doubt:  # of others it was drawn, so that the audit sample is hidden
            values["urgency"] = values["doubt"]
        for own in (store.note_labels, store.claims, store.claims_decided):
            connection.execute(own.delete().where(own.c.note == number))
        labels = labels_of(item.document, misses).items()
        spans = [(span.label, span.score) for span in item.document.spans]
        for other, new in (
            (
                store.note_labels,
                [{"label": label, "note": number, "marks": count} for label, count in labels],
            ),
            (
                store.claims,
                [{"note": number, "item": one, "label": label} for one, label in claimed(spans, misses)],
            ),
        ):
            if new:
                connection.execute(other.insert(), new)
        for row in rows:  # a page that shows the old marks must load the new ones first
            project.readings.update(connection, number, row.reader, revision=row.revision + 1)
    own_found = store.found.c.note == number
    with project.seals.changing(connection, store.found, own_found):
        connection.execute(store.found.update().where(own_found).values(sealed=found))
    with project.seals.changing(connection, table, table.c.id == number):
        connection.execute(table.update().where(table.c.id == number).values(values))
