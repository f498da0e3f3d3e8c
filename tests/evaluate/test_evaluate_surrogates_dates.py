"""Dates: format and interval."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.evaluate.surrogates.dates import changed_formats, changed_intervals, same_format, shift_of
from plainsight.evaluate.surrogates.pairs import Count, exact
from plainsight.formats.inline import parse


def note(*pairs):
    text, spans = parse(" ; ".join(f"{{{{DATE|{before}}}}}" for before, _ in pairs))
    return exact(Document("1", text, spans), [after for _, after in pairs])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("3/4/2019", "11/27/2019", True),
        ("03/04/2019", "11/27/2019", True),
        ("03/04/2019", "3/27/2019", False),  # padding lost
        ("3/4/2019", "03/04/2019", False),  # padding gained
        ("3/4/2019", "3-4-2019", False),
        ("3/4/19", "3/4/2019", False),
        ("2019-03-04", "2019-11-27", True),
        ("March 4, 2019", "November 27, 2019", True),
        ("March 4, 2019", "Nov 27, 2019", False),
        ("Mar 4", "May 27", True),  # May is long and short
        ("July 4", "Nov 27", True),  # and July is hardly ever shortened
        ("MARCH 4", "November 4", False),
        ("march 4th", "may 21st", True),
        ("Sat 11/13", "Sunday 11/13", False),
        ("Saturday 11/13/2021", "Monday 3/7/2022", True),
        ("14MAR85", "02SEP85", True),
        ("'08", "'09", True),
        ("1990s", "1990s", True),
        ("winter of 2010", "spring of 2011", True),
        ("winter of 2010", "March of 2011", False),
        ("MWF", "TThS", True),
        ("3/4-3/9", "5/4-5/9", True),
        ("5/16-17", "9/30-10/1", True),  # days that now cross a month
        ("Jan 3-10", "Sep 30-Oct 7", True),
        ("Jan 3-10", "September 30-Oct 7", False),
        ("March thirtieth", "April twenty-first", True),
        ("2012", "May", False),
        ("tues 12/21", "thurs 11/17", True),
        ("M/Th", "M/F", True),
        ("29th", "3RD", False),
        ("Apr. 3", "May 9", True),  # May has no short form, so it has no stop
        ("Apr. 3", "Jun 9", False),
        ("Christmas", "December 3", None),
    ],
)
def test_formats(before, after, expected):
    assert same_format(before, after) is expected


def test_formats_are_counted_without_holidays():
    # Four dates: one holiday, which has no format; one of three changed.
    told = note(("3/4/19", "5/6/19"), ("Easter", "May 1"), ("May", "June"), ("Mon", "Tuesday"))
    assert changed_formats([told]) == Count(1, 3)


def test_intervals_that_stay():
    # All four moved by 10 days, in four formats: 4 * 3 / 2 = 6 pairs.
    told = note(
        ("3/4/2019", "3/14/2019"),
        ("2019-02-25", "2019-03-07"),
        ("Dec 28, 2018", "Jan 7, 2019"),
        ("14MAR19", "24MAR19"),
    )
    assert (changed_intervals([told]), shift_of([told])) == (Count(0, 6), 10)


def test_one_date_of_three_moved_otherwise():
    # +10, +10, +11: of three pairs only the first keeps its interval.
    told = note(("3/4/2019", "3/14/2019"), ("3/5/2019", "3/15/2019"), ("3/6/2019", "3/17/2019"))
    assert changed_intervals([told]) == Count(2, 3)


def test_a_date_that_is_none_any_more_changes_all_its_intervals():
    told = note(("3/4/2019", "3/14/2019"), ("3/5/2019", "3/15/2019"), ("3/6/2019", "13/42/2019"))
    assert changed_intervals([told]) == Count(2, 3)


def test_day_first_is_understood_from_the_shift_of_the_others():
    # 4 March + 10 days, written day first; as month first it would be another interval.
    told = note(("25/12/2018", "4/1/2019"), ("4/3/2019", "14/3/2019"))
    assert (changed_intervals([told]), shift_of([told])) == (Count(0, 1), 10)


def test_two_digit_years_may_cross_any_century():
    told = note(("12/28/30", "1/7/31"), ("3/4/19", "3/14/19"))
    assert (changed_intervals([told]), shift_of([told])) == (Count(0, 1), 10)


def test_intervals_run_across_notes():
    one, two = note(("3/4/2019", "3/14/2019")), note(("3/5/2019", "3/16/2019"))
    assert changed_intervals([one]) == Count(0, 0)
    assert changed_intervals([one, two]) == Count(1, 1)


def test_a_birth_that_shows_an_age_over_89_may_move_otherwise():
    # Seen in 2021, born in 1928: the birth is left out, and two visits are one pair.
    visits = ("11/13/2021", "11/23/2021"), ("11/14/2021", "11/24/2021")
    assert changed_intervals([note(*visits, ("09/14/1928", "08/11/1932"))]) == Count(0, 1)
    assert changed_intervals([note(*visits, ("9/14/28", "8/11/32"), ("9-14-28", "8-11-32"))]) == Count(0, 1)
    # Born in 1948, it is counted: three pairs, and two of them changed.
    assert changed_intervals([note(*visits, ("09/14/1948", "08/11/1952"))]) == Count(2, 3)


def test_ranges_of_days_are_no_full_dates():
    assert shift_of([note(("Aug 30-31", "Dec 15-16"))]) is None


def test_no_full_date_no_shift():
    assert shift_of([note(("March", "May"))]) is None


@given(
    st.lists(st.dates(date(1935, 1, 1), date(2028, 12, 31)), min_size=2, max_size=6), st.integers(-365, 365)
)
def test_any_shift_is_seen(days, offset):
    written = [(f"{d:%m/%d/%Y}", f"{d + timedelta(days=offset):%m/%d/%Y}") for d in days]
    assert changed_intervals([note(*written)]).count == 0
    assert changed_formats([note(*written)]).count == 0
