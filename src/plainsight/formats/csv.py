"""Delimited tables: one row is one note; columns are chosen by name."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, ClassVar, Self, cast

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
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
from plainsight.formats.files import atomic_file, open_bytes, read_tables

__all__ = ["Csv", "Tsv"]


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
    columns are carried in meta. ``spans`` names a column that holds spans as JSON. ``delimiter`` is found
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
        spans: str | None = None,
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
        return read_tables(path, self.suffixes, lambda file: self._read_file(file, known))

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
        spans = self.spans if self.spans in header.fields else None  # otherwise it is only written
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

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write a row for each document, as the table was that they come from."""
        stream = iter(documents)
        first = next(stream, None)
        source = columns_of(first)
        columns = written_columns(source, first, self.spans)
        layout = first.meta.get("_csv") if first is not None else None
        if not isinstance(layout, _Layout):
            layout = _Layout(self._dialect, Encoding())
        with (
            atomic_file(path) as temporary,
            _Sink(temporary, layout.encoding, packed=path.suffix.lower() == ".gz") as sink,
        ):
            quoted = _bits(layout.header_quoted, source, columns)
            sink.write(join(columns.names, layout.dialect, quoted=quoted))
            end = layout.header_end
            for document in chain([first] if first is not None else [], stream):
                source.check(document)
                style = document.meta.get("_csv", layout)
                quoted = _bits(style.quoted, source, columns)
                cells = [cell(value) for value in columns.write(document)]
                sink.write(end or layout.header_end)
                try:
                    sink.write(join(cells, layout.dialect, quoted=quoted, bare=style.bare))
                except FormatError as error:
                    raise FormatError(error.reason, f"note {document.id}") from None
                end = style.end
            sink.write(end)

    def render(self, document: Document) -> bytes:
        """Return a note's text as a table holds it; one that needs quotes is refused where there are none."""
        layout = document.meta.get("_csv")
        dialect = layout.dialect if isinstance(layout, _Layout) else self._dialect
        try:
            return join([document.text], dialect).encode("utf-8", "surrogatepass")
        except FormatError as error:
            raise FormatError(error.reason, f"note {document.id}") from None

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


class _Sink:
    """Write text in a table's encoding; when that lacks a character, write it all anew as UTF-8."""

    def __init__(self, path: Path, encoding: Encoding, *, packed: bool) -> None:
        self.path = path
        self.packed = packed
        # what is packed cannot be written anew half-way, so it is UTF-8 from the start
        self.encoding = Encoding(bom=True) if packed and not encoding.name.startswith("utf-") else encoding

    def __enter__(self) -> Self:
        self._file = self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self._file.close()
        self._raw.close()  # which a packed file leaves open

    def _open(self) -> BinaryIO:
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._raw = raw = os.fdopen(handle, "wb", buffering=1 << 20)
        file = cast("BinaryIO", gzip.GzipFile("", "wb", 6, raw, mtime=0)) if self.packed else raw
        file.write(self.encoding.mark)
        return file

    def write(self, text: str) -> None:
        """Write text, all of it or none."""
        try:
            data = text.encode(self.encoding.name, error_handler(self.encoding.name))
        except UnicodeEncodeError:
            self._widen()
            data = text.encode("utf-8", "surrogatepass")
        self._file.write(data)

    def _widen(self) -> None:
        self._close()
        before, self.encoding = self.encoding, Encoding(bom=True)
        narrow = self.path.with_name(self.path.name + "-narrow")
        self.path.replace(narrow)
        try:
            self._file = self._open()
            with narrow.open(encoding=before.name, newline="") as file:
                while text := file.read(1 << 20):
                    self._file.write(text.encode())
        finally:
            narrow.unlink()
