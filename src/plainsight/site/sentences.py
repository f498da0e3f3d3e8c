"""The sentence store: every different sentence of a site's notes once, how often and where it occurs (S121).

It is an SQLite file that any number of notes can be added to: memory is bounded, and a note that was added
before counts once, with its latest text. Nothing in it can be read without the site's key: sentences and
notes are found by keyed digests, and texts, ids and places are encrypted and authenticated (AES-256-GCM,
bound to their digest).
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, UsageError
from plainsight.site.known import flat
from plainsight.text.lines import bare_sentences

_APPLICATION = 0x706C7373  # "plss": says what the file is
_FORMAT = 1
_DIGEST = 16
_NONCE = 12
_BATCH = 50_000  # sentences that are held before they are written
_SHOWN_PATIENTS = 8  # different patients that are counted for each sentence
_PATIENT = 4  # bytes of a patient's digest
_BUCKETS = 1 << 24
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE sentences (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, count INTEGER NOT NULL, patients BLOB NOT NULL,
    sealed BLOB NOT NULL);
CREATE TABLE notes (key BLOB PRIMARY KEY, digest BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A sentence, how often it occurs, and in the notes of how many patients; more than 8 count as 8."""

    text: str
    count: int
    patients: int


class Added(NamedTuple):
    """How many notes were new, changed and known already, and how many sentences the new text has."""

    new: int
    changed: int
    known: int
    sentences: int


class _Note(msgspec.Struct, array_like=True):
    """What is stored of a note: its id, the numbers of its sentences and where each begins."""

    id: str
    numbers: list[int]
    starts: list[int]


@dataclass(slots=True)
class _Batch:
    """Notes that are not written yet."""

    counts: Counter[str] = field(default_factory=Counter)
    patients: dict[str, set[bytes]] = field(default_factory=dict)
    notes: dict[bytes, tuple[bytes, str, list[str], list[int]]] = field(default_factory=dict)
    size: int = 0


