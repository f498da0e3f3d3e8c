"""A share of a whole, estimated from a sample, with an interval that covers.

Independent trials have the exact interval of Clopper and Pearson. Identifiers are not independent: those of a
note are missed together, and so are those of a patient's notes. For such clusters the size of the sample is
reduced to that of an independent sample that would tell as much (Korn and Graubard 1998), and the exact
interval is taken of that. Unlike a bootstrap, this has an interval when nothing was hit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

from plainsight.evaluate.tally import Figures

_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Share(Figures):
    """A share with its interval; None where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


UNKNOWN = Share(None, None, None)
"""The share of nothing."""


@dataclass(frozen=True, slots=True)
class Clustered(Figures):
    """A share of clustered units: how many units, how many of them hit, and how much the clusters cost.

    ``effect`` is the design effect: that many clustered units tell as much as one independent unit.
    """

    share: Share
    units: float
    hits: float
    effect: float


def binomial_share(hits: float, trials: float, *, level: float = 0.95) -> Share:
    """Return a share of independent trials with the exact (Clopper-Pearson) interval.

    Hits and trials may be fractions, as those of an effective sample are.

    >>> share = binomial_share(0, 50)
    >>> share.value, share.low, round(share.high, 3)
    (0.0, 0.0, 0.071)
    """
    if trials <= 0:
        return UNKNOWN
    tail, missed = (1 - level) / 2, trials - hits
    low = 0.0 if hits <= 0 else _rising_root(lambda p: incomplete_beta(p, hits, missed + 1) - tail)
    high = 1.0 if missed <= 0 else _rising_root(lambda p: incomplete_beta(p, hits + 1, missed) - 1 + tail)
    return Share(hits / trials, low, high)


def wilson_share(hits: float, trials: float, *, level: float = 0.95) -> Share:
    """Return a share of independent trials with Wilson's score interval, which published tables often have.

    It covers on average, not always as the exact one does, and is narrower.

    >>> share = wilson_share(9, 10)
    >>> round(share.low, 3), round(share.high, 3)
    (0.596, 0.982)
    """
    if trials <= 0:
        return UNKNOWN
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = hits / trials
    middle, whole = share + z * z / (2 * trials), 1 + z * z / trials
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Share(share, max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole))


def clustered_share(
    hits: Sequence[float],
    units: Sequence[float],
    *,
    least_effect: float = 1.0,
    fraction: float = 0.0,
    level: float = 0.95,
) -> Clustered:
    """Return the share of units that are hit, from the hits and units of each cluster.

    ``least_effect`` is a design effect that is assumed even where the sample shows a smaller one; a sample
    with few hits cannot show any. ``fraction`` is the part of the population that the sample is: nothing is
    uncertain about a population that was looked at whole. A negative one is the size of a sample that is no
    part of a finite population: that differs from the sample by its own chance, too.

    >>> clustered_share([0, 0, 6], [10, 10, 10]).share.high > binomial_share(6, 30).high
    True
    """
    clusters, whole, hit = len(units), sum(units), sum(hits)
    if not whole:
        return Clustered(UNKNOWN, 0, 0, 1.0)
    share = hit / whole
    if fraction >= 1:
        return Clustered(Share(share, share, share), whole, hit, 1.0)
    effect = max(1.0, least_effect, _design_effect(hits, units, share))
    size = min(whole / effect, whole)
    if clusters > 1:
        size *= (NormalDist().inv_cdf((1 + level) / 2) / t_quantile((1 + level) / 2, clusters - 1)) ** 2
    else:
        size = min(size, 1.0)
    size /= 1 - fraction
    interval = binomial_share(share * size, size, level=level)
    return Clustered(Share(share, interval.low, interval.high), whole, hit, effect)


def _design_effect(hits: Sequence[float], units: Sequence[float], share: float) -> float:
    """Return how much larger the variance of the share is than that of independent units."""
    clusters, whole = len(units), sum(units)
    if clusters < 2 or not 0 < share < 1:
        return 1.0
    squares = sum((hit - share * unit) ** 2 for hit, unit in zip(hits, units, strict=True))
    return clusters / (clusters - 1) * squares / (whole * share * (1 - share))


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction.

    >>> round(incomplete_beta(0.5, 2, 3), 4)
    0.6875
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    # Lentz's method: the fraction as a product of ratios
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(10_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / ((1 + term * lower) or _TINY)
        upper = (1 + term / upper) or _TINY
        value *= upper * lower
        if step and abs(upper * lower - 1) < 1e-12:
            break
    return front * (value - 1)


def t_quantile(chance: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution for a chance above one half.

    >>> round(t_quantile(0.975, 49), 3)
    2.01
    """

    def above(x: float) -> float:  # x = freedom / (freedom + t²)
        return incomplete_beta(x, freedom / 2, 0.5) - 2 * (1 - chance)

    x = _rising_root(above)
    return sqrt(freedom * (1 - x) / x) if x else inf


def _rising_root(function: Callable[[float], float]) -> float:
    """Return where a rising function of a chance is zero, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return (low + high) / 2
