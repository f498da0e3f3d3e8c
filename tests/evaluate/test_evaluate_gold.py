"""Reading gold notes and whose they are."""

import pytest

from plainsight.errors import DataError, UsageError
from plainsight.evaluate.gold import read_notes


@pytest.fixture
def folder(tmp_path):
    for name, text in {"p1-a.txt": "{{PATIENT|Roe}}", "p1-b.txt": "x", "p2/c.txt": "{{DATE|May}}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def patients(*arguments, **options):
    return {note.id: note.patient_id for note in read_notes(*arguments, **options)}


def test_patients_from_names_and_folders(folder):
    assert patients(folder) == {"p1-a": None, "p1-b": None, "p2/c": None}
    named = patients(folder, format="inline", patient_from_name="^(p[0-9])")
    assert named == {"p1-a": "p1", "p1-b": "p1", "p2/c": "p2"}
    assert patients(folder, patient_folders=True)["p2/c"] == "p2"


@pytest.mark.parametrize("pattern", ["^p[0-9]", "(p"])
def test_a_pattern_needs_a_group(folder, pattern):
    with pytest.raises(UsageError, match="pattern for patients"):
        read_notes(folder, patient_from_name=pattern)


def test_no_input(tmp_path):
    with pytest.raises(UsageError, match="no input"):
        read_notes(tmp_path / "none")


def test_a_note_that_cannot_be_read_is_not_passed_over(folder):
    (folder / "p3-x.txt").write_text("{{PATIENT|Roe")
    with pytest.raises(DataError, match="p3-x"):
        read_notes(folder, format="inline")
