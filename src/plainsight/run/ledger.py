"""The ledger: what a run has finished, so that the same command continues after a kill.

The stream of notes is cut into parts between two batches of the pipeline, so never inside a patient's
consecutive notes, unless a batch ends there, too. The results of a finished part are stored (`parts`) and the
part is entered in an SQLite file, with a keyed digest of its notes and the settings of the run. The next run
with the same output reads the input again, compares digests, takes the results of finished parts as they
are, and works on from there: the same batches, so the same bytes as in one go.

Everything is in one folder beside the output, which only its owner can read. It appears with the first part,
so a small run never has one, and goes when the output is there. Without a key that is kept there is no
ledger: surrogates from a forgotten key cannot be continued, and parts could not be encrypted.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import is_dataclass
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.document import Address, Document, Patient
from plainsight.errors import UsageError, plural
from plainsight.formats.staging import lock, remove, sync_folder
from plainsight.pipeline import Item, batches
from plainsight.run.nights import NoteIndex
from plainsight.run.parts import Parts, Result

PART_NOTES = 1000
_PART_CHARACTERS = 8 << 20
_PART_SECONDS = 30.0  # a slow policy loses no more than this

_FINISHED = "finished"
_FORMAT = b"plainsight ledger 1"
_DIGEST = 16
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (number INTEGER PRIMARY KEY, notes INTEGER, source BLOB, seconds REAL);
"""

Work = Callable[[Iterator[Item]], Iterator[Result]]
"""What makes results of notes, one for each in the same order: an engine."""


class Part(NamedTuple):
    """A finished part: how many notes, the digest of them, and the seconds that they took."""

    notes: int
    source: bytes
    seconds: float


