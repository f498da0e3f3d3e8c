"""Delimited tables: one row is one note; columns are chosen by name."""

from __future__ import annotations

import codecs
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, ClassVar

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import Sink
from plainsight.formats.columns import Columns, cell, choose, columns_of, written_columns
from plainsight.formats.dialect import Dialect, Record, find_delimiter, join, split
from plainsight.formats.encodings import (
    READ_ERRORS,
    Encoding,
    error_handler,
    find_encoding,
    first_bytes,
    read_lines,
)
from plainsight.formats.files import atomic_bytes, open_bytes, read_files


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a table was written; kept in ``meta["_csv"]`` and shared by all its rows that are alike."""

    dialect: Dialect
    encoding: Encoding
    header_quoted: int = 0
    header_end: str = "\n"
    quoted: int = 0
    bare: bool = False
    end: str = "\n"


class Csv:
    """Comma-separated tables, packed when the file's name ends in ``.gz``.

    ``text``, ``id``, ``patient``, ``type`` and ``date`` name the columns; usual names are found. Other
    columns are carried in meta. ``spans`` names the column that holds spans as JSON. ``delimiter`` is found
    when not given; ``quote=""`` takes quotes for text; ``encoding`` declares what cannot be found out.
    """

    name: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".csv.gz")
    _delimiters: ClassVar[str] = ",;|\t"

    def __init__(
        self,
        *,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the domain's word
        patient: str | None = None,
        type: str | None = None,  # noqa: A002 - the domain's word
        date: str | None = None,
        spans: str = "spans",
        delimiter: str | None = None,
        quote: str = '"',
        encoding: str | None = None,
    ) -> None:
        self.columns = {"text": text, "id": id, "patient": patient, "type": type, "date": date}
        self.spans = spans
        self.delimiter = delimiter
        self.quote = quote
        self.encoding = encoding

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each row; a folder's files, which must have the same columns, follow in order."""
        known: list[Columns] = []
        return read_files(path, self.suffixes, lambda file, _: self._read_file(file, known))

    def _read_file(self, file: Path, known: list[Columns]) -> Iterator[Document | SetAside]:
        encoding = find_encoding(lambda: open_bytes(file), str(file), self.encoding)
        end = _line_end(file, encoding)
        with open_bytes(file) as stream:
            try:
                yield from self._read_lines(read_lines(stream, encoding, end=end), encoding, file, known)
            except (*READ_ERRORS, UnicodeError) as error:
                # the rows before are good: they go on, and that some are lost is said
                reason = f"the table cannot be read to its end ({type(error).__name__}): rows are missing"
                yield SetAside("rows at the end", reason, str(file))

    def _read_lines(
        self, lines: Iterator[str], encoding: Encoding, file: Path, known: list[Columns]
    ) -> Iterator[Document | SetAside]:
        first = next(lines, None)
        if first is None:
            raise FormatError("empty file", str(file))
        delimiter = self.delimiter
        if delimiter is None:
            delimiter = find_delimiter(first, self._delimiters)
        dialect = Dialect(delimiter, self.quote)
        records = split(chain([first], lines), dialect)
        header = next(records, None)
        if header is None or header.problem:
            raise FormatError(header.problem if header else "empty file", str(file))
        spans = self.spans if self.spans in header.fields else None
        columns = choose(header.fields, {**self.columns, "spans": spans}, str(file))
        known.append(columns)
        if columns != known[0]:
            raise FormatError("the columns are not those of the folder's first file", str(file))
        layout = _Layout(dialect, encoding, header.quoted, header.end or "\n")
        layouts: dict[tuple[int, bool, str], _Layout] = {}
        for number, record in enumerate(records, start=1):
            where = f"{file}:{record.line}"
            if problem := record.problem or _miscount(record, columns):
                yield SetAside(f"line {record.line}", problem, where)
                continue
            style = (record.quoted, record.bare, record.end)
            if style not in layouts:
                layouts[style] = replace(layout, quoted=record.quoted, bare=record.bare, end=record.end)
            yield columns.read(record.fields, number, where, {"_csv": layouts[style]})

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        """Open a table, laid out like the one that the first note comes from."""
        spans = self.spans if span_column else None
        packed = path.suffix.lower() == ".gz"
        with atomic_bytes(path) as file:
            sink = _CsvSink(file, _Layout(self._dialect, Encoding()), spans, packed=packed)
            yield sink
            sink.finish()

    @property
    def _dialect(self) -> Dialect:
        """The dialect of documents that come from no table."""
        return Dialect(self.delimiter or self._delimiters[0], self.quote)


