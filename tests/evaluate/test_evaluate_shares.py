"""Shares and their intervals: published tables, and the coverage of clustered samples."""

from __future__ import annotations

import random

import pytest

from plainsight.evaluate.shares import binomial_share, clustered_share, incomplete_beta, t_quantile


# Clopper and Pearson's own table: 95 % intervals.
@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0)],
)
def test_binomial_interval(hits, trials, low, high):
    share = binomial_share(hits, trials)
    assert share.low == pytest.approx(low, abs=1e-4)
    assert share.high == pytest.approx(high, abs=1e-4)


def test_nothing_read_is_undefined():
    assert binomial_share(0, 0).value is None
    assert clustered_share([], []).share.value is None


def test_a_large_sample_does_not_overflow():
    share = binomial_share(20, 1_000_000)
    assert share.low == pytest.approx(1.2217e-5, rel=1e-3)
    assert share.high == pytest.approx(3.0889e-5, rel=1e-3)


def test_incomplete_beta_and_t_are_those_of_scipy():
    special, stats = pytest.importorskip("scipy.special"), pytest.importorskip("scipy.stats")
    draw = random.Random(1)
    for _ in range(500):
        a, b, x = draw.lognormvariate(1, 2), draw.lognormvariate(2, 3), draw.random()
        assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), abs=1e-9)
    for freedom in (1, 4, 49, 1000):
        assert t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-6)


def test_independent_units_are_nearly_binomial():
    clustered = clustered_share([1] * 5 + [0] * 95, [1] * 100).share
    exact = binomial_share(5, 100)
    assert clustered.value == exact.value
    assert clustered.low == pytest.approx(exact.low, abs=0.005)
    assert exact.high < clustered.high < exact.high + 0.005


def test_clusters_widen_the_interval():
    together, apart = [12, 0, 0, 0, 0, 0], [2, 2, 2, 2, 2, 2]
    wide, narrow = (clustered_share(hits, [20] * 6) for hits in (together, apart))
    assert wide.share.value == narrow.share.value == 0.1
    assert wide.effect > 10 > narrow.effect == 1
    assert wide.share.high > 2 * narrow.share.high


def test_one_cluster_tells_next_to_nothing():
    assert clustered_share([0], [500]).share.high > 0.9


def test_a_population_that_was_looked_at_whole_is_certain():
    whole = clustered_share([1, 0, 2], [10, 10, 10], fraction=1.0).share
    assert whole.low == whole.value == whole.high == 0.1
    half, part = (clustered_share([1, 0, 2], [10, 10, 10], fraction=f).share for f in (0.5, 0.0))
    assert half.high < part.high


@pytest.mark.parametrize("rate", [0.005, 0.03, 0.2])
def test_the_interval_covers_the_rate_of_clusters(rate):
    """In each of 300 samples, 50 notes hold strings that leak in all their mentions or in none."""
    draw, covered = random.Random(rate), 0
    for _ in range(300):
        hits, units = [], []
        for _ in range(50):
            mentions = [draw.choice((1, 1, 2, 5)) for _ in range(draw.randint(1, 12))]
            units.append(sum(mentions))
            hits.append(sum(size for size in mentions if draw.random() < rate))
        share = clustered_share(hits, units, least_effect=(1 + 1 + 4 + 25) / 9).share
        covered += share.low <= rate <= share.high
    assert covered >= 0.93 * 300
