"""Rare words that nobody marked."""

from __future__ import annotations

from plainsight.document import Span
from plainsight.text.rare_words import UNSEEN_BITS, rare_words, surprise

TEXT = "Quillerby and Thackeray took Metoprolol; quillerby, QB2 and Ali did not."


def shown(**options):
    return [TEXT[word.start : word.end] for word in rare_words(TEXT, **options)]


def test_capitalised_rare_words_but_no_medicines():
    assert shown(spans=()) == ["Quillerby", "Thackeray"]


def test_a_span_that_touches_a_word_hides_it():
    assert shown(spans=[Span(0, 2, "PATIENT")]) == ["Thackeray"]


def test_unseen_words_are_in_no_list():
    assert shown(spans=(), least_bits=UNSEEN_BITS) == ["Quillerby"]
    assert surprise("Thackeray") < UNSEEN_BITS <= surprise("Quillerby")
