from __future__ import annotations

import pickle
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arro3.core import Array, DataType, Field, RecordBatch, Schema, Table
from arro3.io import read_parquet, write_parquet
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.csv import Csv
from plainsight.formats.parquet import Parquet

STRING = DataType.string()


def _put(path: Path, metadata: dict[str, str] | None = None, **columns: Array) -> None:
    fields = [Field(name, array.type) for name, array in columns.items()]
    batch = RecordBatch.from_arrays(list(columns.values()), schema=Schema(fields, metadata=metadata or {}))
    write_parquet(batch, path)


def _table(path: Path) -> Table:
    return read_parquet(path).read_all()


def _rows(path: Path) -> dict[str, list[Any]]:
    table = _table(path)
    return {name: table.column(name).to_pylist() for name in table.column_names}


def _documents(path: Path, **options: Any) -> list[Document]:
    items = list(Parquet(**options).read(path))
    assert all(isinstance(item, Document) for item in items)
    return [item for item in items if isinstance(item, Document)]


@given(st.lists(st.tuples(st.text(), st.none() | st.text(min_size=1)), min_size=1, max_size=4))
def test_any_text_survives(rows: list[tuple[str, str | None]]) -> None:
    notes = [Document(f"n{n}", text, (), patient) for n, (text, patient) in enumerate(rows)]
    with tempfile.TemporaryDirectory() as folder:
        write_all(Parquet(), notes, Path(folder) / "t.parquet")
        back = _documents(Path(folder) / "t.parquet")
    assert [(b.id, b.text, b.patient_id) for b in back] == [(n.id, n.text, n.patient_id) for n in notes]


@pytest.mark.parametrize("kind", [STRING, DataType.large_string(), DataType.string_view()])
def test_tables_come_back_with_types_and_order_but_without_metadata(tmp_path: Path, kind: DataType) -> None:
    columns = {
        "unit": Array(["4N", None], STRING).cast(DataType.dictionary(DataType.int8(), STRING)),
        "note_id": Array([7, 2**40], DataType.int64()),
        "text": Array(["Zoë 😀\r\n", "b"], kind),
        "person_id": Array([1, None], DataType.int32()),
        "seen": Array(["2020-01-01T01:02:03", None], STRING).cast(DataType.timestamp("us", tz="UTC")),
        "cost": Array(["1.20", None], STRING).cast(DataType.decimal128(9, 2)),
        "scan": Array([b"\x00", None], DataType.binary()),
    }
    _put(tmp_path / "in.parquet", {"pandas": "{}", "origin": "ward"}, **columns)
    notes = pickle.loads(pickle.dumps(_documents(tmp_path / "in.parquet")))  # as between processes
    assert [(note.id, note.patient_id) for note in notes] == [("7", "1"), (str(2**40), None)]
    assert notes[0].meta["seen"] == "2020-01-01T01:02:03Z"
    write_all(Parquet(), notes, tmp_path / "out.parquet")
    before, after = _table(tmp_path / "in.parquet"), _table(tmp_path / "out.parquet")
    assert after.schema == before.schema.remove_metadata()
    assert after.schema.metadata_str == {}
    assert _rows(tmp_path / "out.parquet") == _rows(tmp_path / "in.parquet")


def test_a_text_of_few_values_becomes_a_plain_one(tmp_path: Path) -> None:
    texts = Array(["a", "a"], STRING).cast(DataType.dictionary(DataType.int8(), STRING))
    _put(tmp_path / "in.parquet", text=texts)
    write_all(Parquet(), _documents(tmp_path / "in.parquet"), tmp_path / "out.parquet")
    assert _table(tmp_path / "out.parquet").schema.field("text").type == STRING
    assert _rows(tmp_path / "out.parquet") == {"text": ["a", "a"]}


