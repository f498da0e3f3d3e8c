from __future__ import annotations

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.columns import cell, columns_of, find_columns, written_columns


@pytest.mark.parametrize(
    ("names", "text", "note", "patient", "keys"),
    [
        (["note_id", "text"], "text", "note_id", None, {}),
        (["ID", "Note Text", "Person-ID"], "Note Text", "ID", "Person-ID", {}),
        (
            ["ROW_ID", "SUBJECT_ID", "HADM_ID", "CHARTDATE", "CATEGORY", "TEXT"],
            "TEXT",
            "ROW_ID",
            "SUBJECT_ID",
            {"HADM_ID": "HADM_ID", "CHARTDATE": "note_date", "CATEGORY": "note_type"},
        ),
        (
            ["text", "note_type", "category"],
            "text",
            None,
            None,
            {"note_type": "note_type", "category": "category"},
        ),
        (["text", "category", "_x", ""], "text", None, None, {"category": "note_type", "_x": "x_x", "": ""}),
    ],
)
def test_usual_names_are_found(
    names: list[str], text: str, note: str | None, patient: str | None, keys: dict[str, str]
) -> None:
    columns = find_columns(names, {}, "t.csv")
    assert (columns.text, columns.id, columns.patient, columns.keys) == (text, note, patient, keys)


def test_given_names_win_in_any_case() -> None:
    columns = find_columns(
        ["a", "B", "text", "date", "d2"], {"text": "b", "id": "a", "date": "d2", "type": "text"}, "t"
    )
    assert (columns.text, columns.id) == ("B", "a")
    assert columns.keys == {"text": "note_type", "date": "date", "d2": "note_date"}


def test_a_role_s_key_gives_way_to_a_column_of_that_name() -> None:
    columns = find_columns(["text", "kind", "note_type"], {"type": "kind"}, "t")
    assert columns.keys == {"kind": "kind", "note_type": "note_type"}


