"""Parquet tables: one row is one note."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, ClassVar, Self

from arro3.core import Array, ChunkedArray, DataType, Field, RecordBatch, RecordBatchReader, Schema
from arro3.io import read_ipc_stream, read_parquet, write_ipc_stream, write_parquet

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, RunError, UsageError
from plainsight.formats.base import Sink
from plainsight.formats.columns import Columns, TableFormat, cell, written_columns
from plainsight.formats.files import MemoryFile, atomic_file, open_bytes
from plainsight.formats.limits import ExpansionError, cause, refuse_expansion
from plainsight.formats.parquet_sizes import rows_at_once
from plainsight.formats.urls import UrlPath

_ROWS = 256  # in a batch: few, for notes may be long
_WAITING = 64  # rows ahead of the writer
_ROW_GROUP = 8192  # rows that the writer holds in memory, packed


@dataclass(kw_only=True)
class Parquet(TableFormat):
    """Parquet files; the types of all columns are kept. See `TableFormat` for the columns.

    ``compression`` is Parquet's name: ``"snappy"``, ``"zstd(9)"``. Metadata of the schema (file names,
    authors) is not carried over.
    """

    name: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".pq")

    compression: str = "zstd(3)"

    def _read_file(self, file: Path, seen: list[Any]) -> Iterator[Document | SetAside]:
        reader = open_parquet(file)
        with open_bytes(file) as stream:
            size = stream.seek(0, 2)
        schema = reader.schema
        columns = self._find_columns(schema.names, file)
        for name in filter(None, (columns.text, columns.spans)):
            if not is_text(schema.field(name).type):
                raise FormatError(f"column {name!r} does not hold text", str(file))
        seen.append((columns, pack_schema(schema)))
        if seen[-1] != seen[0]:
            raise FormatError("the columns are not those of the folder's first file", str(file))
        columns, packed = seen[0]
        number = grown = 0
        try:
            for batch in reader:
                for row in zip(*(values_of(column) for column in batch.columns), strict=True):
                    number += 1
                    note = columns.read(row, number, f"{file}, row {number}", {"_parquet": packed})
                    grown += len(note.text) if isinstance(note, Document) else 0
                    refuse_expansion(grown, size)  # many rows may share one text
                    yield note
        except Exception as error:  # the library has no exceptions of its own
            # the rows before are good: keep them, and report that some are lost
            reason = f"cannot be read ({cause(error)}), nor any row after it"
            yield SetAside(f"row {number + 1}", reason, f"{file}, row {number + 1}")

    @contextmanager
    def _open_file(self, path: Path, *, span_column: bool) -> Iterator[Sink]:
        """Open a table, with the column types of the one that the first note comes from."""
        try:  # refuse an unknown compression now, not at the end
            empty = RecordBatchReader.from_batches(Schema([]), [])
            write_parquet(empty, io.BytesIO(), compression=self.compression)
        except Exception as error:
            reason = f"Parquet cannot be written with compression {self.compression!r}: {error}"
            raise UsageError(reason) from None
        spans = self.spans if span_column else None
        with atomic_file(path) as temporary, _ParquetSink(temporary, spans, self.compression) as sink:
            yield sink


def open_parquet(file: Path) -> RecordBatchReader:
    """Open a table.

    Refuse what is clearly no Parquet file first, since the library panics over it, and what grows too much.
    """
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
        with open_bytes(file) as stream:  # over a network, every page would be a request
            rows = rows_at_once(stream, _ROWS, pages=not isinstance(file, UrlPath))
        is_local = not isinstance(file, MemoryFile | UrlPath)
        with _without_panics():
            return read_parquet(file if is_local else file.open("rb"), batch_size=rows)
    except ExpansionError as error:
        raise FormatError(str(error), str(file)) from None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic is not an Exception
        raise FormatError("a damaged Parquet file", str(file)) from None


@contextmanager
def _without_panics() -> Iterator[None]:
    """Keep from the screen what the library prints there, below Python, before it raises."""
    try:
        screen, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # there is no screen
        yield
        return
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(screen, 2)
        os.close(screen)
        os.close(nothing)


class _ParquetSink:
    """Give rows to the library's writer, which pulls them in another thread."""

    def __init__(self, file: Path, spans: str | None, compression: str) -> None:
        self._file = file
        self._spans = spans
        self._compression = compression
        self._columns: Columns | None = None
        self._schema: Schema | None = None
        self._batches: Queue[RecordBatch | None] = Queue(_WAITING)
        self._thread: Thread | None = None
        self._failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._thread is None:
            columns = written_columns(None, self._spans)
            self._start(columns, _schema(columns, None))
        if self._thread is not None:
            self._batches.put(None)
            self._thread.join()
        if kind is None:
            self._check()

    def write(self, document: Document) -> None:
        """Write a note's row; a value that does not fit its column is refused."""
        columns = self._columns or written_columns(document, self._spans)
        schema = self._schema or _schema(columns, document)
        row = _row(document, columns, schema)
        if self._thread is None:
            self._start(columns, schema)
        self._check()
        self._batches.put(row)

    def _start(self, columns: Columns, schema: Schema) -> None:
        self._columns, self._schema = columns, schema
        self._thread = Thread(target=self._write, args=(schema,), daemon=True)
        self._thread.start()

    def _check(self) -> None:
        if self._failed:
            raise RunError("the Parquet file cannot be written: is the disk full?")

    def _write(self, schema: Schema) -> None:
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
            for _ in rows:  # the other thread must not block before it notices
                pass


