"""Brat stand-off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from annotated_notes import any_text, contents, documents, there_and_back
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import Format, write_all
from plainsight.formats.brat import Brat, WholeBrat
from plainsight.formats.plain import PlainText

TEXT = "Dr. Ng saw\r\nZoë  Oz 😀 in Rome."
MARKS = "T1\tDOCTOR 4 6\tNg\nT2\tPATIENT 12 15;17 19\tZoë Oz\nT3\tCITY 25 29\tRome\n"


def put(folder: Path, name: str, text: str, marks: str) -> None:
    (folder / f"{name}.txt").parent.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_bytes(text.encode())
    (folder / f"{name}.ann").write_bytes(marks.encode())


def spans(path: Path, form: Brat | None = None) -> tuple[Span, ...]:
    (document,) = (form or Brat()).read(path)
    assert isinstance(document, Document), document
    return document.spans


@pytest.mark.parametrize("given", ["", "note.txt", "note.ann"])
def test_reads_and_writes(tmp_path: Path, given: str) -> None:
    put(tmp_path, "note", TEXT, MARKS.replace("12 15;17 19\tZoë Oz", "12 19\tZoë  Oz"))
    (document,) = Brat().read(tmp_path / given)
    assert contents([document]) == [
        ("note", TEXT, (Span(4, 6, "DOCTOR"), Span(12, 19, "PATIENT"), Span(25, 29, "CITY")))
    ]
    assert isinstance(document, Document)
    write_all(Brat(), [document], tmp_path / "out" / given)
    for name in ("note.txt", "note.ann"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / name).read_bytes()


def test_is_a_format() -> None:
    assert isinstance(Brat(), Format)


@settings(deadline=None, max_examples=60)
@given(
    notes=documents(
        text=any_text.filter(lambda text: sum(char < " " for char in text) < 16),  # more is a binary file
        labels=st.sampled_from(["DATE", "LOCATION-OTHER", "T1", "é"]),
        is_edge=lambda char: char not in "\r\n",
    )
)
def test_round_trip_of_any_text(notes: list[Document]) -> None:
    read, same = there_and_back(Brat(), notes, "folder")
    assert contents(read) == contents([*notes])
    assert same


def test_fragments(tmp_path: Path) -> None:
    put(tmp_path, "a", "one two\nthree four", "T1\tX 0 3;8 13\tone three\nT2\tY 4 7;14 18\ttwo four\n")
    assert spans(tmp_path) == (Span(0, 3, "X"), Span(4, 7, "Y"), Span(8, 13, "X"), Span(14, 18, "Y"))
    put(tmp_path, "a", "one two\nthree four", "T1\tX 4 7;8 13\ttwo three\n")
    assert spans(tmp_path) == (Span(4, 13, "X"),)


def test_spans_are_parted_at_line_ends(tmp_path: Path) -> None:
    document = Document("1", "a\r\n\nb c\n", (Span(0, 5, "X"), Span(5, 6, "Y"), Span(7, 8, "Z")))
    write_all(Brat(), [document], tmp_path)
    assert (tmp_path / "1.ann").read_bytes() == b"T1\tX 0 1;4 5\ta b\nT2\tY 5 6\t \n"


def test_other_lines_are_passed_over(tmp_path: Path) -> None:
    others = "R1\tpart Arg1:T1 Arg2:T2\nE1\tX:T1\nA1\tsure T1\nM1\tx T1\n"
    others += "N1\tr T1 a:1\tx\n#1\tNote T1\twhy\n*\tequiv T1 T2\n\n"
    put(tmp_path, "a", TEXT, (others + MARKS).replace("\n", "\r\n"))
    assert len(spans(tmp_path)) == 3


@pytest.mark.parametrize(
    ("marks", "reason", "line"),
    [
        ("T1\tX 0 2\tSECRET", "the text noted for the mark at 0 is not what stands there", 1),
        ("\nT1\tX 0 99\tDr", "a mark runs from 0 to 99 in a text of 30", 2),
        ("T1\tX 2 2\t", "a mark runs from 2 to 2", 1),
        ("T1\tX 3 2\t", "a mark runs from 3 to 2", 1),
        ("T1\tX 0 2 Dr", "not a line that brat writes", 1),
        ("T1\tX " + "9" * 5000 + " 2\tDr", "not a line that brat writes", 1),
        ("SECRET", "not a line that brat writes", 1),
        ("T1\tX 0 2;0 2\tDr Dr\n", "", 0),
    ],
)
def test_a_bad_note_is_set_aside_and_the_others_are_read(
    tmp_path: Path, marks: str, reason: str, line: int
) -> None:
    put(tmp_path, "a/bad", TEXT, marks)
    put(tmp_path, "b", TEXT, MARKS)
    first, second = Brat().read(tmp_path)
    assert isinstance(second, Document)
    if not reason:
        assert isinstance(first, Document)
        return
    assert isinstance(first, SetAside)
    assert first.id == "a/bad"
    assert reason in first.reason
    assert first.where == (f"{tmp_path}/a/bad.ann:{line}" if line else f"{tmp_path}/a/bad.txt")
    assert "SECRET" not in first.reason


def test_a_file_without_its_other_half(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "b.ann").write_text("")
    first, second = Brat().read(tmp_path)
    assert first == SetAside("a", "no .ann file belongs to it", f"{tmp_path}/a.txt")
    assert second == SetAside("b", "no .txt file belongs to it", f"{tmp_path}/b.txt")
    with pytest.raises(FormatError, match=r"no \.ann file"):
        list(Brat().read(tmp_path / "a.txt"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"no \.txt and \.ann files"):
        list(Brat().read(tmp_path / "empty"))


def test_a_byte_order_mark_counts_unless_the_marks_say_otherwise(tmp_path: Path) -> None:
    put(tmp_path, "a", "\ufeffDr. Ng", "T1\tDOCTOR 5 7\tNg\n")
    put(tmp_path, "b", "\ufeffDr. Ng", "T1\tDOCTOR 4 6\tNg\n")
    first, second = Brat().read(tmp_path)
    assert contents([first, second]) == [
        ("a", "\ufeffDr. Ng", (Span(5, 7, "DOCTOR"),)),
        ("b", "Dr. Ng", (Span(4, 6, "DOCTOR"),)),
    ]
    put(tmp_path, "a", "\ufeffDr. Ng", "T1\tDOCTOR 0 2\tNg\n")
    assert isinstance(next(Brat().read(tmp_path)), SetAside)


def test_single_byte_encodings_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Zoë ist da".encode("cp1252"))
    (tmp_path / "a.ann").write_bytes("T1\tPATIENT 0 3\tZoë\n".encode("cp1252"))
    (document,) = Brat().read(tmp_path)
    assert isinstance(document, Document)
    write_all(Brat(), [document], tmp_path / "out")
    for name in ("a.txt", "a.ann"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / name).read_bytes()
    wide = Document("w", "Зоя", (Span(0, 3, "PATIENT"),), meta=document.meta)
    write_all(Brat(), [wide], tmp_path / "wide")
    assert contents([*Brat().read(tmp_path / "wide")]) == [("w", "Зоя", (Span(0, 3, "PATIENT"),))]
    assert spans(tmp_path / "a.txt", Brat(encoding="latin-1")) == (Span(0, 3, "PATIENT"),)


def test_overlaps_are_cut(tmp_path: Path) -> None:
    put(tmp_path, "a", TEXT, "T1\tX 0 6\tDr. Ng\nT2\tY 4 10\tNg saw\nT3\tZ 4 6\tNg\nT4\tX 0 6\tDr. Ng\n")
    assert spans(tmp_path, Brat()) == (Span(0, 6, "X"), Span(6, 10, "Y"))


def test_overlapping_marks_are_remembered(tmp_path: Path) -> None:
    put(tmp_path, "a", TEXT, "T1\tY 4 10\tNg saw\nT2\tX 0 6\tDr. Ng\n")
    (document,) = Brat().read(tmp_path)
    assert isinstance(document, Document)
    assert document.spans == (Span(0, 6, "X"), Span(6, 10, "Y"))
    assert document.meta == {"_marks": (Span(4, 10, "Y"), Span(0, 6, "X"))}


def test_labels_with_white_space_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="doc 1: brat has no labels with white space, as at 0"):
        write_all(Brat(), [Document("1", "x", (Span(0, 1, "A B"),))], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_file_takes_one_note(tmp_path: Path) -> None:
    for notes in ([], [Document("1", "x"), Document("2", "y")]):
        with pytest.raises(UsageError, match="a file takes one note"):
            write_all(Brat(), notes, tmp_path / "out.ann")


def test_whole_marks_cross_line_ends(tmp_path: Path) -> None:
    document = Document("1", "Ann\r\nRoe\n", (Span(0, 8, "X"),))
    write_all(WholeBrat(), [document], tmp_path)
    assert (tmp_path / "1.ann").read_bytes() == b"T1\tX 0 8\tAnn  Roe\n"
    assert spans(tmp_path) == (Span(0, 8, "X"),)


def test_offsets_fit_the_file_that_a_note_with_a_byte_order_mark_came_from(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes("Dr. Ng".encode("utf-8-sig"))
    [read] = PlainText().read(source)
    assert isinstance(read, Document)
    write_all(Brat(), [replace(read, spans=(Span(4, 6, "DOCTOR"),))], tmp_path / "out")
    # counted in the source as any other reader decodes it, the byte-order mark is a character
    assert (tmp_path / "out" / "a.ann").read_bytes() == b"T1\tDOCTOR 5 7\tNg\n"
    assert source.read_text("utf-8")[5:7] == "Ng"
    assert (tmp_path / "out" / "a.txt").read_bytes() == source.read_bytes()
    # of UTF-16, which brat does not read, the text beside the marks is UTF-8 without a mark
    source.write_bytes("Dr. Ng".encode("utf-16"))
    [read] = PlainText().read(source)
    assert isinstance(read, Document)
    write_all(Brat(), [replace(read, spans=(Span(4, 6, "DOCTOR"),))], tmp_path / "out16")
    assert (tmp_path / "out16" / "a.ann").read_bytes() == b"T1\tDOCTOR 4 6\tNg\n"
    assert (tmp_path / "out16" / "a.txt").read_bytes() == b"Dr. Ng"
