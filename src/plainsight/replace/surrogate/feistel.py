"""A keyed permutation of a small range: a Feistel network whose round functions are tables of drawn bytes.

FF1 enciphers a block for each of its rounds, which is a lot for one of a hundred names. Here all values that
the round functions can have are drawn at once, and looked up: eight rounds over the two halves of a number's
bits, as FF3-1 has them, each with a function of its own. What comes out above the range goes in again.
"""

from __future__ import annotations

from hashlib import shake_256

__all__ = ["IN_A_DIGEST", "LARGEST", "invert", "permute", "tables"]

LARGEST = 4096
"""The largest range; for larger ones the tables take longer to draw than FF1 takes to encipher."""

IN_A_DIGEST = 256
"""The largest range for which 64 drawn bytes are the tables."""

_PAIRS = 4  # of rounds: one changes the upper half of the bits, one the lower

_Layout = tuple[int, int, int, tuple[tuple[int, int], ...], int, int]


def tables(size: int, digest: bytes) -> bytes:
    """Return the tables that 64 drawn bytes choose for a range."""
    length = _LAYOUTS[(size - 1).bit_length()][-1]
    return digest if length <= len(digest) else shake_256(digest).digest(length)


def permute(number: int, size: int, tables: bytes) -> int:
    """Return the number that takes the place of ``number`` in the permutation of ``range(size)``.

    >>> sorted(permute(number, 100, bytes(range(64))) for number in range(100)) == list(range(100))
    True
    """
    width, low, high, pairs, shift, _ = _LAYOUTS[(size - 1).bit_length()]
    while True:
        one, two = number >> width, number & high
        for first, second in pairs:
            one = one + tables[first + two] & low
            two = two + (tables[second + one] >> shift) & high
        number = one << width | two
        if number < size:
            return number


def invert(number: int, size: int, tables: bytes) -> int:
    """Return the number whose place ``number`` takes in the permutation."""
    width, low, high, pairs, shift, _ = _LAYOUTS[(size - 1).bit_length()]
    while True:
        one, two = number >> width, number & high
        for first, second in reversed(pairs):
            two = two - (tables[second + one] >> shift) & high
            one = one - tables[first + two] & low
        number = one << width | two
        if number < size:
            return number


def _layout(bits: int) -> _Layout:
    """Return how numbers of so many bits are halved, and where the tables of each pair of rounds lie.

    A table has a byte for each value of a half. Where four bits of it are enough, the lower four are for the
    first round of a pair and the upper four for the second, and a digest holds them all.
    """
    width = bits - bits // 2
    entries = 1 << width
    packed = width <= 4
    step = entries if packed else 2 * entries
    pairs = tuple((at, at if packed else at + entries) for at in range(0, _PAIRS * step, step))
    return width, (1 << bits - width) - 1, entries - 1, pairs, 4 if packed else 0, _PAIRS * step


_LAYOUTS = tuple(_layout(bits) for bits in range((LARGEST - 1).bit_length() + 1))
