"""MUC-like inline SGML: documents in a row, with ``ENAMEX``, ``TIMEX`` and ``NUMEX`` marks in the text.

::

    <DOC>
    <DOCID>17</DOCID>
    <TEXT>Seen by Dr. <ENAMEX TYPE="DOCTOR">Ng</ENAMEX>.</TEXT>
    </DOC>

Reading is tolerant of broken markup and streams: `sgml` states the policy. Labels are the ``TYPE``, verbatim;
which element marks a label on writing follows from its category. Characters that SGML does not hold by
itself, such as control characters, are written as character references, so every text reads back exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.formats.base import OpenSink
from plainsight.formats.files import one_file
from plainsight.formats.markup import attribute, content, reference_characters
from plainsight.formats.sgml import Layout, bounded, inline, read_records
from plainsight.labels import CATEGORY_OF

_LAYOUT = Layout(record="DOC", text="TEXT", marks=("ENAMEX", "TIMEX", "NUMEX"), id_element="DOCID")
_ELEMENT = {"DATE": "TIMEX", "TIME": "TIMEX", "AGE": "NUMEX", "CONTACT": "NUMEX", "ID": "NUMEX"}
_NUMBERS = frozenset(("MONEY", "PERCENT"))


class Muc:
    """Read and write MUC-like inline SGML."""

    name: ClassVar[str] = "muc"
    suffixes: ClassVar[tuple[str, ...]] = (".sgml", ".sgm", ".muc")

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the documents of a file or, recursively, of a folder's files."""
        return read_records(_LAYOUT, path, self.suffixes)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open one file for all notes."""
        return one_file(path, _render)


def _render(document: Document) -> bytes:
    text = inline(document, lambda piece: reference_characters(content(piece)), _tags)
    id = reference_characters(content(document.id))  # noqa: A001 - the domain's word
    return f"<DOC>\n<DOCID>{bounded(_edged(id))}</DOCID>\n<TEXT>{text}</TEXT>\n</DOC>\n".encode()


def _tags(span: Span) -> tuple[str, str]:
    category = CATEGORY_OF.get(span.label, span.label)
    element = "NUMEX" if span.label in _NUMBERS else _ELEMENT.get(category, "ENAMEX")
    return f"<{element} TYPE={bounded(reference_characters(attribute(span.label)))}>", f"</{element}>"


def _edged(id: str) -> str:  # noqa: A002 - the domain's word
    """Write white space at an id's edges as references, because readers strip it."""
    core = id.strip(" \t\r\n")
    before, _, after = id.partition(core) if core else (id, "", "")
    return "".join(f"&#{ord(char)};" for char in before) + core + "".join(f"&#{ord(char)};" for char in after)
