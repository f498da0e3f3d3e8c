"""Counts and what follows from them."""

import pytest

from plainsight.evaluate.tally import EMPTY, Tally, f_score, ratio, total


def test_precision_recall_and_f() -> None:
    tally = Tally(gold=5, gold_hits=3, found=4, found_hits=3)
    assert tally.precision == 0.75  # P = 3/4
    assert tally.recall == 0.6  # R = 3/5
    assert tally.f == pytest.approx(2 / 3)  # F = 2*.75*.6 / 1.35 = .9/1.35
    assert tally.to_json() == {
        "gold": 5,
        "found": 4,
        "gold_hits": 3,
        "found_hits": 3,
        "precision": 0.75,
        "recall": 0.6,
        "f": tally.f,
    }


def test_sides_may_have_different_hits() -> None:
    # one span of the system covers two of the gold standard: R = 2/2, P = 1/1
    tally = Tally(gold=2, gold_hits=2, found=1, found_hits=1)
    assert (tally.precision, tally.recall, tally.f) == (1, 1, 1)


@pytest.mark.parametrize(
    ("precision", "recall", "f"),
    [
        (None, None, None),  # nothing wanted, nothing found
        (None, 0.0, 0.0),  # nothing found: what was wanted is missed
        (0.0, None, 0.0),  # nothing wanted: what was found is spurious
        (0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0),
        (0.5, 1.0, 2 / 3),  # 2*.5*1 / 1.5
    ],
)
def test_f_is_undefined_only_where_there_is_nothing(
    precision: float | None, recall: float | None, f: float | None
) -> None:
    assert f_score(precision, recall) == (f if f is None else pytest.approx(f))


def test_undefined_is_none() -> None:
    assert ratio(0, 0) is None
    assert (EMPTY.precision, EMPTY.recall, EMPTY.f) == (None, None, None)
    assert Tally(gold=3).to_json()["precision"] is None


def test_the_micro_average_adds_counts() -> None:
    # R = (1+0)/(2+2) = 1/4; P = (1+0)/(1+3) = 1/4
    both = total([Tally(2, 1, 1, 1), Tally(2, 0, 3, 0)])
    assert both == Tally(4, 1, 4, 1)
    assert both.f == 0.25
    assert total([]) == EMPTY
