"""Small misspellings: one letter wrong, missing, added, or two swapped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from rapidfuzz.distance import OSA

SHORTEST = 5
"""Shorter words have too many neighbours that are other words."""

Index = Mapping[tuple[int, int, int], tuple[bytes, ...]]
"""Words to compare a token with, by which end (0 or -1), the letter there and the length of the token."""


def one_slip(one: str | bytes, other: str | bytes) -> bool:
    """Whether one word becomes the other by one edit or one swap of neighbours.

    >>> one_slip("zianab", "zainab"), one_slip("harjoe", "harjo"), one_slip("smith", "smith")
    (True, True, False)
    """
    return OSA.distance(one, other, score_cutoff=1) == 1


def index(words: Iterable[bytes]) -> Index:
    """Index words to find them by a misspelling; a slip keeps the first or the last letter."""
    table: defaultdict[tuple[int, int, int], list[bytes]] = defaultdict(list)
    for word in words:
        if len(word) >= SHORTEST:
            for length in (len(word) - 1, len(word), len(word) + 1):
                table[0, word[0], length].append(word)
                table[-1, word[-1], length].append(word)
    return {key: tuple(similar) for key, similar in table.items()}


def misspelled(table: Index, token: bytes) -> list[bytes]:
    """Return the indexed words that a token may be a misspelling of."""
    length = len(token)
    if length < SHORTEST:
        return []
    similar = table.get((0, token[0], length), ()) + table.get((-1, token[-1], length), ())
    return [word for word in dict.fromkeys(similar) if one_slip(token, word)]
