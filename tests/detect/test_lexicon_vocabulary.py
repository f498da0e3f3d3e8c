"""What the vocabulary says of single words, and how phrases and heads are found."""

from __future__ import annotations

import pytest

from plainsight.detect.lexicon.cues import ends_medically
from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.vocabulary import level, load_vocabulary

FLAGS = load_vocabulary().flags


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


def test_level_of_a_word_with_no_flag_is_none() -> None:
    assert level(0) == 0


def test_longer_phrases_and_heads_come_first() -> None:
    vocabulary = load_vocabulary()
    for group in (*vocabulary.phrases.values(), *vocabulary.heads.values()):
        lengths = [len(entry.text) for entry in group]
        assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    ("word", "medical"), [(b"phacoemulsification", True), (b"zyrtomab", True), (b"quillerby", False)]
)
def test_unlisted_clinical_words_show_in_their_endings(word: bytes, medical: bool) -> None:
    assert ends_medically(word) is medical
