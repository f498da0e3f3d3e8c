"""Parquet tables: one row is one note; columns are chosen by name."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING, ClassVar, Self

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.arrow import from_text, from_values, is_text, pack_schema, unpack_schema, values_of
from plainsight.formats.base import Sink
from plainsight.formats.columns import Columns, cell, choose, columns_of, written_columns
from plainsight.formats.files import atomic_file, open_bytes, read_files
from plainsight.formats.memory import MemoryFile

if TYPE_CHECKING:
    from arro3.core import Array, RecordBatch, RecordBatchReader, Schema

_ROWS = 256  # in a batch: few, for notes may be long
_WAITING = 64  # rows ahead of the writer
_ROW_GROUP = 8192  # rows that the writer holds in memory, packed


class Parquet:
    """Parquet files; the types of all columns are kept.

    ``text``, ``id``, ``patient``, ``type`` and ``date`` name the columns; usual names are found. Other
    columns are carried in meta. ``spans`` names the column that holds spans as JSON. ``compression`` is
    what Parquet calls it: ``"snappy"``, ``"zstd(9)"``. Metadata of the schema (file names, authors) is not
    carried over.
    """

    name: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    def __init__(
        self,
        *,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the domain's word
        patient: str | None = None,
        type: str | None = None,  # noqa: A002 - the domain's word
        date: str | None = None,
        spans: str = "spans",
        compression: str = "zstd(3)",
    ) -> None:
        self.columns = {"text": text, "id": id, "patient": patient, "type": type, "date": date}
        self.spans = spans
        self.compression = compression

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each row; a folder's files, which must have the same columns, follow in order."""
        known: list[tuple[Columns, str]] = []
        return read_files(path, self.suffixes, lambda file, _: self._read_file(file, known))

    def _read_file(self, file: Path, known: list[tuple[Columns, str]]) -> Iterator[Document | SetAside]:
        reader = _open(file)
        schema = reader.schema
        spans = self.spans if self.spans in schema.names else None
        columns = choose(schema.names, {**self.columns, "spans": spans}, str(file))
        for name in filter(None, (columns.text, columns.spans)):
            if not is_text(schema.field(name).type):
                raise FormatError(f"column {name!r} does not hold text", str(file))
        known.append((columns, pack_schema(schema)))
        if known[-1] != known[0]:
            raise FormatError("the columns are not those of the folder's first file", str(file))
        columns, packed = known[0]
        number = 0
        try:
            for batch in reader:
                for row in zip(*(values_of(column) for column in batch.columns), strict=True):
                    number += 1
                    yield columns.read(row, number, f"{file}, row {number}", {"_parquet": packed})
        except Exception as error:  # the library's, of no kind of its own
            # the rows before are good: they go on, and what is lost is said
            reason = f"cannot be read ({type(error).__name__}), nor any row after it"
            yield SetAside(f"row {number + 1}", reason, f"{file}, row {number + 1}")

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        """Open a table, with the column types of the one that the first note comes from."""
        self._check_compression()
        spans = self.spans if span_column else None
        with atomic_file(path) as temporary, _ParquetSink(temporary, spans, self.compression) as sink:
            yield sink

    def _check_compression(self) -> None:
        """Refuse an unknown compression before the work, not after it."""
        from arro3.core import RecordBatchReader, Schema
        from arro3.io import write_parquet

        empty = RecordBatchReader.from_batches(Schema([]), [])
        try:
            write_parquet(empty, io.BytesIO(), compression=self.compression)
        except Exception as error:
            reason = f"Parquet cannot be written with compression {self.compression!r}: {error}"
            raise UsageError(reason) from None


