"""A connection to a database that outlives a restart of its server and never shows a password or a value.

SQLAlchemy speaks to all kinds of databases. Its errors hold statements with their values, so they are not
passed on: what we raise names the database and the kind of the error.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plainsight.errors import FormatError, PlainsightError, UsageError
from plainsight.formats.files import MemoryFile
from plainsight.sources.places import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Made = TypeVar("Made")

PATIENCE = "PLAINSIGHT_DATABASE_PATIENCE"
"""The variable that says how many seconds to wait for a server that has gone away."""

_USUAL_PATIENCE = 60.0

_FIRST_WAIT = 0.5
_DRIVERS = {"postgresql": "postgresql+psycopg"}


class Link:
    """A database that is open for reading or for writing.

    >>> link = Link(Database("sqlite://"))
    >>> with link.connect() as connection:
    ...     link.column_names(connection, "(SELECT 1 AS a, 2 AS b) AS t")
    ['a', 'b']
    """

    def __init__(self, database: Database, *, read_only: bool = False) -> None:
        self.database = database
        self.patience = _patience()
        self._read_only = read_only
        self._engine = self._open()
        self.kind = self._engine.dialect.name

    def __str__(self) -> str:
        return str(self.database)

    def _open(self) -> Engine:
        try:
            import sqlalchemy
            from sqlalchemy.pool import NullPool
        except ModuleNotFoundError:
            raise UsageError('databases need SQLAlchemy: pip install "plainsight[sql]"') from None
        file = self.database.file
        if self._read_only and file is not None and not file.exists():
            raise UsageError(f"{self}: no such file")
        try:
            url = sqlalchemy.make_url(self.database.url)
            url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
            arguments: dict[str, Any] = {}
            if self._read_only and url.get_backend_name() == "duckdb":
                arguments["read_only"] = True
            return sqlalchemy.create_engine(
                url, poolclass=NullPool, hide_parameters=True, connect_args=arguments
            )
        except (ModuleNotFoundError, sqlalchemy.exc.NoSuchModuleError) as error:
            name = getattr(error, "name", None) or "its driver"
            raise UsageError(
                f'{self}: needs {name}: pip install "plainsight[sql]", or the driver of your database'
            ) from None
        except (sqlalchemy.exc.ArgumentError, ValueError):
            raise UsageError(f"{self}: not an address of a database") from None

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Open a connection; the first failure to do so is the user's to mend."""
        from sqlalchemy.exc import DBAPIError

        try:
            connection = self._engine.connect()
        except DBAPIError as error:
            raise UsageError(f"{self}: cannot be opened: {self._reason(error)}") from None
        except OSError as error:
            raise UsageError(f"{self}: cannot be opened: {error.strerror}") from None
        with connection:
            if self._read_only:
                self._forbid_writing(connection)
            yield connection

    def _forbid_writing(self, connection: Connection) -> None:
        if self.kind == "postgresql":
            connection.execution_options(postgresql_readonly=True)
        elif self.kind == "sqlite":
            connection.exec_driver_sql("PRAGMA query_only = ON")

    def _reason(self, error: Exception) -> str:
        """Return the first line of what a driver says about a connection or a name, without the password."""
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        password = self._engine.url.password
        return said.replace(str(password), "…") if password else said

    def again(self, work: Callable[[], Made]) -> Made:
        """Return what ``work`` returns; when the server has gone away, wait for it and do it again.

        ``work`` opens its own connection and can be done twice.
        """
        from sqlalchemy.exc import DBAPIError

        waited, wait = 0.0, _FIRST_WAIT
        while True:
            try:
                return work()
            except DBAPIError as error:
                if not is_lost(error) or waited >= self.patience:
                    raise self.failure(error) from None
            except UsageError as error:  # cannot be opened: it may be starting
                if waited >= self.patience:
                    raise PlainsightError(str(error)) from None
            time.sleep(wait)
            waited, wait = waited + wait, min(2 * wait, 10.0)

    def failure(self, error: Exception) -> PlainsightError:
        """Return an error that says what kind of error a database gave; its message could hold values."""
        original = getattr(error, "orig", None) or error
        state = getattr(original, "sqlstate", None)
        return PlainsightError(f"{self}: {type(original).__name__}{f' {state}' if state else ''}")

    # --- names ----------------------------------------------------------------------------------------------

    def quoted(self, name: str) -> str:
        """Return a column's name for a statement, in which a colon would mark a parameter."""
        return self._engine.dialect.identifier_preparer.quote(name).replace(":", "\\:")

    def quoted_table(self, table: str) -> str:
        """Return a table's name, perhaps with its schema, for a statement."""
        return ".".join(map(self.quoted, table.split(".")))

    def column_names(self, connection: Connection, source: str) -> list[str]:
        """Return the columns of a table or query, which is given as it stands after FROM."""
        from sqlalchemy import text
        from sqlalchemy.exc import DBAPIError

        try:
            return list(connection.execute(text(f"SELECT * FROM {source} WHERE 1 = 0")).keys())
        except DBAPIError as error:
            raise UsageError(f"{self}: {self._reason(error)}") from None

    def tables(self, connection: Connection) -> list[str]:
        """Return the names of the tables and views of the default schema."""
        from sqlalchemy import inspect, text

        if self.kind == "duckdb":
            rows = connection.execute(text("SELECT table_name FROM information_schema.tables ORDER BY 1"))
            return [name for (name,) in rows]
        found = inspect(connection)
        return sorted({*found.get_table_names(), *found.get_view_names()})

    def has_table(self, connection: Connection, table: str) -> bool:
        """Whether a table exists."""
        from sqlalchemy import inspect, text

        schema, _, name = table.rpartition(".")
        if self.kind == "duckdb":
            wanted = "SELECT 1 FROM information_schema.tables WHERE table_name = :name"
            parameters = {"name": name, **({"schema": schema} if schema else {})}
            also = " AND table_schema = :schema" if schema else ""
            return connection.execute(text(wanted + also), parameters).first() is not None
        return inspect(connection).has_table(name, schema=schema or None)

    def has_rows(self, connection: Connection, table: str, condition: str = "1 = 1") -> bool:
        """Whether a table exists and has rows of which a condition holds."""
        from sqlalchemy import text

        if not self.has_table(connection, table):
            return False
        rows = text(f"SELECT 1 FROM {self.quoted_table(table)} WHERE {condition}")
        return connection.execute(rows).first() is not None

    def primary_key(self, connection: Connection, table: str) -> str | None:
        """Return the column that is a table's primary key, if it is one column."""
        from sqlalchemy import inspect, text

        schema, _, name = table.rpartition(".")
        if self.kind == "duckdb":
            wanted = (
                "SELECT constraint_column_names FROM duckdb_constraints() "
                "WHERE constraint_type = 'PRIMARY KEY' AND table_name = :name"
            )
            row = connection.execute(text(wanted), {"name": name}).first()
            columns: Sequence[str] = row[0] if row else ()
        else:
            columns = inspect(connection).get_pk_constraint(name, schema=schema or None)[
                "constrained_columns"
            ]
        return columns[0] if len(columns) == 1 else None

    def chosen_table(self, connection: Connection, usual: str | None = None) -> str:
        """Return the table to read: the one that is named, the usual one, or the only one."""
        if self.database.table or usual:
            return self.database.table or usual or ""
        tables = self.tables(connection)
        if len(tables) != 1:
            known = f": {', '.join(tables[:20])}" if tables else ""
            raise UsageError(f"{self}: name a table after a #; there are {len(tables) or 'none'}{known}")
        return tables[0]


