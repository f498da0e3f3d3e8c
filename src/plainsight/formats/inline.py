"""Inline marks: ``{{LABEL|text}}``, the markup of our corpus. One file is one note; a folder is many.

A mark may say whom or what it names: ``{{PATIENT#anna|Anna}}``. The id becomes the span's ``entity``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.errors import FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.encodings import decode, encode, encoding_of, refuse_encoded
from plainsight.formats.files import file_per_note, read_notes

_OPEN = re.compile(r"\{\{[A-Z][A-Z0-9_]*(?:#[\w.-]+)?\|")
_MARK = re.compile(r"\{\{([A-Z][A-Z0-9_]*)(?:#([\w.-]+))?\|(.*?)\}\}", re.DOTALL)
_ENTITY = re.compile(r"[\w.-]*")


def parse(marked: str) -> tuple[str, tuple[Span, ...]]:
    """Split marked text into plain text and spans.

    Braces that do not open a mark are text like any other; a mark that is empty, nested or never closed
    is an error.

    >>> parse("Seen by {{DOCTOR|Ng}}.")
    ('Seen by Ng.', (Span(start=8, end=10, label='DOCTOR', score=1.0, source=''),))
    >>> parse("{{PATIENT#anna|Anna}}")[1][0].entity
    'anna'
    """
    pieces: list[str] = []
    spans: list[Span] = []
    length = last = 0
    for hit in _MARK.finditer(marked):
        before, (label, entity, inside) = marked[last : hit.start()], hit.groups()
        length += len(before)
        if not inside or "{{" in inside:
            raise FormatError(f"empty or nested mark at {_line(marked, hit.start())}")
        spans.append(Span(length, length + len(inside), label, entity=entity or ""))
        pieces += before, inside
        length += len(inside)
        last = hit.end()
    if unclosed := _OPEN.search(marked, last):
        raise FormatError(f"mark that is never closed at {_line(marked, unclosed.start())}")
    pieces.append(marked[last:])
    return "".join(pieces), tuple(spans)


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, character {at}"


def mark(text: str, spans: Sequence[Span]) -> str:
    """Mark the spans in a text: the inverse of `parse`. Refuse a text that would not read back.

    >>> mark("Seen by Ng.", [Span(8, 10, "DOCTOR")])
    'Seen by {{DOCTOR|Ng}}.'
    """
    pieces: list[str] = []
    last = 0
    for span in spans:
        name = f"{span.label}#{span.entity}" if span.entity else span.label
        pieces += text[last : span.start], "{{", name, "|", text[span.start : span.end], "}}"
        last = span.end
    marked = "".join((*pieces, text[last:]))
    try:
        back, marks = parse(marked)
    except FormatError:
        back, marks = "", ()
    if [_shape(span) for span in marks] != [_shape(span) for span in spans] or back != text:
        if not all(_ENTITY.fullmatch(span.entity) for span in spans):
            raise FormatError("the id of a person has signs other than letters, digits, '_', '.' and '-'")
        # the text itself holds marks, or braces at a span's edge
        raise FormatError("braces in the text look like marks")
    return marked


def _shape(span: Span) -> tuple[int, int, str, str]:
    return span.start, span.end, span.label, span.entity


@dataclass(kw_only=True)
class Inline:
    """Text files with ``{{LABEL|text}}`` or ``{{LABEL#entity|text}}`` marks.

    Scores and sources of spans are not written.
    ``encoding`` declares how the input is encoded; when not given it is detected.
    """

    name: ClassVar[str] = "inline"
    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".inline")
    one_note_a_file: ClassVar[bool] = True

    encoding: str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each file, with its marks as spans."""
        return read_notes(path, self.suffixes, self._parse)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for one note or a folder for many; a note with braces like marks is refused."""
        return file_per_note(path, self.suffixes, _render)

    def _parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        marked, encoding = decode(data, where, self.encoding)
        refuse_encoded(marked, where)
        return Document(id, *parse(marked), meta=encoding.meta)


def _render(document: Document) -> bytes:
    try:
        marked = mark(document.text, document.spans)
    except FormatError as error:
        raise FormatError(error.reason, f"note {document.id}") from None
    return encode(marked, encoding_of(document.meta))
