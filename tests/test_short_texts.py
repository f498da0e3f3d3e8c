"""The benchmark of short texts, on texts so short that its figures can be counted."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from plainsight.document import Document, Span

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
short_texts = import_module("short_texts")
sys.path.remove(str(BENCHMARKS))


def test_every_share() -> None:
    gold = [
        # Ann Roe is left by half: the value is gone, not hidden; May 3 is hidden
        Document("1", "Ann Roe, May 3", (Span(0, 7, "NAME"), Span(9, 14, "DATE"))),
        # one of two mentions stays: the value still appears
        Document("2", "Bob and Bob", (Span(0, 3, "NAME"),)),
        Document("3", "aged 67 since 2019, an engineer"),
        Document("4", "aged 95, Glasgow"),
    ]
    found = [
        (Span(0, 3, "PATIENT"), Span(9, 14, "DATE")),
        (Span(0, 3, "PATIENT"),),
        (Span(5, 7, "AGE"), Span(14, 18, "DATE"), Span(23, 31, "PROFESSION")),
        (Span(5, 7, "AGE"),),
    ]
    result = short_texts.figures(gold, found)
    values = {name: share.value for name, share in result["shares"].items()}
    assert values == {
        "values gone": pytest.approx(2 / 3),
        "values hidden": pytest.approx(2 / 3),
        "queries clean": 1 / 2,  # the second: its one marked value is hidden
        "touched": 1 / 2,  # an age over 89; an age of 67, a bare year and a job count for nobody
    }
    assert {label: share.value for label, share in result["by_label"].items()} == {"DATE": 1, "NAME": 1 / 2}
    assert result["of"] == {
        "values gone": 3, "values hidden": 3, "queries clean": 2, "touched": 2, "NAME": 2, "DATE": 1,
    }  # fmt: skip


def test_the_interval_is_wilsons() -> None:
    # 9 of 10: (.9 + .19208 ± 1.96*sqrt(.009 + .0096036)) / 1.38415
    gold = [Document(str(number), "Ann", (Span(0, 3, "NAME"),)) for number in range(10)]
    found = [(Span(0, 3, "PATIENT"),)] * 9 + [()]
    share = short_texts.figures(gold, found)["shares"]["values gone"]
    assert (share.low, share.high) == (pytest.approx(0.5958, abs=5e-4), pytest.approx(0.9821, abs=5e-4))
    assert short_texts.shown(share) == "90.0 [59.6, 98.2]"


def test_what_stays_in_the_output_is_not_changed() -> None:
    text = "Dr. Theodora Quist saw him last summer, then on 3/4/2019 at 67."
    [found], [changed] = (
        system("fast", [Document("1", text)]) for system in (short_texts.found_by, short_texts.changed_by)
    )
    assert {text[span.start : span.end] for span in found} == {"Theodora Quist", "summer", "3/4/2019", "67"}
    assert [(text[span.start : span.end], span.label) for span in changed] == [
        ("Theodora Quist", "DOCTOR"),
        ("3/4/2019", "DATE"),
    ]