def test_nulls_are_set_aside_with_their_row(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    _put(
        path,
        note_id=Array([1, 2, None, 4], DataType.int64()),
        text=Array(["a", None, "c", ""], STRING),
        unit=Array([None, "x", "y", None], STRING),
    )
    assert [
        item if isinstance(item, SetAside) else (item.id, item.text) for item in Parquet().read(path)
    ] == [
        ("1", "a"),
        SetAside("2", "the text is null", f"{path}, row 2"),
        SetAside("row 3", "no id", f"{path}, row 3"),
        ("4", ""),
    ]


def test_new_names_for_numbers_make_the_column_text(tmp_path: Path) -> None:
    _put(tmp_path / "in.parquet", note_id=Array([1, 2], DataType.int64()), text=Array(["a", "b"], STRING))
    notes = [replace(note, id=f"note-{note.id}") for note in _documents(tmp_path / "in.parquet")]
    write_all(Parquet(), notes, tmp_path / "out.parquet")
    assert _rows(tmp_path / "out.parquet") == {"note_id": ["note-1", "note-2"], "text": ["a", "b"]}


def test_columns_that_a_policy_dropped_are_not_written(tmp_path: Path) -> None:
    columns = {"text": Array(["a"], STRING), "mrn": Array(["99"], STRING), "age": Array([3], DataType.int8())}
    _put(tmp_path / "in.parquet", {"pandas": "{}", "origin": "ward"}, **columns)
    [note] = _documents(tmp_path / "in.parquet")
    kept = {key: value for key, value in note.meta.items() if key.startswith("_") or key == "age"}
    write_all(Parquet(), [replace(note, meta=kept)], tmp_path / "out.parquet")
    assert _rows(tmp_path / "out.parquet") == {"text": ["a"], "age": [3]}
    assert _table(tmp_path / "out.parquet").schema.metadata_str == {}


def test_a_changed_date_keeps_its_type(tmp_path: Path) -> None:
    dates = Array(["2020-01-01"], STRING).cast(DataType.date32())
    _put(tmp_path / "in.parquet", text=Array(["a"], STRING), note_date=dates)
    [note] = _documents(tmp_path / "in.parquet")
    write_all(
        Parquet(), [replace(note, meta={**note.meta, "note_date": "2019-11-30"})], tmp_path / "out.parquet"
    )
    table = _table(tmp_path / "out.parquet")
    assert table.schema.field("note_date").type == DataType.date32()
    assert table.column("note_date").cast(STRING).to_pylist() == ["2019-11-30"]
    bad = replace(note, meta={**note.meta, "note_date": "long ago"})
    with pytest.raises(FormatError, match=r"^note row-1, column note_date: a value is not"):
        write_all(Parquet(), [bad], tmp_path / "bad.parquet")
    assert not (tmp_path / "bad.parquet").exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty file"),
        (b"PAR1", "not a Parquet file, or not a whole one"),
        (b"id,text\n1,a,b,c,d\n", "not a Parquet file, or not a whole one"),
        (b"PAR1" + bytes(20) + b"\xff\xff\xff\x7fPAR1", "not a Parquet file, or not a whole one"),
        (b"PARE" + bytes(20) + b"PARE", "an encrypted Parquet file"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "in.parquet").write_bytes(data)
    with pytest.raises(FormatError, match=rf"in\.parquet: {message}"):
        list(Parquet().read(tmp_path / "in.parquet"))


def test_a_damaged_footer_is_refused(tmp_path: Path) -> None:
    _put(tmp_path / "in.parquet", text=Array(["a"], STRING))
    data = bytearray((tmp_path / "in.parquet").read_bytes())
    size = int.from_bytes(data[-8:-4], "little")
    data[-8 - size : -8] = b"\xff" * size
    (tmp_path / "in.parquet").write_bytes(data)
    with pytest.raises(FormatError, match="a damaged Parquet file"):
        list(Parquet().read(tmp_path / "in.parquet"))


def test_damage_in_the_middle_costs_only_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    texts = [f"note {n} {n * 7919}" * 9 for n in range(3000)]
    batch = RecordBatch.from_arrays([Array(texts, STRING)], schema=Schema([Field("text", STRING)]))
    write_parquet(batch, path, compression="snappy", dictionary_enabled=False, data_page_row_count_limit=500)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 900] = bytes(900)
    path.write_bytes(data)
    *notes, last = Parquet().read(path)
    assert len(notes) > 500
    assert isinstance(last, SetAside)
    assert last.where == f"{path}, row {len(notes) + 1}"
    assert last.reason.endswith("nor any row after it")


