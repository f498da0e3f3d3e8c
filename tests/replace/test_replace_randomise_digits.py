"""Randomise-digits: part of a number changes, the rest stays, never all of it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import PluginError, UsageError
from plainsight.replace.base import Operation
from plainsight.replace.randomise_digits import RandomiseDigits

KEY = bytes(range(32))


def changed(text, patient="1", **options):
    note = Document("n", text, (Span(0, len(text), "PHONE"),), patient_id=patient)
    return RandomiseDigits(key=KEY, **options).replace([note])[0][0]


def test_it_is_an_operation():
    assert isinstance(RandomiseDigits(), Operation)
    assert RandomiseDigits().replace([]) == []


@pytest.mark.parametrize(
    ("options", "text", "pattern"),
    [
        ({"last": 4}, "901-555-0142", r"901-555-\d{4}"),
        ({"first": 3}, "(901) 555-0142", r"\(\d{3}\) 555-0142"),
        ({"first": 1, "last": 1}, "0371-88-214", r"\d371-88-21\d"),
        ({}, "0371-88-214", r"\d{4}-\d\d-\d{3}"),
        ({"last": 3, "letters": True}, "WF14 9AB", r"WF14 \d[A-Z]{2}"),
        ({"last": 3, "letters": True}, "38114", r"38\d{3}"),
        ({"last": 40}, "A-12", r"A-\d\d"),
    ],
)
def test_what_changes_and_what_stays(options, text, pattern):
    made = changed(text, **options)
    assert re.fullmatch(pattern, made)
    assert made != text


@given(st.text(min_size=1, max_size=40), st.integers(1, 5))
def test_never_the_original_in_any_text(text, last):
    assert changed(text, last=last) != text
    assert changed(text, last=last, letters=True) != text
    assert changed(text) != text


@given(st.lists(st.from_regex(r"[0-9]{7}", fullmatch=True), min_size=2, max_size=2, unique=True))
def test_two_numbers_stay_two(numbers):
    assert changed(numbers[0], last=4) != changed(numbers[1], last=4)


def test_same_patient_alike_other_patient_or_note_not():
    numbers = [f"{number:07}" for number in range(1234500, 1234520)]
    mine = [changed(number) for number in numbers]
    assert mine == [changed(number) for number in numbers]
    assert mine != [changed(number, patient="2") for number in numbers]
    assert mine != [changed(number, patient=None) for number in numbers]


def test_text_without_digits_becomes_its_label():
    assert changed("Clinic Base", last=2) == "[PHONE]"
    assert changed("---", last=2) == "[PHONE]"


@pytest.mark.parametrize("options", [{"first": 0}, {"last": -1}, {"last": True}, {"first": "3"}])
def test_wrong_options(options):
    with pytest.raises(PluginError):
        RandomiseDigits(**options)


def test_without_a_key_nothing_is_done():
    with pytest.raises(UsageError):
        RandomiseDigits().replace([Document("1", "")])
    assert "x01" not in repr(RandomiseDigits(key=KEY))
