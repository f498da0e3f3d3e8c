"""What readers make of notes: edits, undo and redo, and when a note counts as read.

Every edit is on the disk before its answer. A reading has a revision; whoever edits an older one is refused,
so that two windows never overwrite each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from plainsight.document import Span
from plainsight.errors import DataError, PlainsightError
from plainsight.review import store
from plainsight.review.edits import (
    FOUND,
    Add,
    Alike,
    Change,
    Edit,
    Label,
    Single,
    State,
    alike_edits,
    alike_pattern,
    apply,
    difference,
    redone,
    undone,
)
from plainsight.review.notes import DONE, TODO, Found
from plainsight.review.stored_readings import OPEN, StoredReadings

_LIVE, _UNDONE, _DROPPED = 0, 1, 2
_SCANNED = 500  # notes looked through at once
_LONGEST_STEP = 900.0  # seconds of reading that one call can report


class StaleError(PlainsightError):
    """The reading was changed since; ``revision`` is the current one."""

    def __init__(self, revision: int) -> None:
        super().__init__(f"the note was changed since: its revision is {revision}")
        self.revision = revision


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """A note as one reader left it; ``misses`` are those left, by their numbers."""

    note: int
    reader: str
    revision: int
    state: str
    marks: State
    found: Found
    misses: tuple[int, ...]
    seconds: float
    can_undo: bool
    can_redo: bool
    notes_changed: int = 0

    @property
    def spans(self) -> tuple[Span, ...]:
        """The marks that count."""
        return self.marks.spans


class Readings(StoredReadings):
    """The readings of a project, and how they change."""

    # --- reading ----------------------------------------------------------------------------------------

    def get(self, note: int, reader: str) -> Reading:
        """Return a reader's reading of a note; of one not opened yet, what the policy found."""
        with self._store.read() as connection:
            return self._reading(connection, note, reader)

    def show(self, note: int, reader: str) -> None:
        """Remember that a reader has a note on the screen, so that others get another one."""
        with self._store.write() as connection:
            self.row(connection, note, reader, make=True)
            self.update(connection, note, reader, shown_at=self._clock())

    def _reading(self, connection: sa.Connection, note: int, reader: str, changed: int = 0) -> Reading:
        row = self.row(connection, note, reader)
        found = self._notes.found(connection, note)
        state = self.state(row, note, reader, found)
        misses = _misses(state, found)
        kinds = self._top(connection, note, reader)
        revision = row.revision if row else found.times
        return Reading(
            note, reader, revision, row.state if row else TODO, state, found, misses,
            row.seconds if row else 0.0, _LIVE in kinds, _UNDONE in kinds, changed,
        )  # fmt: skip

    # --- editing ----------------------------------------------------------------------------------------

    def edit(
        self, note: int, reader: str, edits: Sequence[Edit], revision: int, *, seconds: float = 0.0
    ) -> Reading:
        """Make edits, which are undone together; refuse them all if one cannot be made."""
        others = self._others(note, reader, edits)
        with self._store.write() as connection:
            row = self._current(connection, note, reader, revision)
            step = 1 + (connection.execute(sa.select(sa.func.max(store.edits.c.step))).scalar() or 0)
            text = self._notes.text(connection, note)
            found = self._notes.found(connection, note)
            before = state = self.state(row, note, reader, found)
            jobs: list[tuple[re.Pattern[str], Alike, str | None]] = []
            for edit in edits:
                if isinstance(edit, Alike):
                    pattern, old_label = _wanted(text, state, edit)
                    self._check_alike(edit)
                    jobs.append((pattern, edit, old_label))
                    singles: Sequence[Single] = alike_edits(
                        text, state, pattern, edit.what, old_label=old_label, label=edit.label
                    )
                else:
                    singles = [edit]
                state = apply(text, state, singles, self._labels())
            self._check_misses(state, found)
            self._save(connection, note, reader, row, before, state, step)
            changed = 1 + sum(
                self._edit_other(connection, other, reader, jobs, step) for other in sorted(others)
            )
            self._add_seconds(connection, note, reader, seconds)
            action = f"edit {', '.join(sorted({_name(edit) for edit in edits}))}, {changed} notes"
            label = next((edit.label for edit in edits if isinstance(edit, Add | Label | Alike)), None)
            self._log.add(connection, self._clock(), reader, action, note=note, label=label)
            return self._reading(connection, note, reader, changed)

    def _current(self, connection: sa.Connection, note: int, reader: str, revision: int) -> Any:
        """Return the row of a reading that may be edited at this revision."""
        row = self.row(connection, note, reader, make=True)
        if row.revision != revision:
            raise StaleError(row.revision)
        if connection.execute(sa.select(store.finals.c.note).where(store.finals.c.note == note)).first():
            raise DataError("the note is adjudicated: nobody can change it")
        return row

    def _check_alike(self, edit: Alike) -> None:
        if edit.what in ("add", "label") and edit.label not in self._labels():
            raise DataError("no such label")

    def _check_misses(self, state: State, found: Found) -> None:
        if state.dismissed and not 0 <= state.dismissed[0] <= state.dismissed[-1] < len(found.misses):
            raise DataError("no such likely miss")

    def _save(
        self,
        connection: sa.Connection,
        note: int,
        reader: str,
        row: Any,
        before: State,
        state: State,
        step: int | None,
    ) -> None:
        """Write a state; as a new step, it drops what could be redone."""
        revision = row.revision + 1
        sealed = self._folder.sealer.seal(msgspec.json.encode(state), about=f"reading {note} {reader}")
        self.update(connection, note, reader, revision=revision, changed=state.changed, sealed=sealed)
        self._settle_claims(connection, note, reader, state)
        if step is not None:
            table = store.edits
            connection.execute(
                table.update()
                .where(table.c.note == note, table.c.reader == reader, table.c.undone == _UNDONE)
                .values(undone=_DROPPED)
            )
            data = msgspec.json.encode(difference(before, state))
            connection.execute(
                table.insert().values(
                    step=step, note=note, reader=reader, revision=revision, at=self._clock(), undone=_LIVE,
                    sealed=self._folder.sealer.seal(data, about=f"edit {note} {reader} {step}"),
                )
            )  # fmt: skip
        if row.state == DONE:
            self.judge(connection, note)

    def _settle_claims(self, connection: sa.Connection, note: int, reader: str, state: State) -> None:
        """Write down which claims the reader has decided about, here or in audit mode."""
        claims, decided = store.claims, store.claims_decided
        items = connection.execute(sa.select(claims.c.item).where(claims.c.note == note)).scalars().all()
        if not items:
            return
        found = self._notes.found(connection, note)
        waiting = {mark.id for mark in state.marks if mark.status == FOUND}
        waiting |= {-1 - number for number in _misses(state, found)}
        connection.execute(decided.delete().where(decided.c.note == note, decided.c.reader == reader))
        done = [{"note": note, "reader": reader, "item": item} for item in items if item not in waiting]
        if done:
            connection.execute(decided.insert(), done)

    def _add_seconds(self, connection: sa.Connection, note: int, reader: str, seconds: float) -> None:
        if seconds > 0:
            more = store.readings.c.seconds + min(seconds, _LONGEST_STEP)
            self.update(connection, note, reader, seconds=more)

    # --- all alike --------------------------------------------------------------------------------------

    def _others(self, note: int, reader: str, edits: Iterable[Edit]) -> set[int]:
        """Return the other notes that hold the text of an edit of a patient or the project.

        Looking through all texts takes seconds in a large project, so it is done before the write.
        """
        wide = [edit for edit in edits if isinstance(edit, Alike) and edit.where != "note"]
        if not wide:
            return set()
        reading = self.get(note, reader)
        with self._store.read() as connection:
            text = self._notes.text(connection, note)
        found: set[int] = set()
        for edit in wide:
            pattern, _ = _wanted(text, reading.marks, edit)
            for other, sealed in self._texts(note, reader, patient=edit.where == "patient"):
                if other not in found and pattern.search(self._notes.opened_text(other, sealed)):
                    found.add(other)
        return found - {note}

    def _texts(self, note: int, reader: str, *, patient: bool) -> Iterable[tuple[int, bytes]]:
        """Yield the sealed texts that a reader's edits may reach: not what others have finished."""
        notes, readings = store.notes, store.readings
        mine = sa.and_(readings.c.note == notes.c.id, readings.c.reader == reader)
        query = (
            sa.select(notes.c.id, store.texts.c.sealed)
            .join(store.texts, store.texts.c.note == notes.c.id)
            .outerjoin(readings, mine)
            .where((notes.c.finished < self._folder.settings.readers) | (readings.c.state == DONE))
            .where(notes.c.is_audit.is_not(None))
            .order_by(notes.c.id)
            .limit(_SCANNED)
        )
        if patient:
            own = sa.select(notes.c.patient).where(notes.c.id == note).scalar_subquery()
            query = query.where(notes.c.patient == own)
        last = 0
        while True:
            with self._store.read() as connection:
                rows = connection.execute(query.where(notes.c.id > last)).all()
            yield from ((row.id, row.sealed) for row in rows)
            if not rows:
                return
            last = rows[-1].id

    def _edit_other(
        self,
        connection: sa.Connection,
        note: int,
        reader: str,
        jobs: Sequence[tuple[re.Pattern[str], Alike, str | None]],
        step: int,
    ) -> bool:
        """Do the same in another note; an adjudicated one stays."""
        if connection.execute(sa.select(store.finals.c.note).where(store.finals.c.note == note)).first():
            return False
        text, found = self._notes.text(connection, note), self._notes.found(connection, note)
        row = self.row(connection, note, reader)
        before = state = self.state(row, note, reader, found)
        for pattern, edit, old_label in jobs:
            if edit.where != "note":
                singles = alike_edits(text, state, pattern, edit.what, old_label=old_label, label=edit.label)
                state = apply(text, state, singles, self._labels())
        if state == before:
            return False
        row = row or self.row(connection, note, reader, make=True)
        self._save(connection, note, reader, row, before, state, step)
        return True

    # --- undo and redo ----------------------------------------------------------------------------------

    def undo(self, note: int, reader: str, revision: int) -> Reading:
        """Take back the last edits, in all notes that they changed and that were not edited since."""
        return self._again(note, reader, revision, _LIVE, undone, "undo")

    def redo(self, note: int, reader: str, revision: int) -> Reading:
        """Make the edits again that were taken back last."""
        return self._again(note, reader, revision, _UNDONE, redone, "redo")

    def _again(
        self,
        note: int,
        reader: str,
        revision: int,
        kind: int,
        change: Callable[[State, Change], State],
        action: str,
    ) -> Reading:
        with self._store.write() as connection:
            self._current(connection, note, reader, revision)
            top = self._top(connection, note, reader).get(kind)
            if top is None:
                raise DataError(f"there is nothing to {action}")
            table = store.edits
            rows = connection.execute(
                sa.select(table).where(table.c.step == top.step, table.c.reader == reader)
            ).all()
            changed = 0
            for edit in rows:
                own = self._top(connection, edit.note, reader).get(kind)
                if own is None or own.id != edit.id:
                    continue  # edited since
                row = self.row(connection, edit.note, reader)
                found = self._notes.found(connection, edit.note)
                state = self.state(row, edit.note, reader, found)
                about = f"edit {edit.note} {reader} {edit.step}"
                data = self._folder.sealer.open(edit.sealed, about=about)
                new = change(state, msgspec.json.decode(data, type=Change))
                other = _UNDONE if kind == _LIVE else _LIVE
                connection.execute(table.update().where(table.c.id == edit.id).values(undone=other))
                self._save(connection, edit.note, reader, row, state, new, None)
                changed += 1
            self._log.add(connection, self._clock(), reader, f"{action}, {changed} notes", note=note)
            return self._reading(connection, note, reader, changed)

    def _top(self, connection: sa.Connection, note: int, reader: str) -> dict[int, Any]:
        """Return the edit that undo takes back and the one that redo makes again, as far as there are."""
        table, top = store.edits, {}
        for kind, order in ((_LIVE, table.c.id.desc()), (_UNDONE, table.c.id)):
            row = connection.execute(
                sa.select(table.c.id, table.c.step)
                .where(table.c.note == note, table.c.reader == reader, table.c.undone == kind)
                .order_by(order)
                .limit(1)
            ).first()
            if row is not None:
                top[kind] = row
        return top

    # --- done -------------------------------------------------------------------------------------------

    def finish(
        self, note: int, reader: str, seconds: float = 0.0, *, revision: int | None = None, done: bool = True
    ) -> Reading:
        """Say that a note is read, or that it is not after all."""
        with self._store.write() as connection:
            row = self.row(connection, note, reader, make=True)
            self._current(connection, note, reader, row.revision if revision is None else revision)
            self._add_seconds(connection, note, reader, seconds)
            state, at = (DONE, self._clock()) if done else (OPEN, None)
            self.update(connection, note, reader, state=state, done_at=at, revision=row.revision + 1)
            self.judge(connection, note)
            action = "finish" if done else "reopen"
            self._log.add(connection, self._clock(), reader, action, note=note)
            return self._reading(connection, note, reader)


