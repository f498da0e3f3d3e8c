"""Intervals of every kind of figure: their values are those without intervals, and chance moves them."""

from __future__ import annotations

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.agreement import agreement
from plainsight.evaluate.challenges import i2b2_2014, meddocan
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.intervals import all_intervals
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import by_any_label
from plainsight.evaluate.statistics import Interval
from plainsight.evaluate.tables import main_scores

NOTES = (
    pair("{{PATIENT|Ann Roe}} saw {{DOCTOR|Coe}}", "{{PATIENT|Ann Roe}} saw {{PATIENT|Coe}}", name="a"),
    pair("{{DATE|May}} to {{DATE|June}} {{AGE|70}}", "{{DATE|May}} {{DATE|to}} June {{AGE|70}}", name="b"),
    pair("nothing here", "nothing here", name="c"),
)
EVALUATION = Evaluation(NOTES)
FOUND = all_intervals(EVALUATION, main_scores(EVALUATION))


def around(interval: Interval) -> float | None:
    if interval.value is not None:
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low <= interval.value <= interval.high
    return interval.value


def test_the_values_are_the_official_ones() -> None:
    blocks = i2b2_2014(NOTES)
    assert FOUND["i2b2_2014"].keys() == blocks.keys()
    for title, block in blocks.items():
        for name in ("precision", "recall", "f", "macro_precision", "macro_recall", "macro_f"):
            expected = getattr(block, name)
            assert around(FOUND["i2b2_2014"][title][name]) == pytest.approx(expected), (title, name)
    for title, track in meddocan(NOTES).items():
        for name in ("precision", "recall", "f"):
            assert around(FOUND["meddocan"][title][name]) == pytest.approx(track[name])


def test_labels_under_any_label_and_under_their_own() -> None:
    assert FOUND["labels"].keys() == by_any_label(NOTES).keys()
    doctor = {name: around(interval) for name, interval in FOUND["labels"]["DOCTOR"].items()}
    # Coe is hidden, as a patient: nothing under DOCTOR was claimed
    assert doctor["recall_any_label"] == 1
    assert doctor["recall"] == 0
    assert doctor["precision_any_label"] is None
    date = FOUND["labels"]["DATE"]
    assert around(date["recall_any_label"]) == around(date["precision_any_label"]) == 1 / 2


def test_clean_notes_have_the_exact_interval() -> None:
    share = FOUND["notes"]["clean notes"]["share"]
    assert share.value == 2 / 3
    # Clopper and Pearson for 2 of 3: the lower end solves 3p²(1-p) + p³ = .025, the upper 1 - p³ = .025
    assert share.low is not None
    assert 3 * share.low**2 - 2 * share.low**3 == pytest.approx(0.025)
    assert share.high == pytest.approx(0.975 ** (1 / 3))


def test_kappa() -> None:
    kappa = FOUND["agreement"]["kappa"]
    expected = agreement(NOTES)
    assert around(kappa["with_labels"]) == pytest.approx(expected.kappa)
    assert around(kappa["marked"]) == pytest.approx(expected.kappa_marked)


def test_the_interval_of_one_note_in_two() -> None:
    # two notes, one right and one wrong: a draw has 0, 1 or 2 right notes, with chances 1/4, 1/2, 1/4
    notes = tuple(
        Pair(name, "May", (Span(0, 3, "DATE"),), (Span(0, 3, label),))
        for name, label in (("a", "DATE"), ("b", "AGE"))
    )
    strict = all_intervals(Evaluation(notes), {})["i2b2_2014"]["Strict"]
    assert strict["macro_recall"] == Interval(0.5, 0.0, 1.0)
    assert strict["recall"] == Interval(0.5, 0.0, 1.0)
