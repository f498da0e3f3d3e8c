"""Tables of databases: one row is one note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from plainsight.document import Document, Field, SetAside
from plainsight.errors import FormatError, UsageError, suggest
from plainsight.formats.base import OpenSink, Sink
from plainsight.formats.columns import KEPT, Columns, find_columns
from plainsight.sources.database import Link, as_database, is_lost, refusing
from plainsight.sources.field_policy import DROP, KEEP, REFUSE, TEXT, load_fields
from plainsight.sources.sql_sink import open_table

_ROWS = 1000  # that the server sends at once, and that are looked at for the types of columns
_ROLES = ("text", "id", "patient", "type", "date")

Row = tuple[Any, ...]


@dataclass(kw_only=True)
class Sql:
    """Tables of PostgreSQL, SQLite, DuckDB and what else SQLAlchemy opens, named by a URL.

    ``postgresql://reader@db/hospital#notes`` is the table ``notes``; ``query`` reads the result of a SELECT
    instead. ``text``, ``id``, ``patient``, ``type`` and ``date`` name columns, as for other tables. Notes
    come in the order of patient and id, so that reading goes on where it was when the server comes back after
    a restart. ``fields`` is a file that says what becomes of other columns. ``spans`` names a column for the
    spans.
    """

    name: ClassVar[str] = "sql"
    suffixes: ClassVar[tuple[str, ...]] = (".db", ".sqlite", ".sqlite3", ".duckdb")

    text: str | None = None
    id: str | None = None
    patient: str | None = None
    type: str | None = None
    date: str | None = None
    query: str | None = None
    fields: Path | str | None = None
    spans: str = "spans"

    _table: ClassVar[str | None] = None  # the table to read when none is named

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each row."""
        if path.is_dir():
            raise FormatError("a folder, not a database", str(path))
        link = Link(as_database(path), read_only=True)
        with refusing(link), link.connect() as connection:
            table = None if self.query else link.chosen_table(connection, self._table)
            source = link.quoted_table(table) if table else _as_table(self.query or "")
            columns = self._columns(link.column_names(connection, source), str(path))
            if columns.id is None and table:
                key = link.primary_key(connection, table)
                columns = self._columns(columns.names, str(path), id=key) if key else columns
        if columns.id is None:
            raise UsageError(f"{path}: no column is known to hold the id: name it with --id-column")
        actions = self._actions(columns)
        return self._notes(_Rows(link, source, columns), columns, actions, str(path))

    def _actions(self, columns: Columns) -> dict[str, str]:
        """Return what the field policy does with the columns; a column that it refuses is an error."""
        policy = load_fields(self.name, Path(self.fields) if self.fields else None)
        actions: dict[str, str] = policy["columns"]
        unknown = [name for name in columns.keys if name not in actions]
        refused = [name for name in columns.names if actions.get(name) == REFUSE]
        if refused or (unknown and policy["unknown"] == REFUSE):
            raise UsageError(f"the field policy refuses the column {(refused + unknown)[0]!r}")
        for name, action in actions.items():
            if name not in columns.names and self._table is None:
                raise UsageError(f"{self.fields}: no column {name!r}{suggest(name, columns.names)}")
            if action == TEXT or name == columns.text:
                raise UsageError(f"{self.fields}: {name}: only the column of the note is read as text")
        return {name: action for name, action in actions.items() if name in columns.names}

    def _columns(self, names: list[str] | tuple[str, ...], where: str, **found: str) -> Columns:
        given = {role: getattr(self, role) for role in _ROLES}
        return find_columns(
            names, {**given, "spans": self.spans if self.spans in names else None, **found}, where
        )

    def _notes(
        self, rows: _Rows, columns: Columns, actions: Mapping[str, str], where: str
    ) -> Iterator[Document | SetAside]:
        every = iter(rows)
        first = list(islice(every, _ROWS))
        meta = {"_sql": column_types(columns.names, first)}
        text_at = columns.names.index(columns.text)
        for number, row in enumerate(chain(first, every), start=1):
            if isinstance(row[text_at], str | None):
                note = columns.read(row, number, f"{where}, row {number}", meta)
                yield _with_fields(note, columns, row, actions) if actions else note
            else:
                yield SetAside(f"row {number}", "the text is not text", where)

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        """Open a table, which appears or gets new content when the block ends."""
        with open_table(path, spans=self.spans if span_column else None) as sink:
            yield sink

    def open_to_update(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a table whose other rows stay: a note's row takes the place of the one with its id."""
        return open_table(path, spans=self.spans if span_column else None, update=True)


def _with_fields(
    note: Document | SetAside, columns: Columns, row: Row, actions: Mapping[str, str]
) -> Document | SetAside:
    """Return a note with the columns that the field policy names, as it says: replaced, kept, or empty."""
    if isinstance(note, SetAside):
        return note
    kept: dict[str, Any] = {}
    fields = []
    meta = dict(note.meta)
    for name, value in zip(columns.names, row, strict=True):
        if (action := actions.get(name)) is None:
            continue
        meta.pop(columns.keys.get(name, ""), None)
        if action == KEEP:
            kept[name] = value
        elif action == DROP:
            kept[name] = None
        else:
            fields.append(Field(name, action, value))
    return replace(note, meta={**meta, KEPT: kept}, fields=tuple(fields))


def _as_table(query: str) -> str:
    """Return a query as it stands after FROM; a colon in it is no parameter of ours."""
    return f"({query.strip().rstrip(';')}) AS notes".replace(":", "\\:")


class _Rows:
    """The rows of a table in the order of patient and id, from a cursor that the server holds.

    Patients come first, then rows without one. When the connection is lost, another one starts behind the
    last row; rows with the same patient and id as that are counted, so that none is lost or read twice.
    """

    def __init__(self, link: Link, source: str, columns: Columns) -> None:
        self._link = link
        self._source = source
        self._patient, self._id = columns.patient, columns.id or ""
        self._at = columns.names.index(self._id)
        self._patient_at = columns.names.index(columns.patient) if columns.patient else None

    def __iter__(self) -> Iterator[Row]:
        if self._patient is None:
            yield from self._ordered([self._id], [self._at], "")
            return
        patient = self._link.quoted(self._patient)
        keys, places = [self._patient, self._id], [self._patient_at or 0, self._at]
        yield from self._ordered(keys, places, f"{patient} IS NOT NULL")
        yield from self._ordered([self._id], [self._at], f"{patient} IS NULL")

    def _ordered(self, keys: list[str], places: list[int], condition: str) -> Iterator[Row]:
        from sqlalchemy.exc import DBAPIError

        last: list[Any] | None = None
        same = 0  # rows read with the same keys as the last
        while True:
            skip, lost = same, False
            try:
                for row in self._rows(keys, last, condition):
                    if last is not None and [row[place] for place in places] == last:
                        if skip:
                            skip -= 1
                            continue
                        same += 1
                    else:
                        skip, same, last = 0, 1, [row[place] for place in places]
                    yield row
            except DBAPIError as error:
                if not is_lost(error):
                    raise self._link.failure(error) from None
                lost = True
            if not lost:
                return
            self._link.again(self._look)

    def _look(self) -> None:
        with self._link.connect() as connection:
            self._link.column_names(connection, self._source)

    def _rows(self, keys: list[str], last: list[Any] | None, condition: str) -> Iterator[Row]:
        """Select the rows from the last keys on, with them."""
        from sqlalchemy import text

        names = [self._link.quoted(key) for key in keys]
        conditions = [condition] if condition else []
        parameters = {f"k{number}": value for number, value in enumerate(last or ())}
        if last is not None and len(names) == 2:
            first, second = names
            conditions.append(f"({first} > :k0 OR ({first} = :k0 AND {second} >= :k1))")
        elif last is not None:
            conditions.append(f"({names[0]} >= :k0 OR {names[0]} IS NULL)")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        statement = text(f"SELECT * FROM {self._source}{where} ORDER BY {', '.join(names)}")
        with self._link.connect() as connection:
            streaming = connection.execution_options(stream_results=True, max_row_buffer=_ROWS)
            for row in streaming.execute(statement, parameters):
                yield tuple(row)


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "float"),
    (Decimal, "decimal"),
    (datetime, "datetime"),
    (date, "date"),
    (time, "time"),
)


def column_types(names: tuple[str, ...], rows: list[Row]) -> dict[str, str]:
    """Return the type of each column, by its first value; columns without one hold text.

    >>> column_types(("id", "ward"), [(None, "A"), (7, "B")])
    {'id': 'integer', 'ward': 'text'}
    """
    types = {}
    for place, name in enumerate(names):
        value = next((row[place] for row in rows if row[place] is not None), None)
        types[name] = next((word for kind, word in _TYPES if isinstance(value, kind)), "text")
        if isinstance(value, datetime) and value.tzinfo is not None:
            types[name] = "datetime with zone"
    return types
