"""MUC-like inline SGML."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotated_notes import any_text, contents, documents, there_and_back, written
from hypothesis import given, settings

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import Format, write_all
from plainsight.formats.sgml import Muc

NOTE = """<DOC>
<DOCID>17</DOCID>
<TEXT>Dr. <ENAMEX TYPE="DOCTOR">Ng</ENAMEX> &amp; <ENAMEX TYPE="PERSON">Oz</ENAMEX>
on <TIMEX TYPE="DATE">May 5</TIMEX>, <NUMEX TYPE="AGE">86</NUMEX>F, call <NUMEX TYPE="PHONE">555-0199</NUMEX>,
<NUMEX TYPE="MONEY">$5</NUMEX>
</TEXT>
</DOC>
"""


def read(path: Path, data: str) -> list[Document | SetAside]:
    path.write_bytes(data.encode())
    return list(Muc().read(path))


def test_reads_and_writes_its_form(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "x.sgml", NOTE)
    assert isinstance(document, Document)
    assert document.id == "17"
    assert document.text == "Dr. Ng & Oz\non May 5, 86F, call 555-0199,\n$5\n"
    assert [span.label for span in document.spans] == ["DOCTOR", "PERSON", "DATE", "AGE", "PHONE", "MONEY"]
    write_all(Muc(), [document], tmp_path / "out.sgml")
    assert (tmp_path / "out.sgml").read_text() == NOTE


def test_is_a_format() -> None:
    assert isinstance(Muc(), Format)


@settings(deadline=None, max_examples=80)
@given(notes=documents(text=any_text, ids=any_text.filter(bool), labels=any_text.filter(bool)))
def test_round_trip_of_any_text(notes: list[Document]) -> None:
    read, same = there_and_back(Muc(), notes, "notes.sgml")
    assert contents(read) == contents([*notes])
    assert same


def test_control_characters_are_references(tmp_path: Path) -> None:
    document = Document(" 1 ", "a\0b\f", (Span(1, 2, "ID"),))
    data = written(Muc(), document).decode()
    assert data == (
        '<DOC>\n<DOCID>&#32;1&#32;</DOCID>\n<TEXT>a<NUMEX TYPE="ID">&#0;</NUMEX>b&#12;</TEXT>\n</DOC>\n'
    )


def test_white_space_around_ids_is_not_part_of_them(tmp_path: Path) -> None:
    found = read(
        tmp_path / "x.sgml", "<DOC><DOCID> a-1 </DOCID><TEXT>x</TEXT></DOC>\n<doc>no text element</doc>"
    )
    assert contents(found) == [("a-1", "x", ()), ("x-2", "no text element", ())]


def test_marks_that_end_out_of_order(tmp_path: Path) -> None:
    body = "<ENAMEX TYPE='A'>a <TIMEX TYPE='B'>b</ENAMEX> c</TIMEX> <NUMEX TYPE='C'>d</ENAMEX>\ne"
    (document,) = read(tmp_path / "x.sgml", f"<DOC><DOCID>1</DOCID><TEXT>{body}</TEXT></DOC>")
    assert isinstance(document, Document)
    assert document.text == "a b c d\ne"
    assert document.spans == (Span(0, 2, "A"), Span(2, 3, "B"), Span(6, 7, "C"))


def test_an_id_without_text_element(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "x.sgml", "<DOC><DOCID>1</DOCID>all <ENAMEX TYPE='A'>of</ENAMEX> it</DOC>")
    assert contents([document]) == [("1", "all of it", (Span(4, 6, "A"),))]


def test_text_elsewhere_in_a_document_sets_it_aside(tmp_path: Path) -> None:
    (aside,) = read(tmp_path / "x.sgml", "\n<DOC><DOCID>1</DOCID><HL>News</HL><TEXT>x</TEXT></DOC>")
    assert aside == SetAside("1", "text outside of the record's <TEXT>", f"{tmp_path}/x.sgml:2")


def test_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no <DOC> in it"):
        read(tmp_path / "x.sgml", "")
