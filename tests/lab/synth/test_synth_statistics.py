"""Counting what notes hold."""

import json

from hypothesis import given
from hypothesis import strategies as st
from synthetic_notes import corpus

from plainsight.document import Document, Span
from plainsight.lab.synth.statistics import Statistics, shape


def test_counts_by_hand():
    notes = [
        Document("a/1", "Seen by Ng on 3/14.", (Span(8, 10, "DOCTOR"), Span(14, 18, "DATE"))),
        Document("a/2", "Ng again, 3/15.", (Span(0, 2, "DOCTOR"), Span(10, 14, "DATE"))),
        Document("3", "Nothing."),
    ]
    record = Statistics.of(notes).to_json()
    assert record["notes"] == 3
    assert record["words"] == 9
    assert record["identifiers"] == 4
    assert record["notes_without_identifiers"] == 1
    assert record["identifiers_per_note"] == {"mean": 4 / 3, "median": 2, "most": 2}
    assert record["vocabulary"] == 6
    assert record["folders"]["a"]["notes"] == 2
    assert record["folders"][""]["identifiers"] == 0
    assert record["labels"]["DOCTOR"] == {
        "identifiers": 2, "texts": 1, "shapes": 1, "frequent_shapes": {"Aa": 2}
    }  # fmt: skip
    assert record["labels"]["DATE"]["texts"] == 2


def test_nothing_is_undefined_not_zero():
    record = Statistics.of([]).to_json()
    assert record["identifiers_per_note"] == {"mean": None, "median": None, "most": None}


def test_no_text_of_the_notes():
    told = json.dumps(Statistics.of(corpus()).to_json())
    assert not any(word in told for word in ("Delgado", "Hargrove", "0371", "Dayton", "Elm"))


@given(st.text(max_size=30))
def test_shapes_hold_no_letters_or_digits(text):
    assert all(not c.isalnum() or c in "Aa9" for c in shape(text) if c.isascii())
