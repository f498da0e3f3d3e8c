"""The readings of a project as they are stored, and what they come to: the spans of a note that count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.audit_log import AuditLog
from plainsight.review.edits import Mark, State, found_state
from plainsight.review.folder import Folder
from plainsight.review.notes import DISAGREE, DONE, TODO, Found, MissingNoteError, Notes
from plainsight.review.row_seals import RowSeals
from plainsight.review.store import Store

OPEN = "open"
"""The state of a reading that is not done."""


class StoredReadings:
    """The rows of readings and of adjudicated notes."""

    def __init__(
        self,
        opened: Store,
        folder: Folder,
        seals: RowSeals,
        notes: Notes,
        log: AuditLog,
        clock: Callable[[], float],
        labels: Callable[[], Sequence[str]],
    ) -> None:
        self._store = opened
        self._folder = folder
        self._seals = seals
        self._notes = notes
        self._log = log
        self._clock = clock
        self._labels = labels

    def row(self, connection: sa.Connection, note: int, reader: str, *, make: bool = False) -> Any:
        """Return the row of a reading, or None; ``make`` makes one that is missing."""
        where = _of(note, reader)
        row = connection.execute(sa.select(store.readings).where(where)).first()
        if row is not None:
            self._seals.check_row(store.readings, row)
        if row is not None or not make:
            return row
        if not connection.execute(sa.select(store.notes.c.id).where(store.notes.c.id == note)).first():
            raise MissingNoteError(note)
        times = self._notes.found(connection, note).times  # so that edits of marks shown before are refused
        with self._seals.changing(connection, store.readings, where):
            connection.execute(
                store.readings.insert().values(
                    note=note, reader=reader, revision=times, state=OPEN, changed=0, seconds=0.0
                )
            )
        return connection.execute(sa.select(store.readings).where(where)).one()

    def update(self, connection: sa.Connection, note: int, reader: str, **values: Any) -> None:
        """Change the row of a reading."""
        where = _of(note, reader)
        with self._seals.changing(connection, store.readings, where):
            connection.execute(store.readings.update().where(where).values(values))

    def state(self, row: Any, note: int, reader: str, found: Found) -> State:
        """Return the marks of a reading's row; without any, those that were found."""
        if row is None or row.sealed is None:
            return found_state([Span.from_json(span) for span in found.spans])
        data = self._folder.sealer.open(row.sealed, about=f"reading {note} {reader}")
        return msgspec.json.decode(data, type=State)

    def judge(self, connection: sa.Connection, note: int) -> None:
        """Write down whether a note is read by all who should, and whether they agree."""
        done = self.finished(connection, note)
        state = TODO
        if connection.execute(sa.select(store.finals.c.note).where(store.finals.c.note == note)).first():
            state = DONE
        elif len(done) >= self._folder.settings.readers:
            state = DONE if len({_marks(spans) for spans in done.values()}) == 1 else DISAGREE
        own = store.notes.c.id == note
        with self._seals.changing(connection, store.notes, own):
            change = store.notes.update().where(own)
            connection.execute(change.values(state=state, finished=len(done)))

    def finished(self, connection: sa.Connection, note: int) -> dict[str, tuple[Span, ...]]:
        """Return the spans of everybody who has read a note."""
        table = store.readings
        rows = connection.execute(
            sa.select(table).where(table.c.note == note, table.c.state == DONE).order_by(table.c.reader)
        ).all()
        if not rows:
            return {}
        for row in rows:
            self._seals.check_row(table, row)
        found = self._notes.found(connection, note)
        return {row.reader: self.state(row, note, row.reader, found).spans for row in rows}

    def begun(self, connection: sa.Connection, note: int) -> list[tuple[Mark, ...]]:
        """Return the marks of everybody who has edited a note, finished or not."""
        table, found = store.readings, self._notes.found(connection, note)
        rows = connection.execute(sa.select(table).where(table.c.note == note).order_by(table.c.reader)).all()
        return [self.state(row, note, row.reader, found).marks for row in rows if row.sealed is not None]

    def adjudicate(self, note: int, by: str, spans: Sequence[Span]) -> None:
        """Write the final spans of a note; they stand whatever its readers do."""
        with self._store.read() as connection:
            done, wanted = self.finished(connection, note), self._folder.settings.readers
            if len(done) < wanted:
                raise DataError(f"this note is read by {len(done)} of {wanted} people")
            if wanted > 1 and by in done:
                raise DataError("whoever has read a note cannot decide between its readers")
            text = self._notes.text(connection, note)
        if any(span.label not in self._labels() for span in spans):
            raise DataError("no such label")
        spans = Document("", text, tuple(sorted(spans))).spans  # refuses what overlaps or leaves the text
        sealed = self._folder.sealer.seal(
            msgspec.json.encode([span.to_json() for span in spans]), about=f"final {note}"
        )
        with self._store.write() as connection:
            own = store.finals.c.note == note
            with self._seals.changing(connection, store.finals, own):
                connection.execute(store.finals.delete().where(own))
                values = {"note": note, "by": by, "at": self._clock(), "sealed": sealed}
                connection.execute(store.finals.insert().values(values))
            self.judge(connection, note)
            self._log.add(connection, self._clock(), by, "adjudicate", note=note)

    def adjudicated(self, connection: sa.Connection, note: int) -> tuple[Span, ...] | None:
        """Return the adjudicated spans of a note, if there are."""
        row = connection.execute(sa.select(store.finals).where(store.finals.c.note == note)).first()
        if row is None:
            return None
        self._seals.check_row(store.finals, row)
        records = msgspec.json.decode(self._folder.sealer.open(row.sealed, about=f"final {note}"))
        return tuple(Span.from_json(record) for record in records)

    def final_spans(self, connection: sa.Connection, note: int) -> tuple[Span, ...] | None:
        """Return the spans of a note that is read: the adjudicated ones, or those of its readers."""
        final = self.adjudicated(connection, note)
        if final is not None:
            return final
        done = self.finished(connection, note)
        if len(done) < self._folder.settings.readers or len({_marks(one) for one in done.values()}) != 1:
            return None
        return next(iter(done.values()))


def _of(note: int, reader: str) -> sa.ColumnElement[bool]:
    """Return the condition for the row of a reading."""
    return sa.and_(store.readings.c.note == note, store.readings.c.reader == reader)


def _marks(spans: Sequence[Span]) -> tuple[tuple[int, int, str], ...]:
    return tuple((span.start, span.end, span.label) for span in spans)
