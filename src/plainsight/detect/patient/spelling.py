"""Small misspellings: one letter wrong, missing, added, or two swapped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

__all__ = ["index", "misspelled", "one_slip"]

SHORTEST = 5
"""Shorter words have too many neighbours that are other words."""

Index = Mapping[tuple[int, int, int], tuple[bytes, ...]]
"""Which end (0 or -1), the letter there, the length of a word: the words to compare it with."""


def one_slip(one: bytes, other: bytes) -> bool:
    """Whether one word becomes the other by one edit or one swap of neighbours.

    >>> one_slip(b"zianab", b"zainab"), one_slip(b"harjoe", b"harjo"), one_slip(b"smith", b"smith")
    (True, True, False)
    """
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(longer) - len(shorter) > 1 or one == other:
        return False
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    if len(longer) > len(shorter):
        return shorter[start:] == longer[start + 1 :]
    if shorter[start + 1 :] == longer[start + 1 :]:
        return True
    swapped = shorter[start : start + 2][::-1]
    return swapped == longer[start : start + 2] and shorter[start + 2 :] == longer[start + 2 :]


def index(words: Iterable[bytes]) -> Index:
    """Prepare words to be recognised when misspelled; a slip keeps the first or the last letter."""
    table: defaultdict[tuple[int, int, int], list[bytes]] = defaultdict(list)
    for word in words:
        if len(word) >= SHORTEST:
            for length in (len(word) - 1, len(word), len(word) + 1):
                table[0, word[0], length].append(word)
                table[-1, word[-1], length].append(word)
    return {key: tuple(found) for key, found in table.items()}


def misspelled(table: Index, token: bytes) -> list[bytes]:
    """Return the indexed words that a token may be a misspelling of."""
    length = len(token)
    if length < SHORTEST:
        return []
    near = table.get((0, token[0], length), ()) + table.get((-1, token[-1], length), ())
    return [word for word in dict.fromkeys(near) if one_slip(token, word)] if near else []
