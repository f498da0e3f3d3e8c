"""Which names of hospitals show that they are one."""

from dataclasses import replace

import pytest

from plainsight.combine.facilities import Facilities
from plainsight.document import Document
from plainsight.formats.inline import parse


def shown(*marked: str) -> list[str]:
    """Return the names in one patient's notes that show that they are a hospital's."""
    notes = []
    for number, one in enumerate(marked):
        text, spans = parse(one)
        notes.append(Document(str(number), text, tuple(replace(span, source="cascade") for span in spans)))
    facilities = Facilities(notes)
    return [
        note.text[span.start : span.end]
        for note in notes
        for before, span in zip((None, *note.spans), note.spans, strict=False)
        if span.label == "HOSPITAL" and facilities.has(note.text, span, before)
    ]


@pytest.mark.parametrize(
    "name", ["Lakes Hospital", "Lakes Clinic of Ohio", "4 West", "UPMC", "St. Ann Rehab", "Lakes Eye Center"]
)
def test_a_name_by_itself(name):
    assert shown(f"seen at {{{{HOSPITAL|{name}}}}}.") == [name]


@pytest.mark.parametrize(
    "name", ["Fox Hollow", "Lakes Diabetes Supply", "Church of Our Lady", "Harris County", "VA", "US Army"]
)
def test_a_name_without_a_word_for_a_hospital(name):
    assert shown(f"seen at {{{{HOSPITAL|{name}}}}}.") == []


def test_letters_must_be_spelled_out_in_the_notes():
    assert shown(
        "{{HOSPITAL|Lakes Regional Hospital}}", "to {{HOSPITAL|LRH}}, {{HOSPITAL|LH}}, {{HOSPITAL|RH}}"
    )[1:] == ["LRH", "LH"]


def test_a_part_of_a_known_name():
    known = "{{HOSPITAL|Northside Clinic}}, 1 Main St, Dayton, {{STATE|OH}} {{ZIP|45402}} "
    assert shown(known + "told {{HOSPITAL|Northside}}")[1:] == ["Northside"]
    assert shown(known + "({{HOSPITAL|Northside}})")[1:] == []
    assert shown(known + "as {{PATIENT|DOE}}, {{HOSPITAL|NORTHSIDE}}")[1:] == ["NORTHSIDE"]
    assert shown(known + "as {{PATIENT|DOE,}} {{HOSPITAL|NORTHSIDE}}")[1:] == []


def test_an_employer_is_no_hospital():
    assert shown("Works nights at {{HOSPITAL|Lakes Hospital}}.") == []
