"""What the date rules claim and refuse."""

from __future__ import annotations

import datetime

import pytest
from behaviour_cases import cases, claimed, expected
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import ages
from plainsight.detect.patterns.dates import date_rules
from plainsight.locale import DEFAULT_LOCALE
from plainsight.text.shadow import shadow

RULES = date_rules(DEFAULT_LOCALE)
DAYS = st.dates(datetime.date(1920, 1, 1), datetime.date(2090, 12, 31))
FORMATS = (
    "%m/%d/%Y",
    "%m-%d-%Y",
    "%Y-%m-%d",
    "%d %B %Y",
    "%B %d, %Y",
    "%d-%b-%Y",
    "%d%b%Y",
    "%b %d %Y",
)


@pytest.mark.parametrize(("label", "case"), cases("DATE"))
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(RULES + ages.RULES, text, label) == marked


@given(DAYS, st.sampled_from(FORMATS), st.sampled_from(["Seen ", "admitted on ", "DOB: ", "(", "Labs\t"]))
def test_any_day_is_claimed_whole_in_any_common_format(day: datetime.date, form: str, before: str) -> None:
    written = day.strftime(form)
    assert claimed(RULES, f"{before}{written}, as told", "DATE") == [written]


@given(DAYS, st.sampled_from(["on", "since", "until", "due", "LMP"]))
def test_a_month_and_day_after_a_strong_word_is_a_date(day: datetime.date, cue: str) -> None:
    written = f"{day.month}/{day.day}"
    assert claimed(RULES, f"{cue} {written}.", "DATE") == [written]


@given(st.integers(0, 10), st.sampled_from(["pain", "Pain:", "headache", "rates"]))
def test_a_pain_score_is_no_date(value: int, cue: str) -> None:
    assert claimed(RULES, f"{cue} {value}/10 today", "DATE") == []


@given(st.integers(60, 240), st.integers(30, 140))
def test_a_blood_pressure_is_no_date(systolic: int, diastolic: int) -> None:
    assert claimed(RULES, f"BP {systolic}/{diastolic}, P 80", "DATE") == []


@given(st.integers(1, 60), st.sampled_from(["mg", "mL", "tabs", "units", "cm", "weeks", "hours"]))
def test_a_quantity_is_no_date(value: int, unit: str) -> None:
    assert claimed(RULES, f"take {value} {unit} or {value}-{value + 1} {unit}", "DATE") == []


@given(st.text(alphabet="0123456789/-.~ '()OlImaytunfriseo:\nJDS,", max_size=90))
def test_claims_lie_inside_any_text(text: str) -> None:
    for rule in RULES:
        for claim in rule.claims(shadow(text)):
            assert 0 <= claim.start < claim.end <= len(text)
            assert 0.9 <= claim.score <= 1.0
            assert claim.label == "DATE"
            assert text[claim.start : claim.end].strip() == text[claim.start : claim.end]


def test_digits_run_together_are_a_date_after_a_cue_only() -> None:
    assert claimed(RULES, "DOB 05171929, lot 05171929, 20240305T1422", "DATE") == ["05171929", "20240305"]


@pytest.mark.parametrize(
    "text", ["10-11-12  10-12-14", "fell at home 4/9", "TURP 2019.", "'79", "last fall", "the 9th"]
)
def test_a_date_that_only_its_context_shows_is_left_to_the_networks(text: str) -> None:
    assert claimed(RULES, text, "DATE") == []


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "/",
        " ",
        "-",
        "'",
        "1/2 ",
        "1/2/",
        "2045 ",
        "may ",
        "the 1st, ",
        "5/5 ",
        "Mon/",
        "jan-",
        "\n060214 a",
        "'99",
    ],
)
def test_a_long_line_is_scanned_in_windows(piece: str) -> None:
    # A window that grew with the line would keep this busy for hours.
    length = 1_000_000 if len(piece) == 1 else 40_000
    text = shadow((piece * length)[:length])
    assert all(claim.end <= length for rule in RULES for claim in rule.claims(text))


@pytest.mark.parametrize("text", ["seen to351770 x", "to10580971 1", "to197727//1", "on103977.:.1"])
def test_digits_glued_to_a_word_stop_nobody(text: str) -> None:
    """They were once split at separators that they do not have."""
    assert all(claim.end <= len(text) for rule in RULES for claim in rule.claims(shadow(text)))
