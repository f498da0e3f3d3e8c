"""The benchmark of the recall dial, on marks made by hand."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.statistics import Interval

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
recall_dial = import_module("recall_dial")
sys.path.remove(str(BENCHMARKS))


def test_leaks_per_thousand_notes() -> None:
    gold = (Span(0, 3, "PATIENT"), Span(4, 7, "PATIENT"))
    pairs = [Pair("1", "Ann Roe", gold, gold), Pair("2", "Ann Roe", gold, gold[:1])]
    figures = recall_dial.dial_figures(pairs)
    assert figures["leaks per 1,000 notes"] == Interval(500, 0, 1000)  # one leak in two notes
    assert figures["recall"].value == 3 / 4
    assert figures["precision"].value == 1
    assert figures["clean"].value == 1 / 2


def test_calibration_by_label() -> None:
    gold = (Span(0, 3, "PATIENT"),)
    found = (Span(0, 3, "PATIENT", 0.9), Span(4, 7, "PATIENT", 0.9), Span(8, 11, "DATE", 0.6))
    errors = recall_dial.calibration_errors([Pair("1", "Ann was May", gold, found)], least=2)
    # two claims of .9, one right: |.9 - .5|; one of .6, wrong; all: (2 * .4 + 1 * .6)/3
    assert errors == {
        "PATIENT": (pytest.approx(0.4), 2),
        "labels with fewer than 2": (pytest.approx(0.6), 1),
        "all": (pytest.approx(1.4 / 3), 3),
    }


def test_figures_as_they_are_shown() -> None:
    assert recall_dial.shown(Interval(0.98765, 0.98, 0.99), digits=3) == "0.988 [0.980, 0.990]"
    assert recall_dial.shown(Interval(None, None, None), digits=3) == "n/a"
