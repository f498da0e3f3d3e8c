"""The shapes that find dates and the grammar that reads them go together."""

from __future__ import annotations

import datetime

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import parse_date
from plainsight.locale.date_shapes import date_shapes

NAMED = ("year", "month", "day")
SHAPES = re2.compile(date_shapes("en_US"))
FORMS = (
    "%m/%d/%Y", "%m/%d/%y", "%m-%d-%Y", "%d.%m.%Y", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%m/%d", "%m/%Y",
    "%B %d, %Y", "%b. %d", "%d %B %Y", "%d-%b-%y", "%d%b%Y", "%B %Y", "%A, %B %d, %Y", "%a %m/%d", "%A", "%Y",
)  # fmt: skip


@given(st.dates(datetime.date(1920, 1, 1), datetime.date(2090, 12, 31)), st.sampled_from(FORMS))
def test_what_the_shapes_find_the_grammar_reads(day: datetime.date, form: str) -> None:
    written = day.strftime(form)
    assert [found.group() for found in SHAPES.finditer(f"Seen {written}, well.")] == [written]
    assert any(
        all(
            getattr(day, role) % 100 == field.value % 100
            for role, field in reading.roles.items()
            if role in NAMED
        )
        for reading in parse_date(written, load_calendar("en_US"))
    )


@pytest.mark.parametrize("text", ["3/4-3/9/2019", "June 3-7, 2019", "Apr-Jul 2020", "1968-1971", "Mon/Wed"])
def test_a_range_is_found_whole_and_has_several_points(text: str) -> None:
    assert SHAPES.fullmatch(text)
    assert max(reading.points for reading in parse_date(text, load_calendar("en_US"))) == 2


@pytest.mark.parametrize(
    "text", ["13/45/20", "120/80", "32 March", "1234", "2019.1.2", "555-0142", "marching"]
)
def test_numbers_and_words_that_are_no_dates_are_not_found(text: str) -> None:
    assert [found.group() for found in SHAPES.finditer(text) if found.group() == text] == []
