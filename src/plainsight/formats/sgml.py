"""Inline SGML, read as people write it: records with a text and marks inside, one after another in a file.

The reader is no XML parser, because such files often are no XML. It knows only the elements of its layout,
in any case, and this is its policy:

- any other ``<`` and any ``&`` that begins none of the five XML entities or a character reference is text;
- a mark without an end tag goes to the end of its line, or to the next mark if that comes first;
- marks inside a mark cut it in parts, all of which stay marked; an end tag without a mark is passed over;
- a mark without a type has its element's name as label; an empty mark is dropped;
- a text without an end tag goes to the end of its record, a record without one to the next or to the end of
  the file; a record without a text element is text from end to end;
- text outside of every record, or in a record but outside its text, is not read and not lost in silence:
  it is set aside with its line;
- a document type with declarations is refused, entities are never expanded, nothing is ever fetched.

A file is read in pieces and a record decoded by itself, so memory grows with the longest record, not with
the file. The encoding is the declared one, else UTF-8, else CP1252 (`encodings`). Line ends stay as they are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.encodings import READ_ERRORS, decode
from plainsight.formats.files import open_bytes, read_files, set_aside

MAX_RECORD = 1 << 27
"""Bytes of the longest record; more without a boundary is a file of another kind."""

_CHUNK = 1 << 20
_LONGEST_TAG = 4100
_LONGEST_VALUE = 3900
# Every repetition is bounded or stops at the next "<", so that no file takes more than linear time.
_PROLOG = re.compile(rb"<\?xml[^<>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']", re.IGNORECASE)
_DECLARES = re.compile(rb"<!DOCTYPE[^<>\[]*\[|<!ENTITY", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[?!/A-Za-z][^<>]*>")
_ATTRIBUTE = r"""\b{}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))"""
_TYPE = re.compile(_ATTRIBUTE.format("TYPE"), re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SPACE = " \t\r\n"
_LINE = re.compile(r"\s*[^\r\n]*")
_WIDE = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True)
class Layout:
    """The elements of one kind of file."""

    record: str
    text: str
    marks: tuple[str, ...]
    id_attribute: str = ""
    """The attribute of the record that holds its id."""
    id_element: str = ""
    """Or the element in the record that does."""
    root: str = ""
    """The element around all records, if there is one."""

    @cached_property
    def boundary(self) -> re.Pattern[bytes]:
        """Match a record's start or end tag."""
        return re.compile(rb"<(/?)%b(?:\s[^<>]{0,4000})?>" % self.record.encode(), re.IGNORECASE)

    @cached_property
    def text_tag(self) -> re.Pattern[str]:
        """Match a text's start or end tag."""
        return re.compile(rf"<(/?){self.text}(?:\s[^<>]{{0,4000}})?>", re.IGNORECASE)

    @cached_property
    def mark_tag(self) -> re.Pattern[str]:
        """Match a mark's start or end tag: group 1 is the slash, 2 the element, 3 its attributes."""
        return re.compile(rf"<(/?)({'|'.join(self.marks)})(\s[^<>]{{0,4000}})?>", re.IGNORECASE)

    @cached_property
    def id_pattern(self) -> re.Pattern[str]:
        """Match the id; its last group that took part holds it."""
        if self.id_element:
            name = self.id_element
            return re.compile(rf"<{name}>([^<>]{{0,4000}})</{name}>", re.IGNORECASE)
        return re.compile(rf"\A<[^<>]*?{_ATTRIBUTE.format(self.id_attribute)}", re.IGNORECASE)


# --- reading ------------------------------------------------------------------------------------------------


def read_records(layout: Layout, path: Path, suffixes: tuple[str, ...]) -> Iterator[Document | SetAside]:
    """Yield the records of a file or, recursively, of a folder's files."""

    def read(file: Path, id: str) -> Iterator[Document | SetAside]:  # noqa: A002 - the domain's word
        try:
            with open_bytes(file) as stream:
                yield from _read_records(layout, stream, str(file), id)
        except READ_ERRORS as error:  # the disk, or a packed file that is cut short
            raise FormatError(f"cannot be read further ({type(error).__name__})", str(file)) from None

    return read_files(path, suffixes, read)


def _read_records(
    layout: Layout, stream: BinaryIO, where: str, file_id: str
) -> Iterator[Document | SetAside]:
    chunks, encoding = _as_utf8(stream)
    pieces = _pieces(layout, chunks, where)
    _, prolog, _ = next(pieces)
    encoding = encoding or _declared(prolog, f"{where}:1")
    stray = _stray(layout, prolog, f"{where}:1", encoding)
    number = 0
    for line, raw, is_record in pieces:
        if stray:
            yield set_aside(f"{file_id}-outside-{number}", stray, where)
            stray = None
        if is_record:
            number += 1
            yield _record(layout, raw, f"{file_id}-{number}", f"{where}:{line}", encoding)
        else:
            stray = _stray(layout, raw, f"{where}:{line}", encoding)
    if not number and (stray or not layout.root or f"<{layout.root}>".encode() not in prolog):
        raise stray or FormatError(f"no <{layout.record}> in it", where)
    if stray:
        yield set_aside(f"{file_id}-outside-{number}", stray, where)


