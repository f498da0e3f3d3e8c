"""Significance tests for differences of systems, confidence intervals of figures, rank correlation.

Whole notes are drawn or exchanged, since errors within a note go together. The draws are vectorised: 9,999
over a thousand notes take a second or two.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation

import numpy as np
from numpy.typing import NDArray

from plainsight.evaluate.tally import Figures, Tally

SHUFFLES = 9_999
_AT_ONCE = 256
_FIGURES = ("precision", "recall", "f")

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval(Figures):
    """A figure with its bootstrap interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Significance(Figures):
    """The difference of two systems and the probability of one as large by chance, for P, R and F."""

    precision: float | None
    recall: float | None
    f: float | None
    p_precision: float | None
    p_recall: float | None
    p_f: float | None


def randomisation(
    first: Sequence[Tally], second: Sequence[Tally], *, shuffles: int = SHUFFLES, seed: int = 0
) -> Significance:
    """Test two systems on the same notes by approximate randomisation.

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


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Return p values corrected for their number by Holm's step-down method; None stays None.

    The smallest of ``n`` values is multiplied by ``n``, the next by ``n - 1``, and so on; none falls below
    the one before it, nor rises above 1.

    >>> holm([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    known = sorted((p, place) for place, p in enumerate(chances) if p is not None)
    corrected: list[float | None] = [None] * len(chances)
    least = 0.0
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        corrected[place] = least
    return corrected


def bootstrap(
    tallies: Sequence[Tally], *, draws: int = SHUFFLES, level: float = 0.95, seed: int = 0
) -> dict[str, Interval]:
    """Return precision, recall and F with percentile intervals over notes drawn with replacement."""
    intervals = resampled(_table(tallies), _figures, draws=draws, level=level, seed=seed)
    return dict(zip(_FIGURES, intervals, strict=True))


def resampled(
    table: Numbers,
    figures: Callable[[Numbers], Numbers],
    *,
    draws: int = SHUFFLES,
    level: float = 0.95,
    seed: int = 0,
) -> list[Interval]:
    """Return figures of a table's sums with percentile intervals over its rows drawn with replacement.

    ``figures`` turns sums (the columns are the last axis) into figures along the last axis; one that is
    undefined is not a number.
    """
    values = figures(table.sum(axis=0))
    if not len(table):
        return [Interval(None, None, None)] * len(values)
    generator = np.random.default_rng(seed)
    drawn = []
    for part in _parts(draws):
        weights = generator.multinomial(len(table), np.full(len(table), 1 / len(table)), size=part)
        drawn.append(figures(weights.astype(np.float64) @ table))
    samples = np.concatenate(drawn)
    tail = (1 - level) / 2
    intervals = []
    for index, value in enumerate(values):
        known = samples[:, index][~np.isnan(samples[:, index])]
        low, high = np.quantile(known, (tail, 1 - tail)) if len(known) else (np.nan, np.nan)
        intervals.append(Interval(_or_none(value), _or_none(low), _or_none(high)))
    return intervals


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


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the rank correlation, ties sharing their mean rank; None where a side never varies.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    """
    if len(first) != len(second):
        raise ValueError("a rank correlation needs pairs")
    try:
        return round(correlation(_ranks(first), _ranks(second)), 12)
    except StatisticsError:
        return None


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]
