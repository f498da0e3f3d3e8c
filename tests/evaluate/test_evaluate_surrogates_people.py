"""People: one surrogate each, of the right sex."""

import pytest

from plainsight.document import Document
from plainsight.evaluate.surrogates.pairs import Count, exact
from plainsight.evaluate.surrogates.people import gender_clashes, inconsistent, name_of, sex_of
from plainsight.formats.inline import parse


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


@pytest.mark.parametrize(
    ("text", "given", "surname", "single"),
    [
        ("John Q. Smith", "john", "smith", ""),
        ("SMITH, JOHN Q", "john", "smith", ""),
        ("Smith,John", "john", "smith", ""),
        ("John Smith Jr.", "john", "smith", ""),
        ("J. Smith", "j", "smith", ""),
        ("PINKHAM W", "w", "pinkham", ""),
        ("Smith", "", "", "smith"),
        ("Mary O'Brien-Lee", "mary", "lee", ""),
        ("J.S.", "s", "j", ""),
        ("", "", "", ""),
    ],
)
def test_names_are_read(text, given, surname, single):
    name = name_of(text)
    assert (name.given, name.surname, name.single) == (given, surname, single)


def test_forms_of_one_person_agree():
    # One person in five forms, all of Karl Adler.
    told = note(
        "{{PATIENT|John Smith}} {{PATIENT|SMITH, JOHN}} Mr. {{PATIENT|Smith}} {{PATIENT|J. Smith}}"
        " {{PATIENT|John}}",
        "Karl Adler", "ADLER, KARL", "Adler", "K. Adler", "Karl",
    )  # fmt: skip
    assert inconsistent([told]) == Count(0, 1)


@pytest.mark.parametrize("wrong", ["Novak", "Karl"])
def test_a_surname_that_fits_nobody(wrong):
    told = note("{{PATIENT|John Smith}}, Mr. {{PATIENT|Smith}}", "Karl Adler", wrong)
    assert inconsistent([told]) == Count(1, 1)


def test_two_surrogates_for_one_full_name():
    told = note("{{DOCTOR|Ann Lee}} {{DOCTOR|LEE, ANN}}", "Eva Ray", "RAY, IDA")
    assert inconsistent([told]) == Count(1, 1)


def test_an_initial_of_another_name():
    told = note("{{DOCTOR|Ann Lee}} {{DOCTOR|A. Lee}}", "Eva Ray", "I. Ray")
    assert inconsistent([told]) == Count(1, 1)


def test_a_name_that_lost_a_part():
    assert inconsistent([note("{{DOCTOR|Ann Lee}}", "Ray")]) == Count(1, 1)


def test_family_shares_its_surname_and_a_single_word_must_fit_one_of_them():
    told = note("{{PATIENT|Ann Lee}} {{PATIENT|Bob Lee}} {{PATIENT|Lee}}", "Eva Ray", "Jim Ray", "Ray")
    assert inconsistent([told]) == Count(0, 2)


def test_providers_are_kept_apart():
    told = note("{{PATIENT|Ann Lee}}, Dr. {{DOCTOR|Lee}}", "Eva Ray", "Novak")
    assert inconsistent([told]) == Count(0, 2)


def test_a_word_that_is_known_only_alone():
    told = note("Dr. {{DOCTOR|Okafor}}, Dr. {{DOCTOR|Okafor}}", "Novak", "Ray")
    assert inconsistent([told]) == Count(1, 1)


def test_across_notes_what_is_fine_within_each():
    one, two = note("{{PATIENT|Ann Lee}}", "Eva Ray"), note("{{PATIENT|Ann Lee}}", "Ida Ray")
    assert inconsistent([one]) + inconsistent([two]) == Count(0, 2)
    assert inconsistent([one, two]) == Count(1, 1)


def test_sex_is_told_only_where_it_is_clear():
    assert [sex_of(name) for name in ("Mary", "john", "Dana", "Xqzt")] == ["f", "m", "", ""]


@pytest.mark.parametrize(
    ("marked", "surrogate", "expected"),
    [
        ("Mr. {{PATIENT|John Smith}}", "Lisa Day", Count(1, 1)),
        ("Mr. {{PATIENT|John Smith}}", "Karl Day", Count(0, 1)),
        ("his son {{PATIENT|Dana}}", "Mary", Count(1, 1)),  # the relation decides, not the name
        ("his son {{PATIENT|Dana}}", "Mark", Count(0, 1)),
        ("his wife, {{PATIENT|Mary}}", "Michael", Count(1, 1)),
        ("{{PATIENT|Robin Lee}} is a 40-year-old woman", "Karl Ray", Count(1, 1)),
        ("{{DOCTOR|Mary Lee}}", "Karl Ray", Count(1, 1)),  # the name alone decides
        ("{{DOCTOR|Dana Lee}}", "Karl Ray", Count(0, 0)),  # nothing does
        ("{{DOCTOR|Mary Lee}}", "Dana Ray", Count(0, 0)),  # nothing on the other side
        ("Dr. {{DOCTOR|Martin}}", "Kelly", Count(0, 0)),  # surnames have no sex
    ],
)
def test_gender_clashes(marked, surrogate, expected):
    assert gender_clashes([note(marked, surrogate)]) == expected


def test_two_surnames_have_no_sex():
    assert gender_clashes([note("Mr. {{PATIENT|Maldonado Ibarra}}", "Luna Ortega")]) == Count(0, 0)
    assert gender_clashes([note("Mr. {{PATIENT|Taylor Ibarra}}", "Lisa Ortega")]) == Count(1, 1)


def test_a_wife_with_her_husbands_surname_is_not_her_husband():
    told = note("{{PATIENT|John Smith}} and Mrs. {{PATIENT|Smith}}", "Karl Day", "Day")
    assert gender_clashes([told]) == Count(0, 1)


def test_accents_do_not_make_another_person():
    told = note("{{PATIENT|José Ruiz}} {{PATIENT|JOSE RUIZ}}", "Elías Peña", "ELIAS PENA")
    assert inconsistent([told]) == Count(0, 1)


def test_a_title_in_one_note_counts_for_the_name_in_another():
    told = [note("Mrs. {{PATIENT|Lee}}", "Ray"), note("{{PATIENT|Robin Lee}}", "Karl Ray")]
    assert gender_clashes(told) == Count(1, 1)
