"""MEDDOCAN XML."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotated_notes import contents, documents, there_and_back
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import Format, write_all
from plainsight.formats.standoff_xml import Meddocan

NOTE = """<?xml version='1.0' encoding='UTF-8'?>
<MEDDOCAN>
  <TEXT><![CDATA[Nombre: Lucía Peña.
Edad: 62 años. País: España.
]]></TEXT>
  <TAGS>
    <NAME id="T1" start="8" end="18" text="Lucía Peña" TYPE="NOMBRE_SUJETO_ASISTENCIA" comment=""/>
    <AGE id="T2" start="26" end="33" text="62 años" TYPE="EDAD_SUJETO_ASISTENCIA" comment=""/>
    <LOCATION id="T3" start="41" end="47" text="España" TYPE="PAIS" comment=""/>
  </TAGS>
</MEDDOCAN>
"""


def test_reads_and_writes_the_official_form(tmp_path: Path) -> None:
    (tmp_path / "S0004-1.xml").write_text(NOTE, encoding="utf-8")
    (document,) = Meddocan().read(tmp_path)
    assert isinstance(document, Document)
    assert document.id == "S0004-1"
    assert document.patient_id is None
    assert [span.label for span in document.spans] == [
        "NOMBRE_SUJETO_ASISTENCIA",
        "EDAD_SUJETO_ASISTENCIA",
        "PAIS",
    ]
    write_all(Meddocan(), [document], tmp_path / "out.xml")
    assert (tmp_path / "out.xml").read_text(encoding="utf-8") == NOTE


def test_is_a_format() -> None:
    assert isinstance(Meddocan(), Format)


@settings(deadline=None, max_examples=40)
@given(notes=documents(labels=st.sampled_from(["FECHAS", "SEXO_SUJETO_ASISTENCIA", "CALLE", "otra"])))
def test_round_trip(notes: list[Document]) -> None:
    read, same = there_and_back(Meddocan(), notes, "folder")
    assert contents(read) == contents([*notes])
    assert same


def test_bad_notes(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(NOTE.replace('text="España"', 'text="Italia"'), encoding="utf-8")
    (tmp_path / "b.xml").write_text(NOTE.replace("MEDDOCAN", "deIdi2b2"), encoding="utf-8")
    (tmp_path / "c.xml").write_text(NOTE, encoding="utf-8")
    first, second, third = Meddocan().read(tmp_path)
    assert first == SetAside(
        "a", "the text noted for the mark at 41 is not what stands there", f"{tmp_path}/a.xml:9"
    )
    assert second == SetAside("b", "the root element is not <MEDDOCAN>", f"{tmp_path}/b.xml:2")
    assert isinstance(third, Document)
    with pytest.raises(FormatError, match="the root element is not"):
        list(Meddocan().read(tmp_path / "b.xml"))


def test_overlapping_marks_are_remembered(tmp_path: Path) -> None:
    inner = '<NAME id="T4" start="8" end="13" text="Lucía" TYPE="OTROS_SUJETO_ASISTENCIA" comment=""/>'
    (tmp_path / "a.xml").write_text(NOTE.replace("</TAGS>", f"{inner}</TAGS>"), encoding="utf-8")
    (document,) = Meddocan().read(tmp_path)
    assert isinstance(document, Document)
    assert document.spans[0] == Span(8, 18, "NOMBRE_SUJETO_ASISTENCIA")
    assert document.meta["_marks"][-1] == Span(8, 13, "OTROS_SUJETO_ASISTENCIA")