def _misses(state: State, found: Found) -> tuple[int, ...]:
    """Return the numbers of the likely misses that no mark covers and that nobody dismissed."""
    places = [(mark.start, mark.end) for mark in state.marks if mark.counts]
    return tuple(
        number
        for number, miss in enumerate(found.misses)
        if number not in state.dismissed
        and not any(start <= miss.start and miss.end <= end for start, end in places)
    )


def _wanted(text: str, state: State, edit: Alike) -> tuple[re.Pattern[str], str | None]:
    """Return what finds the places of an edit, and the label of the mark that it is about."""
    if edit.span is not None:
        mark = next((one for one in state.marks if one.id == edit.span), None)
        if mark is None:
            raise DataError(f"no mark {edit.span}")
        start, end, label = mark.start, mark.end, mark.label
    elif edit.start is not None and edit.end is not None:
        start, end, label = edit.start, edit.end, None
    else:
        raise DataError("all alike: of a mark, or of a start and an end")
    if not 0 <= start < end <= len(text) or not text[start:end].strip():
        raise DataError("all alike: there is no text")
    return alike_pattern(text[start:end].strip()), None if edit.what == "add" else label


def _name(edit: Edit) -> str:
    return f"alike {edit.what} in {edit.where}" if isinstance(edit, Alike) else type(edit).__name__.lower()
