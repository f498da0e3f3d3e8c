"""What a span found too short leaves in the open: common words, or something that tells (S61).

Of ``Elm Street Nursing Home`` with only ``Elm Street`` marked, ``Nursing Home`` stays: harmless. Of ``John
Smith`` with only ``John`` marked, ``Smith`` tells as much as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from plainsight.evaluate.errors import judge
from plainsight.evaluate.leaks import marked, surprise, words
from plainsight.evaluate.pairs import Pair
from plainsight.lists import load

__all__ = ["COMMON_BITS", "KINDS", "remainders"]

COMMON_BITS = 17.0
"""A small word that tells no more is common: it comes at least about once in a hundred thousand words."""

KINDS = ("no word", "common words", "revealing")


def remainders(pairs: Iterable[Pair]) -> dict[str, dict[str, int]]:
    """Count for each label the spans found too short by what is left: no word, common words, one that tells.

    Common are frequent words in small letters and the words of which organisations' names are made; any other
    word, and a number of more than one digit, tells.
    """
    table: dict[str, Counter[str]] = {}
    for pair in pairs:
        marks = marked(pair.text, pair.found)
        for judgement in judge(pair):
            gold = judgement.gold
            if gold and judgement.kind == "extent" and judgement.extent in ("short", "both"):
                left = [
                    pair.text[start:end]
                    for start, end in words(pair.text, gold.start, gold.end)
                    if not all(marks[start:end])
                ]
                table.setdefault(gold.label, Counter())[_kind(left)] += 1
    return {label: {kind: table[label][kind] for kind in KINDS} for label in sorted(table)}


def _kind(left: list[str]) -> str:
    if not left:
        return "no word"
    return "revealing" if any(map(_tells, left)) else "common words"


def _tells(word: str) -> bool:
    if word.isdecimal():
        return len(word) > 1
    return word.lower() not in _generic() and not (word.islower() and surprise(word) <= COMMON_BITS)


@cache
def _generic() -> frozenset[str]:
    return frozenset(word for entry in load("facility_words")["word"] for word in entry.split())
