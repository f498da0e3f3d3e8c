"""The parts of words as checksums: how words begin and end, and all short stretches of them.

A checksum of zlib's kind is linear: each byte adds to it, by exclusive or, a number that depends on that byte
and on how many follow, whatever they are. So the checksums of all parts of many words are a few lookups in a
table, and no part is ever cut out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Codes = NDArray[np.uint32]

_ENDS = np.array([3, 4, 5])  # characters of a beginning or an end
_STRETCHES = (3, 4)  # characters of any other part
_LEADS = (b"^", b"$", b"")  # what is written before a beginning, an end, any other part
_MOST = 4 * 5  # bytes of a part


def _added() -> Codes:
    """Return what a byte adds to a checksum, by how many bytes there are from it on."""
    made = np.zeros((_MOST + 1, 256), np.uint32)
    for left in range(1, _MOST + 1):
        made[left] = [crc32(bytes([byte, *bytes(left - 1)])) ^ crc32(bytes(left)) for byte in range(256)]
    return made


_ADDED = _added()
_EMPTY = np.array([[crc32(lead + bytes(size)) for size in range(_MOST + 1)] for lead in _LEADS], np.uint32)
"""The checksum of a part of nothing but zeros, by what is written before it and its bytes."""


def part_checksums(words: Sequence[str]) -> tuple[Codes, Ints]:
    """Return the checksums of all parts of words, and the number of the word that each is of.

    Those of one word are in order: beginnings and ends from short to long, then stretches from short to long.
    """
    view = np.frombuffer("".join(words).encode("utf-8", "surrogatepass"), np.uint8)
    edges = np.flatnonzero(np.append(view & 0xC0 != 0x80, True))  # where characters begin, in bytes
    lengths = np.fromiter(map(len, words), np.intp, len(words))
    lasts = lengths.cumsum()
    of_character = np.repeat(np.arange(len(words)), lengths)
    parts = (_ends(lasts - lengths, lasts), *_stretches(lasts[of_character]))
    starts, sizes, leads = map(np.concatenate, zip(*parts, strict=True))
    return _checksums(view, edges[starts], edges[starts + sizes], leads), of_character[starts]


def _ends(firsts: Ints, lasts: Ints) -> tuple[Ints, Ints, Ints]:
    """Return where the beginnings and ends of words start, how long they are and their leads, in turn."""
    sizes = np.minimum(_ENDS, (lasts - firsts)[:, None])
    starts = np.stack((np.broadcast_to(firsts[:, None], sizes.shape), lasts[:, None] - sizes), axis=-1)
    return starts.reshape(-1), np.repeat(sizes, 2), np.arange(starts.size) & 1


def _stretches(lasts: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield the same of other parts, given where the word of each character ends."""
    left = lasts - np.arange(len(lasts))
    for size in _STRETCHES:
        starts = np.flatnonzero(left >= size)
        yield starts, np.full(len(starts), size), np.full(len(starts), _LEADS.index(b""))


def _checksums(view: NDArray[np.uint8], starts: Ints, stops: Ints, leads: Ints) -> Codes:
    """Return the checksum of each stretch of bytes behind its lead."""
    sizes = stops - starts
    made: Codes = _EMPTY[leads, sizes]
    for left in range(1, sizes.max(initial=0) + 1):
        made ^= _ADDED[left].take(view.take(stops - left, mode="clip")) * (sizes >= left)
    return made
