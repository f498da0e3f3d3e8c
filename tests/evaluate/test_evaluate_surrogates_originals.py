"""Originals that stay, and originals that collapse into one surrogate."""

from plainsight.document import Document
from plainsight.evaluate.surrogates.counts import Count
from plainsight.evaluate.surrogates.originals import collapsed, left, ordinary
from plainsight.evaluate.surrogates.pairs import exact
from plainsight.formats.inline import parse


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


def test_ordinary_words():
    assert ordinary("gray rose")
    assert not ordinary("Pinkham")
    assert not ordinary("4417")


def test_nothing_left():
    # Two name words, one number (as written and without punctuation), one city.
    told = note(
        "{{PATIENT|Ann Pinkham}} {{SSN|933-08-5521}} {{CITY|Bangor}}", "Eva Ray", "900-11-2233", "Dayton"
    )
    assert left([told]) == Count(0, 5)


def test_a_name_word_of_another_note_stays():
    one = note("{{PATIENT|Ann Pinkham}}", "Eva Ray")
    two = note("{{HOSPITAL|Dayton Hospital}}", "Pinkham Hospital")
    assert left([one]) + left([two]) == Count(0, 3)
    assert left([one, two]) == Count(1, 3)


def test_an_ordinary_word_stays_in_a_name_but_not_elsewhere():
    named = note("{{PATIENT|Ann Rose}} {{PATIENT|Ida Lee}}", "Eva Ray", "May Rose")
    placed = note("{{PATIENT|Ann Rose}} {{CITY|Bangor}}", "Eva Ray", "Rose Hill")
    assert left([named]).count == 1
    assert left([placed]).count == 0


def test_numbers_are_compared_without_their_punctuation():
    told = note("{{SSN|933-08-5521}} {{IDNUM|A-1}}", "933085521", "B-2")
    # Three originals: the SSN as written, the SSN squeezed, "a 1" as written; two characters are no number.
    assert left([told]) == Count(1, 3)


def test_words_are_whole_and_case_does_not_matter():
    told = note("{{PATIENT|ANN PINKHAM}} {{STREET|1 Elm St}}", "Eva Ray", "2 Annex St")
    assert left([told]).count == 0
    told = note("{{PATIENT|Ann PINKHAM}} {{STREET|1 Elm St}}", "Eva Ray", "2 pinkham St")
    assert left([told]).count == 1


def test_what_the_gold_leaves_outside_the_marks_is_no_leak():
    told = note("{{PATIENT|Ann Parkinson}} has Parkinson disease", "Eva Ray")
    assert left([told]) == Count(0, 2)


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
    assert left([told]) == Count(0, 3)
