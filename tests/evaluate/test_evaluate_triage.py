"""Triage: which share of leaks is in the least sure notes. Computed by hand."""

from __future__ import annotations

import pytest

from plainsight.evaluate.triage import triage

LEAKS = [0, 4, 0, 1, 0, 0, 3, 0, 2, 0]


def test_a_perfect_order():
    order = triage([-count for count in LEAKS], LEAKS)
    assert order.spearman == pytest.approx(1)
    assert order.found == {0.1: 0.4, 0.2: 0.7, 0.3: 0.9}
    # surest first: six notes without a leak, then 1, 2, 3, 4 more
    assert order.area == order.perfect_area == pytest.approx((1 / 7 + 3 / 8 + 6 / 9 + 10 / 10) / 10)
    assert order.random_area == 1


def test_notes_of_equal_confidence_share_their_leaks():
    order = triage([0.5] * 10, LEAKS)
    assert order.spearman is None
    assert order.found == {0.1: 0.1, 0.2: 0.2, 0.3: pytest.approx(0.3)}
    assert order.area == pytest.approx(order.random_area)


def test_the_worst_order():
    order = triage(LEAKS, LEAKS)
    assert order.spearman == pytest.approx(-1)
    assert order.found[0.3] == 0
    assert order.area > order.random_area > order.perfect_area


def test_nothing_leaks_or_nothing_is_there():
    assert triage([0.1, 0.2], [0, 0]).found[0.2] is None
    empty = triage([], [])
    assert (empty.notes, empty.spearman, empty.area, empty.random_area) == (0, None, None, None)
