"""The state: what earlier runs made of each patient's notes, so that a second night agrees with the first.

Surrogates are drawn from the key, the patient and the original, so most of them agree without any state. But
whose initials ``J.S.`` are, or for which hospital ``LRH`` stands, a note may not say by itself. With a state,

- a note that was released before with the same settings comes out exactly as before, even if the notes
  beside it have changed what is found in it;
- a note is read with the full names of people, hospitals and organisations of the patient's other notes, at
  hand or earlier, as if the patient's record held them;
- an identifier that is written as before, and always had one surrogate, gets that one again.

The state is an SQLite file with one row for each patient. Row ids are keyed digests, and what a row holds is
encrypted and authenticated (AES-256-GCM, with the row's id and version as associated data), so nothing can be
read, swapped or rolled back to another row without the key. Several processes may use one file: a row that
another process changed in the meantime is read again, and its notes are done again.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import threading
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.document import Document, Patient, Span
from plainsight.errors import FormatError, PlainsightError, UsageError
from plainsight.replace.base import Operation
from plainsight.replace.surrogate.operation import Surrogate
from plainsight.replace.surrogate.scope import by_owner

_FORMAT = b"plainsight state 1"
_NONCE = 12
_WAIT = 60.0  # seconds for another process to finish its write
_FULL_NAME = re.compile(r"(?:[^\W\d_]{2,}\W+){1,5}[^\W\d_]{2,}")
_NAMED = ("PATIENT", "DOCTOR", "HOSPITAL", "ORGANIZATION")  # full names help to read short ones
_READ_ALONE = frozenset({"DATE", "AGE", "TIME"})  # a date is read by its own note, whatever others say
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS patients (id BLOB PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL)
    WITHOUT ROWID;
"""


@dataclass(slots=True, repr=False)
class Memory:
    """What is known of a patient's earlier notes.

    ``notes`` has the surrogates of each note by its digest, or its spans; ``surrogates`` by label and text
    all that stood for an identifier.
    """

    version: int = 0
    notes: dict[str, list[Any]] = field(default_factory=dict)
    surrogates: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def add(self, digest: str, document: Document, made: Sequence[str]) -> None:
        """Remember a note and its surrogates."""
        self.notes[digest] = list(made)
        for span, surrogate in zip(document.spans, made, strict=True):
            if span.label in _READ_ALONE:
                continue
            text = document.text[span.start : span.end]
            known = self.surrogates.setdefault(span.label, {}).setdefault(text, [])
            if surrogate not in known:
                known.append(surrogate)

    def with_names(self, documents: Sequence[Document]) -> list[Document]:
        """Return notes of the patient whose record also holds all full names of these and earlier notes."""
        patient_id = documents[0].patient_id
        if patient_id is None:
            return list(documents)
        known = {label: {*self.surrogates.get(label, ())} for label in _NAMED}
        for document in documents:
            for span in document.spans:
                if span.label in known:
                    known[span.label].add(document.text[span.start : span.end])
        people, providers, *institutions = (
            tuple(sorted(filter(_FULL_NAME.fullmatch, names))) for names in known.values()
        )
        made = []
        for document in documents:
            record = document.patient or Patient(id=patient_id)
            record = replace(
                record,
                relatives=record.relatives + people,
                providers=record.providers + providers,
                employers=record.employers + tuple(chain(*institutions)),
            )
            made.append(replace(document, patient=record))
        return made

    def again(self, label: str, text: str, surrogate: str) -> str:
        """Return the surrogate that an identifier always had, or else the one given."""
        known = self.surrogates.get(label, {}).get(text, ())
        return known[0] if len(known) == 1 else surrogate


