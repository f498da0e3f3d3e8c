"""The audit log: who did what to which note, and no word of any note.

Every entry holds a keyed digest of itself and of the entry before, and the project remembers the last one. So
an entry that was changed, removed or put in is found, by whoever has the project's key. Only a copy of the
whole database from an earlier day cannot be told from that day: a release names the last entry it saw.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from plainsight.errors import DataError
from plainsight.review import store
from plainsight.review.store import Store

_END = "audit log"
_FIRST = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log."""

    seq: int
    at: float
    user: str
    action: str
    note: int | None
    label: str | None
    digest: str
    previous: str


class AuditLog:
    """The log of a project."""

    def __init__(self, opened: Store, key: bytes) -> None:
        self._store = opened
        self._key = key

    def add(
        self,
        connection: sa.Connection,
        at: float,
        user: str,
        action: str,
        *,
        note: int | None = None,
        label: str | None = None,
    ) -> None:
        """Write an entry in a transaction that writes what it tells."""
        seq, previous = self._end(connection)
        digest = self._digest(seq + 1, at, user, action, note, label, previous)
        connection.execute(
            store.audit_log.insert().values(
                seq=seq + 1, at=at, user=user, action=action, note=note, label=label,
                digest=digest, previous=previous,
            )
        )  # fmt: skip
        end = f"{seq + 1} {digest} {self._seal(seq + 1, digest)}"
        connection.execute(store.about.update().where(store.about.c.name == _END).values(value=end))

    def begin(self, connection: sa.Connection) -> None:
        """Begin the log of a new project."""
        end = f"0 {_FIRST} {self._seal(0, _FIRST)}"
        connection.execute(store.about.insert().values(name=_END, value=end))

    @property
    def end(self) -> str:
        """The digest of the last entry, for a release to name."""
        with self._store.read() as connection:
            return self._end(connection)[1]

    def entries(self) -> Iterator[Entry]:
        """Yield all entries, the first one first."""
        last = 0
        while True:
            with self._store.read() as connection:
                rows = connection.execute(
                    sa.select(store.audit_log)
                    .where(store.audit_log.c.seq > last)
                    .order_by(store.audit_log.c.seq)
                    .limit(1000)
                ).all()
            for row in rows:
                yield Entry(**row._mapping)
            if not rows:
                return
            last = rows[-1].seq

    def check(self) -> int:
        """Return how many entries there are; refuse a log in which any was changed, removed or put in."""
        with self._store.read() as connection:
            count, end = self._end(connection)
        seq, previous = 0, _FIRST
        for entry in self.entries():
            if entry.seq > count:  # written since, or put in
                with self._store.read() as connection:
                    count, end = self._end(connection)
                if entry.seq > count:
                    raise DataError(f"audit log: entry {entry.seq} was put in")
            seq += 1
            if entry.seq != seq:
                raise DataError(f"audit log: entry {seq} is missing")
            right = self._digest(
                seq, entry.at, entry.user, entry.action, entry.note, entry.label, entry.previous
            )
            if entry.previous != previous or not hmac.compare_digest(entry.digest, right):
                raise DataError(f"audit log: entry {seq} was changed, or one before it was put in")
            previous = entry.digest
        if (seq, previous) != (count, end):
            raise DataError(f"audit log: {count - seq} entries are missing at its end")
        return seq

    def _end(self, connection: sa.Connection) -> tuple[int, str]:
        value = connection.execute(
            sa.select(store.about.c.value).where(store.about.c.name == _END)
        ).scalar_one_or_none()
        count, digest, sealed = [*str(value or "").split(), "", "", ""][:3]
        if not count.isdigit() or not hmac.compare_digest(sealed, self._seal(int(count), digest)):
            raise DataError("audit log: its end was changed")
        return int(count), digest

    def _digest(self, *values: object) -> str:
        return hmac.new(self._key, json.dumps(values).encode(), sha256).hexdigest()

    def _seal(self, seq: int, digest: str) -> str:
        return self._digest("end", seq, digest)
