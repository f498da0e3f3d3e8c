from __future__ import annotations

import numpy as np

from plainsight.detect.convolution.sums import weighted_sums

_TABLE = np.random.default_rng(7).integers(-127, 128, (50, 5), np.int8)


def test_sums_are_those_of_each_words_rows_by_their_weights():
    draw = np.random.default_rng(8)
    counts = np.array([3, 0, 8, 9, 30, 0, 1])
    rows, weights = draw.integers(0, 50, counts.sum()), draw.random(counts.sum(), np.float32)
    wanted, first = [], 0
    for count in counts:
        own = slice(first, first + count)
        wanted.append((_TABLE[rows[own]] * weights[own, None].astype(float)).sum(axis=0))
        first += count
    np.testing.assert_allclose(weighted_sums(_TABLE, rows, weights, counts), wanted, rtol=1e-5, atol=1e-4)


def test_a_sum_does_not_depend_on_the_words_beside_it():
    draw = np.random.default_rng(9)
    counts = draw.integers(1, 40, 300)
    rows, weights = draw.integers(0, 50, counts.sum()), draw.random(counts.sum(), np.float32)
    together = weighted_sums(_TABLE, rows, weights, counts)
    for word, last in enumerate(counts.cumsum()):
        own = slice(last - counts[word], last)
        [alone] = weighted_sums(_TABLE, rows[own], weights[own], counts[word : word + 1])
        np.testing.assert_array_equal(together[word], alone)


def test_no_words_have_no_sums():
    nothing = np.zeros(0, np.intp)
    assert weighted_sums(_TABLE, nothing, np.zeros(0, np.float32), nothing).shape == (0, 5)
