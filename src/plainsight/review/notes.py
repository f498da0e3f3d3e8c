"""The notes of a project as they are stored: their text, and what the policy found in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from plainsight.combine.doubt import Doubt, Kind
from plainsight.document import CONFIDENCE, Document, Patient, Span
from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.folder import Folder
from plainsight.review.row_seals import RowSeals
from plainsight.review.store import Store

TODO, DONE, DISAGREE = "todo", "done", "disagree"
"""The states of a note: not read by all who should, read, or read with different results."""

CLAIMED = 0.95
"""Spans with a lower score are claims for a person to decide about in audit mode."""

_PAGE = 500


class Miss(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that may have been missed; a rare word has neither label nor probability."""

    start: int
    end: int
    label: str | None = None
    probability: float | None = None


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the policy found in a note: spans with their claims, and likely misses.

    ``again`` are the spans that the policy finds since the note was read, if it was changed; ``times`` is how
    often all marks were replaced before anybody worked on them.
    """

    spans: tuple[dict[str, Any], ...] = ()
    misses: tuple[Miss, ...] = ()
    again: tuple[dict[str, Any], ...] | None = None
    times: int = 0

    @property
    def now(self) -> tuple[Span, ...]:
        """The spans as the policy in use finds them."""
        spans = self.spans if self.again is None else self.again
        return tuple(Span.from_json(span) for span in spans)


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A line of the list of notes. ``title`` is the id that the note had when it was imported."""

    id: int
    title: str
    patient_id: str | None
    words: int
    marks: int
    confidence: float
    doubt: float
    is_audit: bool
    state: str


class Notes:
    """Read the notes of a project."""

    def __init__(self, opened: Store, folder: Folder, seals: RowSeals) -> None:
        self._store = opened
        self._seals = seals
        self._folder = folder

    def list(self, *, state: str | None = None, audit: bool | None = None) -> Iterator[Note]:
        """Yield the notes in the order of the import, without their text."""
        table, last = store.notes, 0
        while True:
            query = sa.select(table).where(table.c.id > last).order_by(table.c.id).limit(_PAGE)
            if state is not None:
                query = query.where(table.c.state == state)
            if audit is not None:
                query = query.where(sa.func.coalesce(table.c.is_audit, 0) == int(audit))
            with self._store.read() as connection:
                rows = connection.execute(query).all()
            for row in rows:
                self._seals.check_row(table, row)
                title, patient_id = self.title(row.id, row.sealed)
                yield Note(
                    row.id, title, patient_id, row.words, row.marks, row.confidence, row.doubt,
                    bool(row.is_audit), row.state,
                )  # fmt: skip
            if not rows:
                return
            last = rows[-1].id

    def title(self, note: int, sealed: bytes) -> tuple[str, str | None]:
        """Return the id and the patient's id that a note came with."""
        title, patient_id = json.loads(self._folder.sealer.open(sealed, about=f"note {note}"))
        return title, patient_id

    def sealed_title(self, note: int, document: Document) -> bytes:
        """Return what `title` opens."""
        data = json.dumps([document.id, document.patient_id]).encode()
        return self._folder.sealer.seal(data, about=f"note {note}")

    def sealed_text(self, note: int, document: Document) -> bytes:
        """Return what `document` opens."""
        record = {
            "text": document.text,
            "cuts": document.cuts,
            "meta": {key: value for key, value in document.meta.items() if not key.startswith("_")},
            "patient": asdict(document.patient) if document.patient else None,
        }
        data = json.dumps(record, default=str).encode()
        return self._folder.sealer.seal(data, about=f"text {note}")

    def sealed_found(self, note: int, document: Document, misses: tuple[Miss, ...]) -> bytes:
        """Return what `found` opens."""
        return self._sealed(note, Found(_json(document), misses))

    def found_anew(
        self, connection: sa.Connection, note: int, document: Document, misses: tuple[Miss, ...]
    ) -> bytes:
        """Return what `found` opens of a note whose marks are replaced; nobody has worked on it."""
        times = self.found(connection, note).times + 1
        return self._sealed(note, Found(_json(document), misses, times=times))

    def found_again(self, connection: sa.Connection, note: int, document: Document) -> bytes:
        """Return what `found` opens of a note that keeps its marks, though the policy finds others now."""
        before = self.found(connection, note)
        return self._sealed(note, msgspec.structs.replace(before, again=_json(document)))

    def _sealed(self, note: int, found: Found) -> bytes:
        return self._folder.sealer.seal(msgspec.json.encode(found), about=f"found {note}")

    def text(self, connection: sa.Connection, note: int) -> str:
        """Return the text of a note."""
        return str(self._record(connection, note)["text"])

    def opened_text(self, note: int, sealed: bytes) -> str:
        """Return the text in a row of the table."""
        return str(json.loads(self._folder.sealer.open(sealed, about=f"text {note}"))["text"])

    def _record(self, connection: sa.Connection, note: int) -> dict[str, Any]:
        sealed = connection.execute(
            sa.select(store.texts.c.sealed).where(store.texts.c.note == note)
        ).scalar_one_or_none()
        if sealed is None:
            raise MissingNoteError(note)
        record: dict[str, Any] = json.loads(self._folder.sealer.open(sealed, about=f"text {note}"))
        return record

    def found(self, connection: sa.Connection, note: int) -> Found:
        """Return what the policy found in a note."""
        row = connection.execute(sa.select(store.found).where(store.found.c.note == note)).first()
        if row is None:
            raise MissingNoteError(note)
        self._seals.check_row(store.found, row)
        data = self._folder.sealer.open(row.sealed, about=f"found {note}")
        return msgspec.json.decode(data, type=Found)

    def document(
        self, connection: sa.Connection, note: int, spans: tuple[Span, ...] | None = None
    ) -> Document:
        """Return a note with the spans given, or with those that the policy found."""
        record = self._record(connection, note)
        row = connection.execute(sa.select(store.notes).where(store.notes.c.id == note)).one()
        self._seals.check_row(store.notes, row)
        title, patient_id = self.title(note, row.sealed)
        if spans is None:
            spans = tuple(Span.from_json(span) for span in self.found(connection, note).spans)
        return Document(
            title,
            record["text"],
            spans,
            patient_id,
            Patient.from_json(record["patient"]) if record["patient"] else None,
            record["meta"] | {CONFIDENCE: row.confidence},
            cuts=tuple(record["cuts"]),
        )


def _json(document: Document) -> tuple[dict[str, Any], ...]:
    return tuple(span.to_json(explain=True) for span in document.spans)


class MissingNoteError(DataError):
    """The project has no such note."""

    def __init__(self, note: int) -> None:
        super().__init__(f"the project has no note {note}")


def claimed(spans: Sequence[tuple[str, float]], misses: Sequence[Miss]) -> list[tuple[int, str]]:
    """Return the number and label of each uncertain span and likely miss; misses count from -1 down."""
    unsure = [(number, label) for number, (label, score) in enumerate(spans) if score < CLAIMED]
    missed = [(-1 - number, miss.label) for number, miss in enumerate(misses) if miss.label]
    return unsure + missed


def misses_of(places: tuple[Doubt, ...]) -> tuple[Miss, ...]:
    """Return the likely misses and rare words among places in doubt."""
    return tuple(
        Miss(place.start, place.end, place.label, place.probability)
        for place in places
        if place.kind is not Kind.SPAN
    )
