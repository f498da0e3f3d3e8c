"""Rare words: how much information a word has, and which unmarked words of a text are rare enough to look at.

A word's surprise, in bits, is measured by the frequencies of English words: ``hospital`` has little, a rare
surname much. A rare capitalised word that nobody marked is often a missed name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import log2
from typing import NamedTuple

from plainsight.document import Span
from plainsight.lists import load

LEAST_BITS = 18.0
"""How many bits a rare word has at least: it is rarer than one in a quarter of a million words."""
UNSEEN_BITS = 26.0
"""How many bits a word in no list has at least."""

_WORD = re.compile(r"[^\W_]+")
_RAREST = 1.0
"""The Zipf frequency given to a word in no list: once in a hundred million words."""
_MEDICAL_LISTS = ("brands", "clinical", "diseases", "drugs")


class RareWord(NamedTuple):
    """A rare word of a text: its offsets, and its information in bits."""

    start: int
    end: int
    bits: float


def rare_words(text: str, spans: Iterable[Span], *, least_bits: float = LEAST_BITS) -> Iterator[RareWord]:
    """Yield the rare capitalised words that no span touches, in order.

    Medical words, rare in English and common in notes, are left out.

    >>> [word.start for word in rare_words("Seen with Quillerby, on Metoprolol.", ())]
    [10]
    """
    marks, medical = marked(text, spans), _medical_words()
    for start, end in words(text):
        word = text[start:end]
        if word[0].isupper() and word.isalpha() and len(word) > 2 and not any(marks[start:end]):
            bits = surprise(word)
            if bits >= least_bits and word.lower() not in medical:
                yield RareWord(start, end, bits)


def words(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the runs of letters and digits of any script.

    >>> words("Zoë_2, Ли")
    [(0, 3), (4, 5), (7, 9)]
    """
    return [match.span() for match in _WORD.finditer(text, start, len(text) if end is None else end)]


def marked(text: str, spans: Iterable[Span]) -> bytearray:
    """Return 1 for each character that is marked, 0 for the others."""
    marks = bytearray(len(text))
    for span in spans:
        marks[span.start : span.end] = b"\1" * (span.end - span.start)
    return marks


def surprise(word: str) -> float:
    """Return a word's information in bits: the negative logarithm of its share of English text.

    Each digit of a number is one of ten.

    >>> surprise("4") < surprise("hospital") < surprise("Quillerby") < surprise("0371882149")
    True
    """
    if word.isdecimal():
        return len(word) * log2(10)
    return -log2(10 ** (_zipf().get(word.lower(), _RAREST) - 9))


@cache
def _zipf() -> dict[str, float]:
    columns = load("words")
    return {word: int(tenths) / 10 for word, tenths in zip(columns["word"], columns["zipf"], strict=True)}


@cache
def _medical_words() -> frozenset[str]:
    entries = (entry for name in _MEDICAL_LISTS for entry in load(name)["word"])
    return frozenset(word for entry in entries for word in entry.lower().split())
