"""Replacements with scrambled letters."""

import pytest
from identity_notes import note

from plainsight.evaluate.surrogates.pairs import Count
from plainsight.evaluate.surrogates.scrambles import is_scrambled, scrambles


@pytest.mark.parametrize("word", ["Skvtku", "tcrshg", "YHBGQ", "Qmartxpibb", "Sjikxq"])
def test_shuffled_letters(word):
    assert is_scrambled(word)


@pytest.mark.parametrize(
    "word",
    ["Kowalczyk", "Pahoua", "Winona", "Blackcross", "Regional", "Ojibwe", "Ranuqui", "Nguyen", "Phuongngoc"],
)
def test_words_and_names(word):
    assert not is_scrambled(word)


@pytest.mark.parametrize(
    ("marked", "made", "count"),
    [
        ("{{DATE|Easter Sunday 3/31/24}}", "Whharg Skvtku 5/78/62", 1),
        ("{{DATE|Easter Sunday 3/31/24}}", "[DATE]", 0),
        ("{{HOSPITAL|LAKES REGIONAL}}", "YHBGQ REGIONAL", 1),
        ("{{HOSPITAL|LRHSD}}", "YHBGQ", 0),  # an acronym becomes any letters
        ("{{HOSPITAL|VA SDHS}}", "VA KHHS", 0),
        ("{{ORGANIZATION|Star CHIP}}", "Westphal IMYMQ", 0),
        ("to {{HOSPITAL|OHRSD}}, {{HOSPITAL|OHRSD WARD}}", ("YHBGQ", "YHBGQ WARD"), 0),
        ("{{CITY|La Jolla}} {{ZIP|92161}}", ("YHBGQ Reno 89501", "YHBGQ Reno 89501"), 0),  # found as one
        ("{{CITY|La Jolla}} {{ZIP|92161}}", ("Yhbgq Reno 89501", "Yhbgq Reno 89501"), 2),
        ("{{CITY|Whharg}}", "Whharg", 0),
        ("{{IDNUM|abcdef}}", "qxtzrf", 0),
    ],
)
def test_replacements(marked, made, count):
    assert scrambles([note(marked, *([made] if isinstance(made, str) else made))]).count == count


def test_each_replacement_counts_once():
    assert scrambles([note("{{CITY|Bend}}, {{DATE|May}}", "Qmartx Sjikxq", "May")]) == Count(1, 2)
