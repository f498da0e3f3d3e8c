"""Originals that stay, and originals that collapse into one surrogate."""

from datetime import date

import pytest

from plainsight.document import Document
from plainsight.evaluate.surrogates.originals import (
    collapsed,
    originals_left,
    providers_changed,
    safe_harbor_left,
    shared_left,
    split_numbers,
)
from plainsight.evaluate.surrogates.pairs import Count, exact
from plainsight.evaluate.surrogates.persons import Persons
from plainsight.formats.inline import parse


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


def test_nothing_left():
    told = note(
        "{{PATIENT|Ann Pinkham}} {{SSN|933-08-5521}} {{CITY|Bangor}}", "Eva Ray", "900-11-2233", "Dayton"
    )
    assert originals_left([told]) == Count(0, 2)  # the city is shared


def test_a_name_word_that_stays():
    told = note("{{PATIENT|Ann Pinkham}} {{PATIENT|Ida Lee}}", "Eva PINKHAM", "Jo Ann")
    assert originals_left([told]) == Count(1, 2)  # that somebody else is called Ann is chance
    assert originals_left([told]).examples == ("PATIENT Ann Pinkham → Eva PINKHAM",)


def test_numbers_are_compared_without_their_punctuation():
    told = note("{{SSN|933-08-5521}} {{IDNUM|A-1}}", "933085521", "A-1")
    assert originals_left([told]) == Count(1, 1)  # two characters are no number


def test_one_original_counts_once():
    told = note("{{SSN|933-08-5521}} {{SSN|933 08 5521}}", "900-11-2233", "933 08 5521")
    assert originals_left([told]) == Count(1, 1)


def test_words_are_whole():
    assert originals_left([note("{{PATIENT|ANN PINKHAM}}", "Anna Pink")]).count == 0


def test_what_is_shared_may_meet_itself():
    told = note(
        "Dr. {{DOCTOR|Ng}}, {{CITY|Bangor}}, {{CITY|BANGOR}} {{STATE|ME}}", "Ng", "Bangor", "BANGOR", "OH"
    )
    assert originals_left([told]) == Count(0, 0)
    assert shared_left([told]) == Count(2, 3)


@pytest.mark.parametrize(
    ("marked", "released", "expected"),
    [
        ("{{DATE|11/13}}", "11/13", Count(1, 1)),
        ("{{DATE|11/13}}", "12/24", Count(0, 1)),
        ("{{DATE|Nov 13th}}", "nov  13th", Count(1, 1)),
        ("{{DATE|03/04/2019}}", "03/04/2019", Count(1, 1)),
        ("{{DATE|2019-03-04}}", "2019-03-05", Count(0, 1)),
        ("{{DATE|Tues}}", "Tues", Count(1, 1)),
        ("{{DATE|MWF}}", "MWF", Count(1, 1)),
        ("{{DATE|2019}}", "2019", Count(0, 0)),
        ("{{DATE|March}}", "March", Count(0, 0)),
        ("{{DATE|March 2019}}", "March 2019", Count(0, 0)),
        ("{{DATE|3/2019}}", "3/2019", Count(0, 0)),
        ("{{DATE|6/98}}", "6/98", Count(0, 0)),
        ("{{DATE|2018-19}}", "2018-19", Count(0, 0)),
        ("{{DATE|spring}}", "spring", Count(0, 0)),
        ("{{DATE|Thanksgiving}}", "Thanksgiving", Count(0, 0)),
        ("{{AGE|93}}-year-old", "93", Count(1, 1)),
        ("{{AGE|93}}-year-old", "90+", Count(0, 1)),
        ("{{AGE|ninety-three}}", "Ninety-Three", Count(1, 1)),
        ("{{AGE|90+}}", "90+", Count(0, 0)),
        ("{{AGE|67}}", "67", Count(0, 0)),
        ("{{PROFESSION|roofer}}", "Roofer", Count(1, 1)),
        ("{{PROFESSION|roofer}}", "mason", Count(0, 1)),
    ],
)
def test_days_high_ages_and_professions_have_to_change(marked, released, expected):
    assert originals_left([note(marked, released)]) == expected


def test_each_mention_is_held_against_its_own_surrogate():
    told = note("{{DATE|11/13}} {{DATE|12/13}} {{DATE|Monday}}", "12/13", "1/12", "Monday")
    assert originals_left([told]) == Count(1, 3)  # 12/13 stands for another day now; Monday stayed


