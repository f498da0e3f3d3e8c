"""Errors of dates over a patient's notes."""

from datetime import date

import pytest
from identity_notes import note

from plainsight.evaluate.surrogates import timeline
from plainsight.evaluate.surrogates.pairs import Count
from plainsight.evaluate.surrogates.persons import Persons

DATES = "{{DATE|3/14/2019}} {{DATE|3/16/2019}} {{DATE|3/19/2019}}"


def test_dates_move_together():
    assert timeline.moved_otherwise([note(DATES, "4/14/2019", "4/16/2019", "4/19/2019")]) == Count(0, 3)
    assert timeline.moved_otherwise([note(DATES, "4/14/2019", "4/16/2019", "4/13/2019")]) == Count(1, 3)
    assert timeline.moved_otherwise([note(DATES, "4/14/2019", "4/16/2019", "[DATE]")]) == Count(1, 3)


def test_dates_keep_their_order():
    assert timeline.out_of_order([note(DATES, "4/14/2019", "4/16/2019", "4/13/2019")]) == Count(1, 2)
    assert timeline.out_of_order([note(DATES, "4/14/2019", "4/16/2019", "4/17/2019")]) == Count(0, 2)


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("2024-02-30", False),
        ("2/29/2023", False),
        ("2/29", True),
        ("13/5/2024", True),
        ("Friday, February 30, 2024", False),
        ("Friday, March 1, 2024", True),
        ("Monday, March 1, 2024", False),
        ("11/2024", True),
        ("winter", True),
    ],
)
def test_a_day_exists_and_has_its_weekday(text, possible):
    assert timeline.is_possible(text) is possible


def test_only_dates_that_were_possible_count():
    notes = [note("{{DATE|3/4/2019}} {{DATE|13/45/20}} {{DATE|May 3}}", "5/78/62", "5/78/62", "[DATE]")]
    assert timeline.impossible(notes) == Count(1, 2)


def test_ages_fit_the_date_of_birth():
    persons = Persons(birth=date(1960, 3, 31), note_dates={"01_ed": date(2024, 3, 20)})
    marked = "DOB {{DATE|3/31/1960}}, seen {{DATE|3/20/2024}}, {{AGE|63}}, brother {{AGE|70}}"
    right = note(marked, "4/10/1960", "3/30/2024", "63", "70")
    assert timeline.wrong_ages([right], persons) == Count(0, 1)
    born_earlier = note(marked, "3/30/1959", "3/30/2024", "63", "70")
    assert timeline.wrong_ages([born_earlier], persons) == Count(1, 1)
    assert timeline.wrong_ages([right], Persons()) == Count()


def test_an_age_over_89_is_hidden():
    persons = Persons(birth=date(1930, 5, 1), note_dates={"01_ed": date(2024, 3, 20)})
    marked = "DOB {{DATE|5/1/1930}}, seen {{DATE|3/20/2024}}, {{AGE|93}}"
    assert timeline.wrong_ages([note(marked, "6/1/1933", "3/30/2024", "90+")], persons) == Count(0, 1)
    assert timeline.wrong_ages([note(marked, "6/1/1983", "3/30/2024", "90+")], persons) == Count(1, 1)
