"""Seals of the rows that a release counts on, so that nobody without the key changes, moves or removes one.

Each such row holds a keyed digest of its values, which is checked whenever the row is used. The project also
holds the sum of another digest of every seal, itself sealed. A row that was removed, put in twice or replaced
by an older one of its own leaves a wrong sum, which is found when everything is checked, as before a release.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.folder import Folder
from plainsight.review.store import Store

TABLES = (store.notes, store.found, store.readings, store.finals, store.users, store.releases)
"""The tables whose rows are sealed."""

_SUM = "sum of seals"
_SIZE = 1 << 256
_UNSEALED = ("seal", "shown_at")
_AT_ONCE = 500


class RowSeals:
    """Seal rows, and check them."""

    def __init__(self, opened: Store, folder: Folder) -> None:
        self._store = opened
        self._key = folder.key("row seals")
        self._part_key = folder.key("parts of the sum of seals")  # so that nobody sees what is summed
        self._sealer = folder.sealer

    def begin(self, connection: sa.Connection) -> None:
        """Begin the sum of a new project."""
        connection.execute(store.about.insert().values(name=_SUM, value=self._sealed(0)))

    @contextmanager
    def changing(
        self, connection: sa.Connection, table: sa.Table, where: sa.ColumnElement[bool]
    ) -> Iterator[None]:
        """Seal the rows that a block changes, makes or removes; those that were there must be right."""
        change = 0
        for row in self._rows(connection, table, where):
            self.check_row(table, row)
            change -= self._part(row.seal)
        yield
        sealed = []
        for row in self._rows(connection, table, where):
            seal = self._seal(table, row)
            change += self._part(seal)
            own = {f"key {column.name}": row._mapping[column.name] for column in table.primary_key}
            sealed.append(own | {"new": seal})
        if sealed:
            same = [column == sa.bindparam(f"key {column.name}") for column in table.primary_key]
            connection.execute(table.update().where(*same).values(seal=sa.bindparam("new")), sealed)
        total = (self._sum(connection) + change) % _SIZE
        about = store.about
        connection.execute(about.update().where(about.c.name == _SUM).values(value=self._sealed(total)))

    def check_row(self, table: sa.Table, row: sa.Row[Any]) -> None:
        """Refuse a row, with all columns of its table, that is not as the project wrote it."""
        if row.seal is None or not hmac.compare_digest(bytes(row.seal), self._seal(table, row)):
            key = " ".join(str(row._mapping[column.name]) for column in table.primary_key)
            raise DataError(f"the project's database was changed from outside: {table.name}, row {key}")

    def check(self) -> None:
        """Refuse a project in which any row was changed, moved, removed or put in."""
        total = 0
        with self._store.read() as connection:
            for table in TABLES:
                for row in self._rows(connection, table, sa.true()):
                    self.check_row(table, row)
                    total += self._part(row.seal)
            if total % _SIZE != self._sum(connection):
                raise DataError(
                    "the project's database was changed from outside: rows are missing, or are older ones"
                )

    @staticmethod
    def _rows(
        connection: sa.Connection, table: sa.Table, where: sa.ColumnElement[bool]
    ) -> Iterator[sa.Row[Any]]:
        query = sa.select(table).where(where).execution_options(yield_per=_AT_ONCE)
        yield from connection.execute(query)

    def _seal(self, table: sa.Table, row: sa.Row[Any]) -> bytes:
        names = [column.name for column in table.columns if column.name not in _UNSEALED]
        values = [row._mapping[name] for name in names]
        plain = [bytes(one).hex() if isinstance(one, bytes | memoryview) else one for one in values]
        return hmac.digest(self._key, json.dumps([table.name, *plain]).encode(), "sha256")

    def _part(self, seal: bytes) -> int:
        return int.from_bytes(hmac.digest(self._part_key, bytes(seal), "sha256"))

    def _sealed(self, total: int) -> str:
        return self._sealer.seal(total.to_bytes(32), about=_SUM).hex()

    def _sum(self, connection: sa.Connection) -> int:
        query = sa.select(store.about.c.value).where(store.about.c.name == _SUM)
        value = connection.execute(query).scalar_one_or_none()
        try:
            return int.from_bytes(self._sealer.open(bytes.fromhex(value or ""), about=_SUM))
        except ValueError:
            raise DataError(f"{_SUM}: damaged") from None
