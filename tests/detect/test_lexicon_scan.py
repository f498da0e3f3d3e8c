"""A text as its capitalised words: nothing lost, everything in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.phrases import find_phrases
from plainsight.detect.lexicon.scan import Scan, raise_lower_case
from plainsight.detect.lexicon.vocabulary import load_vocabulary
from plainsight.detect.lexicon.word_flags import WordFlags

VOCABULARY = WordFlags(load_vocabulary())
TEXTS = st.text(alphabet="ABzyx 'S-\n.,:(s1", max_size=80).map(str.encode)


def scan(text: str) -> Scan:
    return Scan(text.encode(), VOCABULARY)


@given(TEXTS)
def test_gaps_and_words_are_the_text(text: bytes) -> None:
    found = Scan(text, VOCABULARY)
    joined = b"".join(part for pair in zip(found.gaps, found.words, strict=False) for part in pair)
    assert joined + found.gaps[-1] == text
    for word, start, end in zip(found.words, found.starts, found.ends, strict=True):
        assert text[start:end] == word


def test_a_possessive_stays_outside_and_a_hyphen_inside() -> None:
    assert scan("Quillerby's O'Brien and Yazzie-Hart").words == [b"Quillerby", b"O'Brien", b"Yazzie-Hart"]


@pytest.mark.parametrize(
    ("word", "level"), [("Yazzie-Hart", 3), ("O'Brien", 3), ("X-Ray", 0), ("Follow-Up", 0), ("Hyun-woo", 3)]
)
def test_a_compound_is_judged_by_its_parts(word: str, level: int) -> None:
    [flag] = scan(word).flags
    assert flag & Is.LEVEL == level
    assert flag & Is.KNOWN


def test_an_eponym_in_a_compound_shows() -> None:
    assert scan("Cockcroft-Gault").flags[0] & Is.EPONYM
    assert scan("Ill-Fitting").flags[0] & Is.WORD


def test_words_before_and_after() -> None:
    found = scan("seen with (wife Ann Lee today). Bo")
    assert found.before(0) == b"wife"
    assert found.after(0) == b"lee"
    assert found.after(1) == b"today"
    assert found.before(2) == b""
    assert found.starts_sentence(2)
    assert not found.starts_sentence(1)


def test_claimed_words_are_taken() -> None:
    found = scan("Ann Lee Bo")
    found.claim(0, 1, "PATIENT", 0.9, "rule")
    assert found.claims == [(0, 7, "PATIENT", 0.9, "rule")]
    assert list(map(bool, found.taken)) == [True, True, False]
    assert found.cover(2, 10) == 2
    assert all(found.taken)


def test_phrases_are_found_whole_and_exclusions_taken() -> None:
    found = scan("in New York City and at Glasgow Coma Scale")
    assert b"new york city" in [match.phrase.text for match in find_phrases(found)]
    assert [word for word, taken in zip(found.words, found.taken, strict=True) if taken] == [
        b"Glasgow",
        b"Coma",
    ]


@given(st.text(alphabet="abcAB \n.,1", max_size=200).map(str.encode))
def test_raising_changes_case_alone(text: bytes) -> None:
    raised = raise_lower_case(text)
    assert raised.lower() == text.lower()


def test_a_line_without_capitals_is_raised_in_a_note_with_them() -> None:
    note = b"Seen In Clinic. Dr. Ode.\nson miguel will pick her up at noon\nshort line\nThe End Of It."
    assert raise_lower_case(note).split(b"\n")[1:3] == [b"SON MIGUEL WILL PICK HER UP AT NOON", b"short line"]
