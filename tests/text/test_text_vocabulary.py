"""What the vocabulary says of single words, and that it is what the lists say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plainsight.text.vocabulary import Is, vocabulary

FLAGS = vocabulary()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("okafor", 3),
        ("garcia", 3),
        ("marisol", 3),
        ("smith", 3),
        ("young", 2),
        ("stone", 2),
        ("small", 1),
        ("love", 1),
        ("june", 1),
        ("the", 0),
        ("will", 0),
        ("tylenol", 0),
        ("hypertension", 0),
        ("nevertheless", 0),
    ],
)
def test_frequency_against_words_decides_how_much_a_word_is_a_name(word: str, expected: int) -> None:
    assert FLAGS[word.encode()] & Is.LEVEL == expected


@pytest.mark.parametrize(
    ("word", "flag"),
    [
        ("mary", Is.FIRST),
        ("garcia", Is.LAST),
        ("parkinson", Is.EPONYM),
        ("romberg", Is.EPONYM),
        ("lisinopril", Is.MEDICAL),
        ("chattanooga", Is.CITY),
        ("ohio", Is.STATE),
        ("ghana", Is.COUNTRY),
        ("haitian", Is.PEOPLE),
        ("hospital", Is.HEAD),
        ("cook", Is.EPONYM),  # a name first, a maker of catheters second
    ],
)
def test_a_word_carries_the_flags_of_its_lists(word: str, flag: int) -> None:
    assert FLAGS[word.encode()] & flag


def test_a_word_in_no_list_is_unknown_and_a_letter_is_an_initial() -> None:
    assert b"quillerby" not in FLAGS
    assert not FLAGS.get(b"j", 0) & Is.KNOWN


def test_common_names_are_not_hidden_by_drugs_and_diseases() -> None:
    assert not FLAGS[b"angelica"] & Is.MEDICAL
    assert not FLAGS[b"burns"] & Is.MEDICAL


def test_the_compiled_vocabulary_is_what_lists_say() -> None:
    """When this fails, run scripts/build_vocabulary.py."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
    build = pytest.importorskip("build_vocabulary")
    assert build.build_vocabulary() == FLAGS