@pytest.mark.parametrize(
    ("names", "given", "message"),
    [
        (["id", "txt"], {"text": "text"}, "t.csv: no column 'text'; did you mean 'txt'?"),
        (["id", "body"], {"text": "zzz"}, "t.csv: no column 'zzz'; known: body, id"),
        (["id", "b"], {}, "t.csv: no column is known to hold the text: name it; columns: id, b"),
        (
            ["Okafor", "John"],
            {},
            "t.csv: no column is known to hold the text: name it; "
            "the first line may not be a header, so it is not shown",
        ),
        (["text", "note_text"], {}, "t.csv: columns 'text' and 'note_text' could hold the text: name one"),
        (["text", "note_id", "id"], {}, "t.csv: columns 'note_id' and 'id' could hold the id: name one"),
        (["text", "row", "row"], {}, "t.csv: two columns have the same name: 'row'"),
        (["Okafor", "John", "John"], {}, "t.csv: two columns have the same name"),
    ],
)
def test_wrong_columns_are_named(names: list[str], given: dict[str, str | None], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        find_columns(names, given, "t.csv")
    assert str(caught.value) == message


@pytest.mark.parametrize("given", [{}, {"text": "note"}, {"text": "Seen by Dr. Ng"}])
def test_a_file_without_header_does_not_put_a_note_into_the_message(given: dict[str, str | None]) -> None:
    with pytest.raises(FormatError) as caught:
        find_columns(
            ["17", "Seen by Dr. Ngo", "Seen by Dr. Ngo"] if not given else ["17", "Seen by Dr. Ngo"],
            given,
            "t",
        )
    assert "Ngo" not in str(caught.value)
    with pytest.raises(FormatError, match="may not be a header"):
        find_columns(["17", "Seen by Dr. Ngo"], {}, "t")


def test_rows_become_documents_or_are_set_aside() -> None:
    columns = find_columns(["id", "text", "patient_id", "unit", "spans"], {"spans": "spans"}, "t")
    good = columns.read(
        [7, "Ann", 3, None, '[{"start": 0, "end": 3, "label": "PATIENT"}]'], 1, "t:2", {"_x": 1}
    )
    assert good == Document(
        "7", "Ann", (Span(0, 3, "PATIENT"),), "3", meta={"unit": None, "_columns": columns, "_x": 1}
    )
    assert columns.read([None, "Ann", 3, "", ""], 2, "t:3", {}) == SetAside("row 2", "no id", "t:3")
    assert columns.read(["", "Ann", 3, "", ""], 2, "t:3", {}) == SetAside("row 2", "no id", "t:3")
    assert columns.read(["8", None, 3, "", ""], 2, "t:3", {}) == SetAside("8", "the text is null", "t:3")
    assert columns.read(["8", "", 3, "", "{"], 2, "t:3", {}) == SetAside("8", "the spans are not JSON", "t:3")
    assert columns.read(["8", "", 3, "", "7"], 2, "t:3", {}) == SetAside("8", "spans are not a list", "t:3")
    empty = columns.read(["8", "", "", "", None], 2, "t:3", {})
    assert isinstance(empty, Document)
    assert (empty.text, empty.patient_id, empty.spans) == ("", None, ())


def test_without_an_id_column_rows_are_numbered() -> None:
    assert find_columns(["text"], {}, "t").read(["x"], 12, "t:13", {}).id == "row-12"


def test_columns_that_a_policy_dropped_are_not_written() -> None:
    columns = find_columns(["text", "mrn", "unit"], {}, "t")
    note = Document("1", "x", meta={"unit": "4N", "_columns": columns})
    assert columns_of(note) is columns
    written = written_columns(note, None)
    assert written.names == ("text", "unit")
    assert [written.value(name, note) for name in written.names] == ["x", "4N"]


def test_a_column_of_spans_is_added_when_asked() -> None:
    columns = find_columns(["text", "unit"], {}, "t")
    note = Document("1", "x", (Span(0, 1, "AGE"),), meta={"unit": "", "_columns": columns})
    assert written_columns(note, "found").value("found", note) == '[{"start": 0, "end": 1, "label": "AGE"}]'
    with pytest.raises(FormatError, match="exists already"):
        written_columns(note, "unit")


def test_documents_of_no_table_get_the_usual_columns() -> None:
    note = Document("1", "x", (), "p", meta={"note_type": "letter", "ward": [4], "_encoding": "cp1252"})
    columns = written_columns(note, None)
    assert {name: columns.value(name, note) for name in columns.names} == {
        "note_id": "1",
        "patient_id": "p",
        "note_type": "letter",
        "note_date": None,
        "text": "x",
        "meta": '{"ward": [4]}',
    }
    assert columns_of(None) is columns_of(note)


def test_tables_with_other_columns_do_not_mix() -> None:
    one, two = find_columns(["text", "a"], {}, "t"), find_columns(["text", "b"], {}, "t")
    one.check(Document("1", "x", meta={"_columns": find_columns(["text", "a"], {}, "t")}))
    with pytest.raises(FormatError, match=r"^note 1: its table has other columns"):
        one.check(Document("1", "x", meta={"_columns": two}))


def test_cells_of_every_kind() -> None:
    assert [cell(value) for value in (None, "a", 1, 1.5, False, {"a": "é"})] == [
        "",
        "a",
        "1",
        "1.5",
        "false",
        '{"a": "é"}',
    ]


def test_a_confidence_goes_beside_the_spans():
    columns = find_columns(["id", "text", "ward"], {}, "x")
    first = Document("1", "Ann", meta={"_columns": columns, "ward": "7", "confidence": 0.5})
    written = written_columns(first, "spans")
    assert written.names == ("id", "text", "ward", "spans", "confidence")
    assert written.value("confidence", first) == 0.5
    assert written_columns(first, None).names == ("id", "text", "ward")