class State:
    """The file. ``secret`` is the user's key."""

    def __init__(self, path: Path, secret: bytes) -> None:
        self.path, self._secret = path, secret
        self._local = threading.local()
        self._open()

    def __repr__(self) -> str:
        return f"State({self.path.name})"  # never the key

    def read(self, row: bytes) -> Memory:
        """Return what is known of a patient."""
        try:
            found = self._database.execute(
                "SELECT version, CAST(sealed AS BLOB) FROM patients WHERE id = ?", (row,)
            ).fetchone()
        except sqlite3.Error as error:
            raise FormatError(f"the state cannot be read: {error}", str(self.path)) from None
        if found is None:
            return Memory()
        version, sealed = found
        try:
            packed = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(row, version))
        except InvalidTag:
            raise FormatError("the state was changed by something else", str(self.path)) from None
        return Memory(version, **json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass")))

    def write(self, changed: Sequence[tuple[bytes, Memory]]) -> bool:
        """Store what is known of patients; False, and nothing is stored, if another process changed one."""
        database = self._database
        try:
            database.execute("BEGIN IMMEDIATE")
            done = all(self._put(row, memory) for row, memory in changed)
            database.execute("COMMIT" if done else "ROLLBACK")
        except sqlite3.Error as error:  # a full disk, say: SQLite forgets what was not committed
            raise PlainsightError(f"the state {self.path} cannot be written: {error}") from None
        return done

    def row(self, owner: str, settings: str) -> bytes:
        """Return the id of a patient's row."""
        return blake2b(f"{owner}\n{settings}".encode("utf-8", "surrogatepass"), key=self._row_key).digest()

    def digest(self, document: Document, *, with_spans: bool = True) -> str:
        """Return what identifies a note: its id, its text and its spans."""
        spans = [(span.start, span.end, span.label) for span in document.spans] if with_spans else None
        note = json.dumps([document.id, document.text, spans], ensure_ascii=False)
        return blake2b(note.encode("utf-8", "surrogatepass"), key=self._row_key, digest_size=16).hexdigest()

    def _put(self, row: bytes, memory: Memory) -> bool:
        """Store one patient unless another process did so first."""
        version = memory.version + 1
        data = {"notes": memory.notes, "surrogates": memory.surrogates}
        packed = zlib.compress(json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        nonce = os.urandom(_NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, packed, _bound(row, version))
        done = self._database.execute(
            "INSERT INTO patients VALUES (?, ?, ?) ON CONFLICT (id) "
            "DO UPDATE SET version = excluded.version, sealed = excluded.sealed WHERE version = ?",
            (row, version, sealed, memory.version),
        )
        return done.rowcount == 1

    # --- the file -----------------------------------------------------------------------------------------

    @property
    def _database(self) -> sqlite3.Connection:
        """The connection of the current thread."""
        self._open()
        database: sqlite3.Connection = self._local.database
        return database

    @property
    def _cipher(self) -> AESGCM:
        self._open()
        cipher: AESGCM = self._local.cipher
        return cipher

    @property
    def _row_key(self) -> bytes:
        self._open()
        key: bytes = self._local.row_key
        return key

    def _open(self) -> None:
        """Open or create the file, once for each thread, and check the key."""
        if hasattr(self._local, "row_key"):
            return
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))  # readable by the owner alone
            database = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.executescript(_SCHEMA)
            salt = self._salt(database)
        except (OSError, sqlite3.DatabaseError) as error:
            raise UsageError(f"{self.path} cannot be used as a state: {error}") from None
        drawn = HKDF(SHA256(), 64, salt=salt, info=_FORMAT).derive(self._secret)
        cipher, row_key = AESGCM(drawn[:32]), drawn[32:]
        self._check(database, cipher)
        self._local.database, self._local.cipher, self._local.row_key = database, cipher, row_key

    def _salt(self, database: sqlite3.Connection) -> bytes:
        database.execute("INSERT OR IGNORE INTO about VALUES ('salt', ?)", (os.urandom(16),))
        salt: bytes = database.execute("SELECT value FROM about WHERE name = 'salt'").fetchone()[0]
        return salt

    def _check(self, database: sqlite3.Connection, cipher: AESGCM) -> None:
        """Refuse another key than the one that the file began with."""
        nonce = os.urandom(_NONCE)
        database.execute(
            "INSERT OR IGNORE INTO about VALUES ('check', ?)", (nonce + cipher.encrypt(nonce, _FORMAT, None),)
        )
        sealed = database.execute("SELECT value FROM about WHERE name = 'check'").fetchone()[0]
        try:
            cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], None)
        except InvalidTag:
            with closing(database):
                raise UsageError(f"{self.path} is the state of another key") from None


