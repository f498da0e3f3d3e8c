"""Keyed permutations of ranges by Feistel networks: one with rounds of drawn tables, one with those of FF1.

FF1 (NIST SP 800-38G) suits ranges of any size, but enciphers an AES block in each of its ten rounds. For
small ranges, such as a list of a hundred names, eight rounds that look up drawn bytes take a quarter of the
time. Tables for large ranges would take longer to draw than FF1 takes to encipher. So both are needed. They
could share one loop over round functions, but calling a function in each round makes both three to four times
slower, which costs six percent of a note; and no other network would draw the same surrogates.

In both, what comes out above the range goes in again.
"""

from __future__ import annotations

from hashlib import shake_256

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

LARGEST_TABLE = 4096
"""The largest range for which tables are quicker than FF1."""

_TABLE_PAIRS = 4  # of rounds: one changes the upper half of the bits, one the lower
_FF1_ROUNDS = 10
_BLOCK = (1 << 128) - 1
_number = int.from_bytes


class Tables:
    """A permutation of a small ``range(size)`` that 64 drawn bytes choose.

    A table has a byte for each value of one half of a number's bits. Where four bits are enough, a table
    serves two rounds, with its lower and its upper four bits, and all tables are in the digest.

    >>> tables = Tables(100, bytes(range(64)))
    >>> sorted(tables.permute(number) for number in range(100)) == list(range(100))
    True
    """

    __slots__ = ("_drawn", "_pairs", "_shift", "_size", "_width")

    def __init__(self, size: int, digest: bytes) -> None:
        self._size = size
        self._width, self._pairs, self._shift, length = _LAYOUTS[(size - 1).bit_length()]
        self._drawn = digest if length <= len(digest) else shake_256(digest).digest(length)

    def permute(self, number: int) -> int:
        """Return the number that takes the place of ``number``."""
        drawn, shift, width = self._drawn, self._shift, self._width
        low, high = (1 << (self._size - 1).bit_length() - width) - 1, (1 << width) - 1
        while True:
            one, two = number >> width, number & high
            for first, second in self._pairs:
                one = one + drawn[first + two] & low
                two = two + (drawn[second + one] >> shift) & high
            number = one << width | two
            if number < self._size:
                return number

    def invert(self, number: int) -> int:
        """Return the number whose place ``number`` takes."""
        drawn, shift, width = self._drawn, self._shift, self._width
        low, high = (1 << (self._size - 1).bit_length() - width) - 1, (1 << width) - 1
        while True:
            one, two = number >> width, number & high
            for first, second in reversed(self._pairs):
                two = two - (drawn[second + one] >> shift) & high
                one = one - drawn[first + two] & low
            number = one << width | two
            if number < self._size:
                return number


def _layout(bits: int) -> tuple[int, tuple[tuple[int, int], ...], int, int]:
    """Return for numbers of so many bits: the lower bits, where tables begin, their shift and length."""
    width = bits - bits // 2
    entries = 1 << width
    packed = width <= 4
    step = entries if packed else 2 * entries
    pairs = tuple((at, at if packed else at + entries) for at in range(0, _TABLE_PAIRS * step, step))
    return width, pairs, 4 if packed else 0, _TABLE_PAIRS * step


_LAYOUTS = tuple(_layout(bits) for bits in range((LARGEST_TABLE - 1).bit_length() + 1))


class Ff1:
    """FF1 under one AES key.

    Numbers stand for strings of numerals in a radix, the first one the most significant. FF1 is not safe for
    ranges below 100.
    """

    def __init__(self, key: bytes, *, radix: int = 2) -> None:
        self._block = Cipher(AES(key), ECB()).encryptor().update  # FF1 asks for single blocks
        self._radix = radix
        self._starts: dict[tuple[int, int], int] = {}

    def __repr__(self) -> str:
        return f"Ff1(radix={self._radix})"  # never the key

    def encrypt(self, number: int, length: int, tweak: bytes = b"", *, size: int | None = None) -> int:
        """Return the number of this length, and below ``size``, that takes the place of ``number``."""
        made = self._once(number, length, tweak)
        while size is not None and made >= size:
            made = self._once(made, length, tweak)
        return made

    def _once(self, number: int, length: int, tweak: bytes) -> int:
        low: int = self._radix ** (length // 2)
        high: int = self._radix ** (length - length // 2)
        width = ((high - 1).bit_length() + 7) // 8  # bytes of a half
        added = 4 * ((width + 3) // 4) + 4  # bytes that a round adds
        # Each round enciphers tweak, filling, the round and a half of the number, here as one integer.
        blocks = (len(tweak) + width + 16) // 16
        fixed = _number(tweak, "big") << 8 * (16 * blocks - len(tweak))
        block, start = self._block, self._start(length, len(tweak))
        one, two = divmod(number, high)
        if blocks == 1 and added <= 16:  # all but long numbers
            fixed ^= start
            step = 1 << 8 * width
            for turn in range(0, _FF1_ROUNDS * step, 2 * step):
                made = block((fixed ^ (turn | two)).to_bytes(16, "big"))
                one = (one + _number(made[:added], "big")) % low
                made = block((fixed ^ (turn + step | one)).to_bytes(16, "big"))
                two = (two + _number(made[:added], "big")) % high
            return one * high + two
        for turn in range(_FF1_ROUNDS):
            message, mac = fixed | turn << 8 * width | two, start
            for shift in range(128 * (blocks - 1), -1, -128):
                made = block((mac ^ message >> shift & _BLOCK).to_bytes(16, "big"))
                mac = _number(made, "big")
            for counter in range(1, (added + 15) // 16):
                made += block((mac ^ counter).to_bytes(16, "big"))
            one, two = two, (one + _number(made[:added], "big")) % (high if turn % 2 else low)
        return one * high + two

    def _start(self, length: int, tweak_length: int) -> int:
        """Return the first enciphered block, which depends on no more than these two lengths."""
        if (length, tweak_length) not in self._starts:
            head = b"\1\2\1" + self._radix.to_bytes(3, "big") + bytes((_FF1_ROUNDS, length // 2 % 256))
            made = self._block(head + length.to_bytes(4, "big") + tweak_length.to_bytes(4, "big"))
            self._starts[length, tweak_length] = _number(made, "big")
        return self._starts[length, tweak_length]
