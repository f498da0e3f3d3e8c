"""Keyed choices: a surrogate is a pure function of the secret key, the patient, the kind and the original.

HKDF-SHA-256 turns the user's key into a master key. Keyed BLAKE2b derives one key for each patient from it,
one for each kind of identifier from that, and numbers from strings. Feistel networks permute ranges
(`feistel`); ranges of up to 16 numbers are sorted by drawn numbers instead. Without the key nobody can tell
which original a surrogate stands for, nor whether two patients share one.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from struct import unpack

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import UsageError
from plainsight.keys import SHORTEST_KEY
from plainsight.replace.surrogate.feistel import LARGEST_TABLE, Ff1, Tables

SMALL = LARGEST_TABLE
"""The largest range that `follower` goes round."""

_TINY = 16  # a digest holds so many 32-bit numbers
_TWEAK_LENGTH = 8


class Keyed:
    """Choices under one key; `child` gives the choices of a patient or a kind, independent of all others.

    >>> names = Keyed.from_secret(bytes(32)).child("patient 1").child("names")
    >>> names.permute(3, 1000) == names.permute(3, 1000)
    True
    >>> sorted(names.permute(number, 5) for number in range(5))
    [0, 1, 2, 3, 4]
    """

    def __init__(self, key: bytes, root: Keyed | None = None) -> None:
        """Take a key of 64 bytes at most, and the choices that these descend from, if any."""
        self._key = key
        self._root = root
        self._orders: dict[tuple[int, int], list[int]] = {}
        self._tables: dict[tuple[int, int], Tables] = {}

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

        Each ``turn`` is another permutation, for when the result of the first one is refused.
        """
        if size <= _TINY:
            return self._order(size, turn)[number]
        if size <= SMALL:
            return self._table(size, turn).permute(number)
        # One cipher for all, because setting one up is slow; the tweak tells permutations apart.
        tweak = self.digest(f"permute {size} {turn}")[:_TWEAK_LENGTH]
        return (self._root or self)._ff1.encrypt(number, (size - 1).bit_length(), tweak, size=size)

    def follower(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number after ``number`` on a keyed circle of a `SMALL` ``range(size)``.

        This is a permutation that leaves no number in its place.
        """
        if size <= _TINY:
            order = self._order(size, turn)
            return order[(order.index(number) + 1) % size]
        tables = self._table(size, turn)
        return tables.permute((tables.invert(number) + 1) % size)

    def _order(self, size: int, turn: int) -> list[int]:
        """Return a keyed order of a tiny range."""
        if (size, turn) not in self._orders:
            drawn = unpack(f">{_TINY}I", self.digest(f"order {size} {turn}"))
            self._orders[size, turn] = sorted(range(size), key=drawn.__getitem__)
        return self._orders[size, turn]

    def _table(self, size: int, turn: int) -> Tables:
        """Return a keyed permutation of a small range."""
        if (size, turn) not in self._tables:
            self._tables[size, turn] = Tables(size, self.digest(f"permute {size} {turn}"))
        return self._tables[size, turn]

    @cached_property
    def _ff1(self) -> Ff1:
        return Ff1(self.digest("ff1")[:32])