def _bound(row: bytes, version: int) -> bytes:
    return row + version.to_bytes(8, "big")


def replace_with_state(operation: Operation, state: State, documents: Sequence[Document]) -> list[list[str]]:
    """Replace identifiers so that they agree with earlier runs.

    Only surrogates of a patient are read from notes together; all other operations agree by themselves.
    """
    if not documents or not isinstance(operation, Surrogate) or operation.consistency != "patient":
        return operation.replace(documents)
    settings = _settings(operation)
    rows = {owner: state.row(owner, settings) for owner in by_owner(documents)}
    while True:
        memories = {owner: state.read(row) for owner, row in rows.items()}
        made, changed = _replaced(operation, state, documents, memories)
        if not changed or state.write([(rows[owner], memories[owner]) for owner in changed]):
            return made


def with_earlier_spans(state: State, settings: str, documents: Sequence[Document]) -> list[Document]:
    """Return documents with the spans that they had in an earlier run with the same settings."""
    rows = {owner: state.row(owner, f"spans {settings}") for owner in by_owner(documents)}
    while True:
        memories = {owner: state.read(row) for owner, row in rows.items()}
        made, changed = list(documents), []
        for owner, positions in by_owner(documents).items():
            notes = memories[owner].notes
            for position in positions:
                document = documents[position]
                digest = state.digest(document, with_spans=False)
                if digest in notes:
                    made[position] = replace(document, spans=tuple(Span(*span) for span in notes[digest]))
                else:
                    notes[digest] = [
                        (span.start, span.end, span.label, span.score, span.source) for span in document.spans
                    ]
                    changed.append(owner)
        if not changed or state.write([(rows[owner], memories[owner]) for owner in dict.fromkeys(changed)]):
            return made


def _replaced(
    operation: Surrogate, state: State, documents: Sequence[Document], memories: dict[str, Memory]
) -> tuple[list[list[str]], list[str]]:
    """Return the surrogates of all notes, and the owners of new ones, which the memories now hold."""
    made: list[list[str]] = [[] for _ in documents]
    new: dict[str, list[tuple[int, str]]] = {}
    for owner, positions in by_owner(documents).items():
        for position in positions:
            digest = state.digest(documents[position])
            if (before := memories[owner].notes.get(digest)) is not None:
                made[position] = before
            else:
                new.setdefault(owner, []).append((position, digest))
    places = [position for notes in new.values() for position, _ in notes]
    named = [
        memories[owner].with_names([documents[position] for position, _ in notes])
        for owner, notes in new.items()
    ]
    drawn = operation.replace(list(chain(*named)))
    surrogates = dict(zip(places, drawn, strict=True))
    for owner, notes in new.items():
        memory = memories[owner]
        for position, _ in notes:
            document = documents[position]
            made[position] = [
                memory.again(span.label, document.text[span.start : span.end], surrogate)
                for span, surrogate in zip(document.spans, surrogates[position], strict=True)
            ]
        for position, digest in notes:
            memory.add(digest, documents[position], made[position])
    return made, [*new]


def _settings(operation: Surrogate) -> str:
    """Return the options of an operation that are not as usual: others have rows of their own."""
    changed: dict[str, Any] = {}
    for option in fields(operation):
        usual = option.default if option.default is not MISSING else None
        if option.name != "key" and (value := getattr(operation, option.name)) != usual:
            changed[option.name] = value
    return json.dumps(changed, sort_keys=True, default=str)
