"""The site's census: files read, full names found."""

from pathlib import Path

import pytest

from plainsight.detect.patient import PatientRecord
from plainsight.document import Document, Patient
from plainsight.errors import FormatError, UsageError
from plainsight.formats.inline import parse
from plainsight.testing import check_detector

PEOPLE = """\
# people of the site
Odessa Pettway
Okafor, Samuel A.\tstaff
{"first": "Anneliese", "last": "Van Hooser", "role": "staff"}
{"name": "José Luis Maldonado Ibarra", "role": "patient"}
{"last": "Young", "first": "Will"}

Cher
{"name": ""}
Novak, Petr\tstaff
Petr Novak
"""


@pytest.fixture
def census(tmp_path: Path) -> Path:
    path = tmp_path / "census.txt"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "marked",
    [
        "{{PATIENT|Odessa Pettway}} and {{PATIENT|PETTWAY, ODESSA}}; Odessa, Texas; Mr. Pettway",
        "pt {{PATIENT|odessa pettway}}; {{PATIENT|Odessa M Pettway}}; Odessa and Pettway",
        "{{DOCTOR|Samuel A. Okafor}}, MD; {{DOCTOR|Okafor, Samuel}}; {{DOCTOR|Samuel J.K. Okafor}}",
        "{{DOCTOR|Anneliese Van Hooser}}; {{DOCTOR|Van Hooser, Anneliese}}; Anneliese; Hooser",
        "{{PATIENT|Jose Luis Maldonado Ibarra}}; {{PATIENT|José Ibarra}}",
        "{{PATIENT|Maldonado Ibarra, José Luis}}; José Luis",
        "{{PATIENT|Will Young}}; will young people go; Young will go; {{PATIENT|Young, Will}}",
        "Cher came. Samuel saw Odessa. Pettway\nOdessa",
        "{{PATIENT|Petr Novak}}",
        "",
    ],
)
def test_full_names_are_found_in_any_order(census: Path, marked: str) -> None:
    text, expected = parse(marked)
    [found] = PatientRecord(census=census).detect([Document("1", text)])
    assert [(text[s.start : s.end], s.label, s.start) for s in found] == [
        (text[s.start : s.end], s.label, s.start) for s in expected
    ]
    assert {span.source for span in found} <= {"patient.census"}


def test_the_record_and_the_census_speak_together(census: Path) -> None:
    note = Document("1", "Ada saw Samuel Okafor", patient=Patient(id="1", names=("Ada Obst",)))
    [found] = PatientRecord(census=census).detect([note])
    assert [span.source for span in found] == ["patient.name", "patient.census"]


def test_contract(census: Path) -> None:
    check_detector(PatientRecord(census=census))


def test_nothing_is_read_before_the_first_call(tmp_path: Path) -> None:
    detector = PatientRecord(census=tmp_path / "missing.txt")
    with pytest.raises(UsageError, match="census cannot be read"):
        detector.detect([Document("1", "x")])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Ada Obst\tboss\n", "census, line 1: the role is neither"),
        (b"\n{broken\n", "census, line 2: not a JSON object"),
        (b"Ada \xff Obst\n", "not UTF-8"),
    ],
)
def test_a_broken_census_is_told_by_line_without_its_text(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "census.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        PatientRecord(census=path).detect([Document("1", "x")])
    assert "Ada" not in str(caught.value)
