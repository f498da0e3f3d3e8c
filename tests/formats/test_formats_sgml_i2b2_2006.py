"""i2b2-2006 inline XML, and the tolerant reader it shares with MUC."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from annotated_notes import contents, documents, there_and_back, xml_text
from hypothesis import given, settings

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import Format, write_all
from plainsight.formats.sgml import I2b2Inline

OFFICIAL = """<?xml version="1.0" encoding="UTF-8"?>
<ROOT>
<RECORD ID="641">
<TEXT>
<PHI TYPE="DATE">06/02</PHI>/1997 seen by Dr. <PHI TYPE="DOCTOR">O'Neil &amp; Ng</PHI> , BP &lt; 90
</TEXT>
</RECORD>
<RECORD ID="642">
<TEXT>none
</TEXT>
</RECORD>
</ROOT>
"""


def read(path: Path, data: bytes | str) -> list[Document | SetAside]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(I2b2Inline().read(path))


def marked(document: Document | SetAside) -> list[tuple[str, str]]:
    assert isinstance(document, Document), document
    return [(document.text[span.start : span.end], span.label) for span in document.spans]


def test_reads_and_writes_the_official_form(tmp_path: Path) -> None:
    first, second = read(tmp_path / "train.xml", OFFICIAL)
    assert isinstance(first, Document)
    assert (first.id, second.id) == ("641", "642")
    assert marked(first) == [("06/02", "DATE"), ("O'Neil & Ng", "DOCTOR")]
    assert first.text == "\n06/02/1997 seen by Dr. O'Neil & Ng , BP < 90\n"
    assert isinstance(second, Document)
    write_all(I2b2Inline(), [first, second], tmp_path / "out.xml")
    assert (tmp_path / "out.xml").read_text() == OFFICIAL
    ElementTree.parse(tmp_path / "out.xml")


def test_is_a_format() -> None:
    assert isinstance(I2b2Inline(), Format)


@settings(deadline=None, max_examples=80)
@given(notes=documents(ids=xml_text.filter(bool), labels=xml_text.filter(bool)))
def test_round_trip(notes: list[Document]) -> None:
    read, same = there_and_back(I2b2Inline(), notes, "notes.xml")
    assert contents(read) == contents([*notes])
    assert same


@pytest.mark.parametrize(
    ("body", "text", "marks"),
    [
        ("Q&A & BP <90 <b>x</b> &nbsp; &#99999999;", "Q&A & BP <90 <b>x</b> &nbsp; &#99999999;", []),
        ("a &lt;&gt;&quot;&apos;&amp;lt; &#65;&#x42;", "a <>\"'&lt; AB", []),
        ("<PHI TYPE='A'>one\ntwo</PHI>", "one\ntwo", [("one\ntwo", "A")]),
        (
            'by <PHI TYPE="A">Ng on\nday <PHI TYPE="B">two</PHI>.',
            "by Ng on\nday two.",
            [("Ng on", "A"), ("two", "B")],
        ),
        ("by <PHI TYPE=A>Ng <PHI TYPE=B>two</PHI> x", "by Ng two x", [("Ng ", "A"), ("two", "B")]),
        ("<PHI TYPE=A>\nNg\nx", "\nNg\nx", [("\nNg", "A")]),
        (
            "<PHI TYPE=A>one <PHI TYPE=B>two</PHI> three</PHI> x",
            "one two three x",
            [("one ", "A"), ("two", "B"), (" three", "A")],
        ),
        ("x</PHI> y<PHI TYPE=A></PHI>", "x y", []),
        ("<PHI>x</PHI> <phi type = 'a&amp;b' >y</phi >", "x y", [("x", "PHI"), ("y", "a&b")]),
        ('<PHI TYPE="">x</PHI>', "x", [("x", "PHI")]),
        ("<PHI TYPE=A", "<PHI TYPE=A", []),
        ("", "", []),
    ],
)
def test_policy_for_broken_marks(tmp_path: Path, body: str, text: str, marks: list[tuple[str, str]]) -> None:
    (document,) = read(tmp_path / "x.xml", f"<ROOT><RECORD ID='1'><TEXT>{body}</TEXT></RECORD></ROOT>")
    assert isinstance(document, Document)
    assert document.text == text
    assert marked(document) == marks


def test_missing_tags_around_records(tmp_path: Path) -> None:
    data = (
        "<RECORD ID=1><TEXT>one\n<RECORD id='2'>two\n</RECORD>\n<record><text>three</record></RECORD></ROOT>"
    )
    found = read(tmp_path / "x.xml", data)
    assert contents(found) == [("1", "one\n", ()), ("2", "two\n", ()), ("x-3", "three", ())]


def test_text_out_of_place_is_set_aside(tmp_path: Path) -> None:
    data = """<ROOT>SECRET
