"""The finished parts of a run, as files in a folder: encrypted, and complete or absent.

A part holds the results of some consecutive notes: what the pipeline gave, before ids are renamed and a
format writes it. A run that continues sends them through the same output again, so every format, the mapping,
the quarantine and the counts come out as in one go, and no format knows of parts.
"""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plainsight.document import SetAside
from plainsight.formats.staging import sync_folder
from plainsight.pipeline import Replaced

Result = Replaced | SetAside

_NONCE = 12
_FAST = 1  # zlib's level: half the size in a hundredth of the time that the notes took


class Parts:
    """A folder of parts under one key; each is bound to its number and to the notes that it came from."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._cipher = AESGCM(key)

    def write(self, number: int, source: bytes, results: Sequence[Result]) -> None:
        """Store a part under its number; ``source`` is the digest of its notes."""
        nonce = os.urandom(_NONCE)
        packed = zlib.compress(pickle.dumps(list(results), pickle.HIGHEST_PROTOCOL), _FAST)
        sealed = nonce + self._cipher.encrypt(nonce, packed, _bound(number, source))
        unfinished = self._folder / f"{number:06}.tmp"
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(sealed)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path(number))
        sync_folder(self._folder)

    def read(self, number: int, source: bytes) -> list[Result] | None:
        """Return the results of a part; None if it is missing, damaged or of other notes."""
        try:
            sealed = self._path(number).read_bytes()
            packed = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(number, source))
        except (OSError, InvalidTag, ValueError):
            return None
        results: list[Result] = pickle.loads(zlib.decompress(packed))  # authentic by its tag
        return results

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:06}.part"


def _bound(number: int, source: bytes) -> bytes:
    return number.to_bytes(8, "big") + source