class Tsv(Csv):
    """Tab-separated tables, with the options of `Csv`."""

    name: ClassVar[str] = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".tab", ".tsv.gz")
    _delimiters: ClassVar[str] = "\t"


def _line_end(file: Path, encoding: Encoding) -> str:
    """Return the character that ends lines: a carriage return only where there is no line feed at all."""
    head = first_bytes(lambda: open_bytes(file)).decode(encoding.name, "replace")
    return "\r" if "\r" in head and "\n" not in head else "\n"


def _miscount(record: Record, columns: Columns) -> str:
    fields, names = len(record.fields), len(columns.names)
    return "" if fields == names else f"{fields} fields where the header has {names}"


def _bits(quoted: int, source: Columns, target: Columns) -> int:
    """Carry over which columns were quoted to a table with some columns left out or added."""
    if target.names == source.names:
        return quoted
    was = {name: quoted >> place & 1 for place, name in enumerate(source.names)}
    return sum(was.get(name, 0) << place for place, name in enumerate(target.names))


class _CsvSink:
    """Write rows as the table has them that the first note comes from.

    When the table's encoding lacks a character, all of it is written anew as UTF-8 with a byte-order mark.
    """

    def __init__(self, file: BinaryIO, layout: _Layout, spans: str | None, *, packed: bool) -> None:
        self._file = file
        self._layout = layout
        self._spans = spans
        self._packed = packed
        self._encoding = Encoding()
        self._source: Columns | None = None
        self._columns: Columns | None = None
        self._end = ""

    def write(self, document: Document) -> None:
        """Write a note's row, and the header before the first."""
        source, columns, layout = self._source, self._columns, self._layout
        text = ""
        if source is None or columns is None:
            source, columns, layout, text = self._begin(document)
        try:
            source.check(document)
            style = document.meta.get("_csv", layout)
            quoted = _bits(style.quoted, source, columns)
            cells = [cell(value) for value in columns.write(document)]
            row = join(cells, layout.dialect, quoted=quoted, bare=style.bare)
        except FormatError as error:
            raise FormatError(error.reason, f"note {document.id}") from None
        if self._source is None:
            self._source, self._columns, self._layout, self._end = source, columns, layout, layout.header_end
            # a packed table cannot be written anew, so it is UTF-8 from the start
            wide = not self._packed or layout.encoding.name.startswith("utf-")
            self._encoding = layout.encoding if wide else Encoding(bom=True)
            self._file.write(self._encoding.mark)
        self._put(f"{text}{self._end or layout.header_end}{row}")
        self._end = style.end

    def finish(self) -> None:
        """End the last line; without any note, write the usual header."""
        if self._source is None:
            *_, layout, text = self._begin(None)
            self._put(text)
            self._end = layout.header_end
        self._put(self._end)

    def _begin(self, first: Document | None) -> tuple[Columns, Columns, _Layout, str]:
        """Return the columns, the layout and the header of the table that follows the first note's."""
        source = columns_of(first)
        columns = written_columns(source, first, self._spans)
        layout = first.meta.get("_csv") if first is not None else None
        if not isinstance(layout, _Layout):
            layout = self._layout
        quoted = _bits(layout.header_quoted, source, columns)
        return source, columns, layout, join(columns.names, layout.dialect, quoted=quoted)

    def _put(self, text: str) -> None:
        try:
            data = text.encode(self._encoding.name, error_handler(self._encoding.name))
        except UnicodeEncodeError:
            self._widen()
            data = text.encode("utf-8", "surrogatepass")
        self._file.write(data)

    def _widen(self) -> None:
        before, self._encoding = self._encoding, Encoding(bom=True)
        with tempfile.TemporaryFile() as narrow:
            self._file.seek(0)
            shutil.copyfileobj(self._file, narrow)
            narrow.seek(0)
            self._file.seek(0)
            self._file.truncate()
            self._file.write(self._encoding.mark)
            with io.TextIOWrapper(narrow, before.name, newline="") as text:
                shutil.copyfileobj(text, codecs.getwriter("utf-8")(self._file))
