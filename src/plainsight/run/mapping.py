"""The mapping: an encrypted file with the originals of all replacements.

Only the key opens it, and any change to it is noticed. The file is::

    "plainsight mapping 1", a line feed       21 bytes, then 16 random ones: together the header
    length, record                            for each note, in the order in which they were released
    length, record                            the end

The length is four bytes, big-endian, and counts the record that follows it. A record is AES-256-GCM
ciphertext with its tag. The cipher's key is HKDF-SHA-256 of the user's key with the header's random bytes as
salt and ``plainsight mapping 1`` as info, so no two files share one. The nonce is the record's number in
eleven bytes and one byte that is 1 for the end and otherwise 0, the header is associated data: records cannot
be swapped, left out, added, or moved to another file, and a file that was cut off has no end. A note's record
is JSON: ``{"id", "sha256", "originals": [[start, end, original], …]}``, with the SHA-256 of the released text
and offsets into it; the end's is the number of notes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import FormatError
from plainsight.formats.files import atomic_file
from plainsight.pipeline import Replaced

_MAGIC = b"plainsight mapping 1\n"
_SALT = 16
_LENGTH = 4


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One released note: its id, the digest of its text, and the original of each replacement."""

    id: str
    digest: bytes
    originals: tuple[tuple[int, int, str], ...]


def digest(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def entry_of(replaced: Replaced) -> Entry:
    """Return the mapping's entry for a note."""
    return Entry(replaced.document.id, digest(replaced.document.text), replaced.originals)


class MappingFile:
    """Write down the originals of notes; the file appears when the block ends well."""

    def __init__(self, path: Path, secret: bytes) -> None:
        self.path = path
        self._header = _MAGIC + os.urandom(_SALT)
        self._cipher = _cipher(secret, self._header)
        self._count = 0
        self._open = ExitStack()

    def __enter__(self) -> Self:
        temporary = self._open.enter_context(atomic_file(self.path))
        self._file = self._open.enter_context(temporary.open("wb"))
        self._file.write(self._header)
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        if kind is None:
            self._put(str(self._count).encode(), end=True)
        self._open.__exit__(kind, *error)

    def add(self, replaced: Replaced) -> None:
        """Write down one note."""
        entry = entry_of(replaced)
        record = {"id": entry.id, "sha256": entry.digest.hex(), "originals": entry.originals}
        # Not escaped: two lone surrogates side by side would read back from escapes as one character.
        data = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self._put(data.encode("utf-8", "surrogatepass"))
        self._count += 1

    def _put(self, data: bytes, *, end: bool = False) -> None:
        record = self._cipher.encrypt(_nonce(self._count, end=end), data, self._header)
        self._file.write(len(record).to_bytes(_LENGTH, "big") + record)


def read_mapping(path: Path, secret: bytes) -> Iterator[Entry]:
    """Yield the entries of a mapping; a wrong key and any change to the file are errors."""
    with path.open("rb") as file:
        header = file.read(len(_MAGIC) + _SALT)
        if len(header) < len(_MAGIC) + _SALT or not header.startswith(_MAGIC):
            raise FormatError("not a mapping of this version", str(path))
        cipher = _cipher(secret, header)
        count = 0
        record = _take(file, path) or b""
        while (following := _take(file, path)) is not None:
            data = _decrypted(cipher, _nonce(count), record, header, path)
            entry: dict[str, Any] = json.loads(data.decode("utf-8", "surrogatepass"))
            originals = tuple((start, end, original) for start, end, original in entry["originals"])
            yield Entry(entry["id"], bytes.fromhex(entry["sha256"]), originals)
            count += 1
            record = following
        _decrypted(cipher, _nonce(count, end=True), record, header, path)


def _cipher(secret: bytes, header: bytes) -> AESGCM:
    salt = header[len(_MAGIC) :]
    return AESGCM(HKDF(SHA256(), 32, salt=salt, info=_MAGIC.strip()).derive(secret))


def _nonce(number: int, *, end: bool = False) -> bytes:
    return number.to_bytes(11, "big") + bytes([end])


def _take(file: BinaryIO, path: Path) -> bytes | None:
    """Read the next record; None at the end of the file."""
    prefix = file.read(_LENGTH)
    length = int.from_bytes(prefix, "big")
    record = file.read(length)
    if prefix and (len(prefix) < _LENGTH or len(record) < length):
        raise FormatError("the mapping breaks off", str(path))
    return record if prefix else None


def _decrypted(cipher: AESGCM, nonce: bytes, record: bytes, header: bytes, path: Path) -> bytes:
    try:
        return cipher.decrypt(nonce, record, header)
    except (InvalidTag, ValueError):
        reason = "the key is not the mapping's, or the mapping was changed or cut off"
        raise FormatError(reason, str(path)) from None
