"""Arrow columns to Python values and back, without losing a type or a digit."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plainsight.errors import DataError

if TYPE_CHECKING:
    from arro3.core import Array, DataType, Schema

# arro3 is imported where it is used: it is a compiled package that only Parquet needs.


class Cell:
    """A value of a kind that plain Python values do not carry exactly, such as a list or a duration."""

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
        from arro3.core import RecordBatch
        from arro3.io import write_ipc_stream

        stream = io.BytesIO()
        write_ipc_stream(RecordBatch.from_arrays([self.array], names=[""]), stream)
        return _unpack_cell, (stream.getvalue(),)


def _unpack_cell(packed: bytes) -> Cell:
    from arro3.io import read_ipc_stream

    return Cell(next(iter(read_ipc_stream(io.BytesIO(packed)))).column(0))


def pack_schema(schema: Schema) -> str:
    """Write a schema as text: an Arrow IPC stream without rows, in base 64."""
    from arro3.core import RecordBatchReader
    from arro3.io import write_ipc_stream

    stream = io.BytesIO()
    write_ipc_stream(RecordBatchReader.from_batches(schema, []), stream)
    return base64.b64encode(stream.getvalue()).decode()


def unpack_schema(packed: str) -> Schema:
    """Read what `pack_schema` wrote."""
    from arro3.io import read_ipc_stream

    return read_ipc_stream(io.BytesIO(base64.b64decode(packed))).schema


def is_text(kind: DataType) -> bool:
    """Whether a column of this kind holds text, in whatever form; a dictionary of texts does."""
    from arro3.core import DataType

    if DataType.is_dictionary(kind):
        return kind.value_type is not None and is_text(kind.value_type)
    return DataType.is_string(kind) or DataType.is_large_string(kind) or DataType.is_string_view(kind)


def _is_plain(kind: DataType) -> bool:
    """Whether Python has the very values: numbers, truth values."""
    from arro3.core import DataType

    floating = DataType.is_float32(kind) or DataType.is_float64(kind)
    return DataType.is_boolean(kind) or DataType.is_integer(kind) or floating


def _is_spelled(kind: DataType) -> bool:
    """Whether values are carried as text: dates, times, decimals, with all their digits."""
    from arro3.core import DataType

    if DataType.is_duration(kind) or DataType.is_interval(kind):
        return False
    return DataType.is_temporal(kind) or DataType.is_decimal(kind)


def values_of(array: Array) -> list[Any]:
    """Return a column's values: text, numbers and truth values, dates and decimals as text, else cells."""
    from arro3.core import DataType

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
    return [Cell(array.slice(place, 1)) for place in range(len(array))]


def from_values(values: Sequence[Any], kind: DataType) -> Array:
    """Make a column of what `values_of` returned, or a `DataError` if a value does not fit."""
    from arro3.core import Array, ChunkedArray

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
    from arro3.core import Array, DataType

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