@pytest.mark.parametrize(
    ("moved", "kept", "expected"),
    [
        ("3/28/2019", "Monday", Count(0, 1)),  # two weeks: the weekday may stay
        ("3/24/2019", "Monday", Count(1, 2)),  # ten days: it may not
        ("3/14/2019", "Monday", Count(2, 2)),  # nothing moved
        ("3/13/2020", "11/13", Count(0, 1)),  # 365 days: a day without its year may stay
        ("3/12/2020", "11/13", Count(1, 2)),  # 364 days: it may not
    ],
)
def test_what_the_shift_lets_stay(moved, kept, expected):
    assert originals_left([note(f"{{{{DATE|3/14/2019}}}} {{{{DATE|{kept}}}}}", moved, kept)]) == expected


def test_a_number_with_two_surrogates():
    one = note("{{MEDICALRECORD|12-34-56}} {{EMAIL|Ann@lee.org}}", "98-76-54", "Eva@ray.org")
    two = note("{{MEDICALRECORD|123456}} {{EMAIL|ann@lee.org}} {{ROOM|12}}", "987655", "eva@ray.org", "14")
    assert split_numbers([one]) == Count(0, 2)
    assert split_numbers([one, two]) == Count(1, 2)  # 987654 and 987655; a room is no number of anybody


def test_no_collapse():
    told = note(
        "{{PATIENT|Ann Lee}} {{PATIENT|Ida Lee}} {{SSN|1234}} {{SSN|5678}}",
        "Eva Ray",
        "Jo Ray",
        "4321",
        "8765",
    )
    assert collapsed([told]) == Count(0, 4)


def test_two_people_become_one():
    told = note("{{PATIENT|Ann Lee}} {{PATIENT|Ida Cho}} {{DOCTOR|Max Cho}}", "Eva Ray", "Eva Ray", "Eva Ray")
    # The provider is of another kind: it does not collapse with the two.
    assert collapsed([told]) == Count(2, 3)


def test_two_numbers_become_one_and_forms_of_one_do_not_count():
    told = note(
        "{{SSN|12-34}} {{SSN|1234}} {{SSN|9999}} {{STATE|ME}} {{STATE|Maine}}",
        "5-678",
        "5678",
        "5678",
        "OH",
        "Ohio",
    )
    assert collapsed([told]) == Count(2, 3)


def test_short_forms_may_share_a_surrogate_and_numbers_may_not():
    told = note(
        "{{HOSPITAL|St. Luke's Annex}} {{HOSPITAL|Annex}} {{CITY|T or C}}",
        "Holy Annex",
        "Holy Annex",
        "Dover",
    )
    assert collapsed([told]).count == 0
    assert collapsed([note("{{IDNUM|12345}} {{IDNUM|2345}}", "777", "777")]).count == 2


def test_a_misspelt_person_is_the_same_and_a_brother_is_not():
    slip = note("{{PATIENT|Ernestine Gaithers}} {{PATIENT|Earnestine Gathers}}", "Eva Ray", "Eva Ray")
    assert collapsed([slip]) == Count(0, 2)
    brothers = note("{{PATIENT|John Smith}} {{PATIENT|Joan Smith}}", "Eva Ray", "Eva Ray")
    assert collapsed([brothers]) == Count(2, 2)


def test_particles_and_those_without_a_name_are_nobodys():
    told = note("{{PATIENT|Ann Van Hooser}} {{PATIENT|XIONG, BABY BOY}}", "Eva Van Langen", "JANG, BABY BOY")
    assert originals_left([told]) == Count(0, 2)


def test_what_safe_harbor_forbids_has_to_change():
    told = note(
        "{{PATIENT|Ann Lee}} {{DATE|May 2012}} {{DATE|2012}} {{AGE|67}} {{AGE|92}} {{DOCTOR|Ng}} {{ZIP|044}}",
        "Ann  LEE", "May 2012", "2012", "67", "90+", "Wu", "044",
    )  # fmt: skip
    assert safe_harbor_left([told], Persons()) == Count(2, 3)  # a name, a month; the age changed
    assert providers_changed([told]) == Count(1, 1)


def test_a_year_of_birth_shows_an_age_over_89():
    born = note("born {{DATE|1930}}", "1930")
    assert safe_harbor_left([born], Persons(note_dates={"1": date(2024, 5, 1)})) == Count(1, 1)
    assert safe_harbor_left([born], Persons(note_dates={"1": date(1999, 5, 1)})) == Count(0, 0)
