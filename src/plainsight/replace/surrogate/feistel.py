"""Keyed permutations of ranges: one Feistel network, with the round functions of FF1 or of drawn tables.

FF1 (NIST SP 800-38G) suits ranges of any size, but enciphers an AES block in each of its ten rounds. For
small ranges, such as a list of a hundred names, eight rounds that look up drawn bytes take a tenth of the
time. Tables for large ranges would take longer to draw than FF1 takes to encipher. So both kinds of round are
needed, and changing either would change every surrogate under a given key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import shake_256

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

__all__ = ["LARGEST_TABLE", "Feistel", "Ff1", "from_tables"]

LARGEST_TABLE = 4096
"""The largest range for which tables are quicker than FF1."""

_FF1_ROUNDS = 10
_TABLE_ROUNDS = 8
_BLOCK = (1 << 128) - 1
_number = int.from_bytes
_UPPER_BITS = bytes(byte >> 4 for byte in range(256))

Round = Callable[[int], int]


@dataclass(frozen=True, slots=True, repr=False)
class Feistel:
    """A permutation of ``range(size)``.

    A number has a high part below ``high`` and a low part below ``low``. The rounds change the two in turn:
    each adds to one part a function of the other. A result outside the range goes through the network again.
    """

    size: int
    high: int
    low: int
    rounds: Sequence[Round]

    def permute(self, number: int) -> int:
        """Return the number that takes the place of ``number``."""
        pairs = [*zip(self.rounds[::2], self.rounds[1::2], strict=True)]
        while True:
            high, low = divmod(number, self.low)
            for first, second in pairs:
                high = (high + first(low)) % self.high
                low = (low + second(high)) % self.low
            number = high * self.low + low
            if number < self.size:
                return number

    def invert(self, number: int) -> int:
        """Return the number whose place ``number`` takes."""
        pairs = [*zip(self.rounds[-2::-2], self.rounds[::-2], strict=True)]
        while True:
            high, low = divmod(number, self.low)
            for first, second in pairs:
                low = (low - second(high)) % self.low
                high = (high - first(low)) % self.high
            number = high * self.low + low
            if number < self.size:
                return number


def from_tables(size: int, digest: bytes) -> Feistel:
    """Return the permutation of a small range that 64 drawn bytes choose.

    A table has a byte for each value of one part of a number. Where four bits are enough, a table serves two
    rounds, with its lower and its upper four bits, and all tables are in the digest.

    >>> network = from_tables(100, bytes(range(64)))
    >>> sorted(network.permute(number) for number in range(100)) == list(range(100))
    True
    """
    bits = (size - 1).bit_length()
    high, low = 1 << bits // 2, 1 << bits - bits // 2
    if low <= 16:
        drawn = [digest[at : at + low] for at in range(0, _TABLE_ROUNDS // 2 * low, low)]
        tables = [table for both in drawn for table in (both, both.translate(_UPPER_BITS))]
    else:
        stretched = shake_256(digest).digest(_TABLE_ROUNDS * low)
        tables = [stretched[at : at + low] for at in range(0, len(stretched), low)]
    return Feistel(size, high, low, [table.__getitem__ for table in tables])


class Ff1:
    """FF1 under one AES key.

    Numbers stand for strings of numerals in a radix, the first one the most significant. FF1 is not safe for
    ranges below 100.
    """

    def __init__(self, key: bytes, *, radix: int = 2) -> None:
        self._block = Cipher(AES(key), ECB()).encryptor().update  # FF1 asks for single blocks
        self._radix = radix

    def __repr__(self) -> str:
        return f"Ff1(radix={self._radix})"  # never the key

    def permutation(self, length: int, tweak: bytes = b"", *, size: int | None = None) -> Feistel:
        """Return the permutation of all numbers of so many numerals, or of those below ``size``."""
        high: int = self._radix ** (length // 2)
        low: int = self._radix ** (length - length // 2)
        width = ((low - 1).bit_length() + 7) // 8  # bytes of one part
        added = 4 * ((width + 3) // 4) + 4  # bytes that a round adds
        head = b"\1\2\1" + self._radix.to_bytes(3, "big") + bytes((_FF1_ROUNDS, length // 2 % 256))
        head += length.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
        start = self._encipher(_number(head, "big"))
        blocks = (len(tweak) + width + 16) // 16
        fixed = _number(tweak, "big") << 8 * (16 * blocks - len(tweak))
        shifts = range(128 * (blocks - 1), -1, -128)
        counters = range(1, (added + 15) // 16)
        surplus = 8 * (16 * len(counters) + 16 - added)

        def add(turn: int, part: int) -> int:
            message, mac = fixed | turn << 8 * width | part, start
            for shift in shifts:
                mac = self._encipher(mac ^ message >> shift & _BLOCK)
            made = mac
            for counter in counters:
                made = made << 128 | self._encipher(mac ^ counter)
            return made >> surplus

        return Feistel(size or high * low, high, low, [partial(add, turn) for turn in range(_FF1_ROUNDS)])

    def _encipher(self, block: int) -> int:
        return _number(self._block(block.to_bytes(16, "big")), "big")
