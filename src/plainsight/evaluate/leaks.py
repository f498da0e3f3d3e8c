"""What a privacy officer asks: which notes leak, what leaks, how much it tells, and what was hidden in vain.

A token of the gold standard leaks when any of its letters or digits lies outside what the system marked:
half a name still leaks. A token is a run of letters and digits of any script here, unlike in the official
scorers, for which a name in Greek has no tokens and cannot leak. Its weight is its surprise, in bits, under
the frequencies of English words (S62): a missed ``hospital`` tells little, a rare surname much.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.lists import load

__all__ = ["Leaks", "gold_tokens", "leaked_tokens", "leaks", "marked", "surprise", "words"]

_WORD = re.compile(r"[^\W_]+")
_RAREST = 1.0
"""The Zipf frequency given to a word in no list: once in a hundred million words."""


@dataclass(frozen=True, slots=True)
class Leaks:
    """What got through, over all notes."""

    notes: int
    clean_notes: int
    tokens: int
    leaked: int
    unique: int
    bits: float
    leaked_bits: float
    characters: int
    leaked_characters: int
    harmless_characters: int
    hidden_in_vain: int

    @property
    def clean_share(self) -> float | None:
        """The share of notes with no leak at all."""
        return ratio(self.clean_notes, self.notes)

    @property
    def weighted_leak(self) -> float | None:
        """The share of the identifiers' information that leaked."""
        return ratio(self.leaked_bits, self.bits)

    @property
    def character_recall(self) -> float | None:
        """The share of identifying characters that were marked."""
        return ratio(self.characters - self.leaked_characters, self.characters)

    @property
    def over_redaction(self) -> float | None:
        """The share of all other characters that were marked as well."""
        return ratio(self.hidden_in_vain, self.harmless_characters)

    def to_json(self) -> dict[str, Any]:
        """Return counts and shares; no text."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "clean_share": self.clean_share,
            "weighted_leak": self.weighted_leak,
            "character_recall": self.character_recall,
            "over_redaction": self.over_redaction,
        }


def leaks(pairs: Sequence[Pair]) -> Leaks:
    """Count what leaked over all notes."""
    sums = Counter[str]()
    unique: set[str] = set()
    bits = leaked_bits = 0.0
    for pair in pairs:
        tokens = [pair.text[start:end] for start, end in gold_tokens(pair)]
        leaked = [pair.text[start:end] for start, end in leaked_tokens(pair)]
        sums["clean"] += not leaked
        sums["tokens"] += len(tokens)
        sums["leaked"] += len(leaked)
        bits += sum(map(surprise, tokens))
        leaked_bits += sum(map(surprise, leaked))
        unique.update(word.casefold() for word in leaked)
        gold, found = (int.from_bytes(marked(pair.text, side)) for side in (pair.gold, pair.found))
        sums["gold"] += gold.bit_count()
        sums["missed"] += (gold & ~found).bit_count()
        sums["harmless"] += len(pair.text) - gold.bit_count()
        sums["vain"] += (found & ~gold).bit_count()
    return Leaks(
        notes=len(pairs),
        clean_notes=sums["clean"],
        tokens=sums["tokens"],
        leaked=sums["leaked"],
        unique=len(unique),
        bits=bits,
        leaked_bits=leaked_bits,
        characters=sums["gold"],
        leaked_characters=sums["missed"],
        harmless_characters=sums["harmless"],
        hidden_in_vain=sums["vain"],
    )


def leaked_tokens(pair: Pair) -> list[tuple[int, int]]:
    """Return the tokens of the gold standard that the system did not cover whole."""
    found = marked(pair.text, pair.found)
    return [(start, end) for start, end in gold_tokens(pair) if not all(found[start:end])]


def gold_tokens(pair: Pair) -> list[tuple[int, int]]:
    """Return the tokens inside the gold standard's marks, each once, in order; a mark's edge ends a token."""
    return sorted({token for span in pair.gold for token in words(pair.text, span.start, span.end)})


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
    """Return how much a word tells, in bits: the negative logarithm of its share of English text.

    A number tells as much as its digits, each one of ten.

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