def _stray(layout: Layout, raw: bytes, where: str, encoding: str | None) -> DataError | None:
    """Return what is wrong with bytes between two records: there should be nothing but tags."""
    try:
        text = _decoded(raw, where, encoding)
    except DataError as error:
        return error
    if not _ANY_TAG.sub("", text).strip():
        return None
    return FormatError(f"text outside of every <{layout.record}>", where)


def _as_utf8(stream: BinaryIO) -> tuple[Iterator[bytes], str | None]:
    """Yield a stream in chunks; UTF-16 comes as UTF-8, so that tags are found in its bytes."""
    first = stream.read(_CHUNK)
    rest = iter(lambda: stream.read(_CHUNK), b"")
    wide = _WIDE.get(first[:2])
    if not wide:
        return chain([first], rest), None
    decoder = codecs.getincrementaldecoder(wide)("surrogatepass")
    texts = (decoder.decode(chunk) for chunk in chain([first], rest))
    return (text.encode("utf-8", "surrogatepass") for text in texts), "utf-8"


def _declared(prolog: bytes, where: str) -> str | None:
    """Return the encoding declared before the first record; refuse other declarations."""
    if _DECLARES.search(prolog):
        raise FormatError("refused as unsafe: a document type with declarations of its own", where)
    declared = _PROLOG.search(prolog[:_LONGEST_TAG])
    return declared[1].decode("ascii") if declared else None


def _decoded(raw: bytes, where: str, encoding: str | None) -> str:
    try:
        return decode(raw, where, encoding).text
    except UsageError:
        raise FormatError("declares an unknown encoding", where) from None


def _pieces(layout: Layout, chunks: Iterable[bytes], where: str) -> Iterator[tuple[int, bytes, bool]]:
    """Cut a stream at the boundaries of records: the line each piece begins on, its bytes, if it is a record.

    A record's piece begins with its start tag; its end tag belongs to no piece.
    """
    buffer = bytearray()
    line, scanned, in_record = 1, 0, False
    for chunk in chunks:
        buffer += chunk
        begin = 0
        for tag in layout.boundary.finditer(buffer, scanned):
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
        # the start tag of an open record is not looked at again; a tag may be cut by the chunk's end
        scanned = max(int(in_record), tail - _LONGEST_TAG)
    yield line, bytes(buffer), in_record


def _record(
    layout: Layout, raw: bytes, unnamed: str, where: str, encoding: str | None
) -> Document | SetAside:
    """Read one record, which begins with its start tag."""
    id = unnamed  # noqa: A001 - the domain's word
    try:
        record = _decoded(raw, where, encoding)
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


def parse_marks(layout: Layout, marked: str) -> tuple[str, tuple[Span, ...]]:
    """Split marked text into plain text and spans, by the policy above."""
    pieces: list[str] = []
    spans: list[Span] = []
    opened: list[_Mark] = []
    length = last = 0
    for tag in layout.mark_tag.finditer(marked):
        pieces.append(unescape(marked[last : tag.start()]))
        length += len(pieces[-1])
        last = tag.end()
        element = tag[2].upper()
        if not tag[1]:
            if opened:
                opened[-1].pause(length)
            opened.append(_Mark(element, _label(tag[3] or "", element), length, []))
        elif any(mark.element == element for mark in opened):
            while True:  # an end tag closes what was opened inside it as well
                mark = opened.pop()
                spans += mark.close(length)
                if mark.element == element:
                    break
            if opened:
                opened[-1].since = length
    pieces.append(unescape(marked[last:]))
    text = "".join(pieces)
    for mark in opened:
        start, end = mark.parts[0] if mark.parts else (mark.since, len(text))
        line = _LINE.match(text, start, end)
        spans += mark.spans([(start, line.end() if line else end)])
    return text, tuple(sorted(spans))


@dataclass(slots=True)
class _Mark:
    """A mark whose end has not come yet: its parts so far, and since when it goes on (-1: it does not)."""

    element: str
    label: str
    since: int
    parts: list[tuple[int, int]]

    def pause(self, at: int) -> None:
        if self.since >= 0:
            self.parts.append((self.since, at))
            self.since = -1

    def close(self, at: int) -> list[Span]:
        self.pause(at)
        return self.spans(self.parts)

    def spans(self, parts: Iterable[tuple[int, int]]) -> list[Span]:
        return [Span(start, end, self.label) for start, end in parts if start < end]


def _label(attributes: str, element: str) -> str:
    found = _TYPE.search(attributes)
    return unescape(next(filter(None, found.groups()), "")) if found and any(found.groups()) else element


def unescape(text: str) -> str:
    """Resolve the five entities and character references; any other ``&`` is itself.

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


# --- writing ------------------------------------------------------------------------------------------------


def bounded(value: str) -> str:
    """Return an escaped id or label, refusing one longer than readers take."""
    if len(value) > _LONGEST_VALUE:
        raise FormatError(f"an id or label of {len(value)} characters is too long for a tag")
    return value


def inline(document: Document, escape: Callable[[str], str], tags: Callable[[Span], tuple[str, str]]) -> str:
    """Return a document's text with every span between its tags."""
    pieces: list[str] = []
    last = 0
    for span in document.spans:
        before, after = tags(span)
        inside = escape(document.text[span.start : span.end])
        pieces += escape(document.text[last : span.start]), before, inside, after
        last = span.end
    return "".join((*pieces, escape(document.text[last:])))
