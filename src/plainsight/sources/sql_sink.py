"""Write notes to a table of a database: in small transactions, complete or absent.

Rows go to a table of another name. When all are there, one transaction moves them to the table that was asked
for. What a killed run left under the other name is dropped at the next start.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from plainsight.document import Document
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import Sink
from plainsight.formats.columns import Columns, cell, written_columns
from plainsight.formats.staging import sync, sync_folder, temporary
from plainsight.sources.database import Link, as_database, refusing
from plainsight.sources.places import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection

_UNFINISHED = "plainsight_unfinished_"
_ROWS = 1000  # in a transaction
_CHARACTERS = 4 << 20
_PARAMETERS = 900  # of a statement that inserts many rows: DuckDB is slow with one row a statement

_PYTHON: Mapping[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "float": (float, int),
    "decimal": (Decimal, int),
    "datetime": (datetime,),
    "datetime with zone": (datetime,),
    "date": (date,),
    "time": (time,),
    "text": (str,),
}


@contextmanager
def open_table(
    path: Path, *, spans: str | None, kind: type[TableSink] | None = None, update: bool = False
) -> Iterator[Sink]:
    """Open the table that a path names; a database in a new file appears whole, too.

    With ``update``, rows take the place of those with the same id, and other rows stay.
    """
    with (
        new_file(as_database(path)) as database,
        filled((kind or TableSink)(database, spans=spans, update=update)) as sink,
    ):
        yield sink


@contextmanager
def new_file(database: Database) -> Iterator[Database]:
    """Give a database to fill: this one, or if its file is new, one that gets its name at the end."""
    target = database.file
    if target is None or (target.exists() and target.stat().st_size):
        yield database
        return
    target = Path(os.path.realpath(target))
    with temporary(target.parent, is_folder=True) as folder:
        made = folder / target.name
        table = f"#{database.table}" if database.table else ""
        yield Database(f"{database.url.partition('://')[0]}:///{made}{table}")
        made.chmod(0o600)
        sync(made)
        made.replace(target)
        sync_folder(target.parent)


@contextmanager
def filled(sink: TableSink) -> Iterator[TableSink]:
    """Let the tables of a sink appear when the block ends, or drop them on an error."""
    try:
        yield sink
        sink.finish()
    except BaseException:
        sink.drop()
        raise


class Table:
    """A table that is being filled: its columns with their types, and rows that wait to be written."""

    def __init__(
        self, link: Link, name: str, types: Mapping[str, str], key: str | None, *, update: bool = False
    ) -> None:
        if update and key is None:
            raise UsageError(f"{link}: {name} cannot be updated: notes have no column with an id")
        self._link = link
        self._types = types
        self._key = key
        self._update = update
        schema, _, own = name.rpartition(".")
        self.name = name
        self.unfinished = f"{schema}.{_UNFINISHED}{own}" if schema else f"{_UNFINISHED}{own}"
        self._waiting: list[dict[str, Any]] = []
        self._characters = 0

    def create(self, connection: Connection) -> None:
        """Create the unfinished table; check that the finished one, if it is there, has all its columns."""
        from sqlalchemy import text

        link = self._link
        if link.has_table(connection, self.name):
            known = set(link.column_names(connection, link.quoted_table(self.name)))
            if missing := [name for name in self._types if name not in known]:
                raise UsageError(f"{link}: table {self.name} has no column {missing[0]!r}")
        columns = [f"{link.quoted(name)} {_sql_type(kind, link.kind)}" for name, kind in self._types.items()]
        if self._key:
            columns.append(f"PRIMARY KEY ({link.quoted(self._key)})")
        self.drop(connection)
        statement = f"CREATE TABLE {link.quoted_table(self.unfinished)} ({', '.join(columns)})"
        connection.execute(text(statement))

    def drop(self, connection: Connection) -> None:
        """Drop the unfinished table."""
        from sqlalchemy import text

        connection.execute(text(f"DROP TABLE IF EXISTS {self._link.quoted_table(self.unfinished)}"))

    def row(self, values: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Return a row, or refuse a value that does not fit its column."""
        made = {}
        for name, kind in self._types.items():
            try:
                made[name] = _fitting(values.get(name), kind)
            except UnicodeEncodeError:
                raise FormatError("a lone surrogate, which a database cannot hold", where) from None
            except (ValueError, TypeError, ArithmeticError):
                raise FormatError("a value is not of the column's type", f"{where}, column {name}") from None
            if self._link.kind == "sqlite" and isinstance(made[name], date | time | Decimal):
                made[name] = str(made[name])  # it has no such types
            if isinstance(made[name], str) and "\0" in made[name] and self._link.kind == "postgresql":
                raise FormatError("a NUL character, which PostgreSQL cannot hold", where)
        return made

    def add(self, row: dict[str, Any]) -> None:
        """Write a row, some time before `flush` returns."""
        self._waiting.append(row)
        self._characters += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._waiting) >= _ROWS or self._characters >= _CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait, in one transaction.

        One that got through while the server went away is done again, so that each row is there once.
        """
        if self._waiting:
            self._link.again(self._insert)
            self._waiting, self._characters = [], 0

    def _insert(self) -> None:
        from sqlalchemy import text

        link, rows = self._link, self._waiting
        target, key = link.quoted_table(self.unfinished), self._key
        names = ", ".join(map(link.quoted, self._types))
        at_once = 1 if link.kind != "duckdb" else max(1, _PARAMETERS // len(self._types))
        with link.connect() as connection, connection.begin():
            if key:
                where = f"FROM {target} WHERE {link.quoted(key)} = :id"
                if connection.execute(text(f"SELECT 1 {where}"), {"id": rows[0][key]}).first():
                    connection.execute(text(f"DELETE {where}"), [{"id": row[key]} for row in rows])
            for size, some in _groups(rows, at_once):
                values = ", ".join(
                    "(" + ", ".join(f":c{place}" for place in range(start, start + len(self._types))) + ")"
                    for start in range(0, size * len(self._types), len(self._types))
                )
                bound = [
                    {f"c{place}": value for place, value in enumerate(v for row in few for v in row.values())}
                    for few in some
                ]
                connection.execute(text(f"INSERT INTO {target} ({names}) VALUES {values}"), bound)

    def finish(self, connection: Connection) -> None:
        """Move the rows to the finished table, or give this one its name.

        The finished table is emptied first; an update takes out only the rows whose notes come anew.
        """
        from sqlalchemy import text

        link = self._link
        unfinished, finished = link.quoted_table(self.unfinished), link.quoted_table(self.name)
        if not link.has_table(connection, self.unfinished):
            return  # the transaction got through before the server went away
        if link.has_table(connection, self.name):
            names = ", ".join(map(link.quoted, self._types))
            own = link.quoted(self._key or "")
            replaced = f" WHERE {own} IN (SELECT {own} FROM {unfinished})" if self._update else ""
            connection.execute(text(f"DELETE FROM {finished}{replaced}"))
            connection.execute(text(f"INSERT INTO {finished} ({names}) SELECT {names} FROM {unfinished}"))
            connection.execute(text(f"DROP TABLE {unfinished}"))
        else:
            own = link.quoted(self.name.rpartition(".")[2])
            connection.execute(text(f"ALTER TABLE {unfinished} RENAME TO {own}"))


class TableSink:
    """Write notes as the rows of a table, with the columns of the table that the first one comes from."""

    default_table: ClassVar[str] = "notes"

    def __init__(self, database: Database, *, spans: str | None, update: bool = False) -> None:
        self.link = Link(database)
        self._spans = spans
        self._update = update
        self._columns: Columns | None = None
        self._table: Table | None = None
        with refusing(self.link), self.link.connect() as connection:  # before any work
            if database.table is None and not update and self.link.has_rows(connection, self.default_table):
                raise UsageError(
                    f"{self.link}: the table {self.default_table} has rows: name a table after a #, "
                    f"and if it is that one, give --force"
                )

    @property
    def table_name(self) -> str:
        """The table to fill."""
        return self.link.database.table or self.default_table

    def write(self, document: Document) -> None:
        """Write a note's row."""
        columns = self._columns or written_columns(document, self._spans)
        table = self._table or self._new(columns, document)
        columns.check(document)
        where = f"note {document.id}"
        row = table.row({name: columns.value(name, document) for name in columns.names}, where)
        if self._table is None:  # only now: a first note that is refused must not decide on the columns
            self._create(table)
            self._columns, self._table = columns, table
        table.add(row)

    def _new(self, columns: Columns, document: Document | None) -> Table:
        found = document.meta.get("_sql") if document is not None else None
        types = {name: (found or {}).get(name, "text") for name in columns.names}
        if document is not None:
            for name in (columns.id, columns.patient):
                if name and types[name] != "text" and not _holds(columns.value(name, document), types[name]):
                    types[name] = "text"  # numbers have become codes
        return Table(self.link, self.table_name, types, columns.id, update=self._update)

    def _create(self, table: Table) -> None:
        with self.link.connect() as connection, connection.begin():
            table.create(connection)

    def finish(self) -> None:
        """Let the table appear."""
        if self._table is None:
            if self._update and self.link.database.exists():
                return  # nothing is new
            self._table = self._new(written_columns(None, self._spans), None)
            self._create(self._table)
        self._table.flush()
        self.link.again(lambda: self._in_transaction("finish"))

    def drop(self) -> None:
        """Remove what is there of the table after an error; if even that fails, the next run does it."""
        with suppress(Exception):
            self._in_transaction("drop")

    def _in_transaction(self, step: str) -> None:
        from sqlalchemy import text

        with self.link.connect() as connection, connection.begin():
            for table in self.tables():
                if step == "finish":
                    table.finish(connection)
                else:
                    connection.execute(
                        text(f"DROP TABLE IF EXISTS {self.link.quoted_table(table.unfinished)}")
                    )

    def tables(self) -> Sequence[Table]:
        """Return the tables that are being filled."""
        return [self._table] if self._table else []


