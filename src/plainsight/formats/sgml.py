"""Inline SGML: files of records with marks in their text, as in i2b2-2006 and MUC.

Such files are often not valid XML, so the reader is tolerant. It knows only the elements of its layout, in
upper or lower case:

- Any other ``<``, and any ``&`` that begins no XML entity or character reference, is text.
- A mark without an end tag ends with its line, or at the next mark if that comes first.
- A mark inside a mark cuts the outer one; all its parts stay marked. An end tag without a mark is ignored.
- A mark without a type gets its element's name as label; an empty mark is dropped.
- A text without an end tag ends with its record. A record without one ends at the next record or at the end
  of the file. A record without a text element is all text.
- Text outside a record, or in a record but outside its text, is set aside with its line.
- A document type with declarations is refused. Entities are never expanded, and nothing is fetched.

A file is read in chunks and each record is decoded alone, so memory grows with the longest record, not with
the file. The encoding is the declared one, else UTF-8, else CP1252 (`encodings`). Line ends stay unchanged.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, ClassVar
from xml.sax.saxutils import escape

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.encodings import decode_declared
from plainsight.formats.files import one_file, open_bytes, read_files, set_aside
from plainsight.formats.markup import attribute, reference_characters, refuse_characters
from plainsight.labels import CATEGORY_OF

MAX_RECORD = 1 << 27
"""Bytes of the longest record; a file with a longer one is of another kind."""

_CHUNK = 1 << 20
_LONGEST_TAG = 4100
_LONGEST_VALUE = 3900
# Every repetition is bounded or stops at the next "<", so that reading takes linear time.
_PROLOG = re.compile(rb"<\?xml[^<>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']", re.IGNORECASE)
_DECLARES = re.compile(rb"<!DOCTYPE[^<>\[]*\[|<!ENTITY", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[?!/A-Za-z][^<>]*>")
_ATTRIBUTE = r"""\b{}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))"""
_TYPE = re.compile(_ATTRIBUTE.format("TYPE"), re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SPACE = " \t\r\n"
_LINE = re.compile(r"\s*[^\r\n]*")


class Layout:
    """The elements of one kind of file.

    The id of a record is in an attribute of the record, or in an element inside it. ``root`` is the element
    around all records, if there is one.
    """

    def __init__(
        self,
        *,
        record: str,
        text: str,
        marks: tuple[str, ...],
        id_attribute: str = "",
        id_element: str = "",
        root: str = "",
    ) -> None:
        self.record, self.text, self.id_element, self.root = record, text, id_element, root
        # a start or end tag: group 1 is the slash; of a mark, 2 is the element and 3 its attributes
        self.record_tag = re.compile(rb"<(/?)%b(?:\s[^<>]{0,4000})?>" % record.encode(), re.IGNORECASE)
        self.text_tag = re.compile(rf"<(/?){text}(?:\s[^<>]{{0,4000}})?>", re.IGNORECASE)
        self.mark_tag = re.compile(rf"<(/?)({'|'.join(marks)})(\s[^<>]{{0,4000}})?>", re.IGNORECASE)
        # the id is the last group that took part
        in_element = rf"<{id_element}>([^<>]{{0,4000}})</{id_element}>"
        in_attribute = rf"\A<[^<>]*?{_ATTRIBUTE.format(id_attribute)}"
        self.id_pattern = re.compile(in_element if id_element else in_attribute, re.IGNORECASE)


class _InlineSgml:
    """Read and write one kind of file; subclasses give its layout and how a record is written."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    layout: ClassVar[Layout]
    head: ClassVar[bytes] = b""
    foot: ClassVar[bytes] = b""

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the records of a file or, recursively, of a folder's files."""
        return read_files(path, self.suffixes, self._read_file)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open one file for all notes; a note that the format cannot hold is refused."""
        return one_file(path, self._render, head=self.head, foot=self.foot)

    def _read_file(self, file: Path, id: str) -> Iterator[Document | SetAside]:  # noqa: A002 - the domain's word
        with open_bytes(file) as stream:
            yield from _read_records(self.layout, stream, str(file), id)

    def _render(self, document: Document) -> bytes:
        raise NotImplementedError


class I2b2Inline(_InlineSgml):
    """i2b2-2006 inline XML: many records in one file, marked ``<PHI TYPE="DOCTOR">Ng</PHI>`` in the text.

    Writing gives well-formed XML in UTF-8 that reads back exactly, line ends included. A note with characters
    that XML cannot hold is refused.
    """

    name: ClassVar[str] = "i2b2-2006"
    suffixes: ClassVar[tuple[str, ...]] = (".xml", ".sgml")
    layout = Layout(root="ROOT", record="RECORD", text="TEXT", marks=("PHI",), id_attribute="ID")
    head = b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n'
    foot = b"</ROOT>\n"

    def _render(self, document: Document) -> bytes:
        for part in (document.id, document.text, *(span.label for span in document.spans)):
            refuse_characters(part, document.id)
        text = _marked(
            document, escape, lambda span: (f"<PHI TYPE={_bounded(attribute(span.label))}>", "</PHI>")
        )
        record = f"<RECORD ID={_bounded(attribute(document.id))}>\n<TEXT>{text}</TEXT>\n</RECORD>\n"
        return record.encode()


class Muc(_InlineSgml):
    """MUC-like inline SGML, with ``ENAMEX``, ``TIMEX`` and ``NUMEX`` marks in the text.

    ::

        <DOC>
        <DOCID>17</DOCID>
        <TEXT>Seen by Dr. <ENAMEX TYPE="DOCTOR">Ng</ENAMEX>.</TEXT>
        </DOC>

    Labels are the ``TYPE``, verbatim; a label's category decides which element marks it. Characters that
    SGML cannot hold, such as control characters, are written as references, so every text reads back exactly.
    """

    name: ClassVar[str] = "muc"
    suffixes: ClassVar[tuple[str, ...]] = (".sgml", ".sgm", ".muc")
    layout = Layout(record="DOC", text="TEXT", marks=("ENAMEX", "TIMEX", "NUMEX"), id_element="DOCID")
    _elements: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("DATE", "TIME"), "TIMEX"),
        **dict.fromkeys(("AGE", "CONTACT", "ID", "MONEY", "PERCENT"), "NUMEX"),
    }

    def _render(self, document: Document) -> bytes:
        text = _marked(document, lambda piece: reference_characters(escape(piece)), self._tags)
        id = reference_characters(escape(document.id))  # noqa: A001 - the domain's word
        # readers strip white space around an id, so it is written as references
        id = re.sub(r"\A[ \t\r\n]+|[ \t\r\n]+\Z", lambda edge: _references(edge[0]), id)  # noqa: A001
        return f"<DOC>\n<DOCID>{_bounded(id)}</DOCID>\n<TEXT>{text}</TEXT>\n</DOC>\n".encode()

    def _tags(self, span: Span) -> tuple[str, str]:
        element = self._elements.get(CATEGORY_OF.get(span.label, span.label), "ENAMEX")
        return f"<{element} TYPE={_bounded(reference_characters(attribute(span.label)))}>", f"</{element}>"


def _references(text: str) -> str:
    return "".join(f"&#{ord(char)};" for char in text)


def _bounded(value: str) -> str:
    """Return an escaped id or label, refusing one longer than the reader's limit."""
    if len(value) > _LONGEST_VALUE:
        raise FormatError(f"an id or label of {len(value)} characters is too long for a tag")
    return value


