"""The forms of one name."""

import pytest

from plainsight.evaluate.surrogates.forms import aligned, alike, disagreements, initials, letters_of, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("van der Berg", ["vanderberg"]),
        ("Al-Rashid", ["alrashid"]),
        ("Mc Donald", ["mcdonald"]),
        ("O'Brien, Pat", ["obrien", "pat"]),
        ("Chen-Murphy", ["chen", "murphy"]),
        ("Smith Jr.", ["smith"]),
        ("De La", ["dela"]),
    ],
)
def test_words(text, found):
    assert words(text) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("mohammed", "muhammad", True),
        ("kowalski", "kowlaski", True),
        ("vandenberg", "vanderberg", True),
        ("anna", "anne", False),
        ("zofia", "zosia", False),
        ("kim", "kym", False),
        ("marta", "berta", False),
    ],
)
def test_spellings_of_one_name(one, other, same):
    assert alike(one, other) is same


def test_neighbours_count_as_one_word():
    assert ("pahoua", "mailee") in list(aligned("Pa Houa Vang", "Mai Lee Xiong"))


def test_a_name_of_other_length_is_compared_whole():
    assert list(aligned("Anna Maria Kim", "Eva Ray")) == [("annamariakim", "evaray")]


@pytest.mark.parametrize(
    ("pairs", "wrong"),
    [
        ([("Anna Kim", "Eva Ray"), ("Kim", "Ray"), ("KIM, ANNA", "RAY, EVA")], False),
        ([("Anna Kim", "Eva Ray"), ("Kim", "Day")], True),
        ([("Yousef", "Karim"), ("Youssef", "Karimm")], False),
        ([("Yousef", "Karim"), ("Youssef", "Bilal")], True),
        ([("Pa Houa", "Mai Lee"), ("Pahoua", "Mailee")], False),
        ([("Pa Houa", "Mai Lee"), ("Pahoua", "Sunita")], True),
        ([("Vanderberg", "Vanderhof"), ("van der Berg", "van der Hof")], False),
        ([("Chen-Murphy", "Wong-Doyle"), ("Murphy", "Doyle")], False),
        ([("Chen-Murphy", "Wong-Doyle"), ("Murphy", "Wong")], True),
        ([("Abdi Ali Abdi", "Omar Nur Hassan"), ("Abdi", "Omar")], False),
    ],
)
def test_words_must_become_the_same_words(pairs, wrong):
    assert bool(list(disagreements(pairs))) is wrong


def test_initials():
    assert initials("Nkechi Okafor") == {"no"}
    assert initials("OKAFOR, NKECHI A") == {"ona", "oa", "nao", "no"}
    assert [letters_of(text) for text in ("NO", "N.O.", "n.o.", "Okafor", "Ng", "O", "kh")] == [
        "no",
        "no",
        "no",
        "",
        "",
        "",
        "kh",
    ]


def test_an_initial_with_a_stop_is_no_particle() -> None:
    assert words("O. Wahib") == ["o", "wahib"]
    assert words("El Amin") == ["elamin"]
