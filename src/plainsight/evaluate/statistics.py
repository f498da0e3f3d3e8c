"""Whether a difference is more than chance, how sure a figure is, and whether a confidence means anything.

Notes are the units that are drawn or exchanged, since errors within a note go together. Everything is
vectorised over the draws: a thousand notes with 9,999 draws take a second or two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.evaluate.tally import Tally, ratio

__all__ = [
    "SHUFFLES",
    "Calibration",
    "Interval",
    "Significance",
    "bootstrap",
    "calibration",
    "cohen_kappa",
    "perfect_prefix",
    "randomisation",
    "spearman",
]

SHUFFLES = 9_999
_AT_ONCE = 256
_FIGURES = ("precision", "recall", "f")

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its bootstrap interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Significance:
    """The difference of two systems and the probability of one as large by chance, for P, R and F."""

    precision: float | None
    recall: float | None
    f: float | None
    p_precision: float | None
    p_recall: float | None
    p_f: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def randomisation(
    first: Sequence[Tally], second: Sequence[Tally], *, shuffles: int = SHUFFLES, seed: int = 0
) -> Significance:
    """Test two systems on the same notes by approximate randomisation (S90).

    Each shuffle exchanges the two systems' results in every note with a chance of one half. With ``r`` of
    ``n`` shuffles giving a difference at least as large as the one seen, p is ``(r + 1) / (n + 1)``.
    """
    one, two = _table(first), _table(second)
    if one.shape != two.shape:
        raise ValueError("both systems are tested on the same notes")
    seen = _figures(one.sum(axis=0)) - _figures(two.sum(axis=0))
    both, change = one.sum(axis=0) + two.sum(axis=0), two - one
    generator = np.random.default_rng(seed)
    larger = np.zeros(3)
    for draws in _parts(shuffles):
        exchanged = generator.integers(0, 2, size=(draws, len(one)), dtype=np.int8).astype(np.float64)
        swapped = one.sum(axis=0) + exchanged @ change
        differences = _figures(swapped) - _figures(both - swapped)
        # a shuffle for which a figure is undefined counts against the difference
        larger += (np.abs(np.nan_to_num(differences, nan=np.inf)) >= np.abs(seen) - 1e-12).sum(axis=0)
    chances = (larger + 1) / (shuffles + 1)
    return Significance(
        *(_or_none(value) for value in seen),
        *(None if np.isnan(value) else float(p) for value, p in zip(seen, chances, strict=True)),
    )


def bootstrap(
    tallies: Sequence[Tally], *, draws: int = SHUFFLES, level: float = 0.95, seed: int = 0
) -> dict[str, Interval]:
    """Return precision, recall and F with percentile intervals over notes drawn with replacement."""
    table = _table(tallies)
    if not len(table):
        return dict.fromkeys(_FIGURES, Interval(None, None, None))
    generator = np.random.default_rng(seed)
    drawn = []
    for part in _parts(draws):
        weights = generator.multinomial(len(table), np.full(len(table), 1 / len(table)), size=part)
        drawn.append(_figures(weights.astype(np.float64) @ table))
    samples = np.concatenate(drawn)
    values = _figures(table.sum(axis=0))
    tail = (1 - level) / 2
    made = {}
    for place, name in enumerate(_FIGURES):
        known = samples[:, place][~np.isnan(samples[:, place])]
        low, high = np.quantile(known, (tail, 1 - tail)) if len(known) else (np.nan, np.nan)
        made[name] = Interval(_or_none(values[place]), _or_none(low), _or_none(high))
    return made


def _parts(draws: int) -> list[int]:
    return [min(_AT_ONCE, draws - done) for done in range(0, draws, _AT_ONCE)]


def _table(tallies: Sequence[Tally]) -> Numbers:
    return np.array(
        [(tally.gold, tally.gold_hits, tally.found, tally.found_hits) for tally in tallies], dtype=np.float64
    ).reshape(-1, 4)


def _figures(counts: Numbers) -> Numbers:
    """Return precision, recall and F along the last axis; undefined ones are not a number.

    F is as in `tally.f_score`: undefined only where there is nothing at all.
    """
    gold, gold_hits, found, found_hits = np.moveaxis(counts, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = found_hits / found, gold_hits / gold
        f = np.nan_to_num(2 * precision * recall / (precision + recall), nan=0.0)
        f = np.where(gold + found == 0, np.nan, f)
    return np.stack((precision, recall, f), axis=-1)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return how far two annotators agree beyond chance (S166); None where chance alone is perfect.

    >>> cohen_kappa(["A", "A", "B", "B"], ["A", "A", "B", "A"])
    0.5
    """
    if len(first) != len(second):
        raise ValueError("both annotators judge the same items")
    if not first:
        return None
    items = len(first)
    agreed = sum(one == two for one, two in zip(first, second, strict=True)) * items
    ones, twos = Counter(first), Counter(second)
    by_chance = sum(count * twos[label] for label, count in ones.items())
    return ratio(agreed - by_chance, items * items - by_chance)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the rank correlation, ties sharing their mean rank (S49); None where a side never varies.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    """
    if len(first) != len(second):
        raise ValueError("a rank correlation needs pairs")
    if not first:
        return None
    one, two = _ranks(first), _ranks(second)
    one, two = one - one.mean(), two - two.mean()
    spread = float(np.sqrt((one @ one) * (two @ two)))
    return round(float(one @ two) / spread, 12) if spread else None


def _ranks(values: Sequence[float]) -> Numbers:
    array = np.asarray(values, dtype=np.float64)
    _, place, counts = np.unique(array, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(middle[place], dtype=np.float64)


def perfect_prefix(confidences: Sequence[float], scores: Sequence[float]) -> int:
    """Return how many of the most confident notes are perfect before the first that is not (S49).

    Among notes of equal confidence the imperfect come first: which of them a reader met first is chance.
    """
    order = sorted(zip(confidences, scores, strict=True), key=lambda note: (-note[0], note[1]))
    return next((rank for rank, (_, score) in enumerate(order) if score < 1), len(order))


@dataclass(frozen=True, slots=True)
class Calibration:
    """How sure claims were and how often they were right, bin by bin, and the expected error."""

    confidence: tuple[float, ...]
    share_right: tuple[float, ...]
    count: tuple[int, ...]
    error: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the bins and the expected calibration error."""
        return {name: getattr(self, name) for name in self.__slots__}


def calibration(scores: Sequence[float], right: Sequence[bool], *, bins: int = 10) -> Calibration:
    """Return the calibration curve in bins of equal width; empty bins are left out.

    The expected error is the mean over claims of the gap between a bin's mean score and its share right.
    """
    if len(scores) != len(right):
        raise ValueError("every score is right or wrong")
    if not scores:
        return Calibration((), (), (), None)
    values, hits = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=np.float64)
    place = np.minimum((values * bins).astype(int), bins - 1)
    count = np.bincount(place, minlength=bins)
    kept = count > 0
    mean = np.bincount(place, weights=values, minlength=bins)[kept] / count[kept]
    share = np.bincount(place, weights=hits, minlength=bins)[kept] / count[kept]
    error = float((np.abs(mean - share) * count[kept]).sum() / len(values))
    return Calibration(tuple(map(float, mean)), tuple(map(float, share)), tuple(map(int, count[kept])), error)
