"""Delimited tables: one row is one note."""

from __future__ import annotations

import codecs
import io
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import Sink
from plainsight.formats.columns import Columns, TableFormat, cell, written_columns
from plainsight.formats.compression import also_compressed, compressed
from plainsight.formats.csv_records import Dialect, join, split
from plainsight.formats.encodings import READ_ERRORS, Encoding, find_encoding, first_bytes, read_lines
from plainsight.formats.files import atomic_bytes, open_bytes
from plainsight.formats.limits import cause


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a table and one of its rows are written, as in ``meta["_csv"]``; rows written alike share one."""

    dialect: Dialect
    encoding: Encoding
    header_quoted: int = 0
    header_end: str = "\n"
    quoted: int = 0
    bare: bool = False
    end: str = "\n"


@dataclass(kw_only=True)
class Csv(TableFormat):
    """Comma-separated tables, compressed when the file's name says so; see `TableFormat` for columns.

    ``delimiter`` is detected when not given; ``quote=""`` reads quotes as text; ``encoding`` declares the
    encoding when it cannot be detected. With ``neutralise_formulas``, cells that a spreadsheet would run are
    written after an apostrophe.
    """

    name: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = also_compressed(".csv")
    _delimiters: ClassVar[str] = ",;|\t"

    delimiter: str | None = None
    quote: str = '"'
    encoding: str | None = None
    neutralise_formulas: bool = False

    def _read_file(self, file: Path, seen: list[Any]) -> Iterator[Document | SetAside]:
        encoding = find_encoding(lambda: open_bytes(file), str(file), self.encoding)
        end = _line_end(file, encoding)
        with open_bytes(file) as stream:
            try:
                yield from self._read_lines(read_lines(stream, encoding, end=end), encoding, file, seen)
            except (*READ_ERRORS, UnicodeError) as error:
                # the rows before are good: keep them, and report that some are lost
                reason = f"the table cannot be read to its end ({cause(error)}): rows are missing"
                yield SetAside("rows at the end", reason, str(file))

    def _read_lines(
        self, lines: Iterator[str], encoding: Encoding, file: Path, seen: list[Any]
    ) -> Iterator[Document | SetAside]:
        first = next(lines, None)
        if first is None:
            raise FormatError("empty file", str(file))
        delimiter = max(self._delimiters, key=first.count) if self.delimiter is None else self.delimiter
        dialect = Dialect(delimiter, self.quote)
        records = split(chain([first], lines), dialect)
        header = next(records, None)
        if header is None or header.problem:
            raise FormatError(header.problem if header else "empty file", str(file))
        columns = self._find_columns(header.fields, file)
        seen.append(columns)
        if columns != seen[0]:
            raise FormatError("the columns are not those of the folder's first file", str(file))
        layout = _Layout(dialect, encoding, header.quoted, header.end or "\n")
        layouts: dict[tuple[int, bool, str], _Layout] = {}
        for number, record in enumerate(records, start=1):
            where = f"{file}:{record.line}"
            problem = record.problem
            if not problem and len(record.fields) != len(columns.names):
                problem = f"{len(record.fields)} fields where the header has {len(columns.names)}"
            if problem:
                yield SetAside(f"line {record.line}", problem, where)
                continue
            style = (record.quoted, record.bare, record.end)
            if style not in layouts:
                layouts[style] = replace(layout, quoted=record.quoted, bare=record.bare, end=record.end)
            yield columns.read(record.fields, number, where, {"_csv": layouts[style]})

    @contextmanager
    def _open_file(self, path: Path, *, span_column: bool) -> Iterator[Sink]:
        """Open a table, laid out like the one that the first note comes from."""
        usual = _Layout(Dialect(self.delimiter or self._delimiters[0], self.quote), Encoding())
        with atomic_bytes(path) as file:
            sink = _CsvSink(
                file,
                usual,
                self.spans if span_column else None,
                fixed=len(self._delimiters) == 1,
                compressed=compressed(path),
                as_cell=inert if self.neutralise_formulas else cell,
            )
            yield sink
            sink.finish()


class Tsv(Csv):
    """Tab-separated tables, with the options of `Csv`."""

    name: ClassVar[str] = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = also_compressed(".tsv", ".tab")
    _delimiters: ClassVar[str] = "\t"


_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d[\d.,]*\Z)")  # but not a number with a sign


def inert(value: Any) -> str:
    """Write a value so that a spreadsheet shows it and does not run it as a formula.

    >>> inert("=HYPERLINK(A1)"), inert("- denies pain"), inert("-2.5"), inert("Seen.")
    ("'=HYPERLINK(A1)", "'- denies pain", '-2.5', 'Seen.')
    """
    text = cell(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _line_end(file: Path, encoding: Encoding) -> str:
    """Return the character that ends lines: a carriage return only where there is no line feed at all."""
    head = first_bytes(lambda: open_bytes(file)).decode(encoding.name, "replace")
    return "\r" if "\r" in head and "\n" not in head else "\n"


def _quoted(was_quoted: int, columns: Columns) -> int:
    """Say by bits which columns of a table to write are quoted, from those of the table it comes from."""
    names = columns.source.names if columns.source else columns.names
    if names == columns.names:
        return was_quoted
    quoted = {name for index, name in enumerate(names) if was_quoted >> index & 1}
    return sum(1 << index for index, name in enumerate(columns.names) if name in quoted)


class _CsvSink:
    """Write rows, laid out like the table that the first note comes from.

    When the table's encoding lacks a character, the table is written anew as UTF-8 with a byte-order mark.
    """

    def __init__(
        self,
        file: BinaryIO,
        usual: _Layout,
        spans: str | None,
        *,
        fixed: bool,
        compressed: bool,
        as_cell: Callable[[Any], str],
    ) -> None:
        self._file = file
        self._as_cell = as_cell
        self._fixed = fixed  # a delimiter of the format's own
        self._layout = usual
        self._spans = spans
        self._compressed = compressed
        self._encoding = Encoding()
        self._columns: Columns | None = None
        self._end = ""

    def write(self, document: Document) -> None:
        """Write a note's row, and the header before the first."""
        columns, layout = self._columns, self._layout
        if columns is None:
            columns = written_columns(document, self._spans)
            found = document.meta.get("_csv", layout)
            layout = layout if self._fixed and found.dialect.delimiter != layout.dialect.delimiter else found
        try:
            columns.check(document)
            style = document.meta.get("_csv", layout)
            cells = [self._as_cell(columns.value(name, document)) for name in columns.names]
            row = join(cells, layout.dialect, quoted=_quoted(style.quoted, columns), bare=style.bare)
        except FormatError as error:
            raise FormatError(error.reason, f"note {document.id}") from None
        if self._columns is None:  # only now: a first note that is refused must not decide on the columns
            # a compressed table cannot be written anew, so it is UTF-8 from the start
            as_is = not self._compressed or layout.encoding.name.startswith("utf-")
            self._encoding = layout.encoding if as_is else Encoding(bom=True)
            self._begin(columns, layout)
        self._put((self._end or layout.header_end) + row)
        self._end = style.end

    def finish(self) -> None:
        """End the last line; without any note, write the usual header."""
        if self._columns is None:
            self._begin(written_columns(None, self._spans), self._layout)
        self._put(self._end)

    def _begin(self, columns: Columns, layout: _Layout) -> None:
        self._columns, self._layout, self._end = columns, layout, layout.header_end
        self._file.write(self._encoding.mark)
        names = list(map(self._as_cell, columns.names))
        self._put(join(names, layout.dialect, quoted=_quoted(layout.header_quoted, columns)))

    def _put(self, text: str) -> None:
        try:
            data = text.encode(self._encoding.name, self._encoding.errors)
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
