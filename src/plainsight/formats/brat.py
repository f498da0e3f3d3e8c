"""Brat stand-off: a note in ``name.txt``, its marks in ``name.ann`` beside it.

Only text-bound annotations (``T`` lines) are read and written, no relations, events, attributes or notes. The
text of each mark must be the one at its offsets. A note with a broken ``.ann`` file, or without one, is set
aside.

A mark in brat cannot cross a line end, so brat writes such a mark as several fragments. Fragments with only
white space between them are read as one span, others as one span each. Writing splits a span at line ends;
line ends at its edges are left out, and a span of line ends alone is not written. ``brat-whole`` writes each
span in one piece, for scripts that know no fragments; MEDDOCAN's is one of them.

Offsets count the code points of the text file, with carriage returns. Brat counts a byte-order mark, too, so
it is the note's first character, unless the marks fit only without it. A note that was read from another
format with a byte-order mark is written with it, and its offsets count it: they fit the note's own file, too.
Single-byte encodings are kept, others become UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.base import FunctionSink, Sink
from plainsight.formats.encodings import decode, encoding_of, refuse_encoded
from plainsight.formats.files import (
    atomic_folder,
    create,
    file_name,
    note_files,
    note_id,
    read_bytes,
    set_aside,
)
from plainsight.formats.standoff import annotated, same

_TEXT, _MARKS = ".txt", ".ann"
_MARK = re.compile(
    r"T[^\t ]*\t([^\t ]+) ([0-9]{1,12} [0-9]{1,12}(?:;[0-9]{1,12} [0-9]{1,12})*)\t(.*)", re.DOTALL
)
_OTHER = re.compile(r"[REAMN#*]|\s*\Z")
_NO_LABEL = re.compile(r"\s")
_PART = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"[\r\n]")


@dataclass(kw_only=True)
class Brat:
    """Read and write brat stand-off.

    ``encoding`` declares how the input is encoded; when not given it is detected.
    """

    name: ClassVar[str] = "brat"
    suffixes: ClassVar[tuple[str, ...]] = (_MARKS,)
    one_note_a_file: ClassVar[bool] = True
    whole: ClassVar[bool] = False

    encoding: str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a folder, recursively, or the note of one ``.txt`` or ``.ann`` file."""
        if not path.is_dir():
            [(file, _)] = note_files(path, (_TEXT,))
            text, marks = _pair(file)
            yield self._parse(note_id(text.name, (_TEXT,)), text, marks)
            return
        empty = True
        for file, _ in note_files(path, (_TEXT, _MARKS)):
            text, marks = _pair(file)
            if file != text and text.exists():
                continue  # its text file comes by itself
            empty = False
            id = note_id(text.relative_to(path).as_posix(), (_TEXT,))  # noqa: A001 - the domain's word
            try:
                yield self._parse(id, text, marks)
            except DataError as error:
                yield set_aside(id, error, str(file))
        if empty:
            raise FormatError(f"no {_TEXT} and {_MARKS} files", str(path))

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        """Open a folder that gets two files for each note.

        A path that ends in ``.txt`` or ``.ann`` takes one note: its two files are named after the path.
        """
        single = path.suffix.lower() in (_TEXT, _MARKS) and not path.is_dir()
        written = 0
        with atomic_folder(path.parent if single else path) as folder:

            def put(document: Document) -> None:
                nonlocal written
                if single and written:
                    raise UsageError(f"{path}: a file takes one note and there are 2; give a folder")
                name = path.stem + _TEXT if single else file_name(document.id, (_TEXT,))
                marks = _render(document, whole=self.whole)
                create(folder, name, _encoded(_bom(document) + document.text, document))
                create(folder, name[: -len(_TEXT)] + _MARKS, marks)
                written += 1

            yield FunctionSink(put)
            if single and not written:
                raise UsageError(f"{path}: a file takes one note and there are none; give a folder")

    def _parse(self, id: str, text_file: Path, marks_file: Path) -> Document:  # noqa: A002 - the domain's word
        for file in (text_file, marks_file):
            if not file.exists():
                raise FormatError(f"no {file.suffix} file belongs to it", str(text_file))
        text, encoding = decode(read_bytes(text_file), str(text_file), self.encoding)
        refuse_encoded(text, str(text_file))
        marks, _ = decode(read_bytes(marks_file), str(marks_file), self.encoding)
        meta = {} if encoding.name.startswith("utf-") else {"_encoding": encoding.name}
        if encoding.bom:
            with suppress(FormatError):  # a tool that does not count the byte-order mark wrote the marks
                with_bom = "\ufeff" + text
                return annotated(id, with_bom, _marks(marks, with_bom, marks_file), meta)
        return annotated(id, text, _marks(marks, text, marks_file), meta)


