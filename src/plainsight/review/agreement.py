"""How far people agree who read the same notes blind, where they differ, and the version that counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import sqlalchemy as sa

from plainsight.document import Span
from plainsight.evaluate.agreement import Agreement, agreement
from plainsight.evaluate.pairs import Pair
from plainsight.review import store
from plainsight.review.notes import DONE
from plainsight.review.project import Project


@dataclass(frozen=True, slots=True)
class Two:
    """Two readers, how many notes both have read, and how far they agree on them."""

    readers: tuple[str, str]
    notes: int
    agreement: Agreement


@dataclass(frozen=True, slots=True, repr=False)
class Versions:
    """What a note's readers made of it. ``final`` is the adjudicated version, if there is one."""

    text: str
    versions: dict[str, tuple[Span, ...]]
    differences: tuple[tuple[int, int], ...]
    final: tuple[Span, ...] | None


def agreements(project: Project) -> list[Two]:
    """Return the agreement of every two people who have read the same notes."""
    pairs: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for readers, pair in read_by_two(project):
        pairs[readers].append(pair)
    return [Two(readers, len(both), agreement(both)) for readers, both in sorted(pairs.items())]


def read_by_two(project: Project) -> Iterator[tuple[tuple[str, str], Pair]]:
    """Yield each note with what two people made of it, for every two who have read it."""
    table = store.readings
    query = (
        sa.select(table.c.note)
        .where(table.c.state == DONE)
        .group_by(table.c.note)
        .having(sa.func.count() > 1)
        .order_by(table.c.note)
    )
    with project.store.read() as connection:
        twice = connection.execute(query).scalars().all()
    for note in twice:
        with project.store.read() as connection:
            done = project.readings.finished(connection, note)
            text = project.note_table.text(connection, note)
        for one, two in combinations(sorted(done), 2):
            yield (one, two), Pair(str(note), text, done[one], done[two])


def versions(project: Project, note: int) -> Versions:
    """Return what each of a note's readers made of it, as far as they are done."""
    with project.store.read() as connection:
        done = project.readings.finished(connection, note)
        text = project.note_table.text(connection, note)
        final = project.readings.adjudicated(connection, note)
    return Versions(text, done, differences(list(done.values())), final)


def differences(readings: list[tuple[Span, ...]]) -> tuple[tuple[int, int], ...]:
    """Return the stretches of text on which readings differ, each as long as the marks there reach.

    >>> differences([(Span(0, 3, "PATIENT"),), (Span(0, 7, "PATIENT"), Span(9, 12, "DATE"))])
    ((0, 7), (9, 12))
    """
    marks = [{(span.start, span.end, span.label) for span in spans} for spans in readings]
    if not marks:
        return ()
    differing = sorted({mark for one in marks for mark in one if any(mark not in other for other in marks)})
    joined: list[tuple[int, int]] = []
    for start, end, _ in differing:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return tuple(joined)