def _marked(document: Document, escape: Callable[[str], str], tags: Callable[[Span], tuple[str, str]]) -> str:
    """Return a document's text with every span between its tags."""
    pieces: list[str] = []
    last = 0
    for span in document.spans:
        before, after = tags(span)
        inside = escape(document.text[span.start : span.end])
        pieces += escape(document.text[last : span.start]), before, inside, after
        last = span.end
    return "".join((*pieces, escape(document.text[last:])))


def _read_records(
    layout: Layout, stream: BinaryIO, where: str, file_id: str
) -> Iterator[Document | SetAside]:
    chunks, encoding = _as_utf8(stream)
    pieces = _pieces(layout, chunks, where)
    _, prolog, _ = next(pieces)
    encoding = encoding or _declared(prolog, f"{where}:1")
    outside = _text_outside(layout, prolog, f"{where}:1", encoding)
    number = 0
    for line, raw, is_record in pieces:
        if outside:
            yield set_aside(f"{file_id}-outside-{number}", outside, where)
            outside = None
        if is_record:
            number += 1
            yield _read_record(layout, raw, f"{file_id}-{number}", f"{where}:{line}", encoding)
        else:
            outside = _text_outside(layout, raw, f"{where}:{line}", encoding)
    if not number and (outside or not layout.root or f"<{layout.root}>".encode() not in prolog):
        raise outside or FormatError(f"no <{layout.record}> in it", where)
    if outside:
        yield set_aside(f"{file_id}-outside-{number}", outside, where)


def _text_outside(layout: Layout, raw: bytes, where: str, encoding: bytes | None) -> DataError | None:
    """Return an error if there is anything but tags between two records."""
    try:
        text = decode_declared(raw, where, encoding)
    except DataError as error:
        return error
    if not _ANY_TAG.sub("", text).strip():
        return None
    return FormatError(f"text outside of every <{layout.record}>", where)


def _as_utf8(stream: BinaryIO) -> tuple[Iterator[bytes], bytes | None]:
    """Yield a stream in chunks; UTF-16 is converted to UTF-8, so that tags can be found in its bytes."""
    first = stream.read(_CHUNK)
    chunks = chain([first], iter(lambda: stream.read(_CHUNK), b""))
    if not first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return chunks, None
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    return (decoder.decode(chunk).encode("utf-8", "surrogatepass") for chunk in chunks), b"utf-8"


