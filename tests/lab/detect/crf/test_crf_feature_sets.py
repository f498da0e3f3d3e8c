"""The values of templates."""

import pytest

from plainsight.document import Document, Span
from plainsight.lab.detect.crf.feature_sets import (
    FEATURE_SETS,
    fields,
    gap_kind,
    gaps,
    joined,
    kinds,
    read_notes,
    settled,
)


def read(text: str, *claims: Span):
    [note] = read_notes([Document("1", text)], [claims])
    return note


def test_a_pair_is_the_words_at_two_places_lowered():
    note = read("Seen by Dr Ito")
    assert joined(0, 1)(note) == ["seen by", "by dr", "dr ito", "ito "]
    assert joined(-1, 1)(note) == [" by", "seen dr", "by ito", "dr "]
    assert joined(0, 1)(read("")) == []


def test_gaps_are_told_by_kind():
    note = read(" one, two  three\nfour\n \nfive")
    kinds = [gap_kind(gap)[0] for gap in gaps(note)]
    assert kinds == ["start", "glued", "space", "wide", "line", "paragraph"]
    assert gaps(read("")) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Attending Physician: Jo Ito", ["-", "-", "-", "attending physician", "attending physician"]),
        ("Jo Ito:\nnext line", ["-", "-", "-", "-", "-"]),
        ("DOB: 3/4 Sex: F", ["-", "-", "dob", "dob", "dob", "dob", "dob", "sex"]),
        ("at 10:30 pm", ["-"] * 5),
        ("pulse (apical): 80", ["-", "-", "-", "-", "-", "pulse (apical)"]),
        (": alone", ["-", "-"]),
        ("a:" + " b" * 12, ["-", "-"] + ["a"] * 9 + ["-"] * 3),
    ],
)
def test_a_form_label_reaches_to_the_end_of_its_line_or_nine_tokens(text, wanted):
    assert fields(read(text)) == wanted


def test_each_detectors_surest_claim_on_a_token_counts():
    claims = (
        Span(0, 7, "PATIENT", 0.9, "convolution.name"),
        Span(4, 7, "CITY", 0.5, "convolution.place"),
        Span(4, 11, "DATE", 0.8, "patterns.date"),
    )
    note = read("Ann May 2019", *claims)
    assert list(note.claims) == [
        "convolution B-PATIENT name",
        "convolution I-PATIENT name|patterns B-DATE date",
        "patterns I-DATE date",
    ]


def test_of_claims_that_overlap_the_longer_and_surer_stands():
    claims = (
        Span(0, 3, "PATIENT", 0.9, "convolution.name"),
        Span(4, 7, "CITY", 0.9, "convolution.place"),
        Span(4, 12, "DATE", 0.8, "patterns.date"),
    )
    assert settled(read("Ann May 2019", *claims)) == ["B-PATIENT", "B-DATE", "I-DATE"]
    assert settled(read("Ann May 2019")) == ["O", "O", "O"]


def test_a_word_is_of_a_kind_and_has_neighbours_on_its_line():
    note = read("Mercy Hospital\nJ 12/2019")
    assert [value.split(" ")[0] for value in kinds(note)][1:] == [
        kinds(note)[0].split(" ")[1],
        "",
        "W",
        "0",
        "/",
    ]
    assert [value.split(" ")[2] for value in kinds(note)] == ["Ww.head", "", "0", "/", "0", ""]
    assert kinds(read("")) == []


def test_every_template_gives_each_token_a_value():
    note = read("Seen by Dr. Ito: well\nBP 120/80")
    for templates in FEATURE_SETS.values():
        assert all(len(template.values(note)) == len(note.tokens) for template in templates)
