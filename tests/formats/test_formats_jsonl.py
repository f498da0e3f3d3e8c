from __future__ import annotations

import gzip
import json
import re
import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.jsonl import JsonLines

SURROGATE = re.compile("[\ud800-\udfff]")
COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
any_text = st.text(st.characters(exclude_categories=()))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
keys = st.text(max_size=3) | st.sampled_from(["note_type", "_jsonl", "_x", "x_x", "unit"])


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    texts = draw(st.lists(any_text, min_size=1, max_size=3))
    notes = []
    for place, text in enumerate(texts):
        edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
        spans = [
            Span(a, b, "DATE", draw(st.floats(0, 1).map(lambda score: round(score, 4))), "patterns")
            for a, b in zip(edges[::2], edges[1::2], strict=False)
        ]
        meta = draw(st.dictionaries(keys.filter(lambda key: not key.startswith("_")), values, max_size=2))
        notes.append(
            Document(f"{place}{draw(any_text)}", text, tuple(spans), draw(st.none() | any_text), meta=meta)
        )
    return notes


def _through(notes: list[Document], name: str = "n.jsonl", **options: Any) -> list[Document | SetAside]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_all(JsonLines(), iter(notes), path, **options)
        return list(JsonLines().read(path))


@given(documents(), st.sampled_from(["n.jsonl", "n.jsonl.gz"]))
def test_documents_come_back(notes: list[Document], name: str) -> None:
    assert _through(notes, name) == notes


