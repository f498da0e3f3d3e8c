from __future__ import annotations

import csv
import gzip
import io
import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from annotated_notes import written
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.csv import Csv, Tsv
from plainsight.formats.jsonl import JsonLines

any_text = st.text(st.characters(exclude_categories=()) | st.sampled_from('",\t\r\n'))


def _documents(path: Path, kind: type[Csv] = Csv, **options: Any) -> list[Document]:
    items = list(kind(**options).read(path))
    assert all(isinstance(item, Document) for item in items)
    return [item for item in items if isinstance(item, Document)]


@given(st.lists(st.tuples(any_text, any_text), min_size=1, max_size=4), st.sampled_from([Csv, Tsv]))
def test_any_text_survives(rows: list[tuple[str, str]], kind: type[Csv]) -> None:
    notes = [Document(f"{n}{note}", text) for n, (note, text) in enumerate(rows)]
    with tempfile.TemporaryDirectory() as folder:
        write_all(kind(), notes, Path(folder) / "t")
        try:
            back = _documents(Path(folder) / "t", kind)
        except FormatError:
            assert sum(char < " " for _, text in rows for char in text) > 16  # looks like no text
            return
    assert [(note.id, note.text) for note in back] == [(note.id, note.text) for note in notes]


@given(
    st.lists(st.tuples(any_text, any_text, any_text), min_size=1, max_size=4),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_tables_come_back_byte_for_byte(
    rows: list[tuple[str, str, str]], quoting: int, encoding: str
) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=quoting, lineterminator="\r\n")  # type: ignore[arg-type]
    writer.writerow(["id", "text", "unit"])
    writer.writerows((f"{n}{note}", text, unit) for n, (note, text, unit) in enumerate(rows))
    try:
        data = file.getvalue().encode(encoding)
    except UnicodeEncodeError:
        data = file.getvalue().encode("utf-8", "surrogatepass")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.csv").write_bytes(data)
        try:
            write_all(Csv(), _documents(Path(folder) / "in.csv"), Path(folder) / "out.csv")
        except FormatError:
            assert sum(char < " " for row in rows for char in "".join(row)) > 16  # looks like no text
            return
        assert (Path(folder) / "out.csv").read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b'note_id,text,x\n1,"a\nb",q\n2,plain,""\n3,,\n',
        b'"note_id";"text"\r\n"1";"a ""q"", b"\r\n2;z',
        "id,text\n1,Ren\xe9e\n".encode("cp1252"),
        b"id,text\r1,a\r2,b\r",
        b"id|text\n1|a\n",
        b'id,text,size\n1,note,5" tall\n',
        b"id,text\n1,a\r\n2,b\n",
        "id,text\n1,naïve 😀 שלום \0\n".encode(),
        b",text\n0,a\n1,b\n",
        b'text\n""\nx\n',
    ],
)
def test_odd_tables_come_back_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(data)
    write_all(Csv(), _documents(tmp_path / "in.csv"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data


def test_only_the_changed_text_changes(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b'id,text,unit\r\n1,Ann Ames,"4N"\r\n2,"Bob",4N\r\n')
    notes = [replace(note, text="Eve, 90+\n") for note in _documents(tmp_path / "in.csv")]
    write_all(Csv(), notes, tmp_path / "out.csv")
    assert (
        tmp_path / "out.csv"
    ).read_bytes() == b'id,text,unit\r\n1,"Eve, 90+\n","4N"\r\n2,"Eve, 90+\n",4N\r\n'


def test_columns_are_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text("who\tnr\twhat\tkind\twhen\tward\nA\t1\tnote\tletter\t2020\t4N\n")
    options = {"text": "what", "id": "nr", "patient": "who", "type": "kind", "date": "when"}
    [note] = _documents(tmp_path / "in.tsv", Tsv, **options)
    assert (note.id, note.text, note.patient_id) == ("1", "note", "A")
    assert {key: value for key, value in note.meta.items() if not key.startswith("_")} == {
        "note_type": "letter",
        "note_date": "2020",
        "ward": "4N",
    }


def test_a_missing_column_names_the_file_and_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,note_txt\n1,x\n")
    with pytest.raises(FormatError, match=r"in\.csv: no column 'note_text'; did you mean 'note_txt'\?"):
        list(Csv(text="note_text").read(tmp_path / "in.csv"))


def test_bad_rows_are_set_aside_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(
        b'id,text\n1,"two\nlines"\n2\n3,a,b\n4,"stray\n5,fine\n,no id\n\n6,"x" y\n'
        + "é,è\n".encode()
        + b"7,\xff\n8,z\n"
    )
    assert [item if isinstance(item, SetAside) else item.id for item in Csv().read(path)] == [
        "1",
        SetAside("line 4", "1 fields where the header has 2", f"{path}:4"),
        SetAside("line 5", "3 fields where the header has 2", f"{path}:5"),
        SetAside("line 6", "text after a closing quote", f"{path}:6"),
        "5",
        SetAside("row 6", "no id", f"{path}:8"),
        SetAside("line 10", "text after a closing quote", f"{path}:10"),
        "é",
        SetAside("line 12", "not valid in the file's encoding", f"{path}:12"),
        "8",
    ]


def test_an_unclosed_quote_at_the_end_does_not_cost_the_last_newline(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"id,text\n1,a\n2,b")
    first, second = _documents(tmp_path / "in.csv")
    write_all(Csv(), [second, first], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b"id,text\n2,b\n1,a\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty file"),
        (b"\n\n", "empty file"),
        (b"id,text\n", "no notes"),
        (b"PAR1" + bytes(64), "binary file"),
        (b'id,"text\n1,x\n', "a quote is opened and never closed"),
        (b"id,text,id\n1,x,1\n", "two columns have the same name: 'id'"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "in.csv").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        list(Csv().read(tmp_path / "in.csv"))


def test_a_folder_s_tables_follow_each_other(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id,text\n1,a\n")
    (tmp_path / "2.csv").write_text("id,text,x\n2,b,c\n")
    (tmp_path / "3.csv").write_text("id;text\n3;c\n")
    (tmp_path / "4.csv").write_text("")
    assert [item if isinstance(item, SetAside) else item.id for item in Csv().read(tmp_path)] == [
        "1",
        SetAside("2", "the columns are not those of the folder's first file", str(tmp_path / "2.csv")),
        "3",
        SetAside("4", "empty file", str(tmp_path / "4.csv")),
    ]


def test_a_table_widens_to_utf8_when_a_new_text_needs_it(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("id,text\n1,Renée\n2,Zoë\n3,José\n".encode("cp1252"))
    first, second, third = _documents(tmp_path / "in.csv")
    write_all(Csv(), [first, replace(second, text="Łucja"), third], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes().decode("utf-8-sig") == "id,text\n1,Renée\n2,Łucja\n3,José\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]
    write_all(Csv(), [first], tmp_path / "out.csv.gz")
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode("utf-8-sig") == "id,text\n1,Renée\n"


def test_packed_tables(tmp_path: Path) -> None:
    data = b"id,text\n" + b"".join(b"%d,%d\n" % (n, n * 7919) for n in range(5000))
    path = tmp_path / "in.csv.gz"
    path.write_bytes(gzip.compress(data))
    write_all(Csv(), _documents(path), tmp_path / "out.csv.gz")
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()) == data
    path.write_bytes(path.read_bytes()[:8000])
    *notes, last = Csv().read(path)
    assert len(notes) > 100
    reason = "the table cannot be read to its end (EOFError): rows are missing"
    assert last == SetAside("rows at the end", reason, str(path))


def test_a_declared_encoding_and_a_delimiter(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("id:text\n1:Łódź\n".encode("cp1250"))
    [note] = _documents(tmp_path / "in.csv", encoding="cp1250", delimiter=":")
    assert note.text == "Łódź"
    with pytest.raises(UsageError, match="unknown encoding"):
        list(Csv(encoding="cp125000").read(tmp_path / "in.csv"))
    (tmp_path / "in.csv").write_bytes("id,text\n".encode("utf-16") + b"\x00")
    [aside] = Csv().read(tmp_path / "in.csv")
    assert isinstance(aside, SetAside)


def test_quotes_can_be_switched_off(tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text('id\ttext\n1\t"Ann\n2\tBob"\n')
    notes = _documents(tmp_path / "in.tsv", Tsv, quote="")
    assert [note.text for note in notes] == ['"Ann', 'Bob"']
    with pytest.raises(FormatError, match=r"^note 1: a field holds a delimiter"):
        write_all(Tsv(quote=""), [replace(notes[0], text="a\tb")], tmp_path / "out.tsv")
    with pytest.raises(FormatError, match=r"^note 1: a field holds a delimiter"):
        written(Tsv(), replace(notes[0], text="a\nb"))
    assert b'\t"a\nb"\t' in written(Tsv(), Document("1", "a\nb"))


def test_spans_travel_in_a_column_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,text\n1,Ann\n")
    [note] = _documents(tmp_path / "in.csv", spans="found")
    marked = replace(note, spans=(Span(0, 3, "PATIENT", 0.5, "crf"),))
    write_all(Csv(spans="found"), [marked], tmp_path / "out.csv", span_column=True)
    [back] = _documents(tmp_path / "out.csv", spans="found")
    assert back.spans == marked.spans


def test_other_formats_become_tables_and_back(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "x", "patient_id": "p", "ward": "4N"}\n')
    write_all(Csv(), JsonLines().read(tmp_path / "in.jsonl"), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        'note_id,patient_id,note_type,note_date,text,meta\n1,p,,,x,"{""ward"": ""4N""}"\n'
    )
    write_all(Csv(), [], tmp_path / "empty.csv")
    assert (tmp_path / "empty.csv").read_text() == "note_id,patient_id,note_type,note_date,text,meta\n"
    write_all(JsonLines(), _documents(tmp_path / "out.csv"), tmp_path / "back.jsonl")
    assert "_columns" not in (tmp_path / "back.jsonl").read_text()


def test_a_50_mb_note_and_a_1_mb_line(tmp_path: Path) -> None:
    text = ("word, " * 20 + "\n") * (50 << 20 >> 7) + "x" * (1 << 20)
    write_all(Csv(), [Document("1", text), Document("2", "y")], tmp_path / "t.csv")
    assert [len(note.text) for note in _documents(tmp_path / "t.csv")] == [len(text), 1]


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_all(
        Csv(),
        (
            Document(str(n), "a line of text as long as they are in notes, more or less\n" * 140)
            for n in range(1000)
        ),
        path,
    )
    tracemalloc.start()
    try:
        write_all(Csv(), Csv().read(path), tmp_path / "out.csv")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 7e6
    assert peak < 5e6


@pytest.mark.parametrize("delimiter", [";", "|", ","])
def test_the_delimiter_that_the_header_uses_most_is_taken(tmp_path: Path, delimiter: str) -> None:
    (tmp_path / "t.csv").write_text(
        delimiter.join(["id", "text", "a b"]) + "\n" + delimiter.join("1xz") + "\n"
    )
    (note,) = Csv().read(tmp_path / "t.csv")
    assert isinstance(note, Document)
    assert (note.id, note.text, note.meta["a b"]) == ("1", "x", "z")
