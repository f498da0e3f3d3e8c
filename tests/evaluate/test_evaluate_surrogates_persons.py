"""What persons.json says of the people in gold notes."""

import json
from datetime import date

import pytest

from plainsight.errors import FormatError, UsageError
from plainsight.evaluate.surrogates.persons import Person, Persons, read_persons

RECORD = {
    "persons": {
        "anna": {"role": "patient", "sex": "F", "group": "slavic", "family": "kowalski"},
        "rex": {"role": "other", "sex": "?", "group": "english", "family": None},
    },
    "patient": {"birth": "1960-02-29", "note_dates": {"01_ed": "2024-03-31"}},
}


def test_persons_are_read_by_patient(tmp_path):
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "persons.json").write_text(json.dumps(RECORD))
    persons = read_persons(tmp_path)["anna"]
    assert persons.people["anna"] == Person("patient", "f", "slavic", "kowalski")
    assert persons.people["rex"] == Person("other", "", "english", "")
    assert persons.birth == date(1960, 2, 29)
    assert persons.note_date("anna/01_ed") == persons.note_date("01_ed") == date(2024, 3, 31)
    assert persons.note_date("02_ed") is None


def test_a_patient_may_have_no_dates():
    assert Persons.from_json({"persons": {}}) == Persons()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "not a list of persons"),
        ("{", "not a list of persons"),
        ('{"persons": {"anna": {"role": "boss"}}}', "anna has no role"),
        ('{"persons": {}, "patient": {"birth": "May"}}', "isoformat"),
    ],
)
def test_broken_files_are_refused(tmp_path, text, reason):
    (tmp_path / "persons.json").write_text(text)
    with pytest.raises(FormatError, match=reason):
        read_persons(tmp_path)


def test_a_missing_path_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no persons at"):
        read_persons(tmp_path / "none")
