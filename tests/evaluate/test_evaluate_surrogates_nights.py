"""Surrogates do not depend on which notes are replaced together (benchmarks/nights.py)."""

import sys
from pathlib import Path

import pytest

from plainsight.evaluate.read_notes import read_notes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def nights():
    sys.path.insert(0, str(ROOT / "benchmarks"))  # other processes import it by its name, too
    try:
        import nights

        yield nights
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


@pytest.mark.server  # takes long
@pytest.mark.parametrize(
    ("folder", "patients"),
    [("corpus/longitudinal", ("p1", "p4")), ("benchmarks/longitudinal", ("hoskie",))],
)
def test_notes_come_out_alike_in_every_arrangement(nights, folder, patients):
    notes = read_notes(ROOT / folder, format="inline", patient_from_name="^(p[0-9]+)-", patient_folders=True)
    chosen = [note for note in notes if note.patient_id in patients]
    assert len(chosen) > 5
    own = nights.own_names(chosen, {})
    found = nights.compare(chosen, nights.Run("fast"), own, processes=2)
    assert set(found) == {*nights.ARRANGEMENTS, "dealt to 2 processes"}
    for name, agreement in found.items():
        shares = agreement.shares()
        assert shares["all"] >= 0.995, name
        assert shares["own names"] == shares["numbers"] == 1.0, name


def test_other_words_and_spans_are_counted(nights):
    place = ("n", 0, 8)
    agreement = nights.Agreement({("n", 0)})
    agreement.add({place: ("PATIENT", "Ann Lee")}, {place: ("PATIENT", "Ann Ray")}, {"n"})
    agreement.add({}, {("m", 0, 4): ("SSN", "1234")}, {"m"})
    assert agreement.shares() == {"all": 1 / 3, "own names": 0.5, "numbers": 0.0}
    assert (agreement.notes, agreement.notes_same, agreement.found_otherwise) == (2, 0, 1)
