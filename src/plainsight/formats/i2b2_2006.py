"""i2b2-2006 inline XML: many records in one file, marked ``<PHI TYPE="DOCTOR">Ng</PHI>`` in the text.

Reading is tolerant of broken markup and streams record by record: `sgml` states the policy. Writing gives
well-formed XML in UTF-8 that reads back exactly, line ends included; a note with characters that XML cannot
hold is refused. An XML parser sees carriage return and line feed as one line feed, as everywhere in XML.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside
from plainsight.formats.base import OpenSink
from plainsight.formats.files import one_file
from plainsight.formats.markup import attribute, content, refuse_characters
from plainsight.formats.sgml import Layout, bounded, inline, read_records

_LAYOUT = Layout(root="ROOT", record="RECORD", text="TEXT", marks=("PHI",), id_attribute="ID")
_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n'
_FOOT = b"</ROOT>\n"


class I2b2Inline:
    """Read and write i2b2-2006 inline XML."""

    name: ClassVar[str] = "i2b2-2006"
    suffixes: ClassVar[tuple[str, ...]] = (".xml", ".sgml")

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the records of a file or, recursively, of a folder's files."""
        return read_records(_LAYOUT, path, self.suffixes)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open one file for all notes; a note that XML cannot hold is refused."""
        return one_file(path, _render, head=_HEAD, foot=_FOOT)


def _render(document: Document) -> bytes:
    for part in (document.id, document.text, *(span.label for span in document.spans)):
        refuse_characters(part, document.id)
    text = inline(document, content, lambda span: (f"<PHI TYPE={bounded(attribute(span.label))}>", "</PHI>"))
    record = f"<RECORD ID={bounded(attribute(document.id))}>\n<TEXT>{text}</TEXT>\n</RECORD>\n"
    return record.encode()