class SentenceStore:
    """The file at ``path``, under a key of 32 bytes. It is made if it does not exist.

    A file of another program, key or version, and a damaged one, is refused and stays as it is.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self.path = path
        self._key = key
        self._cipher = AESGCM(key)
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with self._told():
            self._database = sqlite3.connect(path, isolation_level=None, timeout=5.0)
            for pragma in ("synchronous = NORMAL", "temp_store = MEMORY", "cache_size = -262144"):
                self._database.execute(f"PRAGMA {pragma}")
            check = self._digest("check", "")
            if self._is_empty():
                with (
                    self._transaction()
                ):  # a process that is killed here leaves an empty file, or a whole one
                    if self._is_empty():
                        self._make(check)
            self._refuse_foreign(check)

    def __repr__(self) -> str:
        return f"SentenceStore({self.path.name})"  # never the key

    def __enter__(self) -> SentenceStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __len__(self) -> int:
        return int(self._one("SELECT COUNT(*) FROM sentences"))

    @property
    def notes(self) -> int:
        """How many notes were added."""
        return int(self._one("SELECT COUNT(*) FROM notes"))

    @property
    def occurrences(self) -> int:
        """How many sentences the notes have."""
        return int(self._one("SELECT COALESCE(SUM(count), 0) FROM sentences"))

    def add(
        self, notes: Iterable[Document | SetAside], *, progress: Callable[[int], None] = lambda notes: None
    ) -> Added:
        """Add notes. One that was added before with the same text is left out; with another text, it changes.

        Batches of notes are written whole: after a crash, adding the same notes again completes them.
        """
        new = changed = known = count = 0
        batch = _Batch()
        for note in notes:
            if not isinstance(note, Document):
                continue
            key, digest = self._digest("note", note.id), self._digest("text", note.text)
            before = self._before(batch, key)
            if before == digest:
                known += 1
            else:
                new, changed = new + (before is None), changed + (before is not None)
                if before is not None:
                    self._write(batch)
                    batch = _Batch()
                    self.forget(note.id)
                count += self._collect(batch, note, key, digest)
            if batch.size >= _BATCH:
                self._write(batch)
                batch = _Batch()
            progress(1)
        self._write(batch)
        return Added(new, changed, known, count)

    def forget(self, note_id: str) -> bool:
        """Take a note's sentences out again; those that no other note has are deleted."""
        key = self._digest("note", note_id)
        with self._told(), self._transaction():
            row = self._database.execute("SELECT sealed FROM notes WHERE key = ?", (key,)).fetchone()
            if row is None:
                return False
            note = self._note(row[0], key)
            less = [(times, number) for number, times in Counter(note.numbers).items()]
            self._database.executemany("UPDATE sentences SET count = count - ? WHERE number = ?", less)
            self._database.executemany(
                "DELETE FROM sentences WHERE number = ? AND count < 1", [(number,) for _, number in less]
            )
            self._database.execute("DELETE FROM notes WHERE key = ?", (key,))
        return True

    def sentences(self, *, least: int = 1, patients: int = 1) -> Iterator[Stored]:
        """Yield sentences that occur so often, in the notes of so many patients; frequent ones first."""
        with self._told():
            rows = self._database.execute(
                "SELECT key, count, patients, sealed FROM sentences "
                "WHERE count >= ? AND length(patients) >= ? ORDER BY count DESC, number",
                (least, _PATIENT * patients),
            )
            for key, count, seen, sealed in rows:
                text = self._opened(sealed, key[:_NONCE], key).decode("utf-8", "surrogatepass")
                yield Stored(text, count, len(seen) // _PATIENT)

    def places(self, sentence: str) -> Iterator[tuple[str, int]]:
        """Yield each note's id in which a sentence stands, and where it begins there."""
        with self._told():
            key = self._digest("sentence", sentence)
            row = self._database.execute("SELECT number FROM sentences WHERE key = ?", (key,)).fetchone()
            if row is None:
                return
            for note_key, sealed in self._database.execute("SELECT key, sealed FROM notes"):
                note = self._note(sealed, note_key)
                for number, start in zip(note.numbers, note.starts, strict=True):
                    if number == row[0]:
                        yield note.id, start

    def repeated(self, *, least: int, most: int) -> dict[str, int]:
        """Return the ``most`` frequent sentences of those that occur ``least`` times with digits as ``0``.

        The first pass counts digests in a table of fixed size, so memory stays bounded.
        """
        rough = np.zeros(_BUCKETS, np.uint32)
        for sentence in self.sentences():
            rough[_bucket(flat(sentence.text))] += sentence.count
        exact: Counter[str] = Counter()
        for sentence in self.sentences():
            text = flat(sentence.text)
            if rough[_bucket(text)] >= least:
                exact[text] += sentence.count
            if len(exact) > 4 * most:
                exact = Counter(dict(exact.most_common(2 * most)))
        return {text: count for text, count in exact.most_common(most) if count >= least}

    def _before(self, batch: _Batch, key: bytes) -> bytes | None:
        """Return the digest of the text that a note had when it was added."""
        if key in batch.notes:
            return batch.notes[key][0]
        with self._told():
            row = self._database.execute("SELECT digest FROM notes WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def _collect(self, batch: _Batch, note: Document, key: bytes, digest: bytes) -> int:
        """Add a note's sentences to a batch; return how many it has."""
        patient = self._digest("patient", note.patient_id or note.id)[:_PATIENT]
        texts, starts = [], []
        for start, end in bare_sentences(note.text):
            texts.append(note.text[start:end])
            starts.append(start)
            batch.patients.setdefault(texts[-1], set()).add(patient)
        batch.counts.update(texts)
        batch.notes[key] = (digest, note.id, texts, starts)
        batch.size += len(texts)
        return len(texts)

    def _write(self, batch: _Batch) -> None:
        """Write a batch, all of it or nothing."""
        if not batch.notes:
            return
        with self._told(), self._transaction():
            numbers = {
                text: self._enter(text, times, batch.patients[text]) for text, times in batch.counts.items()
            }
            rows = []
            for key, (digest, name, texts, starts) in batch.notes.items():
                packed = msgspec.msgpack.encode(_Note(name, [numbers[text] for text in texts], starts))
                nonce = os.urandom(_NONCE)
                rows.append((key, digest, nonce + self._cipher.encrypt(nonce, packed, key)))
            self._database.executemany("INSERT INTO notes VALUES (?, ?, ?)", rows)

    def _enter(self, text: str, times: int, patients: set[bytes]) -> int:
        """Add occurrences of a sentence; return its number."""
        key = self._digest("sentence", text)
        row = self._database.execute(
            "SELECT number, patients FROM sentences WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            # the nonce is a digest of the text: it comes again only with the same text
            sealed = self._cipher.encrypt(key[:_NONCE], text.encode("utf-8", "surrogatepass"), key)
            made = self._database.execute(
                "INSERT INTO sentences (key, count, patients, sealed) VALUES (?, ?, ?, ?)",
                (key, times, b"".join(sorted(patients)[:_SHOWN_PATIENTS]), sealed),
            )
            return int(made.lastrowid or 0)
        number, seen = row
        if len(seen) < _PATIENT * _SHOWN_PATIENTS:
            patients |= {seen[at : at + _PATIENT] for at in range(0, len(seen), _PATIENT)}
            seen = b"".join(sorted(patients)[:_SHOWN_PATIENTS])
        self._database.execute(
            "UPDATE sentences SET count = count + ?, patients = ? WHERE number = ?", (times, seen, number)
        )
        return int(number)

    def _note(self, sealed: bytes, key: bytes) -> _Note:
        packed = self._opened(sealed[_NONCE:], sealed[:_NONCE], key)
        return msgspec.msgpack.decode(packed, type=_Note)

    def _opened(self, sealed: bytes, nonce: bytes, key: bytes) -> bytes:
        try:
            return self._cipher.decrypt(nonce, sealed, key)
        except (InvalidTag, ValueError):
            raise DataError(f"{self.path} is damaged: a row was changed by something else") from None

    def _digest(self, kind: str, text: str) -> bytes:
        written = text.encode("utf-8", "surrogatepass")
        return blake2b(written, key=self._key, digest_size=_DIGEST, person=kind.encode()).digest()

    def _is_empty(self) -> bool:
        """Whether the file holds nothing at all: it is new, or who made it was killed."""
        tables = self._one("SELECT COUNT(*) FROM sqlite_master")
        return not tables and not self._one("PRAGMA application_id") and not self._one("PRAGMA user_version")

    def _make(self, check: bytes) -> None:
        for statement in _SCHEMA.split(";"):
            self._database.execute(statement)
        self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
        self._database.execute(f"PRAGMA user_version = {_FORMAT}")
        self._database.execute("INSERT INTO about VALUES ('check', ?)", (check,))

    def _refuse_foreign(self, check: bytes) -> None:
        if self._one("PRAGMA application_id") != _APPLICATION:
            raise UsageError(f"{self.path} is no store of sentences: it was left as it is")
        if self._one("PRAGMA user_version") != _FORMAT:
            raise UsageError(f"{self.path} was made by another version: it was left as it is")
        if self._one("SELECT value FROM about WHERE name = 'check'") != check:
            raise UsageError(f"{self.path} belongs to another key: it was left as it is")

    def _one(self, query: str) -> Any:
        with self._told():
            row = self._database.execute(query).fetchone()
        return row[0] if row else None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong with the file, instead of what SQLite says."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise UsageError(f"{self.path}: another process writes to it") from None
            raise DataError(f"{self.path} cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path} is damaged or foreign ({error}): it was left as it is") from None


def _bucket(text: str) -> int:
    return crc32(text.encode("utf-8", "surrogatepass")) % _BUCKETS
