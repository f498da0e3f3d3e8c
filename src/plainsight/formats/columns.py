"""Which column of a table holds what: shared by CSV and Parquet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError, suggest
from plainsight.formats.encodings import refuse_encoded
from plainsight.formats.jsonl import read_spans
from plainsight.formats.meta import free_key, plain

_USUAL: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "note_text", "note", "note_content", "report_text", "report", "document_text"),
    "id": ("note_id", "id", "noteid", "document_id", "doc_id", "report_id", "row_id"),
    "patient": ("patient_id", "person_id", "subject_id", "patientid", "pat_id"),
    "type": ("note_type", "note_class", "category", "document_type", "report_type"),
    "date": ("note_date", "date", "chartdate", "report_date", "document_date"),
}
_META_KEY = {"type": "note_type", "date": "note_date"}


@dataclass(frozen=True, slots=True)
class Columns:
    """A table's columns in order, and what they hold; all its notes have them in ``meta["_columns"]``.

    ``keys`` says which go to meta, and as what; ``rest`` is a column for all other meta, as JSON.
    """

    names: tuple[str, ...]
    text: str
    id: str | None = None
    patient: str | None = None
    spans: str | None = None
    rest: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    def read(
        self, row: Sequence[Any], number: int, where: str, meta: Mapping[str, Any]
    ) -> Document | SetAside:
        """Make a document of a row, or set it aside; ``meta`` is what the format adds."""
        cells = dict(zip(self.names, row, strict=True))
        place = f"row {number}"
        given = cells[self.id] if self.id is not None else f"row-{number}"
        if given is None or given == "":
            return SetAside(place, "no id", where)
        note_id = cell(given)
        text = cells[self.text]
        if text is None:
            return SetAside(note_id, "the text is null", where)
        patient = cell(cells[self.patient]) if self.patient is not None else ""
        carried = {key: cells[name] for name, key in self.keys.items()}
        try:
            refuse_encoded(text)
            spans = _spans(cells[self.spans]) if self.spans is not None else ()
            return Document(note_id, text, spans, patient or None, meta={**carried, "_columns": self, **meta})
        except DataError as error:
            return SetAside(note_id, str(error), where)

    def write(self, document: Document) -> list[Any]:
        """Return a document's cells in the order of the columns."""
        return [self.value(name, document) for name in self.names]

    def value(self, name: str, document: Document) -> Any:
        """Return a document's cell of one column."""
        if name == self.text:
            return document.text
        if name == self.id:
            return document.id
        if name == self.patient:
            return document.patient_id
        if name == self.spans:
            return json.dumps([span.to_json() for span in document.spans])
        if name == self.rest:
            rest = {
                key: value for key, value in plain(document.meta).items() if key not in self.keys.values()
            }
            return json.dumps(rest, default=str) if rest else None
        return document.meta.get(self.keys[name])

    def check(self, document: Document) -> None:
        """Refuse a document that comes from a table with other columns."""
        its = document.meta.get("_columns", self)
        if its is not self and its != self:
            raise FormatError("its table has other columns than the first note's", f"note {document.id}")


def columns_of(document: Document | None) -> Columns:
    """Return the columns of the table that a document comes from, or the usual ones."""
    found = document.meta.get("_columns") if document is not None else None
    return found if isinstance(found, Columns) else _DEFAULT


_DEFAULT = Columns(
    ("note_id", "patient_id", "note_type", "note_date", "text", "meta"),
    text="text",
    id="note_id",
    patient="patient_id",
    rest="meta",
    keys={"note_type": "note_type", "note_date": "note_date"},
)


def written_columns(source: Columns, document: Document | None, spans: str | None) -> Columns:
    """Leave out the columns that documents no longer carry, judged by the first; add the spans if asked."""
    names, chosen = source.names, source.spans
    if document is not None and source is not _DEFAULT:
        gone = {name for name, key in source.keys.items() if key not in document.meta}
        names = tuple(name for name in names if name not in gone)
    if spans is not None and chosen is None:
        if spans in names:
            raise FormatError(f"a column {spans!r} exists already: name another for the spans")
        names, chosen = (*names, spans), spans
    return replace(source, names=names, spans=chosen)


def choose(names: Sequence[str], given: Mapping[str, str | None], where: str) -> Columns:
    """Find the columns of a table: as given, or by their usual names where only one fits."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FormatError(f"two columns have the same name{_named(name, names)}", where)
        seen.add(name)
    found = {role: _column(role, names, given.get(role), where) for role in (*_USUAL, "spans")}
    if found["text"] is None:
        raise FormatError(f"no column is known to hold the text: name it{_listed(names)}", where)
    held = [found[role] for role in ("text", "id", "patient", "spans")]
    keys: dict[str, str] = {}
    roles = {found[role]: key for role, key in _META_KEY.items() if found[role] not in (None, *held)}
    for name in names:
        if name not in held:
            wanted = roles.get(name, name)
            taken = {*keys.values(), *names} - {name}
            keys[name] = wanted if wanted not in taken and name in roles else free_key(name, keys.values())
    return Columns(tuple(names), found["text"], found["id"], found["patient"], found["spans"], keys=keys)


def _column(role: str, names: Sequence[str], given: str | None, where: str) -> str | None:
    if given is not None:
        near = [name for name in names if name == given] or [n for n in names if n.lower() == given.lower()]
        if len(near) != 1:
            hint = (
                suggest(given, names) if _is_header(names) else "; the first line does not look like a header"
            )
            raise FormatError(f"no column {given!r}{hint}", where)
        return near[0]
    usual = _USUAL.get(role, ())
    fitting = [name for name in names if re.sub(r"[\s-]+", "_", name.strip().lower()) in usual]
    if len(fitting) > 1 and role in ("text", "id", "patient"):
        raise FormatError(
            f"columns {' and '.join(map(repr, fitting))} could hold the {role}: name one", where
        )
    return fitting[0] if len(fitting) == 1 else None


def _is_header(names: Sequence[str]) -> bool:
    """Whether these look like column names: a file without a header would put a note into the message."""
    return all(re.fullmatch(r"[A-Za-z_][\w.-]{0,39}|", name) for name in names)


def is_table_head(line: str) -> str:
    """Return the delimiter of a line that names a table's columns, with text and id; otherwise nothing.

    >>> is_table_head("note_id,patient_id,text"), is_table_head("Text, note by Dr. Ng")
    (',', '')
    """
    for delimiter in ",;|\t":
        names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
        text, owner = _USUAL["text"], (*_USUAL["id"], *_USUAL["patient"])
        if _is_header(names) and set(names) & set(text) and set(names) & set(owner):
            return delimiter
    return ""


def _listed(names: Sequence[str]) -> str:
    return (
        f"; columns: {', '.join(names)}"
        if _is_header(names)
        else "; the first line does not look like a header"
    )


def _named(name: str, names: Sequence[str]) -> str:
    return f": {name!r}" if _is_header(names) else ""


def _spans(value: Any) -> tuple[Span, ...]:
    if value is None or value == "":
        return ()
    try:
        records = json.loads(value)
    except (ValueError, TypeError, RecursionError):
        raise DataError("the spans are not JSON") from None
    return tuple(read_spans(records))


def cell(value: Any) -> str:
    """Write a value of any kind as text: nothing for a null, JSON for what has parts.

    >>> cell(None), cell(7), cell(True), cell(["a"])
    ('', '7', 'true', '["a"]')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool | list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
