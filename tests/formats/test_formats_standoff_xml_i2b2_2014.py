"""i2b2-2014 stand-off XML."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotated_notes import contents, documents, there_and_back, written
from hypothesis import given, settings

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import Format, write_all
from plainsight.formats.standoff_xml import I2b2Standoff

OFFICIAL = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[

Record date: 2067-05-03

Dr. O'Neil & Ng <5 d
]]></TEXT>
<TAGS>
<DATE id="P0" start="15" end="25" text="2067-05-03" TYPE="DATE" comment="" />
<NAME id="P1" start="31" end="37" text="O'Neil" TYPE="DOCTOR" comment="" />
</TAGS>
</deIdi2b2>
"""


def note(tags: str, text: str = "Dr. Ng\nof Rome") -> bytes:
    return f"<deIdi2b2><TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>\n{tags}\n</TAGS></deIdi2b2>".encode()


def read(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = I2b2Standoff().read(path)
    assert isinstance(document, Document)
    return document


def test_reads_and_writes_the_official_form(tmp_path: Path) -> None:
    document = read(tmp_path / "220-01.xml", OFFICIAL.encode())
    assert (document.id, document.patient_id) == ("220-01", "220")
    assert [(document.text[span.start : span.end], span.label) for span in document.spans] == [
        ("2067-05-03", "DATE"),
        ("O'Neil", "DOCTOR"),
    ]
    write_all(I2b2Standoff(), [document], tmp_path / "out.xml")
    assert (tmp_path / "out.xml").read_text() == OFFICIAL


def test_is_a_format() -> None:
    assert isinstance(I2b2Standoff(), Format)


@settings(deadline=None, max_examples=60)
@given(notes=documents())
def test_round_trip(notes: list[Document]) -> None:
    read, same = there_and_back(I2b2Standoff(), notes, "folder")
    assert contents(read) == contents([*notes])
    assert same


def test_categories_and_carriage_returns(tmp_path: Path) -> None:
    labels = ("LOCATION-OTHER", "LOCATION_OTHER", "PHONE", "FECHAS")
    document = Document("1", "a\r\nb]]>", tuple(Span(i, i + 1, label) for i, label in enumerate(labels)))
    data = written(I2b2Standoff(), document).decode()
    assert [line.partition(" ")[0] for line in data.splitlines() if " id=" in line] == [
        "<LOCATION",
        "<LOCATION",
        "<CONTACT",
        "<OTHER",
    ]
    assert "a]]>&#13;<![CDATA[\nb]]]]><![CDATA[>" in data
    assert 'text="&#13;"' in data


def test_files_with_carriage_returns_have_the_text_that_xml_defines(tmp_path: Path) -> None:
    document = read(tmp_path / "1.xml", OFFICIAL.replace("\n", "\r\n").encode())
    assert "\r" not in document.text
    assert len(document.spans) == 2


@pytest.mark.parametrize(
    ("tags", "reason", "line"),
    [
        ('<NAME start="4" end="6" text="XX" TYPE="DOCTOR"/>', "the text noted for the mark at 4", 4),
        ('\n<NAME start="4" end="60" text="Ng" TYPE="DOCTOR"/>', "a mark ends at 60, the text at 14", 5),
        ('<NAME start="4" end="4" text="" TYPE="DOCTOR"/>', "span runs from 4 to 4", 4),
        ('<NAME start="-4" end="4" text="" TYPE="DOCTOR"/>', "span runs from -4 to 4", 4),
        ('<NAME start="four" end="6" text="Ng" TYPE="DOCTOR"/>', "whole numbers as start and end", 4),
        ('<NAME start="' + "9" * 5000 + '" end="6" text="Ng" TYPE="DOCTOR"/>', "whole numbers", 4),
        ('<NAME end="6" text="Ng" TYPE="DOCTOR"/>', "whole numbers as start and end", 4),
        ('<NAME start="4" end="6" text="Ng"/>', "a mark has no TYPE", 4),
        ('<NAME start="4" end="6" TYPE="A">', "not well-formed XML: mismatched tag", 5),
    ],
)
def test_a_bad_note_is_set_aside_and_the_others_are_read(
    tmp_path: Path, tags: str, reason: str, line: int
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "100-01.xml").write_bytes(note(tags))
    (tmp_path / "b.xml").write_bytes(note('<NAME start="4" end="6" text="Ng" TYPE="DOCTOR"/>'))
    aside, document = I2b2Standoff().read(tmp_path)
    assert isinstance(aside, SetAside)
    assert aside.id == "a/100-01"
    assert reason in aside.reason
    expected = f"{tmp_path}/a/100-01.xml"
    assert aside.where == (f"{expected}:{line}" if line else expected)
    assert "Ng" not in aside.reason
    assert isinstance(document, Document)
    assert document.patient_id is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<MEDDOCAN><TEXT>x</TEXT></MEDDOCAN>", "1.xml:1: the root element is not <deIdi2b2>"),
        (b"\n<deIdi2b2><TAGS/></deIdi2b2>", "1.xml:2: <deIdi2b2> has no <TEXT>"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><deIdi2b2/>", "1.xml:1: refused as unsafe XML"),
        (b"", "not well-formed XML"),
    ],
)
def test_a_single_bad_file_is_an_error(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "1.xml").write_bytes(data)
    with pytest.raises(FormatError, match=reason):
        list(I2b2Standoff().read(tmp_path / "1.xml"))


