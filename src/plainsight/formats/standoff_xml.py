"""The XML layout that i2b2-2014 and MEDDOCAN share.

A file holds one note: its text, then one element per identifier, named by category, with ``start``, ``end``,
``text`` and ``TYPE``. Offsets count the code points of the text as an XML parser gives it (see `markup` for
line ends).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError, SpanError
from plainsight.formats.base import OpenSink
from plainsight.formats.files import file_per_note, read_notes
from plainsight.formats.markup import attribute, cdata, parse, refuse_characters
from plainsight.formats.standoff import annotated, same


@dataclass(frozen=True, slots=True)
class Layout:
    """How one corpus writes the shared layout."""

    root: str
    """The root element."""
    categories: Mapping[str, str]
    """Label to the element that marks it; labels that are not in it are marked ``OTHER``."""
    prefix: str
    """What the marks' ids begin with."""
    first: int
    """The number of the first mark."""
    declaration: str
    indent: str
    close: str
    """How an empty element ends."""


class StandoffXml:
    """Read and write one note a file; a format of its own says how its corpus writes the layout."""

    name: ClassVar[str]
    layout: ClassVar[Layout]
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a file or, recursively, a folder."""
        return read_notes(path, self.suffixes, self.note_of)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for one note, or a folder for many, which are named by their ids."""
        return file_per_note(path, self.suffixes, self._render)

    def note_of(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        """Return the note of one file."""
        layout = self.layout
        root = parse(data, where)
        if root.name != layout.root:
            raise FormatError(f"the root element is not <{layout.root}>", f"{where}:{root.line}")
        holder, tags = root.child("TEXT"), root.child("TAGS")
        if holder is None:
            raise FormatError(f"<{layout.root}> has no <TEXT>", f"{where}:{root.line}")
        text = holder.text
        spans = []
        for tag in tags.children if tags else ():
            place = f"{where}:{tag.line}"
            label = tag.attributes.get("TYPE", "")
            try:
                span = Span(int(tag.attributes["start"]), int(tag.attributes["end"]), label)
            except (KeyError, ValueError):
                raise FormatError("a mark needs whole numbers as start and end", place) from None
            except SpanError as error:
                raise FormatError(str(error) if label else "a mark has no TYPE", place) from None
            if span.end > len(text):
                raise FormatError(f"a mark ends at {span.end}, the text at {len(text)}", place)
            noted = tag.attributes.get("text")
            if noted is not None and not same(noted, text[span.start : span.end]):
                raise FormatError(
                    f"the text noted for the mark at {span.start} is not what stands there", place
                )
            spans.append(span)
        return annotated(id, text, spans)

    def _render(self, document: Document) -> bytes:
        """Return the file of one note, in UTF-8, or refuse a note that XML cannot hold."""
        refuse_characters(document.text, document.id)
        layout = self.layout
        indent = layout.indent
        out = [
            layout.declaration,
            f"<{layout.root}>",
            f"{indent}<TEXT>{cdata(document.text)}</TEXT>",
            f"{indent}<TAGS>",
        ]
        for number, span in enumerate(document.spans, start=layout.first):
            refuse_characters(span.label, document.id)
            out.append(
                f"{indent}{indent}<{layout.categories.get(span.label, 'OTHER')}"
                f' id="{layout.prefix}{number}" start="{span.start}" end="{span.end}"'
                f" text={attribute(document.text[span.start : span.end])} TYPE={attribute(span.label)}"
                f' comment=""{layout.close}'
            )
        return "\n".join([*out, f"{indent}</TAGS>", f"</{layout.root}>", ""]).encode()
