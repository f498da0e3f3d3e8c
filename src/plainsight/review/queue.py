"""Which note to read next: the most doubtful first, with the audit sample hidden among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from plainsight.review import store
from plainsight.review.folder import Folder
from plainsight.review.notes import DISAGREE, DONE, TODO, Notes
from plainsight.review.store import Store

Order = Literal["doubt", "random", "position"]
Choice = Literal["todo", "done", "all", "disagree"]

_HELD = 15 * 60.0  # seconds for which a note that one reader opened is not offered to others


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A note in a reader's queue. ``doubt`` is what the queue is ordered by."""

    id: int
    title: str
    words: int
    marks: int
    doubt: float
    state: str
    changed: int


class Queue:
    """The queues of a project's readers."""

    def __init__(self, opened: Store, folder: Folder, notes: Notes, clock: Callable[[], float]) -> None:
        self._store = opened
        self._folder = folder
        self._notes = notes
        self._clock = clock

    def page(
        self,
        reader: str,
        *,
        order: Order = "doubt",
        state: Choice = "todo",
        label: str | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[int, list[Item]]:
        """Return how many notes a queue has, and some of them.

        ``todo`` is what the reader has not finished and others have not, ``done`` what the reader has.
        """
        notes, mine = store.notes, store.readings.alias("mine")
        query = self._query(reader, mine, state, label)
        columns = (
            notes.c.id, notes.c.sealed, notes.c.words, notes.c.marks, notes.c.urgency,
            notes.c.state.label("judged"), mine.c.state, mine.c.changed,
        )  # fmt: skip
        ordered = query.with_only_columns(*columns).order_by(*_order(order))
        with self._store.read() as connection:
            total = self._total(connection, reader, query, state, label)
            rows = connection.execute(ordered.offset(offset).limit(limit)).all()
        items = [
            Item(
                row.id,
                self._notes.title(row.id, row.sealed)[0],
                row.words,
                row.marks,
                row.urgency,
                DISAGREE if state == "disagree" else row.state or TODO,
                row.changed or 0,
            )
            for row in rows
        ]
        return total, items

    def _query(self, reader: str, mine: Any, state: Choice, label: str | None) -> sa.Select[Any]:
        notes = store.notes
        own = sa.and_(mine.c.note == notes.c.id, mine.c.reader == reader)
        query = sa.select(notes.c.id).select_from(notes.outerjoin(mine, own))
        query = query.where(notes.c.is_audit.is_not(None))
        if state == "todo":
            waits = sa.or_(mine.c.state.is_(None), mine.c.state != DONE)
            query = query.where(waits, notes.c.finished < self._folder.settings.readers)
        elif state == "done":
            query = query.where(mine.c.state == DONE)
        elif state == "disagree":
            query = query.where(notes.c.state == DISAGREE)
            if self._folder.settings.readers > 1:  # nobody decides about their own reading
                query = query.where(sa.or_(mine.c.state.is_(None), mine.c.state != DONE))
        if label is not None:
            has = sa.select(store.note_labels.c.note).where(
                store.note_labels.c.note == notes.c.id, store.note_labels.c.label == label
            )
            query = query.where(sa.exists(has))
        return query

    def _total(
        self, connection: sa.Connection, reader: str, query: sa.Select[Any], state: Choice, label: str | None
    ) -> int:
        return int(
            connection.execute(
                query.with_only_columns(sa.func.count(), maintain_column_froms=True)
            ).scalar_one()
        )

    def next(
        self,
        reader: str,
        *,
        order: Order = "doubt",
        label: str | None = None,
        after: int | None = None,
        back: bool = False,
        state: Choice = "todo",
        alone: bool = True,
    ) -> int | None:
        """Return the next note after another one, or the first; ``back`` gives the one before.

        ``alone`` leaves out notes that so many others have on the screen as are needed.
        """
        notes, mine = store.notes, store.readings.alias("mine")
        query = self._query(reader, mine, state, label)
        columns = [column for column, _ in _keys(order)]
        if after is not None:
            query = query.where(notes.c.id != after)
            with self._store.read() as connection:
                place = connection.execute(sa.select(*columns).where(notes.c.id == after)).first()
            if place is not None:
                falling = order == "doubt"
                first, second = columns
                here, number = place
                beyond = (first < here) if falling != back else (first > here)
                later = (second < number) if back else (second > number)
                query = query.where(sa.or_(beyond, sa.and_(first == here, later)))
        if alone and state == "todo":
            query = query.where(self._held(reader) < self._folder.settings.readers)
        ordering = [column.desc() if falls != back else column.asc() for column, falls in _keys(order)]
        with self._store.read() as connection:
            found = connection.execute(query.order_by(*ordering).limit(1)).scalar_one_or_none()
        return None if found is None else int(found)

    def _held(self, reader: str) -> sa.ScalarSelect[int]:
        """Count the others who have finished a note or have it on the screen."""
        other = store.readings.alias("other")
        return (
            sa.select(sa.func.count())
            .where(
                other.c.note == store.notes.c.id,
                other.c.reader != reader,
                sa.or_(other.c.state == DONE, other.c.shown_at > self._clock() - _HELD),
            )
            .correlate(store.notes)
            .scalar_subquery()
        )

    def urgency(self, note: int) -> float:
        """Return the doubt by which a note is ordered."""
        query = sa.select(store.notes.c.urgency).where(store.notes.c.id == note)
        with self._store.read() as connection:
            return float(connection.execute(query).scalar_one())

    def counts(self) -> tuple[int, int]:
        """Return how many notes the project has, and how many of them are read."""
        notes = store.notes
        with self._store.read() as connection:
            rows = connection.execute(sa.select(notes.c.state, sa.func.count()).group_by(notes.c.state)).all()
        by_state = {state: int(count) for state, count in rows}
        return sum(by_state.values()), by_state.get(DONE, 0)


def _keys(order: Order) -> list[tuple[Any, bool]]:
    """Return the columns of an order, and whether they fall."""
    notes = store.notes
    first = {"doubt": notes.c.urgency, "random": notes.c.shuffled, "position": notes.c.position}[order]
    return [(first, order == "doubt"), (notes.c.id, False)]


def _order(order: Order) -> list[Any]:
    return [column.desc() if falls else column for column, falls in _keys(order)]
