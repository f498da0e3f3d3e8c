r"""CoNLL columns: one token a line, its tag in the last column, blank lines between sentences.

Three layouts are read; the first row of a note shows which one it is. Columns are separated by tabs, or by
spaces in a row without tabs.

- *Ours*, six columns: token, note id, start, end, white space after the token, tag. A ``-DOCSTART-`` line
  before each note holds its id, 0, its length and the white space it begins with. White space is written
  with escapes (``\s`` for a space, ``\n``, ``\r``, ``\t``, ``\uXXXX``; ``_`` for none), so the text reads
  back exactly.
- *NeuroNER's*, five columns: token, file, start, end, tag. The text is rebuilt at these offsets, with
  spaces, or a line feed where a blank line is, for the white space that the file does not hold.
- *Any other*, two columns or more. Tokens are joined by a space, sentences by a line feed: the text is not
  the original one. Without ``-DOCSTART-`` lines a file is one note.

Tags are read in any scheme (`tags.decode`) and, outside our own layout, sentence by sentence. We write the
tokens of `tokens.tokenize`, cut further where a span begins or ends inside one. White space at a span's edge
has no token and is left out of the span; a span of nothing but white space is not written.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.encodings import find_encoding
from plainsight.formats.files import one_file, open_bytes, read_files, set_aside
from plainsight.text.lines import sentences
from plainsight.text.tags import Scheme, decode, encode
from plainsight.text.tokens import Offsets, tokenize

_START = "-DOCSTART-"
_LARGEST_GAP = 100_000
"""White space between two tokens; more is an offset gone wrong."""
_ESCAPE = re.compile(r"\\(?:([\\snrt])|u([0-9A-F]{4})|U(000[0-9A-F]{5}|0010[0-9A-F]{4}))")
_ESCAPED = {"\\": "\\", "s": " ", "n": "\n", "r": "\r", "t": "\t"}
_WRITTEN = {char: f"\\{name}" for name, char in _ESCAPED.items()}


@dataclass(kw_only=True)
class Conll:
    """Read and write CoNLL columns.

    ``scheme`` is the tagging scheme to write. ``encoding`` declares how the input is encoded; when not given
    it is detected.
    """

    name: ClassVar[str] = "conll"
    suffixes: ClassVar[tuple[str, ...]] = (".conll", ".bio", ".iob")

    scheme: Scheme = "BIO"
    encoding: str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a file or, recursively, of a folder's files."""
        return read_files(path, self.suffixes, self._read_file)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open one file for all notes, in UTF-8; labels that a column cannot hold are refused."""
        return one_file(path, self._render)

    def _render(self, document: Document) -> bytes:
        text, id = document.text, _write(document.id, "\\\t\n\r")  # noqa: A001 - the domain's word
        for span in document.spans:
            if re.search(r"[\t\n\r]", span.label):
                raise FormatError(f"doc {document.id}: the label at {span.start} has a tab or line end")
        tokens = _cut(tokenize(text), document.spans)
        tags = encode(document.spans, tokens, scheme=self.scheme)
        starts = [*(start for start, _ in tokens), len(text)]
        breaks = {start for start, _ in sentences(text)}
        rows = [f"{_START}\t{id}\t0\t{len(text)}\t{_write(text[: starts[0]]) or '_'}\tO\n"]
        reached = -1
        for (start, end), tag, next_start in zip(tokens, tags, starts[1:], strict=True):
            if reached < 0 or not breaks.isdisjoint(range(reached, start + 1)):
                rows.append("\n")
            reached = end
            space = _write(text[end:next_start]) or "_"
            rows.append(f"{text[start:end]}\t{id}\t{start}\t{end}\t{space}\t{tag}\n")
        return "".join((*rows, "\n")).encode("utf-8", "surrogatepass")

    def _read_file(self, file: Path, file_id: str) -> Iterator[Document | SetAside]:
        where, found = str(file), False
        try:
            encoding = find_encoding(lambda: open_bytes(file), where, self.encoding)
            with io.TextIOWrapper(open_bytes(file), encoding.name, encoding.errors, newline="\n") as stream:
                for note in _notes(stream, where, file_id):
                    found = True
                    yield note.finish()
        except UnicodeError:
            raise FormatError(f"not valid {encoding.name}", where) from None
        if not found:
            raise FormatError("no notes in it", where)


# --- reading ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Note:
    """A note while its rows are read; after the first error, its other rows are ignored."""

    id: str
    file: str
    line: int
    layout: str = ""  # "ours", "offsets" or "joined"; empty before the first row
    declared: int = 0
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    tokens: list[list[tuple[int, int]]] = field(default_factory=lambda: [[]])
    tags: list[list[str]] = field(default_factory=lambda: [[]])
    error: FormatError | None = None

    def add(self, columns: list[str], line: int) -> None:
        """Take one row."""
        if self.error:
            return
        try:
            self._add(columns)
        except DataError as error:
            self.error = FormatError(str(error), f"{self.file}:{line}")

    def _add(self, columns: list[str]) -> None:
        token, tag = columns[0], columns[-1]
        if len(columns) < 2:
            raise DataError("a row needs a token and a tag")
        if not token and self.layout == "joined":
            return  # corpora of web text have such rows
        if not token:
            raise DataError("a row without a token")
        after = ""
        if self.layout == "ours":
            if len(columns) != 6:
                raise DataError(f"{len(columns)} columns, not 6")
            after = _read_space(columns[4])
        elif self.layout != ("offsets" if _has_offsets(columns) else "joined"):
            raise DataError("columns change within the note")
        if self.layout == "joined":
            self._append("" if not self.length else " " if self.tokens[-1] else "\n")
        else:
            self._reach(columns, token)
        start = self.length
        self._append(token)
        self.tokens[-1].append((start, self.length))
        self.tags[-1].append(tag)
        self._append(after)

    def _reach(self, columns: list[str], token: str) -> None:
        """Fill the text up to a token's start."""
        if not _has_offsets(columns):
            raise DataError("offsets are not whole numbers")
        start, end = int(columns[2]), int(columns[3])
        gap = start - self.length
        if end - start != len(token) or gap < 0 or gap > (0 if self.layout == "ours" else _LARGEST_GAP):
            raise DataError(f"token from {start} to {end} does not fit the text so far, {self.length} long")
        is_new = not self.tokens[-1] and self.length > 0
        self._append("\n" + " " * (gap - 1) if is_new and gap else " " * gap)

    def _append(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def end_sentence(self) -> None:
        """Handle a blank line; in our own layout spans may cross it."""
        if self.tokens[-1] and self.layout != "ours":
            self.tokens.append([])
            self.tags.append([])

    def finish(self) -> Document | SetAside:
        """Return the note."""
        if self.layout == "ours" and self.length != self.declared and not self.error:
            reason = f"{self.length} of its {self.declared} characters are there"
            self.error = FormatError(reason, f"{self.file}:{self.line}")
        if self.error:
            return set_aside(self.id, self.error, self.file)
        sentences = zip(self.tags, self.tokens, strict=True)
        spans = tuple(span for tags, tokens in sentences for span in decode(tags, tokens))
        return Document(self.id, "".join(self.pieces), spans)


def _notes(lines: Iterable[str], file: str, file_id: str) -> Iterator[_Note]:
    """Gather the rows of each note."""
    note: _Note | None = None
    notes = 0
    for number, line in enumerate(lines, start=1):
        row = (line.removeprefix("\ufeff") if number == 1 else line).removesuffix("\n").removesuffix("\r")
        if not row.strip(" \t"):
            if note:
                note.end_sentence()
            continue
        columns = row.split("\t") if "\t" in row else re.split(" +", row.strip(" "))
        if columns[0] == _START:
            if note and note.layout:
                yield note
            notes += 1
            note = _begin(columns, f"{file_id}-{notes}", file, number)
            continue
        if note is None:
            note = _Note(file_id, file, number)
        if not note.layout:
            note.layout = "offsets" if _has_offsets(columns) else "joined"
            note.id = columns[1] if note.layout == "offsets" else note.id
        elif note.layout == "offsets" and _has_offsets(columns) and columns[1] != note.id:
            yield note
            note = _Note(columns[1], file, number, "offsets")
        note.add(columns, number)
    if note and note.layout:
        yield note


def _begin(columns: list[str], unnamed: str, file: str, line: int) -> _Note:
    """Begin a note at its ``-DOCSTART-`` line."""
    if len(columns) != 6 or not _has_offsets(columns):
        return _Note(unnamed, file, line)
    lead = _read_space(columns[4])
    return _Note(_read(columns[1]), file, line, "ours", int(columns[3]), [lead], len(lead))


def _has_offsets(columns: list[str]) -> bool:
    return len(columns) >= 5 and all(len(number) < 13 and number.isdecimal() for number in columns[2:4])


def _read(escaped: str) -> str:
    return _ESCAPE.sub(lambda hit: _ESCAPED[hit[1]] if hit[1] else chr(int(hit[2] or hit[3], 16)), escaped)


def _read_space(column: str) -> str:
    return "" if column == "_" else _read(column)


# --- writing ------------------------------------------------------------------------------------------------


def _cut(tokens: Offsets, spans: Iterable[Span]) -> Offsets:
    """Cut tokens where a span begins or ends inside one."""
    edges = sorted({edge for span in spans for edge in (span.start, span.end)}, reverse=True)
    cut: Offsets = []
    for start, end in tokens:
        while edges and edges[-1] < end:
            edge = edges.pop()
            if start < edge:
                cut.append((start, edge))
                start = edge
        cut.append((start, end))
    return cut


def _write(text: str, escape: str = "") -> str:
    """Escape these characters, or all of them, with backslashes."""

    def written(char: str) -> str:
        if escape and char not in escape:
            return char
        return _WRITTEN.get(char) or (f"\\u{ord(char):04X}" if char <= "\uffff" else f"\\U{ord(char):08X}")

    return "".join(map(written, text))