def test_a_note_without_tags(tmp_path: Path) -> None:
    assert read(tmp_path / "1.xml", b"<deIdi2b2><TEXT>x &amp; y</TEXT></deIdi2b2>").text == "x & y"


def test_noted_text_may_have_spaces_for_line_ends(tmp_path: Path) -> None:
    tags = '<NAME start="4" end="9" text="Ng of" TYPE="A"/><NAME start="4" end="9" TYPE="A"/>'
    assert read(tmp_path / "1.xml", note(tags)).spans == (Span(4, 9, "A"),)


def test_overlaps_are_cut(tmp_path: Path) -> None:
    marks = [(0, 3, "A"), (2, 9, "B"), (4, 6, "C"), (8, 12, "D"), (8, 12, "E"), (11, 13, "F")]
    tags = "".join(f'<ID start="{start}" end="{end}" TYPE="{label}"/>' for start, end, label in marks)
    (tmp_path / "1.xml").write_bytes(note(tags))
    (document,) = I2b2Standoff().read(tmp_path / "1.xml")
    assert isinstance(document, Document)
    assert document.spans == (Span(0, 2, "A"), Span(2, 9, "B"), Span(9, 12, "D"), Span(12, 13, "F"))


def test_overlapping_marks_are_remembered_and_are_never_written(tmp_path: Path) -> None:
    marks = [(4, 9, "B"), (0, 6, "A"), (4, 9, "B")]
    tags = "".join(f'<ID start="{start}" end="{end}" TYPE="{label}"/>' for start, end, label in marks)
    (tmp_path / "1.xml").write_bytes(note(tags))
    (document,) = I2b2Standoff().read(tmp_path / "1.xml")
    assert isinstance(document, Document)
    assert document.spans == (Span(0, 6, "A"), Span(6, 9, "B"))
    assert document.meta["_marks"] == (Span(4, 9, "B"), Span(0, 6, "A"))
    plain = written(I2b2Standoff(), Document("1", document.text, document.spans))
    assert written(I2b2Standoff(), document) == plain


def test_what_xml_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    good, bad = Document("1", "fine"), Document("2", "a\0b")
    with pytest.raises(FormatError, match=r"doc 2: XML cannot hold U\+0000, which stands at character 1"):
        write_all(I2b2Standoff(), [good, bad], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no \.xml files"):
        list(I2b2Standoff().read(tmp_path))
    with pytest.raises(UsageError, match="no such file"):
        list(I2b2Standoff().read(tmp_path / "none"))
