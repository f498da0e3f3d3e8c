"""The notes that an output already holds, so that the next night does only new and changed ones.

For each note the index has a keyed digest of its id, a keyed digest of the note, the night that wrote it, the
last night that saw it, and its id, encrypted. What a night writes counts when the night is finished; until
then the rows of earlier nights stay beside its own.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plainsight.document import SetAside
from plainsight.pipeline import Item
from plainsight.run.parts import Result

_NONCE = 12
_ROWS = 1000  # in a transaction
_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (
    id BLOB, night INTEGER, digest BLOB NOT NULL, seen INTEGER NOT NULL, sealed BLOB NOT NULL,
    PRIMARY KEY (id, night)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS nights (number INTEGER PRIMARY KEY, notes INTEGER NOT NULL);
"""


class NoteIndex:
    """The index of one output, open for a new night."""

    def __init__(self, database: sqlite3.Connection, key: bytes) -> None:
        self._database, self._key = database, key
        self._turn = threading.Lock()  # an engine may read notes in a thread of its own
        self._cipher = AESGCM(blake2b(b"ids", key=key, digest_size=32).digest())
        database.executescript(_SCHEMA)
        found = database.execute("SELECT count(*), coalesce(sum(notes), 0) FROM nights").fetchone()
        self.night: int = found[0] + 1
        self.unchanged = 0
        self.added = 0
        self.superseded: dict[int, set[str]] = defaultdict(set)
        """By night, the ids of notes that it wrote and that this night writes anew."""

    def pending(self, items: Iterable[Item], digest: Callable[[Item], bytes]) -> Iterator[Item]:
        """Pass on notes that are new or changed."""
        seen: list[tuple[int, bytes, int]] = []
        for item in items:
            if isinstance(item, SetAside):
                yield item
                continue
            row = self._row(item.id)
            before = self._before(row)
            if before:
                seen.append((self.night, row, before[0]))
            if len(seen) >= _ROWS:
                self._see(seen)
                seen = []
            if before and before[1] == digest(item):
                self.unchanged += 1
            else:
                yield item
        self._see(seen)

    def add(self, results: Sequence[Result], digests: Sequence[bytes], refused: set[str]) -> None:
        """Enter the notes of a part that are in the output."""
        rows = []
        for result, digest in zip(results, digests, strict=True):
            if isinstance(result, SetAside) or result.document.id in refused:
                continue
            note = result.document.id
            row = self._row(note)
            if before := self._before(row):
                self.superseded[before[0]].add(note)
            nonce = os.urandom(_NONCE)
            sealed = nonce + self._cipher.encrypt(nonce, note.encode("utf-8", "surrogatepass"), row)
            rows.append((row, self.night, digest, self.night, sealed))
        self._write("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?)", rows)
        self.added += len(rows)

    @property
    def changed(self) -> int:
        """How many notes this night writes anew."""
        return sum(map(len, self.superseded.values()))

    def deleted(self) -> Iterator[str]:
        """Yield the ids of notes that are in the output and no longer in the input."""
        found = self._database.execute(
            "SELECT id, sealed FROM notes WHERE night < ? AND seen < ?", (self.night, self.night)
        )
        for row, sealed in found:
            yield self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], row).decode("utf-8", "surrogatepass")

    def finish(self) -> None:
        """Let what this night wrote count."""
        database = self._database
        old = [(self._row(note), night) for night, notes in self.superseded.items() for note in notes]
        database.execute("BEGIN")
        database.executemany("DELETE FROM notes WHERE id = ? AND night = ?", old)
        database.execute("DELETE FROM parts")
        database.execute("INSERT INTO nights VALUES (?, ?)", (self.night, self.added))
        database.execute("COMMIT")

    def forget(self) -> None:
        """Forget what an unfinished night has entered."""
        self._database.execute("DELETE FROM notes WHERE night = ?", (self.night,))

    def _see(self, seen: list[tuple[int, bytes, int]]) -> None:
        self._write("UPDATE notes SET seen = ? WHERE id = ? AND night = ?", seen)

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement for all rows in one transaction."""
        with self._turn:
            self._database.execute("BEGIN")
            self._database.executemany(statement, rows)
            self._database.execute("COMMIT")

    def _row(self, note: str) -> bytes:
        return blake2b(note.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).digest()

    def _before(self, row: bytes) -> tuple[int, bytes] | None:
        """Return which night wrote a note last, and the note's digest."""
        with self._turn:
            found: tuple[int, bytes] | None = self._database.execute(
                "SELECT night, digest FROM notes WHERE id = ? AND night < ? ORDER BY night DESC LIMIT 1",
                (row, self.night),
            ).fetchone()
        return found
