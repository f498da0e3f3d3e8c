"""The marks of the longitudinal patients: known labels, known people, possible dates."""

from pathlib import Path

import pytest

from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.surrogates.persons import read_persons
from plainsight.evaluate.surrogates.timeline import is_possible
from plainsight.labels import LABELS

SET = Path(__file__).parents[2] / "benchmarks" / "longitudinal"
PERSONS = read_persons(SET)


@pytest.mark.parametrize("patient", sorted(PERSONS))
def test_marks_and_people_fit(patient):
    notes = read_notes(SET / patient, format="inline")
    persons = PERSONS[patient]
    assert 5 <= len(notes) <= 8
    assert persons.birth
    assert {note.id for note in notes} == set(persons.note_dates)
    assert sum(person.role == "patient" for person in persons.people.values()) >= 1
    for note in notes:
        for span in note.spans:
            place = f"{note.id} at {span.start}"
            assert span.label in LABELS, place
            assert span.entity or span.label not in (
                "PATIENT",
                "DOCTOR",
                "USERNAME",
                "HOSPITAL",
                "ORGANIZATION",
            ), place
            assert span.label not in ("PATIENT", "DOCTOR") or span.entity in persons.people, place
            assert span.label != "DATE" or is_possible(note.text[span.start : span.end]), place
