"""Notes from and to rows, data frames and datasets."""

import sys

import pytest

import plainsight
from plainsight.document import Document, SetAside, Span
from plainsight.errors import UsageError
from plainsight.interop.rows import from_rows, spans_to_pandas, to_dataset, to_rows

ROWS = [
    {"note_text": "Seen by Dr. Okafor.", "mrn": "7", "ward": "4B"},
    {"note_text": "", "mrn": None, "ward": "4B"},
    {"note_text": None, "mrn": "8", "ward": None},
]
NOTES = [
    Document("1", "Ann is 70", (Span(0, 3, "PATIENT", 0.5, "x"), Span(7, 9, "AGE")), "7", meta={"ward": "4"}),
    Document("2", "well", meta={"_format": "hidden", "id": "other"}),
]


def test_rows_become_notes():
    one, empty, aside = from_rows(ROWS, text="note_text", patient_id="mrn")
    assert one == Document("1", "Seen by Dr. Okafor.", (), "7", meta={"ward": "4B"})
    assert (empty.text, empty.patient_id) == ("", None)
    assert aside == SetAside("3", "the row has no text")


def test_ids_and_spans_have_columns_of_their_own():
    rows = [{"key": 4, "text": "Ann", "marks": [{"start": 0, "end": 3, "label": "PATIENT", "score": None}]}]
    (note,) = from_rows(rows, id="key", spans="marks")
    assert note == Document("4", "Ann", (Span(0, 3, "PATIENT"),))
    (wrong,) = from_rows([{"text": "Ann", "marks": [{"start": 0, "end": 9, "label": "X"}]}], spans="marks")
    assert wrong.reason == "span ends at 9, text at 3"


def test_a_column_that_is_not_there_is_an_error():
    with pytest.raises(UsageError, match="no column 'note'; did you mean 'note_text'"):
        list(from_rows(ROWS, text="note"))


def test_notes_become_rows_of_the_same_columns():
    first, second = to_rows(NOTES)
    assert list(first) == list(second) == ["id", "text", "patient_id", "spans", "ward", "x_id"]
    assert first["spans"][0] == {"start": 0, "end": 3, "label": "PATIENT", "score": 0.5, "source": "x"}
    assert (second["spans"], second["ward"], second["x_id"]) == ([], None, "other")


def test_a_note_that_was_set_aside_keeps_its_row_and_its_reason():
    first, second = to_rows([NOTES[0], SetAside("2", "unreadable")])
    assert (first["set_aside"], second["set_aside"], second["text"]) == (None, "unreadable", None)


def test_there_and_back():
    back = from_rows(to_rows(NOTES[:1]), id="id", patient_id="patient_id", spans="spans")
    assert list(back) == NOTES[:1]


def test_pandas_there_and_back():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS[:2], index=["a", "b"])
    notes = plainsight.from_pandas(frame, text="note_text", patient_id="mrn")
    assert [note.id for note in notes] == ["a", "b"]
    assert [note.patient_id for note in notes] == ["7", None]
    clean = plainsight.to_pandas(plainsight.load("redact").deidentify(notes))
    assert list(clean["text"]) == ["Seen by Dr. [DOCTOR].", ""]
    assert list(clean.columns) == ["id", "text", "patient_id", "spans"]  # the ward is gone
    again = plainsight.from_pandas(clean, id="id", patient_id="patient_id", spans="spans")
    assert again[0].spans[0].label == "DOCTOR"


def test_missing_values_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["Ann", float("nan")], "patient": [float("nan"), "7"]})
    one, two = plainsight.from_pandas(frame, patient_id="patient")
    assert one.patient_id is None
    assert isinstance(two, SetAside)


def test_a_table_of_spans():
    pytest.importorskip("pandas")
    table = spans_to_pandas(NOTES)
    assert list(table["text"]) == ["Ann", "70"]
    assert list(table["label"]) == ["PATIENT", "AGE"]
    assert list(spans_to_pandas([]).columns) == list(table.columns)


def test_datasets_there_and_back():
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS[:2])
    notes = list(from_rows(dataset, text="note_text"))
    assert notes[0].meta == {"mrn": "7", "ward": "4B"}
    made = to_dataset(NOTES[:1])
    assert list(from_rows(made, id="id", patient_id="patient_id", spans="spans")) == NOTES[:1]


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        plainsight.to_pandas(NOTES)
