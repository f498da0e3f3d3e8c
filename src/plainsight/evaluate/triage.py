"""Triage: how many of all leaks a reader finds who reads the least sure notes first.

Notes are ordered by confidence. The risk at a coverage is the mean number of leaks per note among the surest
notes; the area under that curve is compared with the areas of a perfect and of a random order. Among notes
of equal confidence leaks count as spread evenly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from statistics import fmean

from plainsight.evaluate.statistics import spearman
from plainsight.evaluate.tally import Figures, ratio

SHARES = (0.1, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class Triage(Figures):
    """How well an order of notes finds leaks.

    ``spearman`` is the rank correlation of doubt (the less confidence, the more) with leaks per note, and
    ``found`` maps shares of notes, the least sure ones, to the shares of all leaks in them.
    """

    notes: int
    leaks: int
    spearman: float | None
    found: Mapping[float, float | None]
    area: float | None
    perfect_area: float | None
    random_area: float | None


def triage(confidences: Sequence[float], leaks: Sequence[int]) -> Triage:
    """Return how well confidence orders notes by leaks.

    >>> triage([0.9, 0.2, 0.8, 0.9], [0, 3, 1, 0]).found[0.3]
    0.75
    """
    doubt = [-confidence for confidence in confidences]
    ordered = _ordered(confidences, leaks)
    return Triage(
        notes=len(leaks),
        leaks=sum(leaks),
        spearman=spearman(doubt, leaks),
        found={
            share: ratio(sum(ordered[: round(share * len(leaks))]), sum(leaks)) if leaks else None
            for share in SHARES
        },
        area=_area(ordered),
        perfect_area=_area(sorted(leaks, reverse=True)),
        random_area=fmean(leaks) if leaks else None,
    )


def _ordered(confidences: Iterable[float], leaks: Iterable[int]) -> list[float]:
    """Return the leaks of the notes, the least sure first; ties share the mean."""
    pairs = sorted(zip(confidences, leaks, strict=True))
    groups = [[count for _, count in group] for _, group in groupby(pairs, key=lambda pair: pair[0])]
    return [fmean(group) for group in groups for _ in group]


def _area(ordered: Sequence[float]) -> float | None:
    """Return the area under the risk-coverage curve of notes, the least sure first."""
    sums = accumulate(reversed(ordered))
    risks = [total / count for count, total in enumerate(sums, start=1)]
    return fmean(risks) if risks else None
