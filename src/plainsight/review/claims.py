"""Audit mode: what a detector claimed with little certainty, in short context, to confirm or reject.

A claim is a span with a low score, or a likely miss with a label. It waits until the reader decides about it,
here or in the note itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.edits import ACCEPTED, Accept, Add, Dismiss, Mark, Reject, Single
from plainsight.review.notes import DONE, Found
from plainsight.review.project import Project
from plainsight.review.readings import StaleError

MOST_COUNTED = 10_000
"""How far claims that wait are counted."""

_CONTEXT = 60
_TRIES = 5


@dataclass(frozen=True, slots=True, repr=False)
class Claim:
    """A claim that waits: ``span`` is the number of a span, or ``m`` and that of a likely miss.

    ``times`` tells marks from those that replaced them since.
    """

    note: int
    title: str
    span: int | str
    label: str
    score: float
    source: str
    before: str
    text: str
    after: str
    times: int = 0


def waiting(
    project: Project, reader: str, *, label: str | None = None, offset: int = 0, limit: int = 50
) -> tuple[int, list[Claim]]:
    """Return how many claims wait for a reader, and some of them, those of the most urgent notes first.

    No more than `MOST_COUNTED` are counted.
    """
    claims, notes = store.claims, store.notes
    mine, done = store.readings.alias("mine"), store.claims_decided
    decided = sa.exists().where(
        done.c.note == claims.c.note, done.c.item == claims.c.item, done.c.reader == reader
    )
    waits = [~decided] if label is None else [~decided, claims.c.label == label]
    open_notes = (
        sa.select(notes.c.id, notes.c.urgency)
        .outerjoin(mine, sa.and_(mine.c.note == notes.c.id, mine.c.reader == reader))
        .where(notes.c.is_audit.is_not(None), notes.c.finished < project.settings.readers)
        .where(sa.or_(mine.c.state.is_(None), mine.c.state != DONE))
    )
    counted = open_notes.join(claims, claims.c.note == notes.c.id).where(*waits).limit(MOST_COUNTED)
    first = (
        open_notes.where(sa.exists().where(claims.c.note == notes.c.id, *waits))
        .order_by(notes.c.urgency.desc(), notes.c.id)
        .limit(offset + limit)  # each has a claim at least
        .subquery()
    )
    page = (
        sa.select(claims.c.note, claims.c.item)
        .join(first, first.c.id == claims.c.note)
        .where(*waits)
        .order_by(first.c.urgency.desc(), first.c.id, claims.c.item)
        .offset(offset)
        .limit(limit)
    )
    with project.store.read() as connection:
        total = connection.execute(
            sa.select(sa.func.count()).select_from(counted.with_only_columns(claims.c.item).subquery())
        ).scalar_one()
        rows = connection.execute(page).all()
    by_note: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        by_note[row.note].append(row.item)
    return int(total), [claim for note in by_note for claim in _shown(project, reader, note, by_note[note])]


def _shown(project: Project, reader: str, note: int, items: Iterable[int]) -> list[Claim]:
    reading = project.reading(note, reader)
    document = project.document(note)
    marks = {mark.id: mark for mark in reading.marks.marks}
    text, shown = document.text, []
    for item in sorted(items, key=lambda item: _place(item, marks, reading.found)):
        start, end = _place(item, marks, reading.found)
        one: Any = marks[item] if item >= 0 else reading.found.misses[-1 - item]
        shown.append(
            Claim(
                note, document.id, item if item >= 0 else f"m{-1 - item}", one.label,
                round((one.score if item >= 0 else one.probability) or 0.0, 4),
                one.source if item >= 0 else "",
                text[max(0, start - _CONTEXT) : start], text[start:end], text[end : end + _CONTEXT],
                reading.found.times,
            )
        )  # fmt: skip
    return shown


def _place(item: int, marks: dict[int, Mark], found: Found) -> tuple[int, int]:
    one = marks[item] if item >= 0 else found.misses[-1 - item]
    return one.start, one.end


def decide(project: Project, reader: str, decisions: Iterable[tuple[int, int | str, int, bool]]) -> int:
    """Accept or reject claims, each given by its note, span and times; return how many were still open.

    The decisions about one note are undone together.
    """
    by_note: dict[tuple[int, int], list[tuple[int, bool]]] = defaultdict(list)
    for note, span, times, accept in decisions:
        by_note[note, times].append((_item(span), accept))
    return sum(_decide(project, reader, note, times, wanted) for (note, times), wanted in by_note.items())


def _item(span: int | str) -> int:
    if isinstance(span, int) and span >= 0:
        return span
    if isinstance(span, str) and span[:1] == "m" and span[1:].isascii() and span[1:].isdigit():
        return -1 - int(span[1:10])
    raise DataError("no such claim")


def _decide(project: Project, reader: str, note: int, times: int, wanted: list[tuple[int, bool]]) -> int:
    for _ in range(_TRIES):
        reading = project.reading(note, reader)
        if reading.found.times != times:
            raise StaleError(reading.revision)  # its marks were replaced: these numbers are of others
        marks = {mark.id: mark for mark in reading.marks.marks}
        edits: list[Single] = []
        for item, accept in wanted:
            if item >= 0:
                mark = marks.get(item)
                if mark is None:
                    raise DataError("no such claim")
                if accept and mark.status != ACCEPTED:
                    edits.append(Accept(item))
                elif not accept and mark.counts:
                    edits.append(Reject(item))
            elif -1 - item in reading.misses:
                miss = reading.found.misses[-1 - item]
                edits.append(Add(miss.start, miss.end, miss.label or "") if accept else Dismiss(-1 - item))
            elif -1 - item >= len(reading.found.misses):
                raise DataError("no such claim")
        if not edits:
            return 0
        try:
            project.readings.edit(note, reader, edits, reading.revision)
        except StaleError:
            continue  # the note is open in another window
        return len(edits)
    raise DataError(f"note {note} changes all the time")
