from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import PluginError
from plainsight.labels import LABELS
from plainsight.replace.base import Operation
from plainsight.replace.generalise import Generalise


def general(label: str, text: str, after: str = "", **options: Any) -> str:
    note = Document("note", text + after, (Span(0, len(text), label),))
    return Generalise(**options).replace([note])[0][0]


@pytest.mark.parametrize(
    ("label", "text", "form"),
    [
        ("PROFESSION", "glazier", "construction worker"),
        ("PROFESSION", "zzyzx", "[PROFESSION]"),
        ("AGE", "67", "60-69"),
        ("AGE", "14-month", "0-9"),
        ("AGE", "89", "80-89"),
        ("AGE", "92", "90+"),
        ("AGE", "58-63", "[AGE]"),
        ("AGE", "8l", "[AGE]"),
        ("CITY", "Memphis", "[large city]"),
        ("CITY", "Nowhereville", "[CITY]"),
        ("ZIP", "38114-1702", "381**"),
        ("STATE", "Ohio", "Ohio"),
        ("STREET", "12 Elm St", "[STREET]"),
        ("PATIENT", "Jane Roe", "[PATIENT]"),
        ("SOMETHING", "else", "[SOMETHING]"),
    ],
)
def test_general_forms(label: str, text: str, form: str) -> None:
    assert general(label, text) == form


@pytest.mark.parametrize(
    ("text", "year", "month", "quarter", "decade"),
    [
        ("2/26/2012", "2012", "2012-02", "2012-Q1", "2010s"),
        ("26-Feb-85", "1985", "1985-02", "1985-Q1", "1980s"),
        ("2012-11-04", "2012", "2012-11", "2012-Q4", "2010s"),
        ("20120704", "2012", "2012-07", "2012-Q3", "2010s"),
        ("13/04/2012", "2012", "2012-04", "2012-Q2", "2010s"),
        ("3/85", "1985", "1985-03", "1985-Q1", "1980s"),
        ("winter of 2010", "2010", "2010", "2010", "2010s"),
        ("12/30/2011-1/2/2012", "2011-2012", "2011-2012", "2011-2012", "2010s"),
        ("1990s", "1990s", "1990s", "1990s", "1990s"),
        ("May", "[DATE]", "[DATE]", "[DATE]", "[DATE]"),
        ("1/2/1921", "[DATE]", "[DATE]", "[DATE]", "[DATE]"),
    ],
)
def test_dates(text: str, year: str, month: str, quarter: str, decade: str) -> None:
    made = [general("DATE", text, date=form) for form in ("year", "month", "quarter", "decade")]
    assert made == [year, month, quarter, decade]


def test_a_city_is_that_of_the_state_which_follows() -> None:
    assert general("CITY", "Springfield", ", VT 05156") == "[small town]"
    assert general("CITY", "Springfield", ", MO 65801") == "[city]"


def test_age_bins() -> None:
    assert [general("AGE", "67", age_bin=size) for size in (1, 5, 20, 90)] == ["67", "65-69", "60-79", "0-89"]
    assert general("AGE", "88", age_bin=20) == "80-89"


@pytest.mark.parametrize("options", [{"age_bin": 0}, {"age_bin": 2.5}, {"age_bin": True}, {"date": "week"}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(PluginError, match="generalise"):
        Generalise(**options)


def test_it_is_an_operation() -> None:
    assert isinstance(Generalise(), Operation)
    assert Generalise.name == "generalise"


@settings(deadline=None)
@given(st.sampled_from(LABELS), st.text(min_size=1, max_size=30))
def test_never_crashes_and_fails_closed(label: str, text: str) -> None:
    made = general(label, text)
    assert made
    if label not in ("STATE", "COUNTRY", "AGE", "DATE", "ZIP", "CITY", "PROFESSION"):
        assert made == f"[{label}]"