class WholeBrat(Brat):
    """Write every mark in one piece, also across line ends."""

    name: ClassVar[str] = "brat-whole"
    guessed: ClassVar[bool] = False  # its files are brat's
    whole: ClassVar[bool] = True


def _render(document: Document, *, whole: bool) -> bytes:
    """Return the ``.ann`` file of a note, or refuse labels that brat cannot hold."""
    lines: list[str] = []
    before = len(_bom(document))
    for span in document.spans:
        if _NO_LABEL.search(span.label):
            raise FormatError(f"doc {document.id}: brat has no labels with white space, as at {span.start}")
        parts = [part.span() for part in _PART.finditer(document.text, span.start, span.end)]
        if whole:
            parts = [(span.start, span.end)]
        if parts:
            fragments = ";".join(f"{before + start} {before + end}" for start, end in parts)
            noted = " ".join(_LINE_END.sub(" ", document.text[start:end]) for start, end in parts)
            lines.append(f"T{len(lines) + 1}\t{span.label} {fragments}\t{noted}\n")
    return _encoded("".join(lines), document)


def _bom(document: Document) -> str:
    """Return the byte-order mark that the note's file begins with, if it is in UTF-8."""
    encoding = encoding_of(document.meta)
    return "\ufeff" if encoding.bom and encoding.name == "utf-8" else ""


def _encoded(text: str, document: Document) -> bytes:
    """Encode as the note was, if that is a single-byte encoding and has all characters, else in UTF-8."""
    name = encoding_of(document.meta).name
    if not name.startswith("utf-"):
        with suppress(UnicodeEncodeError):
            return text.encode(name)
    return text.encode("utf-8", "surrogatepass")


def _pair(file: Path) -> tuple[Path, Path]:
    """Return the text file and the marks file that a file is one of."""
    if file.suffix.lower() == _MARKS:
        return file.with_suffix(_TEXT), file
    return file, file.with_suffix(_MARKS)


def _marks(lines: str, text: str, file: Path) -> Iterator[Span]:
    """Yield the marks of a file in its order."""
    for number, line in enumerate(lines.split("\n"), start=1):
        yield from _spans(line.removesuffix("\r"), text, f"{file}:{number}")


def _spans(line: str, text: str, where: str) -> list[Span]:
    """Read one line of marks: none, one, or one for each fragment."""
    mark = _MARK.fullmatch(line)
    if not mark:
        if _OTHER.match(line):
            return []
        raise FormatError("not a line that brat writes", where)
    label, fragments, noted = mark.groups()
    parts = []
    for fragment in fragments.split(";"):
        start, end = map(int, fragment.split(" "))
        if not start < end <= len(text):
            raise FormatError(f"a mark runs from {start} to {end} in a text of {len(text)}", where)
        parts.append((start, end))
    if not same(noted, " ".join(text[start:end] for start, end in parts)):
        raise FormatError(f"the text noted for the mark at {parts[0][0]} is not what stands there", where)
    joined = [parts[0]]
    for start, end in parts[1:]:
        if joined[-1][1] <= start and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [Span(start, end, label) for start, end in joined]
