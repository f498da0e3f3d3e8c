"""Keyed choices: a surrogate is a pure function of the secret key, the patient, the kind and the original.

HKDF-SHA-256 turns the user's key into a master key; keyed BLAKE2b derives one key for each patient from it,
one for each kind of identifier from that, and numbers from strings. Large ranges are permuted by FF1, small
ones by a Feistel network of drawn tables (`feistel`), tiny ones sorted by draws. Without the key nobody can
tell which original a surrogate stands for, nor whether two patients share one.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from struct import Struct

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import UsageError
from plainsight.replace.surrogate import feistel
from plainsight.replace.surrogate.ff1 import Ff1

__all__ = ["SHORTEST_KEY", "SMALL", "Keyed"]

SHORTEST_KEY = 32
"""The least number of bytes a key may have."""

SMALL = feistel.LARGEST
"""The size of the largest range that `follower` goes round."""

_TINY = 16  # so many draws are in a digest
_draws = Struct(f">{_TINY}I").unpack
_TWEAK = 8  # bytes; with a half of any usual number they fill a block of FF1 no further


class Keyed:
    """Choices under one key; `child` gives the choices of a patient or a kind, independent of all others.

    >>> names = Keyed.from_secret(bytes(32)).child("patient 1").child("names")
    >>> names.permute(3, 1000) == names.permute(3, 1000)
    True
    >>> sorted(names.permute(number, 5) for number in range(5))
    [0, 1, 2, 3, 4]
    """

    __slots__ = ("__dict__", "_drawn", "_key", "_orders", "_root")

    def __init__(self, key: bytes, root: Keyed | None = None) -> None:
        """Take a key of 64 bytes at most, and the choices that these descend from, if any."""
        self._key = key
        self._root = root
        self._orders: dict[tuple[int, int], list[int]] = {}
        self._drawn: dict[tuple[int, int], bytes] = {}

    @classmethod
    def from_secret(cls, secret: bytes) -> Keyed:
        """Start from the user's key, which has at least 32 bytes."""
        if len(secret) < SHORTEST_KEY:
            raise UsageError(f"a key has at least {SHORTEST_KEY} bytes, this one has {len(secret)}")
        return cls(HKDF(SHA256(), 32, salt=None, info=b"plainsight surrogates 2").derive(secret))

    def __repr__(self) -> str:
        return "Keyed(…)"  # never the key

    def child(self, name: str) -> Keyed:
        """Return the choices of that name below this one."""
        return Keyed(self.digest(f"child {name}"), self._root or self)

    def digest(self, value: str) -> bytes:
        """Return 64 bytes that only the key's holder can compute from the value."""
        return blake2b(value.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def number(self, value: str, size: int) -> int:
        """Return a number below ``size`` for a value; two values may share one."""
        return int.from_bytes(self.digest(value)[:16], "big") % size

    def permute(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number that takes the place of ``number`` in a keyed permutation of ``range(size)``.

        Each ``turn`` is another permutation: what the first one gives may be refused, and the next asked.
        """
        if size <= _TINY:
            return self._order(size, turn)[number]
        if size <= SMALL:
            return feistel.permute(number, size, self._tables(size, turn))
        # To set up a cipher takes as long as to use it: there is one for all, and the tweak says whose
        # permutation it is.
        tweak = self.digest(f"permute {size} {turn}")[:_TWEAK]
        ff1 = (self._root or self)._ff1
        return ff1.encrypt(number, (size - 1).bit_length(), tweak, below=size)

    def follower(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number after ``number`` on a keyed circle of ``range(size)``, which is a small one.

        So it is a permutation, too, but one that leaves no number where it is.
        """
        if size <= _TINY:
            order = self._order(size, turn)
            return order[(order.index(number) + 1) % size]
        tables = self._tables(size, turn)
        return feistel.permute((feistel.invert(number, size, tables) + 1) % size, size, tables)

    @cached_property
    def _ff1(self) -> Ff1:
        return Ff1(self.digest("ff1")[:32])

    def _order(self, size: int, turn: int) -> list[int]:
        """Return a keyed order of a tiny range."""
        known = self._orders.get((size, turn))
        if known is None:
            draws = _draws(self.digest(f"order {size} {turn}"))
            known = self._orders[size, turn] = sorted(range(size), key=draws.__getitem__)
        return known

    def _tables(self, size: int, turn: int) -> bytes:
        """Return the tables that permute a small range."""
        if size <= feistel.IN_A_DIGEST:
            return self.digest(f"permute {size} {turn}")
        known = self._drawn.get((size, turn))
        if known is None:
            digest = self.digest(f"permute {size} {turn}")
            known = self._drawn[size, turn] = feistel.tables(size, digest)
        return known
