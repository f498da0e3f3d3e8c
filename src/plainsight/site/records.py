"""The records of a site's patients: encrypted one by one, found by the id of the patient.

``SITE/patients.db`` is a table of SQLite. Its keys are keyed digests of the ids, its values encrypted
records, so the file tells how many patients there are and nothing else. Nothing is loaded beforehand.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plainsight.document import Document, Patient, SetAside
from plainsight.errors import DataError
from plainsight.formats.staging import sync_folder
from plainsight.site.folder import Site

_NONCE = 12
_KEPT = 64  # records at hand: notes come patient by patient


def records_file(site: Site) -> Path:
    """Return where the records of a site are."""
    return site.folder / "patients.db"


def write_records(site: Site, patients: Iterable[Patient]) -> Iterator[Patient]:
    """Replace the records of a site when all are written; yield each patient, for others to read."""
    file = records_file(site)
    unfinished = file.with_name(f".{file.name}.tmp")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT, 0o600))
    cipher, digest_key = AESGCM(site.key("records")), site.key("record ids")
    connection = sqlite3.connect(unfinished)
    try:
        connection.execute("CREATE TABLE records (id BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID")
        for patient in patients:
            digest, nonce = _digest(patient.id, digest_key), os.urandom(_NONCE)
            sealed = nonce + cipher.encrypt(nonce, msgspec.json.encode(asdict(patient)), digest)
            connection.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", (digest, sealed))
            yield patient
        connection.commit()
    except BaseException:
        unfinished.unlink()
        raise
    finally:
        connection.close()
    unfinished.replace(file)
    sync_folder(file.parent)


def _digest(patient_id: str, key: bytes) -> bytes:
    return blake2b(patient_id.encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()


class SiteRecords:
    """The records of a site's patients, by id.

    Like a dictionary that cannot say which patients it holds: ids are stored as digests.
    """

    def __init__(self, site: Site) -> None:
        self.file = records_file(site)
        self._cipher = AESGCM(site.key("records"))
        self._digest_key = site.key("record ids")
        self._connection = sqlite3.connect(f"{self.file.resolve().as_uri()}?mode=ro", uri=True)
        self._find = lru_cache(_KEPT)(self._read)

    def get(self, patient_id: str | None) -> Patient | None:
        """Return the record of a patient, if there is one."""
        return None if patient_id is None else self._find(patient_id)

    def attached(self, items: Iterable[Document | SetAside]) -> Iterator[Document | SetAside]:
        """Yield notes with the records of their patients; a record that a note has already stays."""
        for item in items:
            found = isinstance(item, Document) and item.patient is None and self.get(item.patient_id)
            yield replace(item, patient=found) if isinstance(item, Document) and found else item

    def _read(self, patient_id: str) -> Patient | None:
        digest = _digest(patient_id, self._digest_key)
        try:
            row = self._connection.execute("SELECT record FROM records WHERE id = ?", (digest,)).fetchone()
            if row is None:
                return None
            data = self._cipher.decrypt(row[0][:_NONCE], row[0][_NONCE:], digest)
        except (InvalidTag, ValueError, sqlite3.DatabaseError):
            raise DataError(f"{self.file} is damaged: run `plainsight site lists` again") from None
        return Patient.from_json(msgspec.json.decode(data))


def site_records(site: Site) -> SiteRecords | None:
    """Return the records of a site, if it has any."""
    return SiteRecords(site) if records_file(site).is_file() else None