def _schema(columns: Columns, first: Document | None) -> Schema:
    """Return the types of a table's columns: those of the table that the first note comes from, else text."""
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
    return Schema(fields)


def _row(document: Document, columns: Columns, schema: Schema) -> RecordBatch:
    """Return a note's row, or refuse a value that does not fit its column."""
    columns.check(document)
    cells = []
    for name in columns.names:
        kind, value = schema.field(name).type, columns.value(name, document)
        try:
            if name in columns.keys and not is_text(kind):
                cells.append(from_values([value], kind))
            else:
                cells.append(from_text([None if value is None else cell(value)], kind))
        except DataError as error:
            raise FormatError(str(error), f"note {document.id}, column {name}") from None
    return RecordBatch.from_arrays(cells, schema=schema)


# --- Arrow columns to Python values and back, without losing a type or a digit -----------------------------


class Cell:
    """A value that Python has no exact type for, such as a list or a duration of Arrow."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    def __repr__(self) -> str:
        return "Cell(…)"

    def __str__(self) -> str:
        value = self.array.to_pylist()[0]
        return "" if value is None else str(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.__reduce__() == other.__reduce__()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        stream = io.BytesIO()
        write_ipc_stream(RecordBatch.from_arrays([self.array], names=[""]), stream)
        return _unpack_cell, (stream.getvalue(),)


def _unpack_cell(packed: bytes) -> Cell:
    return Cell(next(iter(read_ipc_stream(io.BytesIO(packed)))).column(0))


def pack_schema(schema: Schema) -> str:
    """Write a schema as text: an Arrow IPC stream without rows, in base 64."""
    stream = io.BytesIO()
    write_ipc_stream(RecordBatchReader.from_batches(schema, []), stream)
    return base64.b64encode(stream.getvalue()).decode()


def unpack_schema(packed: str) -> Schema:
    """Read what `pack_schema` wrote."""
    return read_ipc_stream(io.BytesIO(base64.b64decode(packed))).schema


def is_text(kind: DataType) -> bool:
    """Whether a column of this kind holds text, in whatever form; a dictionary of texts does."""
    if DataType.is_dictionary(kind):
        return kind.value_type is not None and is_text(kind.value_type)
    return DataType.is_string(kind) or DataType.is_large_string(kind) or DataType.is_string_view(kind)


def _is_plain(kind: DataType) -> bool:
    """Whether Python has the very values: numbers, truth values."""
    floating = DataType.is_float32(kind) or DataType.is_float64(kind)
    return DataType.is_boolean(kind) or DataType.is_integer(kind) or floating


def _is_spelled(kind: DataType) -> bool:
    """Whether values are carried as text: dates, times, decimals, with all their digits."""
    if DataType.is_duration(kind) or DataType.is_interval(kind):
        return False
    return DataType.is_temporal(kind) or DataType.is_decimal(kind)


def values_of(array: Array) -> list[Any]:
    """Return a column's values: text, numbers and truth values, dates and decimals as text, else cells."""
    kind = array.type
    if is_text(kind) or _is_plain(kind):
        return list(array.to_pylist())
    if _is_spelled(kind):
        try:
            spelled = array.cast(DataType.string())
            if spelled.cast(kind).cast(DataType.string()).to_pylist() == (texts := spelled.to_pylist()):
                return list(texts)
        except Exception:  # a date beyond the calendar; those that only fail to come back end here too
            pass
    return [Cell(array.slice(index, 1)) for index in range(len(array))]


def from_values(values: Sequence[Any], kind: DataType) -> Array:
    """Make a column of what `values_of` returned, or a `DataError` if a value does not fit."""
    try:
        if any(isinstance(value, Cell) for value in values):
            pieces = [v.array if isinstance(v, Cell) else from_text([v], kind) for v in values]
            return ChunkedArray(pieces).combine_chunks()
        if _is_plain(kind):
            return Array(values, kind)
    except Exception:  # the library's, whose message may show the value
        raise DataError("a value is not of the column's type") from None
    return from_text(values, kind)


def from_text(values: Sequence[str | None], kind: DataType) -> Array:
    """Make a column of any kind from texts, or a `DataError` if one does not fit."""
    try:
        if is_text(kind) and not DataType.is_dictionary(kind):
            return Array(values, kind)
        array = Array(values, DataType.string()).cast(kind)
    except UnicodeEncodeError:
        raise DataError("a lone surrogate, which Parquet cannot hold") from None
    except Exception:  # its message may show the value
        raise DataError("a value is not of the column's type") from None
    if array.null_count != sum(value is None for value in values):
        raise DataError("a value is not of the column's type")
    return array
