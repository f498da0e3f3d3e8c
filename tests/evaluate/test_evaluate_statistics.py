"""Statistics on sets so small that every outcome can be written down."""

from __future__ import annotations

import pytest

from plainsight.evaluate.statistics import Interval, bootstrap, holm, randomisation
from plainsight.evaluate.tally import Tally

HIT, MISS, SILENT = Tally(1, 1, 1, 1), Tally(1, 0, 1, 0), Tally(1, 0, 0, 0)

# with 9,999 shuffles the error of a probability has a standard deviation of at most sqrt(.25/9999) = .005
CLOSE = 0.02


def test_equal_systems_do_not_differ() -> None:
    tested = randomisation([HIT, MISS], [HIT, MISS])
    assert (tested.precision, tested.recall, tested.f) == (0, 0, 0)
    assert (tested.p_precision, tested.p_recall, tested.p_f) == (1, 1, 1)


def test_one_note_proves_nothing() -> None:
    # exchanged or not, the difference is 1
    tested = randomisation([HIT], [MISS])
    assert (tested.recall, tested.p_recall) == (1, 1)


def test_better_in_all_of_four_notes() -> None:
    # with k of 4 notes exchanged the difference is (4 - 2k)/4: as large as 1 for k = 0 and 4, 2 of 16 ways
    tested = randomisation([HIT] * 4, [MISS] * 4)
    assert (tested.precision, tested.recall, tested.f) == (1, 1, 1)
    for p in (tested.p_precision, tested.p_recall, tested.p_f):
        assert p == pytest.approx(2 / 16, abs=CLOSE)


def test_better_in_three_of_four_notes() -> None:
    # the difference is half the mean of four signs; |sum| >= 2 in all ways but the 6 of 16 with sum 0
    tested = randomisation([HIT, HIT, HIT, MISS], [MISS, MISS, MISS, HIT])
    assert tested.recall == 0.5  # 3/4 - 1/4
    assert tested.p_recall == pytest.approx(10 / 16, abs=CLOSE)


def test_precision_and_recall_are_tested_apart() -> None:
    # the second system is silent in two of four notes: recall 1 against 1/2, precision 1 against 1
    tested = randomisation([HIT] * 4, [HIT, HIT, SILENT, SILENT])
    assert (tested.precision, tested.recall) == (0, 0.5)
    assert tested.f == pytest.approx(1 - 2 / 3)  # F of the second: 2*1*(1/2) / (3/2)
    assert tested.p_precision == 1
    # the two silent notes decide: |±1 ± 1| = 2 in 2 of 4 ways
    assert tested.p_recall == pytest.approx(2 / 4, abs=CLOSE)


def test_an_undefined_figure_has_no_difference() -> None:
    tested = randomisation([HIT, HIT], [SILENT, SILENT])
    assert (tested.precision, tested.p_precision) == (None, None)
    assert (tested.recall, tested.f) == (1, 1)
    assert tested.to_json()["precision"] is None


def test_an_undefined_shuffle_counts_against_the_difference() -> None:
    # precision 1/1 against 0/1; if one note is exchanged, one system has found nothing at all
    tested = randomisation([HIT, SILENT], [SILENT, MISS])
    assert (tested.precision, tested.p_precision) == (1, 1)


def test_randomisation_is_reproducible_and_counts_as_published() -> None:
    first, second = [HIT, HIT, MISS], [MISS, HIT, MISS]
    assert randomisation(first, second, seed=5) == randomisation(first, second, seed=5)
    # p = (r + 1)/(n + 1): with no shuffle it is 1, and never 0
    assert randomisation([HIT] * 20, [MISS] * 20, shuffles=0).p_f == 1
    assert randomisation([HIT] * 20, [MISS] * 20, shuffles=99).p_f == 1 / 100  # chances 2 in 2**20 a shuffle
    with pytest.raises(ValueError, match="the same notes"):
        randomisation([HIT], [HIT, HIT])


def test_bootstrap_of_one_note_and_of_perfect_notes() -> None:
    half = Tally(2, 1, 4, 1)  # P 1/4, R 1/2, F = 2*1/(2+4) = 1/3
    one = bootstrap([half], draws=50)
    assert one["precision"] == Interval(0.25, 0.25, 0.25)
    assert one["recall"] == Interval(0.5, 0.5, 0.5)
    assert one["f"].value == pytest.approx(1 / 3)
    assert one["f"].low == one["f"].high == one["f"].value
    assert set(bootstrap([HIT] * 7, draws=50).values()) == {Interval(1, 1, 1)}


def test_bootstrap_of_two_notes() -> None:
    # drawn twice from a hit and a miss: recall 0, 1/2, 1/2, 1 with a chance of 1/4 each
    assert bootstrap([HIT, MISS])["recall"] == Interval(0.5, 0, 1)  # 2.5 % and 97.5 %
    assert bootstrap([HIT, MISS], level=0.4)["recall"] == Interval(0.5, 0.5, 0.5)  # 30 % and 70 %


def test_undefined_draws_are_left_out() -> None:
    # a draw without the first note has no gold spans; all others have recall 1
    assert bootstrap([HIT, Tally()])["recall"] == Interval(1, 1, 1)
    silent = bootstrap([SILENT, SILENT], draws=50)
    assert silent["precision"] == Interval(None, None, None)
    assert silent["recall"] == silent["f"] == Interval(0, 0, 0)
    assert set(bootstrap([]).values()) == {Interval(None, None, None)}


def test_holm_against_a_worked_example() -> None:
    # four tests: .005*4, .01*3, .03*2, .04*1 which must not fall below .06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1, 1]
    assert holm([None, 0.2]) == [None, 0.2]  # what was not tested is not counted
    assert holm([]) == []
