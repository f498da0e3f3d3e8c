"""Scrambled text has the shape of the original, is another text, and no two of one shape meet."""

import itertools
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.shape import alphabets, another, permute, replace, scramble, sounds

KEYED = Keyed(bytes(32))


@given(st.text(max_size=300))
def test_shape_stays_and_text_changes(text):
    made = scramble(KEYED, text)
    assert len(made) == len(text)
    assert made == scramble(KEYED, text)
    for old, new in zip(text, made, strict=True):
        assert old.isdecimal() == new.isdecimal()
        assert old.isalpha() == new.isalpha()
        assert old.isupper() == new.isupper() or not old.isascii()
        if not (old.isalpha() or old.isdecimal()):
            assert new == old
    if any(sign.isalpha() or sign.isdecimal() for sign in text) and text.strip("0") != "":
        assert made != text


@given(
    st.text("0123456789abXY -", min_size=1, max_size=12), st.text("0123456789abXY -", min_size=1, max_size=12)
)
def test_two_texts_of_one_shape_get_two(one, two):
    shape = [alphabets(one), alphabets(two)]
    if (
        one != two
        and shape[0] == shape[1]
        and [a for a, s in zip(one, shape[0], strict=True) if not s]
        == [b for b, s in zip(two, shape[1], strict=True) if not s]
    ):
        assert scramble(KEYED, one) != scramble(KEYED, two)


@pytest.mark.parametrize(
    "texts",
    [
        [f"{number:02}" for number in range(10, 100)],
        [f"0{number}" for number in range(10)],
        list("0123456789"),
        list("abcdefghijklmnopqrstuvwxyz"),
    ],
    ids=["two digits", "leading zero", "digit", "letter"],
)
@pytest.mark.parametrize("turn", [0, 1])
def test_all_texts_of_a_shape_are_permuted_and_none_stays(texts, turn):
    made = [scramble(KEYED, text, turn) for text in texts]
    assert sorted(made) == texts
    assert not any(map(str.__eq__, made, texts))


def test_in_larger_ranges_none_stays_and_hardly_two_meet():
    texts = ["".join(pair) for pair in itertools.product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", repeat=2)]
    made = [scramble(KEYED, text) for text in texts]
    assert not any(map(str.__eq__, made, texts))
    assert len(set(made)) > len(texts) - 5


@given(st.from_regex(r"[0-9]{2,12}", fullmatch=True))
def test_zero_in_front_stays_and_no_other_digit_becomes_one(number):
    made = scramble(KEYED, number)
    assert (made[0] == "0") == (number[0] == "0")


def test_case_and_punctuation_do_not_count():
    assert scramble(KEYED, "0371-88-214").replace("-", "") == scramble(KEYED, "037188214")
    assert scramble(KEYED, "abC 12").upper() == scramble(KEYED, "ABC-12").replace("-", " ")


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("éçñ", "LATIN"),
        ("Αλέξης", "GREEK"),
        ("Иван", "CYRILLIC"),
        ("שלום", "HEBREW"),
        ("محمد", "ARABIC"),
        ("कमल", "DEVANAGARI"),
        ("たなか", "HIRAGANA"),
        ("タナカ", "KATAKANA"),
        ("김철수", "HANGUL"),
        ("王小明", "CJK"),
        ("Արամ", "ARMENIAN"),
        ("გიორგი", "GEORGIAN"),
    ],
)
def test_letters_stay_in_their_script(text, script):
    made = scramble(KEYED, text)
    assert made != text
    assert all(unicodedata.name(letter).startswith(script) for letter in made)


@pytest.mark.parametrize("text", ["ﬁ", "ǅ", "ꙮ", "ᚠᚢ"])
def test_unknown_letters_become_latin_ones(text):
    made = scramble(KEYED, text)
    assert made.isascii()
    assert made.isalpha()


def test_other_digits_stay_in_their_script():
    assert all(unicodedata.name(digit).startswith("ARABIC-INDIC") for digit in scramble(KEYED, "٣٤٥"))


@pytest.mark.parametrize("text", ["", "---", "\x00\n", " . "])
def test_nothing_to_change(text):
    assert scramble(KEYED, text) == text


def test_every_sign_of_a_long_text_depends_on_all_of_it():
    text = "a1" * 200
    one, two = scramble(KEYED, text), scramble(KEYED, text[:-1] + "2")
    same = sum(map(str.__eq__, one, two))
    assert same < 60  # one letter in 26 and one digit in ten by chance: 28


@given(st.integers(2, 2000), st.data())
def test_another_is_another(size, data):
    number = data.draw(st.integers(0, size - 1))
    made = another(KEYED, number, size)
    assert made != number
    assert 0 <= made < size


def test_another_of_one_is_itself():
    assert another(KEYED, 0, 1) == 0


def test_permute_keeps_to_the_alphabets():
    made = permute(KEYED, "1EG4", ["123", "XYZ", "", "9"])
    assert made[0] in "123"
    assert made[1] in "XYZ"
    assert made[2:] == "G9"


@given(st.from_regex(r"[A-Z]{1,4}", fullmatch=True))
def test_replace_gives_another_text_of_the_alphabets(text):
    made = replace(KEYED, text, alphabets(text))
    assert re.fullmatch("[A-Z]+", made)
    assert len(made) == len(text)
    assert made != text


def test_sounds_keep_vowels_apart():
    made = permute(KEYED, "Lifeguard", sounds("Lifeguard"))
    assert [letter in "aeiou" for letter in made] == [letter in "aeiou" for letter in "Lifeguard"]
    assert sounds("XKQ") == alphabets("XKQ")


def test_digits_stay_in_place_as_often_as_chance_has_it():
    numbers = [f"{number:07}" for number in range(1_000_000, 1_003_000)]
    same = sum(
        a == b for number in numbers for a, b in zip(number[1:], scramble(KEYED, number)[1:], strict=True)
    )
    assert 0.08 < same / (6 * len(numbers)) < 0.12
