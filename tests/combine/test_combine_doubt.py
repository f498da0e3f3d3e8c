"""Doubt: places that may have been missed, doubtful spans, and a note's confidence."""

from __future__ import annotations

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.combine.doubt import (
    MISSES_PER_PROBABILITY,
    Doubt,
    Kind,
    note_confidence,
    note_doubts,
    possible_misses,
)
from plainsight.document import Document, Span

NOTE = "Seen by Ann Boleyn Smythe, clinic of\nQuillerby today."


def token(word: str, label: str = "DOCTOR", score: float = 0.2, source: str = "net") -> Span:
    start = NOTE.index(word)
    return Span(start, start + len(word), label, score, source)


def test_neighbours_are_one_place_with_the_label_and_probability_of_the_likeliest():
    document = Document("1", NOTE)
    [miss] = possible_misses(document, [token("Boleyn", "CITY", 0.4), token("Ann"), token("Smythe")])
    assert miss == Doubt(8, 25, Kind.MISS, "CITY", 0.4, "net")


def test_a_line_break_or_a_word_between_separates_places():
    misses = possible_misses(Document("1", NOTE), [token("of"), token("Quillerby"), token("clinic")])
    assert [NOTE[miss.start : miss.end] for miss in misses] == ["clinic of", "Quillerby"]


def test_what_a_span_covers_whole_is_no_miss_and_half_a_token_is():
    document = Document("1", NOTE, (Span(8, 11, "PATIENT"), Span(12, 15, "PATIENT")))
    misses = possible_misses(document, [token("Ann"), token("Boleyn"), token(",")])
    assert [NOTE[miss.start : miss.end] for miss in misses] == ["Boleyn"]


def test_two_detectors_that_see_the_same_token_make_one_place():
    seen = [token("Ann", score=0.1, source="a"), token("Ann", "PATIENT", 0.3, "b")]
    [miss] = possible_misses(Document("1", NOTE), seen)
    assert (miss.label, miss.probability, miss.source) == ("PATIENT", 0.3, "b")


def test_what_does_not_count_by_the_policy_is_no_miss():
    seen = [token("Ann", "AGE"), token("Quillerby")]
    misses = possible_misses(Document("1", NOTE), seen, counts=lambda label, text: label != "AGE")
    assert [miss.label for miss in misses] == ["DOCTOR"]


def test_without_probabilities_rare_words_count():
    [miss] = possible_misses(Document("1", "Given to Quillerby, on Metoprolol."), None)
    assert (miss.start, miss.kind, miss.label) == (9, Kind.RARE, None)
    assert note_confidence([miss]) < 1
    assert note_confidence(possible_misses(Document("2", "Given with food."), None)) == 1


def test_confidence_is_the_probability_that_no_miss_happens():
    misses = [
        Doubt(0, 1, Kind.MISS, "DATE", 0.25),
        Doubt(4, 5, Kind.MISS, "DATE", 0.1),
        Doubt(6, 7, Kind.RARE),
    ]
    assert note_confidence(misses) == pytest.approx(exp(-MISSES_PER_PROBABILITY * 0.35), abs=1e-4)


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0.01, 1))
def test_confidence_lies_in_0_to_1_and_falls_with_every_possible_miss(scores, further):
    misses = [Doubt(n, n + 1, Kind.MISS, "DATE", score) for n, score in enumerate(scores)]
    before, after = (
        note_confidence(misses),
        note_confidence([*misses, Doubt(99, 100, Kind.MISS, "DATE", further)]),
    )
    assert 0 <= after <= before <= 1


def test_doubts_list_likely_misses_unsure_spans_and_unseen_words_in_order():
    spans = (Span(12, 18, "DOCTOR", 0.4, "net"), Span(19, 25, "DOCTOR", 0.97, "net"))
    document = Document("1", NOTE, spans)
    doubts = note_doubts(document, possible_misses(document, [token("Ann"), token("clinic", score=0.01)]))
    assert [(NOTE[place.start : place.end], place.kind) for place in doubts.places] == [
        ("Ann", Kind.MISS),
        ("Boleyn", Kind.SPAN),
        ("Quillerby", Kind.RARE),
    ]
    assert doubts.confidence == note_confidence([Doubt(0, 1, Kind.MISS, "", 0.21)])  # both misses count


def test_doubts_as_json_leave_out_what_is_not_known():
    assert Doubt(0, 3, Kind.RARE).to_json() == {"start": 0, "end": 3, "kind": "rare word"}
    full = Doubt(0, 3, Kind.MISS, "CITY", 0.2, "net").to_json()
    assert full == {
        "start": 0, "end": 3, "kind": "likely miss", "label": "CITY", "probability": 0.2, "source": "net",
    }  # fmt: skip
