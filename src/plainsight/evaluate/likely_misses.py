"""Likely misses: rare unmarked words, for a reviewer to look at.

The list needs no gold standard. Where there is one, `list_quality` measures the list against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from plainsight.evaluate.leaks import leaked_tokens, marked, surprise, words
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.lists import load

LEAST_BITS = 18.0
"""How many bits a listed word has at least: it is rarer than one in a quarter of a million words."""

_MEDICAL_LISTS = ("brands", "clinical", "diseases", "drugs")


class LikelyMiss(NamedTuple):
    """A rare unmarked word: its offsets, its information in bits, and whether it is a leak."""

    note: str
    start: int
    end: int
    bits: float
    leaks: bool


def likely_misses(pairs: Iterable[Pair], *, least_bits: float = LEAST_BITS) -> list[LikelyMiss]:
    """List rare capitalised words that the system did not mark, the rarest first.

    Medical words, rare in English and common in notes, are left out.
    """
    listed, medical = [], _medical_words()
    for pair in pairs:
        marks, leaked = marked(pair.text, pair.found), set(leaked_tokens(pair))
        for start, end in words(pair.text):
            word = pair.text[start:end]
            if word[0].isupper() and word.isalpha() and len(word) > 2 and not any(marks[start:end]):
                bits = surprise(word)
                if bits >= least_bits and word.lower() not in medical:
                    listed.append(LikelyMiss(pair.id, start, end, bits, (start, end) in leaked))
    return sorted(listed, key=lambda entry: (-entry.bits, entry.note, entry.start))


@cache
def _medical_words() -> frozenset[str]:
    entries = (entry for name in _MEDICAL_LISTS for entry in load(name)["word"])
    return frozenset(word for entry in entries for word in entry.lower().split())


def list_quality(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Return how many of the likely misses are leaks, and how many of the leaked tokens they show."""
    entries = likely_misses(pairs)
    listed, leaks = len(entries), sum(entry.leaks for entry in entries)
    leaked = sum(len(leaked_tokens(pair)) for pair in pairs)
    counts = {"listed": listed, "leaks": leaks, "leaked": leaked}
    return {**counts, "precision": ratio(leaks, listed), "recall": ratio(leaks, leaked)}
