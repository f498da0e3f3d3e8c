"""Parquet tables: one row is one note; columns are chosen by name."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.arrow import from_text, from_values, is_text, pack_schema, unpack_schema, values_of
from plainsight.formats.columns import Columns, cell, choose, columns_of, written_columns
from plainsight.formats.files import atomic_file, open_bytes, read_tables

if TYPE_CHECKING:
    from arro3.core import Array, RecordBatch, RecordBatchReader, Schema

__all__ = ["Parquet"]

_ROWS = 256  # in a batch: few, for notes may be long
_CHARACTERS = 1 << 24  # after which a batch is written even with fewer rows
_ROW_GROUP = 8192  # rows that the writer holds in memory, packed


class Parquet:
    """Parquet files; the types of all columns are kept.

    ``text``, ``id``, ``patient``, ``type`` and ``date`` name the columns; usual names are found. Other
    columns are carried in meta. ``spans`` names a column that holds spans as JSON. ``compression`` is
    what Parquet calls it: ``"snappy"``, ``"zstd(9)"``. Without ``metadata`` what the schema says of itself
    (file names, authors) is not written.
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
        spans: str | None = None,
        compression: str = "zstd(3)",
        metadata: bool = True,
    ) -> None:
        self.columns = {"text": text, "id": id, "patient": patient, "type": type, "date": date}
        self.spans = spans
        self.compression = compression
        self.metadata = metadata

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each row; a folder's files, which must have the same columns, follow in order."""
        known: list[tuple[Columns, str]] = []
        return read_tables(path, self.suffixes, lambda file: self._read_file(file, known))

    def _read_file(self, file: Path, known: list[tuple[Columns, str]]) -> Iterator[Document | SetAside]:
        reader = _open(file)
        schema = reader.schema
        spans = self.spans if self.spans in schema.names else None  # otherwise it is only written
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

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write a row for each document, as the table was that they come from."""
        from arro3.core import RecordBatchReader
        from arro3.io import write_parquet

        groups, packing = _groups(documents), self.compression
        first = next(groups, [])
        table = _Table.of(first, self.spans, metadata=self.metadata)
        failures: list[BaseException] = []
        try:
            write_parquet(RecordBatchReader.from_batches(table.schema, []), io.BytesIO(), compression=packing)
        except Exception as error:  # better now than after the work
            raise UsageError(f"Parquet cannot be written with compression {packing!r}: {error}") from None

        def batches() -> Iterator[RecordBatch]:
            # an error must not cross the library, which would put its message into another
            try:
                for group in chain([first] if first else [], groups):
                    yield table.batch(group)
            except BaseException as error:
                failures.append(error)

        with atomic_file(path) as temporary:
            try:
                write_parquet(
                    RecordBatchReader.from_batches(table.schema, batches()),
                    temporary,
                    compression=packing,
                    max_row_group_size=_ROW_GROUP,
                )
            except Exception:  # the library's, of no kind of its own; its message may show values
                if not failures:
                    raise FormatError("cannot be written as Parquet", str(path)) from None
            if failures:
                raise failures[0]

    def render(self, document: Document) -> bytes:
        """Return a note's text as a table holds it; a lone surrogate is refused."""
        try:
            return document.text.encode()
        except UnicodeEncodeError:
            raise FormatError("a lone surrogate, which Parquet cannot hold", f"note {document.id}") from None


def _open(file: Path) -> RecordBatchReader:
    """Open a table. What is plainly none is told here, for the library panics over it."""
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
        return read_parquet(file, batch_size=_ROWS)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic is not an Exception
        raise FormatError("a damaged Parquet file", str(file)) from None


def _groups(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Gather documents into batches of a bounded size."""
    group: list[Document] = []
    size = 0
    for document in documents:
        group.append(document)
        size += len(document.text)
        if len(group) == _ROWS or size > _CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


@dataclass(frozen=True, slots=True)
class _Table:
    """The table to be written: its columns and their types, and the table that it follows."""

    columns: Columns
    schema: Schema
    source: Columns

    @classmethod
    def of(cls, first: Sequence[Document], spans: str | None, *, metadata: bool) -> _Table:
        """Follow the table that the first documents come from, or make a plain one."""
        from arro3.core import DataType, Field, Schema

        source = columns_of(first[0] if first else None)
        columns = written_columns(source, first[0] if first else None, spans)
        packed = first[0].meta.get("_parquet") if first else None
        schema = unpack_schema(packed) if isinstance(packed, str) else Schema([])
        fields = []
        for name in columns.names:
            field = schema.field(name) if name in schema.names else Field(name, DataType.string())
            if name == columns.text and field.type.value_type is not None:
                field = field.with_type(field.type.value_type)  # a dictionary: new texts may outgrow its keys
            elif name in (columns.id, columns.patient):
                try:
                    from_text([columns.value(name, document) for document in first], field.type)
                except DataError:
                    field = field.with_type(DataType.string())  # numbers have become names
            fields.append(field if metadata else field.remove_metadata())
        kept = dict(schema.metadata) if metadata else {}
        if columns.names != source.names:
            kept.pop(b"pandas", None)  # describes columns that may be gone
        return cls(columns, Schema(fields, metadata=kept), source)

    def batch(self, documents: Sequence[Document]) -> RecordBatch:
        """Make a batch of documents."""
        from arro3.core import RecordBatch

        for document in documents:
            self.source.check(document)
        columns = [self._column(name, documents) for name in self.columns.names]
        return RecordBatch.from_arrays(columns, schema=self.schema)

    def _column(self, name: str, documents: Sequence[Document]) -> Array:
        kind = self.schema.field(name).type
        values: list[Any] = [self.columns.value(name, document) for document in documents]
        try:
            if name in self.columns.keys and not is_text(kind):
                return from_values(values, kind)
            return from_text([None if value is None else cell(value) for value in values], kind)
        except DataError as error:
            place = f"notes {documents[0].id} to {documents[-1].id}, column {name}"
            raise FormatError(str(error), place) from None
