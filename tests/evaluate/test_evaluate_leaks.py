"""Leaks counted and weighed by hand."""

from __future__ import annotations

from math import log2

import pytest
from marked_pairs import pair

from plainsight.document import Span
from plainsight.evaluate.leaks import covered_by_detector, gold_tokens, leaked_tokens, leaks
from plainsight.evaluate.pairs import Pair
from plainsight.text.rare_words import surprise, words

TEN = log2(10)  # 3.3219 bits a digit

NOTES = [
    # gold Ann Roe 77 (tokens of 3 + 3 + 2 letters); of Roe only R is marked, so it leaks, and 77 as well
    pair("{{PATIENT|Ann Roe}} id {{IDNUM|77}} seen", "{{PATIENT|Ann R}}oe id 77 {{DATE|seen}}"),
    pair("{{PATIENT|ROE}} again", "ROE again"),  # the same string in other letters
    pair("{{AGE|70}} now", "{{AGE|70}} now"),
    pair("well", "{{PATIENT|well}}"),  # nothing can leak
]


def test_what_leaks() -> None:
    counted = leaks(NOTES)
    assert counted.notes == 4
    assert counted.clean_notes == 2  # the last two
    assert counted.clean_share == 0.5
    assert counted.tokens == 3 + 1 + 1
    assert counted.leaked == 2 + 1
    assert counted.unique == 2  # roe and 77


def test_characters() -> None:
    counted = leaks(NOTES)
    # Ann Roe is 7 characters with its space, 77 is 2, ROE 3, 70 2
    assert counted.characters == 14
    assert counted.leaked_characters == 2 + 2 + 3  # oe, 77, ROE
    assert counted.character_recall == 0.5
    # 'Ann Roe id 77 seen' has 18, 'ROE again' 9, '70 now' 6, 'well' 4: 37 less 14 are harmless
    assert counted.harmless_characters == 23
    assert counted.hidden_in_vain == 8  # seen, well
    assert counted.over_redaction == pytest.approx(8 / 23)


def test_information() -> None:
    counted = leaks(NOTES)
    # the list has Ann at 4.4 and Roe at 3.4 on the Zipf scale: (9 - 4.4) and (9 - 3.4) times log2(10) bits;
    # 77 and 70 have two digits
    ann, roe, number = 4.6 * TEN, 5.6 * TEN, 2 * TEN
    assert counted.bits == pytest.approx(ann + 2 * roe + 2 * number)  # (4.6 + 11.2 + 4) = 19.8
    assert counted.leaked_bits == pytest.approx(2 * roe + number)  # 13.2
    assert counted.weighted_leak == pytest.approx(13.2 / 19.8)
    assert counted.to_json()["weighted_leak"] == counted.weighted_leak


def test_surprise() -> None:
    assert surprise("hospital") == pytest.approx(3.9 * TEN)  # Zipf 5.1
    assert surprise("HOSPITAL") == surprise("hospital")
    assert surprise("Quillerby") == pytest.approx(8 * TEN)  # in no list: once in a hundred million words
    assert surprise("5") == pytest.approx(TEN)


def test_nothing_is_undefined_not_perfect() -> None:
    counted = leaks([pair("well", "well")])
    assert (counted.weighted_leak, counted.character_recall) == (None, None)
    assert counted.clean_share == 1
    assert counted.over_redaction == 0
    assert leaks([]).clean_share is None


def test_a_name_in_another_script_leaks() -> None:
    (greek,) = leaked_tokens(pair("seen {{PATIENT|Ρωξάνη}} now", "seen Ρωξάνη now"))
    assert greek == (5, 11)
    # half of an accented name is covered: the whole word leaks
    assert leaked_tokens(pair("{{PATIENT|Zoë}}", "{{PATIENT|Zo}}ë")) == [(0, 3)]


def test_signs_do_not_leak() -> None:
    assert leaked_tokens(pair("{{PHONE|+1 (2)}}", "+{{PHONE|1}} ({{PHONE|2}})")) == []
    assert leaks([pair("{{IDNUM|--}}", "--")]).clean_notes == 1


def test_tokens_of_nested_and_adjacent_marks() -> None:
    nested = pair("{{HOSPITAL|Elm City}}", "Elm City", also_gold=[(4, 8, "CITY")])
    assert gold_tokens(nested) == [(0, 3), (4, 8)]  # City once
    assert gold_tokens(pair("{{PATIENT|Ann}}{{DATE|3}}", "Ann3")) == [(0, 3), (3, 4)]
    # two marks of the system that meet inside a token cover it together
    assert leaked_tokens(pair("{{PATIENT|Annroe}}", "{{PATIENT|Ann}}{{DOCTOR|roe}}")) == []


def test_words() -> None:
    assert words("a_b ß9", 1) == [(2, 3), (4, 6)]
    assert words("abc", 1, 2) == [(1, 2)]


def test_covered_by_detector() -> None:
    # gold tokens Ann, Roe, 70; rules claimed Ann Roe, the list Roe and a false alarm, the net 70 and half of
    # Ann; so rules cover two tokens (Ann alone), the list one (none alone), the net one (alone)
    rules, listed = Span(0, 7, "PATIENT", source="rules.title"), Span(4, 7, "PATIENT", source="names")
    name = Span(0, 7, "PATIENT", source="rules.title", claims=(rules, listed, Span(0, 2, "X", source="net")))
    found = (name, Span(8, 10, "AGE", source="net"), Span(11, 15, "CITY", source="names"))
    gold = (Span(0, 7, "PATIENT"), Span(8, 10, "AGE"), Span(0, 3, "DOCTOR"))  # Ann twice: one token
    assert covered_by_detector([Pair("1", "Ann Roe 70 well", gold, found)]) == {
        "names": {"found": 1, "alone": 0},
        "net": {"found": 1, "alone": 1},
        "rules": {"found": 2, "alone": 1},
    }


def test_components_that_help_nothing_or_have_no_name() -> None:
    wrong = Pair("1", "Ann 70", (Span(0, 3, "PATIENT"),), (Span(4, 6, "AGE", source="net"),))
    assert covered_by_detector([wrong]) == {"net": {"found": 0, "alone": 0}}
    nobody = pair("{{AGE|70}} {{CITY|Cox}}", "{{AGE|70}} Cox")
    assert covered_by_detector([nobody]) == {}
    assert covered_by_detector([nobody, wrong])["unnamed"] == {"found": 1, "alone": 1}
