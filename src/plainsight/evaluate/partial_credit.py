"""Partial credit: how each identifier was found, counted four ways, as in MUC-5 and SemEval-2013 task 9.

A gold mark and a system's that overlap are aligned one to one (`scorers.aligned`). Each aligned pair is
correct (COR), incorrect (INC) or partly correct (PAR); a gold mark without a partner is missing (MIS), a
system's spurious (SPU).

| way | correct | half |
|---|---|---|
| ``strict`` | the same extent and label | – |
| ``exact`` | the same extent | – |
| ``partial`` | the same extent | any overlap (PAR) |
| ``type`` | the same label and any overlap | – |

Precision is (COR + PAR / 2) / (COR + INC + PAR + SPU); recall has MIS instead of SPU.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import aligned
from plainsight.evaluate.tally import Figures, f_score, ratio

WAYS = ("strict", "exact", "partial", "type")


@dataclass(frozen=True, slots=True)
class Credit(Figures):
    """How many marks were found how."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missing: int = 0
    spurious: int = 0

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right; partly right is half."""
        return ratio(self._right(), self.correct + self.incorrect + self.partial + self.spurious)

    @property
    def recall(self) -> float | None:
        """The share of the gold standard that was found; partly found is half."""
        return ratio(self._right(), self.correct + self.incorrect + self.partial + self.missing)

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return f_score(self.precision, self.recall)

    def _right(self) -> float:
        return self.correct + self.partial / 2


def partial_credit(pairs: Iterable[Pair]) -> dict[str, Credit]:
    """Return the counts over all notes, by way of counting."""
    counts: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    for pair in pairs:
        for gold, found in aligned(pair.gold, pair.found):
            for way in WAYS:
                counts[way][_outcome(way, gold, found)] += 1
    return {way: Credit(**count) for way, count in counts.items()}


def _outcome(way: str, gold: Span | None, found: Span | None) -> str:
    if gold is None:
        return "spurious"
    if found is None:
        return "missing"
    same_label = gold.label == found.label
    same_extent = (gold.start, gold.end) == (found.start, found.end)
    if way == "partial":
        return "correct" if same_extent else "partial"
    wanted = {"strict": same_label and same_extent, "exact": same_extent, "type": same_label}
    return "correct" if wanted[way] else "incorrect"