<RECORD ID="1"><TEXT>one</TEXT></RECORD>
<RECORD ID="2"><TEXT>two</TEXT>SECRET<TEXT>more</TEXT></RECORD> SECRET
<RECORD ID="3"><TEXT>three</TEXT></RECORD>
SECRET"""
    found = read(tmp_path / "x.xml", data)
    assert [item.id for item in found if isinstance(item, Document)] == ["1", "3"]
    asides = [item for item in found if isinstance(item, SetAside)]
    assert [(item.id, item.where.rpartition(":")[2]) for item in asides] == [
        ("x-outside-0", "1"),
        ("2", "3"),
        ("x-outside-2", "3"),
        ("x-outside-3", "4"),
    ]
    assert "SECRET" not in repr(asides)


def test_a_bad_record_does_not_stop_the_others(tmp_path: Path) -> None:
    record = b"<RECORD ID='%d'><TEXT>%s</TEXT></RECORD>\n"
    bodies = (b"na\xc3\xafve \xe9 \xc3\xa9", b"\0\1\2" * 20, b"caf\xe9")
    data = b"".join(record % item for item in enumerate(bodies))
    first, second, third = read(tmp_path / "x.xml", data)
    assert isinstance(first, SetAside)
    assert first.reason.startswith("not valid utf-8 at byte")
    assert first.where.endswith("x.xml:1")
    assert isinstance(second, SetAside)
    assert (second.reason, second.where) == ("binary file", f"{tmp_path}/x.xml:2")
    assert isinstance(third, Document)
    assert third.text == "café"


@pytest.mark.parametrize(
    "data",
    [
        OFFICIAL.encode("utf-8-sig"),
        OFFICIAL.replace("UTF-8", "UTF-16").encode("utf-16"),
        OFFICIAL.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes) -> None:
    assert [item.id for item in read(tmp_path / "x.xml", data)] == ["641", "642"]


def test_line_ends_are_kept(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "x.xml", "<RECORD ID='1'><TEXT>a\r\nb\rc</TEXT></RECORD>")
    assert isinstance(document, Document)
    assert document.text == "a\r\nb\rc"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "x.xml: no <RECORD> in it"),
        (b"just text SECRET", "x.xml:1: text outside of every <RECORD>"),
        (b"\x7fELF\0\0", "x.xml:1: binary file"),
        (b"<!DOCTYPE ROOT [<!ENTITY a 'b'>]><RECORD>x</RECORD>", "x.xml:1: refused as unsafe"),
    ],
)
def test_a_file_without_records_is_an_error(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        read(tmp_path / "x.xml", data)
    assert "SECRET" not in str(caught.value)


def test_an_unknown_encoding_sets_each_record_aside(tmp_path: Path) -> None:
    data = '<?xml version="1.0" encoding="klingon"?><RECORD ID="1">x</RECORD>'
    found = read(tmp_path / "x.xml", data)
    assert {item.reason for item in found if isinstance(item, SetAside)} == {"declares an unknown encoding"}


def test_a_root_without_records_has_no_notes(tmp_path: Path) -> None:
    write_all(I2b2Inline(), [], tmp_path / "x.xml")
    with pytest.raises(FormatError, match="no notes"):
        list(I2b2Inline().read(tmp_path / "x.xml"))


def test_a_folder_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.xml").write_bytes(b"%PDF-1.7")
    (tmp_path / "sub" / "b.xml").write_text(OFFICIAL)
    (tmp_path / "sub" / "c.xml.gz").write_bytes(b"not looked at")
    aside, *others = I2b2Inline().read(tmp_path)
    assert aside == SetAside("a", "binary file (PDF): convert it to text first", f"{tmp_path}/a.xml:1")
    assert [item.id for item in others] == ["641", "642"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"no \.xml or \.sgml files"):
        list(I2b2Inline().read(tmp_path / "empty"))


def test_what_xml_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    for bad in (Document("2", "a\fb"), Document("\0", "a"), Document("2", "a", (Span(0, 1, "\ud800"),))):
        with pytest.raises(FormatError, match="XML cannot hold U"):
            write_all(I2b2Inline(), [Document("1", "fine"), bad], tmp_path / "out.xml")
        assert list(tmp_path.iterdir()) == []
