"""What a privacy officer asks: which notes leak, what leaks, how much it tells, and what was hidden in vain.

A token of the gold standard leaks when any of its letters or digits lies outside what the system marked:
half a name still leaks. Its weight is its surprise, in bits, under the frequencies of English words (S62): a
missed ``hospital`` tells little, a rare surname much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any

from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.lists import load
from plainsight.text.tokens import scorer_tokens

__all__ = ["Leaks", "leaked_tokens", "leaks", "surprise"]

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
        gold, found = _marked(pair.gold, pair.text), _marked(pair.found, pair.text)
        words = [pair.text[start:end] for start, end in _tokens(pair)]
        leaked = [pair.text[start:end] for start, end in leaked_tokens(pair)]
        sums["clean"] += not leaked
        sums["tokens"] += len(words)
        sums["leaked"] += len(leaked)
        bits += sum(map(surprise, words))
        leaked_bits += sum(map(surprise, leaked))
        unique.update(word.casefold() for word in leaked)
        sums["gold"] += sum(gold)
        sums["missed"] += sum(
            1 for is_gold, is_found in zip(gold, found, strict=True) if is_gold and not is_found
        )
        sums["harmless"] += len(gold) - sum(gold)
        sums["vain"] += sum(
            1 for is_gold, is_found in zip(gold, found, strict=True) if is_found and not is_gold
        )
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
    found = _marked(pair.found, pair.text)
    return [(start, end) for start, end in _tokens(pair) if not all(found[start:end])]


def _tokens(pair: Pair) -> list[tuple[int, int]]:
    """Return the tokens inside the gold standard's spans, each once, in order."""
    return sorted(
        {
            (span.start + start, span.start + end)
            for span in pair.gold
            for start, end in scorer_tokens(pair.text[span.start : span.end])
        }
    )


def _marked(spans: Iterable[Any], text: str) -> bytearray:
    """Return for each character whether it is marked."""
    marks = bytearray(len(text))
    for span in spans:
        marks[span.start : span.end] = b"\1" * (span.end - span.start)
    return marks


def surprise(word: str) -> float:
    """Return how much a word tells, in bits: the negative logarithm of its share of English text.

    >>> surprise("hospital") < surprise("Quillerby")
    True
    """
    return -log2(10 ** (_zipf().get(word.lower(), _RAREST) - 9))


@cache
def _zipf() -> dict[str, float]:
    columns = load("words")
    return {word: int(tenths) / 10 for word, tenths in zip(columns["word"], columns["zipf"], strict=True)}
