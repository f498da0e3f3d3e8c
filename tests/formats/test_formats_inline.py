from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import write_all
from plainsight.formats.inline import Inline, mark, parse

pieces = st.text(st.characters(exclude_categories=()) | st.sampled_from("{}|A\n"))
labels = st.sampled_from(["DATE", "PATIENT", "LOCATION_OTHER"])


@given(st.lists(st.tuples(pieces, st.none() | labels)))
def test_marks_read_back_as_they_were_or_are_refused(parts: list[tuple[str, str | None]]) -> None:
    text, spans = "", []
    for piece, label in parts:
        if label and piece:
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    try:
        marked = mark(text, spans)
    except FormatError:
        assert "{" in text or "}" in text
        return
    assert parse(marked) == (text, tuple(spans))


@given(pieces)
def test_text_without_marks_is_itself(text: str) -> None:
    try:
        assert parse(text)[0] == text or "{{" in text
    except FormatError:
        assert "{{" in text


@pytest.mark.parametrize(
    "text", ["{{ mustache }}", "a {{b}} c", "{{lower|case}}", "if (x) {{ y; }}", "}} {{"]
)
def test_other_braces_are_text(text: str) -> None:
    assert parse(text) == (text, ())
    assert mark(text, ()) == text


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("one\n{{DATE|}}", "empty or nested mark at line 2, character 4"),
        ("{{DATE|a {{AGE|3}} b}}", "empty or nested mark at line 1, character 0"),
        ("ok {{AGE|3}}\n\n{{DATE|May 3", "mark that is never closed at line 3, character 14"),
    ],
)
def test_broken_marks_are_refused_with_their_line(tmp_path: Path, marked: str, reason: str) -> None:
    (tmp_path / "bad.txt").write_text(marked)
    (tmp_path / "good.txt").write_text("{{AGE|67}} y.o.")
    assert list(Inline().read(tmp_path)) == [
        SetAside("bad", reason, str(tmp_path / "bad.txt")),
        Document("good", "67 y.o.", (Span(0, 2, "AGE"),)),
    ]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("literal {{DATE|x}}", ()),
        ("ends in a brace}", (Span(0, 16, "PATIENT"),)),
        ("label", (Span(0, 5, "lower"),)),
        ("{{DATE|", ()),
    ],
)
def test_what_looks_like_marks_is_not_written(tmp_path: Path, text: str, spans: tuple[Span, ...]) -> None:
    with pytest.raises(FormatError, match=r"^note n1: braces in the text look like marks$"):
        write_all(Inline(), [Document("n1", text, spans)], tmp_path / "o.txt")
    assert list(tmp_path.iterdir()) == []


def test_files_come_back_byte_for_byte(tmp_path: Path) -> None:
    data = "\ufeffRén\u00e9: {{PATIENT|Zoë}}\r\n{{DATE|3/4}}–{{DATE|3/9}}".encode("utf-16-le")
    (tmp_path / "in.txt").write_bytes(data)
    write_all(
        Inline(),
        [d for d in Inline().read(tmp_path / "in.txt") if isinstance(d, Document)],
        tmp_path / "out.txt",
    )
    assert (tmp_path / "out.txt").read_bytes() == data


def test_ids_that_are_no_file_names_are_refused_before_they_are_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be a file name"):
        write_all(Inline(), [Document("../up", "x")], tmp_path / "o")


def test_a_mark_may_name_a_person() -> None:
    marked = "Wife {{PATIENT#anna|Anna}}, {{HOSPITAL#st.mary-2|SMH}}, {{DATE|May}}."
    text, spans = parse(marked)
    assert text == "Wife Anna, SMH, May."
    assert [span.entity for span in spans] == ["anna", "st.mary-2", ""]
    assert parse("Wife {{PATIENT|Anna}}, {{HOSPITAL|SMH}}, {{DATE|May}}.") == (text, spans)  # equal spans
    assert mark(text, spans) == marked


def test_an_id_that_would_not_read_back_is_refused() -> None:
    with pytest.raises(FormatError, match="id of a person"):
        mark("Anna", [Span(0, 4, "PATIENT", entity="Anna|K")])


def test_ids_of_people_are_read_and_written_by_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Dr. {{DOCTOR#ng|Ng}}\n")
    write_all(Inline(), Inline().read(tmp_path / "in"), tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_text() == "Dr. {{DOCTOR#ng|Ng}}\n"
