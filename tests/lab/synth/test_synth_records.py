"""Patients' records in training notes."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic_notes import corpus, pieces

from plainsight.document import Address, Patient
from plainsight.lab.synth.pieces import Piece, cut
from plainsight.lab.synth.records import Person, person, with_record
from plainsight.lab.synth.stream import synthesise

RECORD = Patient(
    id="1",
    names=("Xiomara Belen Quispe-Mamani", "Xio"),
    relatives=("Amaru Quispe",),
    providers=("Dr. Torvald Ekstrom",),
    addresses=(Address(street="4471 Oxbow Bend", city="Grand Marais", state="MN", zip="55604"),),
    phones=("218-387-9911",),
    emails=("xio@shore.example.org",),
    ids=(("MEDICALRECORD", "GM-447182"),),
    employers=("North Shore Winery",),
)


def test_every_kind_of_identifier_is_replaced_in_its_form():
    one, two, _ = [with_record(cut(note), RECORD, Random(3)) for note in corpus()]
    marked = [(piece.label, piece.text) for piece in one if piece.label]
    assert ("PATIENT", "Xiomara Quispe-Mamani") in marked
    assert ("PATIENT", "Quispe-Mamani") in marked  # Ms. Delgado
    assert ("PATIENT", "Amaru") in marked  # the son
    assert ("DOCTOR", "Torvald Ekstrom") in marked
    assert ("DOCTOR", "Ekstrom") in marked
    assert {
        ("STREET", "4471 Oxbow Bend"),
        ("CITY", "Grand Marais"),
        ("STATE", "MN"),
        ("ZIP", "55604"),
        ("PHONE", "218-387-9911"),
        ("MEDICALRECORD", "GM-447182"),
    } <= set(marked)
    assert ("PROFESSION", "welder") in marked  # no record has it
    texts = {piece.text for piece in two}
    assert {"Xiomara B. Quispe-Mamani", "North Shore Winery", "xio@shore.example.org"} <= texts


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SMITH, JOHN Q", "QUISPE-MAMANI, XIOMARA B"),
        ("john smith", "xiomara quispe-mamani"),
        ("J. Smith", "X. Quispe-Mamani"),
        ("Dr. John Smith, MD", "Dr. Xiomara Quispe-Mamani, MD"),
        ("JS", "JS"),
    ],
)
def test_names_keep_their_form(old, new):
    note = [Piece("John Smith", "PATIENT"), Piece(" "), Piece(old, "PATIENT")]
    assert with_record(note, RECORD, Random(0))[2].text == new


def test_a_state_is_replaced_code_for_code():
    note = [Piece("Nevada", "STATE"), Piece(" "), Piece("NV", "STATE")]
    assert [piece.text for piece in with_record(note, RECORD, Random(0))] == ["Nevada", " ", "NV"]
    assert with_record(note[2:], RECORD, Random(0))[0].text == "MN"


@given(pieces, st.integers())
def test_labels_and_other_text_stay(note, seed):
    made = with_record(note, RECORD, Random(seed))
    assert [piece.label for piece in made] == [piece.label for piece in note]
    assert [piece.text for piece in made if not piece.label] == [
        piece.text for piece in note if not piece.label
    ]
    assert all(piece.text for piece in made)


def test_names_of_records_are_read():
    assert person("Quispe, Xiomara Belen") == Person("Xiomara", "Belen", "Quispe")
    assert person("Anneliese Van Hooser, MD") == Person("Anneliese", "", "Van Hooser")
    assert person("") == Person()


def test_every_second_note_has_a_record():
    notes = list(islice(synthesise(corpus(), patients=[RECORD], noise=0.0, seed=1), 200))
    with_names = [note for note in notes if "Quispe" in note.text]
    assert 40 < len(with_names) < 100  # a third of the corpus has no identifiers
    assert not any("Quispe" in note.text for note in islice(synthesise(corpus(), noise=0.0, seed=1), 50))
    for note in with_names:
        for span in note.spans:
            text = note.text[span.start : span.end]
            assert text == text.strip()
