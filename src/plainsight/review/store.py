"""The tables of a review project, in SQLite (embedded) or PostgreSQL (by URL).

Numbers, labels and states are plain, so that the queue is one indexed query. What could identify anybody is
sealed before it gets here. Where a table has a ``seal``, its rows cannot be changed without the project's key
(`plainsight.review.row_seals`). Writers take turns: a write sees all that was committed before it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from plainsight.errors import DataError, PlainsightError, UsageError

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # SQLite numbers rows by INTEGER alone
metadata = sa.MetaData()

about = sa.Table(
    "about",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""What the project is: its number, the format of its tables, the end of its audit log."""

notes = sa.Table(
    "notes",
    metadata,
    sa.Column("id", Big, primary_key=True),
    sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("patient", sa.LargeBinary, index=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("words", sa.Integer, nullable=False),
    sa.Column("marks", sa.Integer, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("doubt", sa.Float, nullable=False),
    sa.Column("urgency", sa.Float, nullable=False),
    sa.Column("shuffled", Big, nullable=False),
    sa.Column("drawn", Big, nullable=False),
    sa.Column("is_audit", sa.Integer),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("finished", sa.Integer, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary),
    sa.Index("notes_urgency", "urgency", "id"),
    sa.Index("notes_shuffled", "shuffled", "id"),
    sa.Index("notes_position", "position", "id"),
    sa.Index("notes_state", "state"),
    sa.Index("notes_audit", "is_audit"),
)
"""A row for each note. ``digest`` and ``patient`` are keyed digests of ids; ``sealed`` holds the ids.

``urgency`` is the doubt by which the queue is ordered; notes of the audit sample have one that was drawn.
``drawn`` decides who is in the sample, ``shuffled`` is the random order. ``is_audit`` is 0, 1, or null while
an import is not finished. ``finished`` counts the readings that are done.
"""

texts = sa.Table(
    "texts",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)
"""The text of each note, its patient's record and its other data."""

found = sa.Table(
    "found",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary),
)
"""The spans and likely misses of each note as the policy found them."""

note_labels = sa.Table(
    "note_labels",
    metadata,
    sa.Column("label", sa.Text, primary_key=True),
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("marks", sa.Integer, nullable=False),
)
"""How many spans and likely misses of each label were found in each note."""

claims = sa.Table(
    "claims",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("label", sa.Text, nullable=False, index=True),
)
"""Spans with a low score (by their number) and likely misses (-1 and below), for audit mode."""

claims_decided = sa.Table(
    "claims_decided",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("reader", sa.Text, primary_key=True),
    sa.Column("item", sa.Integer, primary_key=True, autoincrement=False),
)
"""The claims that each reader has decided about."""

readings = sa.Table(
    "readings",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("reader", sa.Text, primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("changed", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("shown_at", sa.Float),
    sa.Column("done_at", sa.Float),
    sa.Column("sealed", sa.LargeBinary),
    sa.Column("seal", sa.LargeBinary),
    sa.Index("readings_reader", "reader", "state", "note"),
)
"""What each reader made of each note: ``sealed`` is null as long as nothing was edited."""

edits = sa.Table(
    "edits",
    metadata,
    sa.Column("id", Big, primary_key=True),
    sa.Column("step", Big, nullable=False, index=True),
    sa.Column("note", Big, sa.ForeignKey("notes.id"), nullable=False),
    sa.Column("reader", sa.Text, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("undone", sa.Integer, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Index("edits_note", "note", "reader", "undone", "id"),
)
"""What each edit changed. The edits of one call share a ``step``; ``undone`` is 0, 1, or 2 for one that a
later edit made impossible to redo."""

finals = sa.Table(
    "finals",
    metadata,
    sa.Column("note", Big, sa.ForeignKey("notes.id"), primary_key=True),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("seal", sa.LargeBinary),
)
"""The adjudicated spans of notes."""

users = sa.Table(
    "users",
    metadata,
    sa.Column("id", Big, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("password_hash", sa.Text, nullable=False),
    sa.Column("disabled", sa.Integer, nullable=False),
    sa.Column("seal", sa.LargeBinary),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("digest", sa.LargeBinary, primary_key=True),
    sa.Column("user", Big, sa.ForeignKey("users.id"), nullable=False),
    sa.Column("csrf", sa.Text, nullable=False),
    sa.Column("began", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
)
"""Who is logged in, by a digest of the cookie."""

audit_log = sa.Table(
    "audit_log",
    metadata,
    sa.Column("seq", Big, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("user", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("note", Big),
    sa.Column("label", sa.Text),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("previous", sa.Text, nullable=False),
)

releases = sa.Table(
    "releases",
    metadata,
    sa.Column("id", Big, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("folder", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("seal", sa.LargeBinary),
)

_NO_CHANGE = {
    "sqlite": (
        "CREATE TRIGGER IF NOT EXISTS audit_log_no_update BEFORE UPDATE ON audit_log "
        "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END",
        "CREATE TRIGGER IF NOT EXISTS audit_log_no_delete BEFORE DELETE ON audit_log "
        "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END",
    ),
    "postgresql": (
        "CREATE OR REPLACE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$",
        "CREATE OR REPLACE TRIGGER audit_log_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()",
    ),
}
_LOCK = 0x706C61696E  # the number of the lock that writers of PostgreSQL take
_WAIT = 30  # seconds that a writer of SQLite waits for its turn


class Store:
    """The open tables of a project."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.kind = engine.dialect.name
        self._turn = threading.Lock()  # writers of this process wait here, not by asking again and again

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state of the tables."""
        with _failing_well(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Open a transaction that is alone in writing; it is on the disk when the block ends."""
        with self._turn, _failing_well(), self.engine.connect() as connection:
            connection = connection.execution_options(writes=True)
            with connection.begin():
                if self.kind == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
                yield connection

    def create(self) -> None:
        """Make the tables."""
        with self.write() as connection:
            metadata.create_all(connection)
            for statement in _NO_CHANGE[self.kind]:
                connection.exec_driver_sql(statement)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _failing_well() -> Iterator[None]:
    """Name a failure of the database by its kind: the message could hold values."""
    try:
        yield
    except DBAPIError as error:
        original = error.orig or error
        raise PlainsightError(f"the project's database: {type(original).__name__}") from None


def sqlite_store(file: Path, *, new: bool = False) -> Store:
    """Open an embedded database that only its owner can read."""
    if new:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    elif not file.is_file():
        raise DataError(f"{file} is missing")
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)), connect_args={"timeout": _WAIT}, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in (
            "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON",
            "temp_store=MEMORY", "cache_size=-65536",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return Store(engine)


def server_store(url: str) -> Store:
    """Open a database of a PostgreSQL server."""
    try:
        address = sa.make_url(url)
        if address.get_backend_name() != "postgresql":
            raise UsageError("a project's database is PostgreSQL, or a file of its own")
        address = address.set(drivername="postgresql+psycopg")
        engine = sa.create_engine(address, pool_pre_ping=True, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise UsageError("the URL of the project's database cannot be read") from None
    except ModuleNotFoundError:
        raise UsageError('PostgreSQL needs its driver: pip install "plainsight[sql]"') from None
    return Store(engine)