class Ledger:
    """The ledger of one output.

    ``settings`` is all that decides on the results, by names that a user knows; a run with others is refused
    with those that differ. ``restart`` forgets an unfinished run. Without a ``secret`` nothing is kept. With
    ``update`` the ledger stays with an index of the notes that the output holds, and only new and changed
    notes are done.
    """

    def __init__(
        self,
        folder: Path,
        secret: bytes | None,
        settings: Mapping[str, str],
        *,
        restart: bool = False,
        update: bool = False,
    ) -> None:
        self.folder, self.update = folder, update
        self.parts: list[Part] = []
        self.index: NoteIndex | None = None
        self._secret, self._restart = secret, restart
        self._settings = {**settings, "--update": "yes" if update else ""}
        self._database: sqlite3.Connection | None = None
        self._lock: int | None = None
        self._salt = os.urandom(16)
        self._refused: set[str] = set()
        self._rest: list[bytes] = []

    def __enter__(self) -> Self:
        if self._restart and self.folder.is_dir() and not self.update:
            self._take()
            remove(self.folder)
            self._close()
        if self.folder.is_dir() or self.update:
            if self._secret is None:
                reason = "is an unfinished run with a key: give that key to continue it, or --restart"
                raise UsageError(f"{self.folder} {reason}")
            self._open()
            if self._restart:
                self._forget(0)
        elif self._secret is not None:
            self._derive()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        done = kind is None and self._database is not None
        if done and self.index:
            self.index.finish()
            self._remove_files("*.part")
        self._close()
        if done and not self.update:
            remove(self.folder)

    def finish(self) -> None:
        """Say that all is done but the output's name."""
        if self._database is not None and not self.update:
            self._about(_FINISHED, b"yes")

    def remove_finished(self) -> None:
        """Remove the ledger of a run that was killed after its output had its name."""
        if not self.folder.is_dir():
            return
        with suppress(sqlite3.Error), closing(sqlite3.connect(self.folder / "ledger.db")) as database:
            if database.execute("SELECT 1 FROM about WHERE name = ?", (_FINISHED,)).fetchone():
                remove(self.folder)

    @property
    def notes(self) -> int:
        """How many notes are in finished parts."""
        return sum(part.notes for part in self.parts)

    @property
    def seconds(self) -> float:
        """How long the finished parts took."""
        return sum(part.seconds for part in self.parts)

    @property
    def prospect(self) -> str:
        """What a user should know when the run stops before its end."""
        if self._secret is None:
            return "nothing is kept: only a run with a key that is kept (--key-file) can be continued"
        if not self.parts:
            return "nothing is kept yet; the same command begins anew"
        return f"{plural(self.notes, 'note')} are done; the same command continues"

    # --- the stream ---------------------------------------------------------------------------------------

    def through(self, items: Iterable[Item], work: Work) -> Iterator[Result]:
        """Yield the results of notes: those of finished parts, then what ``work`` makes of the others.

        With an index, notes that the output holds are passed over.
        """
        if self._secret is None:
            yield from work(iter(items))
            return
        items = iter(self.index.pending(items, self.digest) if self.index else items)
        for number, part in enumerate(self.parts):
            notes = list(islice(items, part.notes))
            if self._joined(map(self.digest, notes)) != part.source:
                self._refuse_changed(number)
                items = chain(notes, items)
                break
            yield from self._finished(number, part, notes, work)
        cuts: deque[list[bytes]] = deque()
        results: list[Result] = []
        began = time.monotonic()
        for result in work(self._cut(items, cuts)):
            results.append(result)
            yield result
            if cuts and len(results) == len(cuts[0]):
                now = time.monotonic()
                self._enter(cuts.popleft(), results, now - began)
                results, began = [], now
        if results and (self.index or self.parts):  # a run of less than a part makes no ledger
            self._enter(self._rest, results, time.monotonic() - began)

    def refuse(self, note: str) -> None:
        """Leave a note out of the index: the output's format cannot hold it."""
        self._refused.add(note)

    def _refuse_changed(self, number: int) -> None:
        """Refuse other notes than those of the unfinished run; do them again where changes are expected."""
        if self.index:
            self._forget(number)
            return
        first = sum(before.notes for before in self.parts[:number]) + 1
        raise UsageError(
            f"{self.folder} is an unfinished run over other notes: the input has changed among notes "
            f"{first} to {first + self.parts[number].notes - 1}. --restart forgets the run and begins anew"
        )

    def _finished(self, number: int, part: Part, notes: list[Item], work: Work) -> Iterator[Result]:
        """Yield the results of a finished part; do it again if it cannot be read."""
        results = self._store.read(number, part.source)
        if results is None:
            results = list(work(iter(notes)))
            self._store.write(number, part.source, results)
        yield from results
        if self.index:
            self.index.add(results, [*map(self.digest, notes)], self._refused)

    def _cut(self, items: Iterator[Item], cuts: deque[list[bytes]]) -> Iterator[Item]:
        """Pass notes on; add the digests of each part's notes to ``cuts`` before its last note.

        Those after the last part are in ``_rest``.
        """
        part: list[bytes] = []
        characters, began = 0, time.monotonic()
        for batch in batches(items):
            part += map(self.digest, batch)
            characters += sum(len(item.text) for item in batch if isinstance(item, Document))
            late = time.monotonic() - began >= _PART_SECONDS
            if len(part) >= PART_NOTES or characters >= _PART_CHARACTERS or late:
                cuts.append(part)
                part, characters, began = [], 0, time.monotonic()
            yield from batch
        self._rest = part

    def _enter(self, digests: list[bytes], results: list[Result], seconds: float) -> None:
        """Store a part, then enter it: a part that is not entered is done again."""
        if self._database is None:
            self._open()
        assert self._database is not None
        part, number = Part(len(results), self._joined(digests), seconds), len(self.parts)
        self._store.write(number, part.source, results)
        if self.index:
            self.index.add(results, digests, self._refused)
        self._database.execute("INSERT INTO parts VALUES (?, ?, ?, ?)", (number, *part))
        self.parts.append(part)

    def digest(self, item: Item) -> bytes:
        """Return a keyed digest of all that a note's result depends on: nobody can guess a short note.

        What a format keeps under underscored keys counts if it is plain data, as in JSON.
        """
        if isinstance(item, Document):
            record = [getattr(item.patient, name) for name in Patient.__slots__] if item.patient else None
            fields = [(field.name, field.label, field.value) for field in item.fields]
            rest = [item.id, item.patient_id, record, fields, item.cuts, item.meta]
            written = f"{json.dumps(rest, default=_named)}\n{item.text}"
        else:
            written = json.dumps([item.id, item.reason])
        data = written.encode("utf-8", "surrogatepass")
        return blake2b(data, key=self._key, digest_size=_DIGEST).digest()

    def _joined(self, digests: Iterable[bytes]) -> bytes:
        return blake2b(b"".join(digests), key=self._key, digest_size=_DIGEST).digest()

    # --- the folder ---------------------------------------------------------------------------------------

    def _take(self) -> None:
        """Lock the folder for this run."""
        self._lock = lock(self.folder)
        if self._lock is None:
            raise UsageError(f"another run is at work on this output (see {self.folder})")

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _derive(self) -> None:
        """Draw the keys of digests and parts from the user's key."""
        assert self._secret is not None
        drawn = HKDF(SHA256(), 64, salt=self._salt, info=_FORMAT).derive(self._secret)
        self._key = drawn[32:]
        self._store = Parts(self.folder, drawn[:32])

    def _open(self) -> None:
        """Open the ledger, or make it, and check that it is for this run."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._take()
        try:
            self._remove_files("*.tmp")
            file = self.folder / "ledger.db"
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
            self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
                self._database.execute(f"PRAGMA {pragma}")
            self._database.executescript(_SCHEMA)
            self._salt = self._about("salt", self._salt)
            self._derive()
            check = blake2b(_FORMAT, key=self._key, digest_size=_DIGEST).digest()
            same_key = self._about("check", check) == check
            before = json.loads(self._about("settings", json.dumps(self._settings).encode()))
            rows = self._database.execute("SELECT notes, source, seconds FROM parts ORDER BY number")
            self.parts = [Part(*row) for row in rows]
            self.index = NoteIndex(self._database, self._key) if self.update else None
        except (sqlite3.DatabaseError, ValueError) as error:
            self._close()
            reason = f"{self.folder} cannot be read ({error}): --restart forgets it and begins anew"
            raise UsageError(reason) from None
        if differences := ([] if same_key else ["another key"]) + _differences(before, self._settings):
            self._close()
            advice = "With its settings the run continues; --restart forgets it and begins anew"
            if self.update or before.get("--update"):
                advice = "Give the settings that the output was made with, or another output"
            raise UsageError(f"{self.folder} has other settings: {'; '.join(differences)}. {advice}")
        sync_folder(self.folder.parent)

    def _remove_files(self, pattern: str) -> None:
        for file in self.folder.glob(pattern):
            file.unlink()

    def _forget(self, number: int) -> None:
        """Forget the parts from a number on."""
        assert self._database is not None
        self._database.execute("DELETE FROM parts WHERE number >= ?", (number,))
        del self.parts[number:]
        if self.index and number == 0:
            self.index.forget()

    def _about(self, name: str, usual: bytes) -> bytes:
        """Return what is written under a name; write what is usual if nothing is."""
        assert self._database is not None
        self._database.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (name, usual))
        value: bytes = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()[0]
        return value


def _named(value: Any) -> str:
    """Return a value that JSON does not know as text; a format's own object by its kind alone."""
    own = is_dataclass(value) or " object at 0x" in repr(value)  # such as the columns of a table
    return type(value).__name__ if own and not isinstance(value, Address) else str(value)


def _differences(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Say which settings differ and how.

    >>> _differences({"policy": "fast", "ids": "keep"}, {"policy": "best", "ids": "keep"})
    ['policy (was fast, is best)']
    """
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [f"{name} (was {before.get(name) or 'none'}, is {now.get(name) or 'none'})" for name in names]
