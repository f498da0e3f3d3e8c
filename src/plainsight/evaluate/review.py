"""What a reviewer should look at: rare words that nobody marked, likely misses (S63).

The list is made without the gold standard, as it is for notes that have none; where there is one, it says
how good the list is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from plainsight.evaluate.leaks import leaked_tokens, marked, surprise, words
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.lists import load

__all__ = ["LEAST_BITS", "Likely", "Review", "likely_misses", "review"]

LEAST_BITS = 18.0
"""How much a word must tell to be listed: it comes less than once in a quarter of a million words."""

_CLINICAL = ("brands", "clinical", "diseases", "drugs")


class Likely(NamedTuple):
    """A rare word that nobody marked, where it stands, how much it tells, and whether it is a leak."""

    note: str
    start: int
    end: int
    bits: float
    leaks: bool


@dataclass(frozen=True, slots=True)
class Review:
    """How much a reviewer of the list reads, and what for."""

    listed: int
    leaks: int
    leaked: int

    @property
    def precision(self) -> float | None:
        """The share of the listed words that are leaks."""
        return ratio(self.leaks, self.listed)

    @property
    def recall(self) -> float | None:
        """The share of all leaked tokens that the list shows."""
        return ratio(self.leaks, self.leaked)

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "precision": self.precision,
            "recall": self.recall,
        }


def likely_misses(pairs: Iterable[Pair], *, least_bits: float = LEAST_BITS) -> list[Likely]:
    """List rare capitalised words that the system did not mark, those that tell most first.

    The words of medicine, rare in English and common in notes, are left out.
    """
    listed, clinical = [], _clinical()
    for pair in pairs:
        marks, leaked = marked(pair.text, pair.found), set(leaked_tokens(pair))
        for start, end in words(pair.text):
            word = pair.text[start:end]
            if word[0].isupper() and word.isalpha() and len(word) > 2 and not any(marks[start:end]):
                bits = surprise(word)
                if bits >= least_bits and word.lower() not in clinical:
                    listed.append(Likely(pair.id, start, end, bits, (start, end) in leaked))
    return sorted(listed, key=lambda entry: (-entry.bits, entry.note, entry.start))


@cache
def _clinical() -> frozenset[str]:
    entries = (entry for name in _CLINICAL for entry in load(name)["word"])
    return frozenset(word for entry in entries for word in entry.lower().split())


def review(pairs: Sequence[Pair]) -> Review:
    """Return how good the list of likely misses is."""
    listed = likely_misses(pairs)
    return Review(
        listed=len(listed),
        leaks=sum(entry.leaks for entry in listed),
        leaked=sum(len(leaked_tokens(pair)) for pair in pairs),
    )
