"""Keyed choices: a surrogate is a pure function of the secret key, the patient, the kind and the original.

HKDF-SHA-256 turns the user's key into a master key; HMAC-SHA-256 derives one key for each patient from it,
one for each kind of identifier from that, and numbers from strings; FF1 permutes ranges, SHAKE-256 orders
small ones. Without the key nobody can tell which original a surrogate stands for, nor whether two patients
share one.
"""

from __future__ import annotations

from hashlib import sha256, shake_256

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import UsageError
from plainsight.replace.surrogate.ff1 import Ff1
from plainsight.replace.surrogate.lazy import lazy

__all__ = ["SHORTEST_KEY", "Keyed"]

SHORTEST_KEY = 32
"""The least number of bytes a key may have."""

_SMALLEST_FF1 = 128
_BLOCK = 64  # of SHA-256
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_DRAW = np.dtype(">u8")


class Keyed:
    """Choices under one key; `child` gives the choices of a patient or a kind, independent of all others.

    >>> names = Keyed.from_secret(bytes(32)).child("patient 1").child("names")
    >>> names.permute(3, 1000) == names.permute(3, 1000)
    True
    >>> sorted(names.permute(number, 5) for number in range(5))
    [0, 1, 2, 3, 4]
    """

    __slots__ = ("__dict__", "_inner", "_key", "_orders", "_outer")

    def __init__(self, key: bytes) -> None:
        self._key = key
        block = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner, self._outer = block.translate(_INNER), block.translate(_OUTER)
        self._orders: dict[tuple[int, int], np.ndarray[tuple[int], np.dtype[np.intp]]] = {}

    @classmethod
    def from_secret(cls, secret: bytes) -> Keyed:
        """Start from the user's key, which has at least 32 bytes."""
        if len(secret) < SHORTEST_KEY:
            raise UsageError(f"a key has at least {SHORTEST_KEY} bytes, this one has {len(secret)}")
        return cls(HKDF(SHA256(), 32, salt=None, info=b"plainsight surrogates 1").derive(secret))

    def __repr__(self) -> str:
        return "Keyed(…)"  # never the key

    def child(self, name: str) -> Keyed:
        """Return the choices of that name below this one."""
        return Keyed(self.digest(f"child {name}"))

    def digest(self, value: str) -> bytes:
        """Return 32 bytes that only the key's holder can compute from the value."""
        # HMAC as RFC 2104 writes it, both padded keys at hand: half the time of `hmac.digest`, which looks up
        # the hash and pads the key for every message.
        inner = sha256(self._inner + value.encode("utf-8", "surrogatepass")).digest()
        return sha256(self._outer + inner).digest()

    def number(self, value: str, size: int) -> int:
        """Return a number below ``size`` for a value; two values may share one."""
        return int.from_bytes(self.digest(value)[:16], "big") % size

    def permute(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number that takes the place of ``number`` in a keyed permutation of ``range(size)``.

        Each ``turn`` is another permutation: what the first one gives may be refused, and the next asked.
        """
        if size < _SMALLEST_FF1:
            made: int = self._order(size, turn).item(number)
            return made
        bits = (size - 1).bit_length()
        tweak = turn.to_bytes(4, "big") + size.to_bytes((size.bit_length() + 7) // 8, "big")
        return self._ff1.encrypt(number, bits, tweak, below=size)

    @lazy
    def _ff1(self) -> Ff1:
        return Ff1(self._key)

    def order(self, size: int, turn: int = 0) -> list[int]:
        """Return a keyed order of a range; meant for those too small for FF1."""
        made: list[int] = self._order(size, turn).tolist()
        return made

    def _order(self, size: int, turn: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Do as `order` does; most orders are asked for one place, for which no list need be made."""
        known = self._orders.get((size, turn))
        if known is None:
            draws = shake_256(self.digest(f"order {size} {turn}")).digest(8 * size)
            known = self._orders[size, turn] = np.frombuffer(draws, _DRAW).argsort(kind="stable")
        return known