def _groups(
    rows: Sequence[dict[str, Any]], size: int
) -> Iterator[tuple[int, list[Sequence[dict[str, Any]]]]]:
    """Yield groups of ``size`` rows, all at once, and then the rest as one group."""
    whole = len(rows) // size * size
    if whole:
        yield size, [rows[start : start + size] for start in range(0, whole, size)]
    if rest := rows[whole:]:
        yield len(rest), [rest]


def _holds(value: Any, kind: str) -> bool:
    try:
        _fitting(value, kind)
    except ValueError:
        return False
    return True


def _fitting(value: Any, kind: str) -> Any:
    """Return a value as its column holds it; ids come as text, and dates as text from files."""
    if value is None:
        return None
    if kind == "text":
        written = cell(value)
        written.encode("utf-8")
        return written
    if isinstance(value, _PYTHON[kind]) and not (isinstance(value, bool) and kind != "boolean"):
        return value
    if value == "":
        return None
    if kind == "integer" and str(number := int(value)) == str(value):
        return number
    if kind in ("float", "decimal"):
        return float(value) if kind == "float" else Decimal(str(value))
    if kind == "date":
        return date.fromisoformat(value)
    if kind.startswith("datetime"):
        return datetime.fromisoformat(value)
    raise ValueError(kind)


def _sql_type(kind: str, dialect: str) -> str:
    words = {
        "boolean": "BOOLEAN",
        "integer": "BIGINT",
        "float": "DOUBLE PRECISION",
        "decimal": "NUMERIC",
        "datetime": "TIMESTAMP",
        "datetime with zone": "TIMESTAMP WITH TIME ZONE",
        "date": "DATE",
        "time": "TIME",
        "text": "TEXT",
    }
    if dialect == "mssql":
        words |= {"text": "NVARCHAR(MAX)", "datetime": "DATETIME2", "datetime with zone": "DATETIMEOFFSET"}
    return words[kind]
