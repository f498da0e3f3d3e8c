"""The XML layout that two corpora share, written in a third way."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.formats.base import Format, write_all
from plainsight.formats.standoff_xml import StandoffXml


class Ours(StandoffXml):
    """A corpus of one's own."""

    name: ClassVar[str] = "ours"
    root = "OURS"
    categories: ClassVar[dict[str, str]] = {"NURSE": "NAME"}
    prefix = "M"
    first = 7
    declaration = "<?xml version='1.0'?>"
    indent = ""
    close = "/>"


NOTE = Document("1", "Ana & Bo, 3 May", (Span(0, 3, "NURSE"), Span(10, 15, "DAY")))
FILE = """<?xml version='1.0'?>
<OURS>
<TEXT><![CDATA[Ana & Bo, 3 May]]></TEXT>
<TAGS>
<NAME id="M7" start="0" end="3" text="Ana" TYPE="NURSE" comment=""/>
<OTHER id="M8" start="10" end="15" text="3 May" TYPE="DAY" comment=""/>
</TAGS>
</OURS>
"""


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    assert isinstance(Ours(), Format)
    write_all(Ours(), [NOTE], tmp_path / "1.xml")
    assert (tmp_path / "1.xml").read_text() == FILE
    assert list(Ours().read(tmp_path / "1.xml")) == [NOTE]


@pytest.mark.parametrize(
    ("there", "instead"),
    [("OURS>", "THEIRS>"), ("TEXT>", "WORDS>"), ('start="10"', 'start="x"'), ('end="15"', 'end="16"')],
)
def test_what_does_not_fit_the_layout_is_set_aside(tmp_path: Path, there: str, instead: str) -> None:
    (tmp_path / "1.xml").write_text(FILE.replace(there, instead))
    (note,) = Ours().read(tmp_path)
    assert isinstance(note, SetAside)
    assert "Ana" not in note.reason