def _open(file: Path) -> RecordBatchReader:
    """Open a table. Refuse what is clearly no Parquet file first, since the library panics over it."""
    from arro3.io import read_parquet

    with open_bytes(file) as stream:
        head = stream.read(4)
        size = stream.seek(0, 2)
        tail = b""
        if size >= 12:
            stream.seek(-8, 2)
            tail = stream.read(8)
    if not size:
        raise FormatError("empty file", str(file))
    if head == b"PARE":
        raise FormatError("an encrypted Parquet file", str(file))
    if head != b"PAR1" or tail[4:] != b"PAR1" or int.from_bytes(tail[:4], "little") > size - 12:
        raise FormatError("not a Parquet file, or not a whole one", str(file))
    try:
        in_memory = isinstance(file, MemoryFile)
        return read_parquet(file.open("rb") if in_memory else file, batch_size=_ROWS)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic is not an Exception
        raise FormatError("a damaged Parquet file", str(file)) from None


class _ParquetSink:
    """Hand rows to the library's writer, which pulls them, in a thread of its own."""

    def __init__(self, file: Path, spans: str | None, compression: str) -> None:
        self._file = file
        self._spans = spans
        self._compression = compression
        self._table: _Table | None = None
        self._batches: Queue[RecordBatch | None] = Queue(_WAITING)
        self._thread: Thread | None = None
        self._failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._thread is None:
            self._start(_Table.of(None, self._spans))
        if self._thread is not None:
            self._batches.put(None)
            self._thread.join()
        if kind is None:
            self._check()

    def write(self, document: Document) -> None:
        """Write a note's row; a value that does not fit its column is refused."""
        table = self._table or _Table.of(document, self._spans)
        row = table.row(document)
        if self._thread is None:
            self._start(table)
        self._check()
        self._batches.put(row)

    def _start(self, table: _Table) -> None:
        self._table = table
        self._thread = Thread(target=self._write, args=(table.schema,), daemon=True)
        self._thread.start()

    def _check(self) -> None:
        if self._failed:
            raise UsageError(f"{self._file.name}: cannot be written as Parquet")

    def _write(self, schema: Schema) -> None:
        from arro3.core import RecordBatchReader
        from arro3.io import write_parquet

        rows = iter(self._batches.get, None)
        try:
            with self._file.open("wb") as file:
                write_parquet(
                    RecordBatchReader.from_batches(schema, rows),
                    file,
                    compression=self._compression,
                    max_row_group_size=_ROW_GROUP,
                )
        except BaseException:  # the library's message may show values, and a panic is no Exception
            self._failed = True
            for _ in rows:  # let the other thread go on until it notices
                pass


@dataclass(frozen=True, slots=True)
class _Table:
    """The table to be written: its columns and their types, and the table that it follows."""

    columns: Columns
    schema: Schema
    source: Columns

    @classmethod
    def of(cls, first: Document | None, spans: str | None) -> _Table:
        """Follow the table that the first note comes from, or make a plain one."""
        from arro3.core import DataType, Field, Schema

        source = columns_of(first)
        columns = written_columns(source, first, spans)
        packed = first.meta.get("_parquet") if first is not None else None
        schema = unpack_schema(packed) if isinstance(packed, str) else Schema([])
        fields = []
        for name in columns.names:
            field = schema.field(name) if name in schema.names else Field(name, DataType.string())
            if name == columns.text and field.type.value_type is not None:
                field = field.with_type(field.type.value_type)  # a dictionary: new texts may outgrow its keys
            elif first is not None and name in (columns.id, columns.patient):
                try:
                    from_text([columns.value(name, first)], field.type)
                except DataError:
                    field = field.with_type(DataType.string())  # numbers have become names
            fields.append(field.remove_metadata())  # which may name files or people
        return cls(columns, Schema(fields), source)

    def row(self, document: Document) -> RecordBatch:
        """Return a note's row."""
        from arro3.core import RecordBatch

        self.source.check(document)
        cells = [self._cell(name, document) for name in self.columns.names]
        return RecordBatch.from_arrays(cells, schema=self.schema)

    def _cell(self, name: str, document: Document) -> Array:
        kind = self.schema.field(name).type
        value = self.columns.value(name, document)
        try:
            if name in self.columns.keys and not is_text(kind):
                return from_values([value], kind)
            return from_text([None if value is None else cell(value)], kind)
        except DataError as error:
            raise FormatError(str(error), f"note {document.id}, column {name}") from None