def _declared(prolog: bytes, where: str) -> bytes | None:
    """Return the encoding declared before the first record; refuse other declarations."""
    if _DECLARES.search(prolog):
        raise FormatError("refused as unsafe: a document type with declarations of its own", where)
    declared = _PROLOG.search(prolog[:_LONGEST_TAG])
    return declared[1] if declared else None


def _pieces(layout: Layout, chunks: Iterable[bytes], where: str) -> Iterator[tuple[int, bytes, bool]]:
    """Cut a stream into records and what is between them: line number, bytes, whether it is a record.

    A record's piece begins with its start tag; its end tag belongs to no piece.
    """
    buffer = bytearray()
    line, scanned, in_record = 1, 0, False
    for chunk in chunks:
        buffer += chunk
        begin = 0
        for tag in layout.record_tag.finditer(buffer, scanned):
            piece = bytes(buffer[begin : tag.start()])
            yield line, piece, in_record
            in_record = not tag[1]
            begin_next = tag.start() if in_record else tag.end()
            line += buffer.count(b"\n", begin, begin_next)
            begin = begin_next
        tail = len(buffer) - begin
        if tail > MAX_RECORD:
            raise FormatError(f"no <{layout.record}> boundary in {MAX_RECORD} bytes", f"{where}:{line}")
        del buffer[:begin]
        # skip the start tag of an open record; the chunk's end may cut a tag, so look at the tail again
        scanned = max(int(in_record), tail - _LONGEST_TAG)
    yield line, bytes(buffer), in_record


def _read_record(
    layout: Layout, raw: bytes, unnamed: str, where: str, encoding: bytes | None
) -> Document | SetAside:
    """Read one record, which begins with its start tag."""
    id = unnamed  # noqa: A001 - the domain's word
    try:
        record = decode_declared(raw, where, encoding)
        head_end = record.index(">") + 1
        text_tags = layout.text_tag.finditer(record, head_end)
        opening = next((tag for tag in text_tags if not tag[1]), None)
        closing = next((tag for tag in text_tags if tag[1]), None) if opening else None
        named = layout.id_pattern.search(record, 0, opening.start() if opening else len(record))
        if named:
            found = next(filter(None, named.groups()), "")
            id = unescape(found.strip(_SPACE) if layout.id_element else found) or unnamed  # noqa: A001
        if not opening:
            body = record[named.end() if named and layout.id_element else head_end :]
            return Document(id, *parse_marks(layout, body))
        body = record[opening.end() : closing.start() if closing else len(record)]
        outside = record[head_end : opening.start()] + (record[closing.end() :] if closing else "")
        if layout.id_element:
            outside = layout.id_pattern.sub("", outside, count=1)
        if _ANY_TAG.sub("", outside).strip():
            raise FormatError(f"text outside of the record's <{layout.text}>")
        return Document(id, *parse_marks(layout, body))
    except DataError as error:
        return set_aside(id, error, where)


@dataclass(slots=True)
class _OpenMark:
    """A mark without its end tag so far: its parts, and the start of the part it is in (-1: in none)."""

    element: str
    label: str
    start: int
    parts: list[tuple[int, int]]

    def pause(self, at: int) -> None:
        if self.start >= 0:
            self.parts.append((self.start, at))
            self.start = -1


def parse_marks(layout: Layout, marked: str) -> tuple[str, tuple[Span, ...]]:
    """Split marked text into plain text and spans, by the rules above."""
    pieces: list[str] = []
    parts: list[tuple[int, int, str]] = []
    open_marks: list[_OpenMark] = []
    length = last = 0
    for tag in layout.mark_tag.finditer(marked):
        pieces.append(unescape(marked[last : tag.start()]))
        length += len(pieces[-1])
        last = tag.end()
        element = tag[2].upper()
        if not tag[1]:
            if open_marks:
                open_marks[-1].pause(length)
            open_marks.append(_OpenMark(element, _label(tag[3] or "", element), length, []))
        elif any(mark.element == element for mark in open_marks):
            while True:  # an end tag also closes the marks opened inside
                mark = open_marks.pop()
                mark.pause(length)
                parts += [(*part, mark.label) for part in mark.parts]
                if mark.element == element:
                    break
            if open_marks:
                open_marks[-1].start = length
    pieces.append(unescape(marked[last:]))
    text = "".join(pieces)
    for mark in open_marks:
        start, end = mark.parts[0] if mark.parts else (mark.start, len(text))
        line = _LINE.match(text, start, end)
        parts.append((start, line.end() if line else end, mark.label))
    return text, tuple(sorted(Span(*part) for part in parts if part[0] < part[1]))


def _label(attributes: str, element: str) -> str:
    found = _TYPE.search(attributes)
    return unescape(next(filter(None, found.groups()), "")) if found and any(found.groups()) else element


def unescape(text: str) -> str:
    """Resolve the five entities and character references; any other ``&`` stays.

    >>> unescape("Q&A &amp; &lt;5&#41; &nbsp;")
    'Q&A & <5) &nbsp;'
    """
    return _REFERENCE.sub(_resolve, text) if "&" in text else text


def _resolve(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _ENTITIES[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code <= 0x10FFFF else reference[0]
