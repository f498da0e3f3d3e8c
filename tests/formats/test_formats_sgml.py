"""The tolerant reader of inline SGML: in pieces, in linear time, by its stated policy."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from annotated_notes import contents, written
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import FormatError
from plainsight.formats import sgml
from plainsight.formats.base import write_all
from plainsight.formats.sgml import I2b2Inline

LAYOUT = sgml.Layout(record="RECORD", text="TEXT", marks=("PHI",), id_attribute="ID")
FILE = """<?xml version="1.0" encoding="UTF-8"?>
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


def read(path: Path, data: str) -> list[object]:
    path.write_bytes(data.encode())
    return list(I2b2Inline().read(path))


@settings(max_examples=200)
@given(body=st.lists(st.sampled_from(["<PHI TYPE='A'>", "<PHI TYPE=B>", "</PHI>", "x", " ", "\n", "&", "<"])))
def test_any_marks_give_sound_spans_and_keep_the_text(body: list[str]) -> None:
    text, spans = sgml.parse_marks(LAYOUT, "".join(body))
    assert text == "".join(piece for piece in body if "PHI" not in piece)
    Document("1", text, spans)


def test_a_packed_file_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "x.xml.gz"
    write_all(I2b2Inline(), [Document(str(number), "text " * 999) for number in range(9)], file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(FormatError, match="cannot be read further"):
        list(I2b2Inline().read(file))


def test_tags_cut_by_a_chunk_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.xml").write_text(FILE)
    whole = contents(list(I2b2Inline().read(tmp_path / "x.xml")))
    for size in range(1, 40):
        monkeypatch.setattr(sgml, "_CHUNK", size)
        assert contents(list(I2b2Inline().read(tmp_path / "x.xml"))) == whole


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    note = Document("1", "Seen in May. " * 8000, (Span(8, 11, "DATE"),))
    write_all(I2b2Inline(), (note for _ in range(170)), tmp_path / "x.xml")
    assert (tmp_path / "x.xml").stat().st_size > 16 << 20
    tracemalloc.start()
    try:
        spans = [item.spans for item in I2b2Inline().read(tmp_path / "x.xml") if isinstance(item, Document)]
        assert len(spans) == 170
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_record_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgml, "MAX_RECORD", 1000)
    with pytest.raises(FormatError, match=r"x\.xml:2: no <RECORD> boundary in 1000 bytes"):
        read(tmp_path / "x.xml", "<ROOT>\n<RECORD ID='1'>" + "x" * 2000)


def test_hostile_markup_stays_linear() -> None:
    for piece in ("<PHI ", "<PHI TYPE=A>", "</PHI>", "<", "&", "<PHI TYPE='"):
        sgml.parse_marks(LAYOUT, piece * 100_000)


def test_ids_and_labels_longer_than_a_tag_are_refused(tmp_path: Path) -> None:
    for bad in (Document("x" * 4000, "a"), Document("2", "a", (Span(0, 1, "\n" * 1000),))):
        with pytest.raises(FormatError, match="too long for a tag"):
            written(I2b2Inline(), bad)


def test_a_text_that_references_begin_in() -> None:
    assert sgml.unescape("&amp &amp; &#x110000; &#x10FFFF; &#;") == "&amp & &#x110000; \U0010ffff &#;"
