"""Find the columns of a table and convert its rows to documents and back, for CSV and Parquet."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from plainsight.document import CONFIDENCE, Document, SetAside, Span
from plainsight.errors import DataError, FormatError, suggest
from plainsight.formats.base import OpenSink, free_key, plain_meta
from plainsight.formats.datasets import file_or_dataset, in_part, part_of
from plainsight.formats.encodings import refuse_encoded
from plainsight.formats.files import read_files
from plainsight.formats.jsonl import read_spans

_USUAL_NAMES: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "note_text", "note", "note_content", "report_text", "report", "document_text"),
    "id": ("note_id", "id", "noteid", "document_id", "doc_id", "report_id", "row_id"),
    "patient": ("patient_id", "person_id", "subject_id", "patientid", "pat_id"),
    "type": ("note_type", "note_class", "category", "document_type", "report_type"),
    "date": ("note_date", "date", "chartdate", "report_date", "document_date"),
}
KEPT = "_kept"
"""The key of a note's meta for columns that a field policy keeps, by their names."""

_NO_HEADER = "; the first line may not be a header, so it is not shown"
_META_KEY = {"type": "note_type", "date": "note_date"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of a table's columns in order, and which of them hold what.

    Every note of the table refers to them in ``meta["_columns"]``. ``keys`` maps the columns that go to meta
    to their keys; ``rest`` is a column for all other meta, as JSON. ``source`` is set for a table to write:
    the columns of the table that its notes come from.
    """

    names: tuple[str, ...]
    text: str
    id: str | None = None
    patient: str | None = None
    spans: str | None = None
    rest: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    source: Columns | None = field(default=None, compare=False)

    def read(
        self, row: Sequence[Any], number: int, where: str, meta: Mapping[str, Any]
    ) -> Document | SetAside:
        """Convert a row to a document, or set it aside; ``meta`` holds what the format adds."""
        cells = dict(zip(self.names, row, strict=True))
        note_id = cell(cells[self.id]) if self.id is not None else f"row-{number}"
        if not note_id:
            return SetAside(f"row {number}", "no id", where)
        text = cells[self.text]
        if text is None:
            return SetAside(note_id, "the text is null", where)
        patient = cell(cells[self.patient]) if self.patient is not None else ""
        other = {key: cells[name] for name, key in self.keys.items()}
        try:
            refuse_encoded(text)
            spans = _spans(cells[self.spans]) if self.spans is not None else ()
            return Document(note_id, text, spans, patient or None, meta={**other, "_columns": self, **meta})
        except DataError as error:
            return SetAside(note_id, str(error), where)

    def value(self, name: str, document: Document) -> Any:
        """Return a document's cell of one column."""
        if name == self.text:
            return document.text
        if name in (beside := beside_text(document)):
            return beside[name]
        if name == self.id:
            return document.id
        if name == self.patient:
            return document.patient_id
        if name == self.spans:
            return json.dumps([span.to_json() for span in document.spans])
        if name == self.rest:
            meta, used = plain_meta(document.meta), self.keys.values()
            rest = {key: value for key, value in meta.items() if key not in used}
            return json.dumps(rest, default=str) if rest else None
        return document.meta.get(self.keys[name])

    def also(self, names: Iterable[str]) -> Columns:
        """Return these columns and further ones, which go to meta."""
        new = {name: name for name in names if name not in self.names and name not in self.keys.values()}
        return replace(self, names=(*self.names, *new), keys={**self.keys, **new})

    def check(self, document: Document) -> None:
        """Refuse a document that comes from a table with other columns."""
        source = self.source or self
        if document.meta.get("_columns", source) != source:
            raise FormatError("its table has other columns than the first note's", f"note {document.id}")


def beside_text(document: Document) -> Mapping[str, Any]:
    """Return the columns that a field policy has decided on: those kept, and those replaced as fields."""
    kept: Mapping[str, Any] = document.meta.get(KEPT, {})
    return {**kept, **{field.name: field.value for field in document.fields}} if document.fields else kept


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


def written_columns(first: Document | None, spans: str | None) -> Columns:
    """Return the columns of a table to write, from its first document; ``spans`` names one for the spans.

    Columns that the document no longer carries are left out. With the spans goes the note's confidence.
    """
    source = columns_of(first)
    names, span_column = source.names, source.spans
    if first is not None and source is not _DEFAULT:
        there = beside_text(first)
        names = tuple(n for n in names if n not in source.keys or n in there or source.keys[n] in first.meta)
    if spans is not None and span_column is None:
        if spans in names:
            raise FormatError(f"a column {spans!r} exists already: name another for the spans")
        names, span_column = (*names, spans), spans
    keys = source.keys
    if spans is not None and first is not None and CONFIDENCE in first.meta and CONFIDENCE not in names:
        names, keys = (*names, CONFIDENCE), {**keys, CONFIDENCE: CONFIDENCE}
    return replace(source, names=names, spans=span_column, keys=keys, source=source)


@dataclass(kw_only=True)
class TableFormat:
    """The options of all tables, and what their readers share.

    ``text``, ``id``, ``patient``, ``type`` and ``date`` name the columns; columns with usual names are found.
    Other columns go to meta. ``spans`` names the column that holds spans as JSON.
    """

    suffixes: ClassVar[tuple[str, ...]]

    text: str | None = None
    id: str | None = None
    patient: str | None = None
    type: str | None = None
    date: str | None = None
    spans: str = "spans"

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each row; the files of a folder, which must have the same columns, in order."""
        seen: list[object] = []
        numbers = count()

        def notes(file: Path, _: str) -> Iterator[Document | SetAside]:
            part = part_of(file, path, next(numbers), self.suffixes)
            columns: Columns | None = None
            for item in self._read_file(file, seen):
                if part and part.columns and isinstance(item, Document):
                    columns = columns or item.meta["_columns"].also(part.columns)
                    item = replace(item, meta={**item.meta, "_columns": columns})
                yield in_part(item, part)

        return read_files(path, self.suffixes, notes)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a table like the one that the first note comes from, or a folder of such tables."""
        return file_or_dataset(
            path, self.suffixes, lambda file: self._open_file(file, span_column=span_column)
        )

    def _open_file(self, path: Path, *, span_column: bool) -> OpenSink:
        """Open one file."""
        raise NotImplementedError

    def _read_file(self, file: Path, seen: list[Any]) -> Iterator[Document | SetAside]:
        """Yield the notes of a file; ``seen`` holds the columns of the files before it."""
        raise NotImplementedError

    def _find_columns(self, names: Sequence[str], file: Path) -> Columns:
        options = {role: getattr(self, role) for role in _USUAL_NAMES}
        spans = self.spans if self.spans in names else None
        return find_columns(names, {**options, "spans": spans}, str(file))


def find_columns(names: Sequence[str], given: Mapping[str, str | None], where: str) -> Columns:
    """Find the columns of a table: as given, or by their usual names where only one fits."""
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        which = f": {repeated[0]!r}" if _is_header(names) else ""
        raise FormatError(f"two columns have the same name{which}", where)
    found = {role: _column(role, names, given.get(role), where) for role in (*_USUAL_NAMES, "spans")}
    if found["text"] is None:
        columns = f"; columns: {', '.join(names)}" if _is_header(names) else _NO_HEADER
        raise FormatError(f"no column is known to hold the text: name it{columns}", where)
    not_meta = [found[role] for role in ("text", "id", "patient", "spans")]
    meta_keys = {found[role]: key for role, key in _META_KEY.items() if found[role] not in (None, *not_meta)}
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        if name not in not_meta:
            wanted = meta_keys.get(name)
            free = wanted is not None and wanted not in taken and (wanted == name or wanted not in names)
            keys[name] = wanted if wanted is not None and free else free_key(name, taken)
            taken.add(keys[name])
    return Columns(tuple(names), found["text"], found["id"], found["patient"], found["spans"], keys=keys)


def _column(role: str, names: Sequence[str], given: str | None, where: str) -> str | None:
    if given is not None:
        near = [name for name in names if name == given] or [n for n in names if n.lower() == given.lower()]
        if len(near) != 1:
            hint = suggest(given, names) if _is_header(names) else _NO_HEADER
            raise FormatError(f"no column {given!r}{hint}", where)
        return near[0]
    usual = _USUAL_NAMES.get(role, ())
    fitting = [name for name in names if re.sub(r"[\s-]+", "_", name.strip().lower()) in usual]
    if len(fitting) > 1 and role in ("text", "id", "patient"):
        columns = " and ".join(map(repr, fitting))
        raise FormatError(f"columns {columns} could hold the {role}: name one", where)
    return fitting[0] if len(fitting) == 1 else None


_HEADER_WORDS = frozenset(
    re.findall(
        r"\w+",
        """author body category class code content count date day department doc document encounter facility
        hadm id index key label mrn name note num number pat patient person provider report row section site
        spans status subject text time title type unit value version visit year""",
    )
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def _is_header(names: Sequence[str]) -> bool:
    """Whether these are surely column names; if not, messages must not quote them, they may be a note.

    >>> _is_header(["note_id", "who", "body"]), _is_header(["HADM", "NoteBody"])
    (True, True)
    >>> _is_header(["Okafor", "John"]), _is_header(["Okafor", "note"])
    (False, False)
    """
    if not _could_be_header(names):
        return False
    roles = {name for usual in _USUAL_NAMES.values() for name in usual if "_" in name} | {"id"}
    known = [name for name in names if _HEADER_WORDS & {part.lower() for part in _WORD.findall(name)}]
    return any(name.lower() in roles for name in names) or 2 * len(known) > len(names)


def _could_be_header(names: Sequence[str]) -> bool:
    return all(re.fullmatch(r"[A-Za-z_][\w.-]{0,39}|", name) for name in names)


def table_delimiter(line: str) -> str:
    """Return the delimiter of a line that names a table's columns, with text and id; else "".

    >>> table_delimiter("note_id,patient_id,text"), table_delimiter("Text, note by Dr. Ng")
    (',', '')
    """
    for delimiter in ",;|\t":
        names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
        text, owner = _USUAL_NAMES["text"], (*_USUAL_NAMES["id"], *_USUAL_NAMES["patient"])
        if _could_be_header(names) and set(names) & set(text) and set(names) & set(owner):
            return delimiter
    return ""


def _spans(value: Any) -> tuple[Span, ...]:
    if value is None or value == "":
        return ()
    try:
        records = json.loads(value)
    except (ValueError, TypeError, RecursionError):
        raise DataError("the spans are not JSON") from None
    return tuple(read_spans(records))


def cell(value: Any) -> str:
    """Write a value as text: "" for null, JSON for booleans, lists and objects.

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