def test_columns_are_chosen_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    _put(path, a=Array(["x"], STRING), b=Array([1], DataType.int64()))
    assert _documents(path, text="a", id="b")[0].id == "1"
    with pytest.raises(FormatError, match="column 'b' does not hold text"):
        list(Parquet(text="b").read(path))
    with pytest.raises(FormatError, match="no column 'c'"):
        list(Parquet(text="c").read(path))


def test_a_folder_s_tables_follow_each_other(tmp_path: Path) -> None:
    _put(tmp_path / "part-1.parquet", text=Array(["a"], STRING), id=Array([1], DataType.int64()))
    _put(tmp_path / "part-2.parquet", text=Array(["b"], STRING), id=Array([2], DataType.int32()))
    _put(tmp_path / "part-3.parquet", text=Array(["c"], STRING), id=Array([3], DataType.int64()))
    items = list(Parquet().read(tmp_path))
    assert [item.id for item in items] == ["1", "part-2", "3"]
    write_all(Parquet(), [item for item in items if isinstance(item, Document)], tmp_path / "all.parquet")
    assert _rows(tmp_path / "all.parquet") == {"text": ["a", "c"], "id": [1, 3]}


def test_many_rows_stream_through(tmp_path: Path) -> None:
    def notes() -> Iterator[Document]:
        for number in range(1000):
            yield Document(str(number), f"note {number}")

    write_all(Parquet(), notes(), tmp_path / "t.parquet")
    assert [note.text for note in _documents(tmp_path / "t.parquet")] == [f"note {n}" for n in range(1000)]
    assert stat.S_IMODE((tmp_path / "t.parquet").stat().st_mode) == 0o600


def test_a_stream_that_breaks_leaves_nothing_and_says_its_own_reason(tmp_path: Path) -> None:
    def notes() -> Iterator[Document]:
        for number in range(300):
            yield Document(str(number), "x")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_all(Parquet(), notes(), tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_lone_surrogate_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="note 1, column text: a lone surrogate"):
        write_all(Parquet(), [Document("1", "a \ud800 b")], tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "zstd(9)", "gzip(6)"])
def test_compressions(tmp_path: Path, compression: str) -> None:
    write_all(Parquet(compression=compression), [Document("1", "x" * 999)], tmp_path / "t.parquet")
    assert _documents(tmp_path / "t.parquet")[0].text == "x" * 999


def test_an_unknown_compression_is_wrong_use_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="compression 'rar'"):
        write_all(Parquet(compression="rar"), [Document("1", "x")], tmp_path / "t.parquet")


def test_spans_travel_in_a_column_of_their_own(tmp_path: Path) -> None:
    note = Document("1", "Ann", (Span(0, 3, "PATIENT"),))
    write_all(Parquet(spans="found"), [note], tmp_path / "t.parquet", span_column=True)
    assert _documents(tmp_path / "t.parquet", spans="found")[0].spans == note.spans


def test_tables_of_one_kind_become_the_other(tmp_path: Path) -> None:
    _put(
        tmp_path / "in.parquet",
        id=Array([1], DataType.int64()),
        text=Array(["a"], STRING),
        n=Array([2.5], DataType.float64()),
    )
    write_all(Csv(), _documents(tmp_path / "in.parquet"), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "id,text,n\n1,a,2.5\n"
    notes = [item for item in Csv().read(tmp_path / "t.csv") if isinstance(item, Document)]
    write_all(Parquet(), notes, tmp_path / "out.parquet")
    assert _rows(tmp_path / "out.parquet") == {"id": ["1"], "text": ["a"], "n": ["2.5"]}


def test_no_notes_make_an_empty_table(tmp_path: Path) -> None:
    write_all(Parquet(), [], tmp_path / "t.parquet")
    assert _rows(tmp_path / "t.parquet")["text"] == []
    with pytest.raises(FormatError, match="no notes"):
        list(Parquet().read(tmp_path / "t.parquet"))


def test_a_50_mb_note(tmp_path: Path) -> None:
    text = "word " * (50 << 20 >> 2)
    write_all(Parquet(), [Document("1", text), Document("2", "")], tmp_path / "t.parquet")
    assert [len(note.text) for note in _documents(tmp_path / "t.parquet")] == [len(text), 0]
