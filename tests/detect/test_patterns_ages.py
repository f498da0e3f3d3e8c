"""What the age rules claim and refuse."""

from __future__ import annotations

import pytest
from behaviour_cases import cases, claimed, expected
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.patterns import ages
from plainsight.detect.patterns.dates import date_rules
from plainsight.locale import DEFAULT_LOCALE
from plainsight.text.shadow import shadow

YEARS = st.integers(1, 110)


@pytest.mark.parametrize(("label", "case"), cases("AGE"))
def test_a_case_is_claimed_as_marked(label: str, case: str) -> None:
    text, marked = expected(case, label)
    assert claimed(ages.RULES + date_rules(DEFAULT_LOCALE), text, label) == marked


@given(YEARS, st.sampled_from([" y.o.", "-year-old", "yo", " y/o", " years old", " yr old", " years of age"]))
def test_any_number_of_years_is_claimed_without_its_unit(years: int, unit: str) -> None:
    assert claimed(ages.RULES, f"This {years}{unit} presents", "AGE") == [str(years)]


@given(st.integers(1, 30), st.sampled_from(["month", "week", "day", "mo", "wk"]))
def test_months_weeks_and_days_are_claimed_with_their_unit(count: int, unit: str) -> None:
    assert claimed(ages.RULES, f"A {count} {unit} old girl", "AGE") == [f"{count} {unit}"]


@given(YEARS, st.sampled_from(["Age: ", "AGE ", "age ", "aged ", "at the age of ", "Age\t"]))
def test_any_number_after_the_word_age_is_claimed(years: int, cue: str) -> None:
    assert claimed(ages.RULES, f"{cue}{years}.", "AGE") == [str(years)]


@given(st.integers(13, 99), st.sampled_from("MF"))
def test_a_number_before_a_sex_is_claimed(years: int, sex: str) -> None:
    assert claimed(ages.RULES, f"Pt: {years}{sex} with cough", "AGE") == [str(years)]


@given(YEARS, st.sampled_from(["mg", "kg", "%", " mL", " pack-years", " weeks ago", "/10", " bpm"]))
def test_a_measure_is_no_age(value: int, unit: str) -> None:
    assert claimed(ages.RULES, f"now at {value}{unit}, son at bedside", "AGE") == []


@given(YEARS, st.sampled_from(["adults over", "patients under", "women older than", "children younger than"]))
def test_what_is_said_of_everybody_is_no_age(years: int, people: str) -> None:
    assert claimed(ages.RULES, f"for {people} {years} years old", "AGE") == []


@given(st.text(alphabet="0123456789 yowkmMFageisthrdn/.,;()+-OlI\nS\"'", max_size=90))
def test_claims_lie_inside_any_text(text: str) -> None:
    for rule in ages.RULES:
        for claim in rule.claims(shadow(text)):
            assert 0 <= claim.start < claim.end <= len(text)
            assert claim.label == "AGE"


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        " ",
        "(",
        "5 yo ",
        "mother ",
        "mother 5 ",
        "kids 5, 6, ",
        "ages 5, ",
        "at 9.",
        "Abc, 5, ",
        "she is 5 ",
        "d. 5 ",
    ],
)
def test_a_long_line_is_scanned_in_windows(piece: str) -> None:
    # A window that grew with the line would keep this busy for hours.
    length = 1_000_000 if len(piece) == 1 else 40_000
    text = shadow((piece * length)[:length])
    assert all(claim.end <= length for rule in ages.RULES for claim in rule.claims(text))