@contextmanager
def refusing(link: Link) -> Iterator[None]:
    """Refuse a database that cannot be looked at: it is damaged, or no database."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        kind = type(getattr(error, "orig", None) or error).__name__
        raise FormatError(f"not a database that can be read ({kind})", str(link)) from None


def is_lost(error: Exception) -> bool:
    """Whether an error of a database says that the connection is gone, so that another may do."""
    from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

    if not isinstance(error, DBAPIError):
        return False
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state:
        return state.startswith(("08", "57P"))  # a lost connection, a server that stops or starts
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def _patience() -> float:
    try:
        return float(os.environ.get(PATIENCE, _USUAL_PATIENCE))
    except ValueError:
        raise UsageError(f"{PATIENCE} is a number of seconds") from None


def as_database(path: Path) -> Database:
    """Return the database that a path names: by a URL, or as a file of SQLite or DuckDB."""
    if isinstance(path, Database):
        return path
    if isinstance(path, MemoryFile):
        raise UsageError("a database cannot go through a pipe; give a file, or the URL of a database")
    if {"#", "?"} & set(str(path)):
        raise UsageError(f"{path}: the name of a database's file cannot have # or ?")
    kind = "duckdb" if path.suffix.lower() == ".duckdb" else "sqlite"
    return Database(f"{kind}:///{path}")


def has_rows(database: Database) -> bool:
    """Whether the table that a database names exists and has rows."""
    if database.table is None or (database.file is not None and not database.file.exists()):
        return False
    link = Link(database)
    with refusing(link), link.connect() as connection:
        return link.has_rows(connection, database.table)
