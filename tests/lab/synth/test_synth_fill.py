"""Filling clinical text: placeholders become labelled identifiers, doubt is left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_notes import corpus

from plainsight.document import Document
from plainsight.formats.inline import mark
from plainsight.lab.synth.fill import Filler, placeholders

CALM = "The lungs were clear and the abdomen was soft without tenderness. The patient tolerated this well. "


def filled(text, seed=0):
    (note,) = Filler(corpus(), seed=seed).fill([Document("t", CALM + text)])
    return note


def labels(note):
    return [span.label for span in note.spans]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("She saw Dr. X in clinic.", [("X", "DOCTOR")]),
        ("Mr. ABC and Dr. XYZ agree.", [("ABC", "PATIENT"), ("XYZ", "DOCTOR")]),
        ("Admitted to ABCD General Hospital.", [("ABCD General Hospital", "HOSPITAL")]),
        ("ABC Insurance will pay.", [("ABC Insurance", "ORGANIZATION")]),
        ("Seen on MM/DD/YYYY.", [("MM/DD/YYYY", "DATE")]),
        ("A XX-year-old man.", [("XX", "AGE")]),
        ("XYZ, M.D., dictated.", [("XYZ", "DOCTOR")]),
        ("[**First Name8 (NamePattern2)**] came.", [("[**First Name8 (NamePattern2)**]", "DOCTOR")]),
        ("On [**2118-6-2**].", [("[**2118-6-2**]", "DATE")]),
        ("At [**Hospital1 18**].", [("[**Hospital1 18**]", "HOSPITAL")]),
        ("[**Something odd**]", [("[**Something odd**]", "")]),
        ("MRN: ________ Tel: ____", [("________", "MEDICALRECORD"), ("____", "PHONE")]),
        ("The ______ was closed.", []),
        ("The XXX eye.", [("XXX", "")]),
        ("Dr. Foley placed an X-ray order, vitamin D.", []),
    ],
)  # fmt: skip
def test_placeholders(text, wanted):
    assert [(text[hit.start : hit.end], hit.label) for hit in placeholders(text)] == wanted


def test_placeholders_are_filled_and_labelled():
    note = filled("Dr. X spoke with Dr. Y. Later Dr. X called Ms. ABC on MM/DD/YYYY.")
    assert labels(note) == ["DOCTOR", "DOCTOR", "DOCTOR", "PATIENT", "DATE"]
    texts = [note.text[span.start : span.end] for span in note.spans]
    assert texts[0] == texts[2]
    known = {
        text for other in corpus() for span in other.spans for text in [other.text[span.start : span.end]]
    }
    assert set(texts) <= known
    assert "ABC" not in note.text


def test_dates_and_ages_become_labelled():
    note = filled("This 67-year-old man was admitted on 06/19/2007 with fever.")
    assert mark(note.text, note.spans).endswith(
        "This {{AGE|67}}-year-old man was admitted on {{DATE|06/19/2007}} with fever."
    )


def test_names_after_titles_become_labelled():
    note = filled("He follows with Dr. Hernandez for this.")
    assert "Dr. {{DOCTOR|Hernandez}} for" in mark(note.text, note.spans)


@pytest.mark.parametrize(
    "text",
    [
        "The XXX eye was prepped.",
        "He was sent to ABCD for care.",
        "She lives in Wichita with a cat.",
        "Sample Patient was seen.",
        "A57-year-old male came.",
        "Then [**Odd thing**] was done.",
    ],
)
def test_sentences_in_doubt_are_left_out(text):
    note = filled(text + " The wound was closed in layers.")
    assert note.text == CALM + "The wound was closed in layers."
    assert note.spans == ()


def test_a_name_that_is_known_is_marked_everywhere_or_left_out():
    note = filled("Mrs. Hernandez was seen. Today Hernandez feels better. No fever.")
    assert note.text.count("Hernandez") == labels(note).count("PATIENT") == 1


def test_blanks_without_a_cue_stay():
    assert "The ______ was then closed." in filled("The ______ was then closed.").text


def test_notes_of_which_little_is_left_are_dropped():
    doubtful = Document("t", "She lives in Wichita. ABCD was seen. XYZ came.")
    assert list(Filler(corpus()).fill([doubtful])) == []


def test_a_corpus_without_the_label_still_fills():
    (note,) = Filler([]).fill([Document("t", CALM + "Seen by Dr. X on MM/DD/YYYY.")])
    assert labels(note) == ["DOCTOR", "DATE"]


def test_seeds_repeat():
    text = "Dr. X spoke with Dr. Y at ABC Hospital on MM/DD/YYYY."
    assert filled(text, 1).text == filled(text, 1).text
    assert len({filled(text, seed).text for seed in range(8)}) > 2


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="DrX. ABC_[*]/0123\nMmé", max_size=120))
def test_any_text(text):
    for note in Filler(corpus()).fill([Document("t", CALM * 3 + text)]):
        assert note.text
