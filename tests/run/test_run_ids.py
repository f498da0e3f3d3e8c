"""Ids are kept, keyed or numbered; ids that identify are noticed."""

from dataclasses import replace

import pytest

from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import Replaced
from plainsight.run.ids import IdChoice, Ids, has_identifying_id

KEY, OTHER = b"k" * 32, b"o" * 32
NOTE = Replaced(Document("ward/quill-7", "Dr. Ng", patient_id="4471882"), ((4, 6, "Quill"),))


def renamed(ids: Ids, item: Replaced = NOTE) -> tuple[str, str | None]:
    found = ids.rename(item)
    assert isinstance(found, Replaced)
    return found.document.id, found.document.patient_id


def test_ids_are_kept_unless_asked_for():
    assert Ids().rename(NOTE) is NOTE


def test_keyed_ids_are_the_same_under_one_key_and_others_under_another():
    first = renamed(Ids(IdChoice.KEYED, KEY))
    assert first == renamed(Ids(IdChoice.KEYED, KEY))
    assert not set(first) & set(renamed(Ids(IdChoice.KEYED, OTHER)))
    assert not set(first) & {"ward/quill-7", "4471882"}
    assert first[0].removeprefix("note-") != first[1].removeprefix("patient-")


def test_a_note_and_its_patient_of_the_same_id_get_different_codes():
    note, patient = renamed(
        Ids(IdChoice.KEYED, KEY), Replaced(replace(NOTE.document, id="x", patient_id="x"), ())
    )
    assert note.removeprefix("note-") != (patient or "").removeprefix("patient-")


def test_numbers_count_notes_set_aside_as_well():
    ids = Ids(IdChoice.NUMBERED)
    assert ids.rename(SetAside("quill", "why", "in/quill.txt:1")) == SetAside("note-0000001", "why")
    assert renamed(ids)[0] == "note-0000002"


def test_keyed_ids_need_a_key():
    with pytest.raises(UsageError, match="--key-file"):
        Ids(IdChoice.KEYED)


@pytest.mark.parametrize(
    ("note_id", "patient", "original", "expected"),
    [
        ("quill-7", None, "Quill", True),
        ("7", "0371-88-214", "0371-88-214", True),
        ("note-12", None, "12", False),
        ("note-1234", None, "555-1234", True),
        ("oct-note", None, "October", False),
        ("7", "p1", "Quill", False),
    ],
)
def test_an_id_is_identifying_by_a_word_of_the_text(note_id, patient, original, expected):
    note = Replaced(Document(note_id, "x", patient_id=patient), ((0, 1, original),))
    assert has_identifying_id(note) is expected
