"""Encrypt and authenticate small pieces of data: keys of parts from one secret, and AES-256-GCM.

What is sealed can be opened with the same key and the same ``about`` only, so that nobody can move it to
another row or another file.
"""

from __future__ import annotations

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import DataError

_NONCE = 12


def derived_key(secret: bytes, *, salt: bytes, about: str) -> bytes:
    """Return the 32 bytes of a key for one purpose, drawn from a secret."""
    return HKDF(SHA256(), 32, salt=salt, info=about.encode()).derive(secret)


class Sealer:
    """Seal and open data with one key.

    >>> sealer = Sealer(bytes(32))
    >>> sealer.open(sealer.seal(b"a name", about="row 1"), about="row 1")
    b'a name'
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, data: bytes, *, about: str) -> bytes:
        """Return data encrypted, for one place."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, data, about.encode())

    def open(self, sealed: bytes, *, about: str) -> bytes:
        """Return what was sealed; refuse what is damaged, foreign or from another place."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], about.encode())
        except (InvalidTag, ValueError):
            raise DataError(f"{about}: damaged, or sealed with another key") from None