@given(
    st.fixed_dictionaries(
        {"id": st.integers() | st.text(), "text": any_text},
        optional={
            "patient_id": st.integers() | st.text(),
            "meta": st.dictionaries(keys, values, max_size=3, min_size=1),
            "note_type": values,
            "_own": values,
            "_jsonl": values,
        },
    )
)
def test_lines_come_back_with_every_key(record: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.jsonl").write_text(json.dumps(record) + "\n")
        write_all(JsonLines(), JsonLines().read(folder / "in.jsonl"), folder / "out.jsonl")
        back = json.loads((folder / "out.jsonl").read_text(errors="surrogatepass"))
    assert back == {**json.loads(json.dumps(record)), "spans": []}


@given(documents())
def test_lines_are_as_json_writes_them(notes: list[Document]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_all(JsonLines(), notes, Path(folder, "n.jsonl"))
        lines = Path(folder, "n.jsonl").read_bytes().split(b"\n")[:-1]
    for note, line in zip(notes, lines, strict=True):
        wanted = json.dumps(note.to_json(), **COMPACT)
        if not SURROGATE.search(wanted):  # which has no bytes in UTF-8
            assert line == wanted.encode()


@pytest.mark.parametrize(
    "value",
    [
        *("NaN", "-Infinity", "1e400", "1e-400", "-0", "-0.0", "0.1", "18446744073709551616", "9" * 40),
        *(r'"\ud83d"', r'"\ud83d\ude00"', '{"a": 1, "a": 2}', "[1.5e3, [], null]", '"\u2028\x7f"'),
    ],
)
def test_values_are_read_as_python_does(tmp_path: Path, value: str) -> None:
    [note] = _read(tmp_path, f'{{"id": "1", "text": "x", "value": {value}}}')
    assert isinstance(note, Document)
    assert repr(note.meta["value"]) == repr(json.loads(value))


def _read(tmp_path: Path, *lines: str | bytes, **options: Any) -> list[Document | SetAside]:
    data = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    (tmp_path / "n.jsonl").write_bytes(data)
    return list(JsonLines(**options).read(tmp_path / "n.jsonl"))


GOOD = '{"id": "good", "text": "x"}'


@pytest.mark.parametrize(
    ("line", "note", "reason"),
    [
        ("{", "line 2", "not JSON at column 2"),
        ("note text", "line 2", "not JSON at column 1"),
        ("[1]", "line 2", "not a JSON object"),
        ('"text"', "line 2", "not a JSON object"),
        ("[" * 100_000, "line 2", "not JSON that can be read"),
        ('{"id": 1' + "0" * 5000 + ', "text": ""}', "line 2", "not JSON that can be read"),
        ('{"text": "x"}', "line 2", "no id"),
        ('{"id": null, "text": "x"}', "line 2", "no id"),
        ('{"id": 1.5, "text": "x"}', "line 2", "the id is neither a string nor a whole number"),
        ('{"id": true, "text": "x"}', "line 2", "the id is neither a string nor a whole number"),
        ('{"id": "a"}', "a", "no text"),
        ('{"id": 7, "text": 8}', "7", "the text is not a string"),
        (
            '{"id": "a", "text": "x", "patient_id": []}',
            "a",
            "the patient_id is neither a string nor a whole number",
        ),
        ('{"id": "a", "text": "x", "patient": {}}', "a", "a patient record needs patient_id"),
        ('{"id": "a", "text": "x", "patient": [1]}', "a", "a patient record is a JSON object"),
        (
            '{"id": "a", "text": "x", "patient": {"id": 1, "ids": [3]}}',
            "a",
            "the patient is not a patient record",
        ),
        ('{"id": "a", "text": "x", "meta": "m"}', "a", "meta is not an object"),
        ('{"id": "a", "text": "x", "spans": {"a": 1}}', "a", "spans are not a list"),
        ('{"id": "a", "text": "x", "spans": [7]}', "a", "a span needs start, end and label"),
        (
            '{"id": "a", "text": "x", "spans": [{"start": 0, "end": 2, "label": "AGE"}]}',
            "a",
            "span ends at 2, text at 1",
        ),
        (
            '{"id": "a", "text": "x", "spans": [{"start": 1, "end": 1, "label": "AGE"}]}',
            "a",
            "span runs from 1 to 1",
        ),
        (
            '{"id": "a", "text": "x", "spans": [{"start": 0, "end": 1, "label": "A", "claims": 3}]}',
            "a",
            "a span's claims are not a list",
        ),
        (b'{"id": "a", "text": "\xff"}', "line 2", "not valid in the file's encoding"),
    ],
)
def test_bad_lines_are_set_aside_and_the_others_read(
    tmp_path: Path, line: str | bytes, note: str, reason: str
) -> None:
    last = GOOD.replace("good", "last")
    assert _read(tmp_path, GOOD, line, last) == [
        Document("good", "x"),
        SetAside(note, reason, f"{tmp_path / 'n.jsonl'}:2"),
        Document("last", "x"),
    ]


def test_blank_lines_are_passed_over_but_counted(tmp_path: Path) -> None:
    items = _read(tmp_path, "", "  \t\r", GOOD + "\r", "", "{")
    assert items == [
        Document("good", "x"),
        SetAside("line 5", "not JSON at column 2", f"{tmp_path / 'n.jsonl'}:5"),
    ]


def test_numbers_as_ids_are_written_as_numbers_unless_changed(tmp_path: Path) -> None:
    [note] = _read(tmp_path, '{"id": 17, "text": "x", "patient_id": 4}')
    assert isinstance(note, Document)
    assert (note.id, note.patient_id) == ("17", "4")
    write_all(JsonLines(), [note, replace(note, id="n-1", patient_id="04")], tmp_path / "out.jsonl")
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert (first["id"], first["patient_id"]) == (17, 4)
    assert (second["id"], second["patient_id"]) == ("n-1", "04")


def test_the_patient_is_read_and_never_written(tmp_path: Path) -> None:
    [note] = _read(tmp_path, '{"id": "1", "text": "x", "patient": {"id": "p9", "names": ["Ann Ames"]}}')
    assert isinstance(note, Document)
    assert note.patient is not None
    assert (note.patient_id, note.patient.names) == ("p9", ("Ann Ames",))
    write_all(JsonLines(), [note], tmp_path / "out.jsonl")
    assert "Ames" not in (tmp_path / "out.jsonl").read_text()


def test_the_patient_takes_the_line_s_patient_id(tmp_path: Path) -> None:
    [note] = _read(tmp_path, '{"id": "1", "text": "x", "patient_id": 5, "patient": {"names": ["Ann"]}}')
    assert isinstance(note, Document)
    assert note.patient is not None
    assert note.patient.id == note.patient_id == "5"


def test_dropped_meta_is_not_written(tmp_path: Path) -> None:
    [note] = _read(
        tmp_path, '{"id": "1", "text": "x", "mrn": "99", "note_type": "letter", "meta": {"ward": "4N"}}'
    )
    assert isinstance(note, Document)
    assert {key for key in note.meta if not key.startswith("_")} == {"mrn", "note_type", "ward"}
    kept = {key: value for key, value in note.meta.items() if key in ("_jsonl", "note_type")}
    write_all(JsonLines(), [replace(note, meta=kept)], tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == {
        "id": "1",
        "text": "x",
        "note_type": "letter",
        "spans": [],
    }


def test_spans_in_any_order_are_sorted(tmp_path: Path) -> None:
    spans = [{"start": 3, "end": 4, "label": "AGE"}, {"start": 0, "end": 2, "label": "DATE", "score": 0.25}]
    [note] = _read(tmp_path, json.dumps({"id": "1", "text": "abcd", "spans": spans}))
    assert isinstance(note, Document)
    assert note.spans == (Span(0, 2, "DATE", 0.25), Span(3, 4, "AGE"))


def test_claims_are_written_when_asked() -> None:
    span = Span(0, 1, "AGE", claims=(Span(0, 1, "DATE", 0.5, "crf"),))
    [plain] = _through([Document("1", "x", (span,))])
    [explained] = _through([Document("1", "x", (span,))], explain=True)
    assert isinstance(plain, Document)
    assert isinstance(explained, Document)
    assert plain.spans[0].claims == ()
    assert explained.spans[0].claims == span.claims


@pytest.mark.parametrize("text", ["lone \ud800 one", "two \ud83d\ude00 apart", "nul \0", "שלום 😀\u2028\x85"])
def test_difficult_characters_and_the_spans_after_them(text: str) -> None:
    note = Document("1", text + "Ann", (Span(len(text), len(text) + 3, "PATIENT"),))
    assert _through([note]) == [note]


def test_output_is_valid_utf8_even_with_a_lone_surrogate(tmp_path: Path) -> None:
    write_all(JsonLines(), [Document("1", "\udfff é")], tmp_path / "o.jsonl")
    assert json.loads((tmp_path / "o.jsonl").read_bytes().decode("utf-8"))["text"] == "\udfff é"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_marked_and_declared_encodings(tmp_path: Path, encoding: str) -> None:
    data = '{"id": "1", "text": "Ā\u0a0aé"}\r\n{"id": "2", "text": ""}\n'.encode(encoding)
    declared = {"encoding": encoding} if encoding == "utf-16-be" else {}
    assert _read(tmp_path, data, **declared) == [Document("1", "Ā\u0a0aé"), Document("2", "")]
    assert _read(tmp_path, b'{"id": "1", "text": "Ren\xe9"}', encoding="cp1252") == [Document("1", "René")]
    with pytest.raises(UsageError, match="unknown encoding"):
        _read(tmp_path, GOOD, encoding="utf-9")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FormatError, match=r"n\.jsonl: no notes"):
        _read(tmp_path, data)


def test_a_binary_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"n\.jsonl: binary file"):
        _read(tmp_path, b"PAR1" + bytes(100))


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "part-1.jsonl").write_text(GOOD)
    (tmp_path / "part-2.jsonl").write_bytes(b"%PDF-1.5")
    (tmp_path / "part-3.ndjson").write_text(GOOD.replace("good", "three"))
    (tmp_path / "part-4.jsonl").write_text("")
    assert [(item.id, type(item)) for item in JsonLines().read(tmp_path)] == [
        ("good", Document),
        ("part-2", SetAside),
        ("three", Document),
    ]


def test_a_torn_gzip_file_says_what_is_missing(tmp_path: Path) -> None:
    packed = gzip.compress("".join(f'{{"id": {n}, "text": "{n * 7919}"}}\n' for n in range(5000)).encode())
    path = tmp_path / "n.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    *notes, last = JsonLines().read(path)
    assert len(notes) > 100
    assert all(isinstance(note, Document) for note in notes)
    assert isinstance(last, SetAside)
    assert last.reason == "cannot be read (EOFError), nor any line after it"
    path.write_text("not packed")
    [item] = JsonLines().read(path)
    assert isinstance(item, SetAside)


def test_a_50_mb_note_in_one_line(tmp_path: Path) -> None:
    text = "word \n" * (50 << 20 >> 3)
    [note] = _through([Document("1", text)])
    assert isinstance(note, Document)
    assert note.text == text


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    with path.open("w") as file:
        for number in range(4000):
            file.write(json.dumps({"id": number, "text": "x" * 2000}) + "\n")
    tracemalloc.start()
    try:
        write_all(JsonLines(), JsonLines().read(path), tmp_path / "out.jsonl")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 8e6
    assert peak < 4e6
