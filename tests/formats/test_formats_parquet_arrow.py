from __future__ import annotations

import pickle
from typing import Any

import pytest
from arro3.core import Array, DataType, Field, Schema, list_array, struct_array

from plainsight.errors import DataError
from plainsight.formats.parquet import (
    Cell,
    from_text,
    from_values,
    is_text,
    pack_schema,
    unpack_schema,
    values_of,
)

STRING = DataType.string()


def _made(values: list[str | None], kind: DataType) -> Array:
    return Array(values, STRING).cast(kind)


ARRAYS = {
    "string": Array(["a", None, "é😀"], STRING),
    "large": Array(["a", None], DataType.large_string()),
    "view": Array(["a", None], DataType.string_view()),
    "dictionary": _made(["x", None, "x"], DataType.dictionary(DataType.int32(), STRING)),
    "int8": Array([1, None, -128], DataType.int8()),
    "uint64": Array([2**64 - 1, None], DataType.uint64()),
    "float32": Array([1.100000023841858, None], DataType.float32()),
    "float64": Array([0.1, None, 1e300], DataType.float64()),
    "bool": Array([True, None, False], DataType.bool()),
    "timestamp": _made(["2020-01-01T01:02:03.000004", None, "0001-01-01T00:00:00"], DataType.timestamp("us")),
    "zoned": _made(
        ["2020-01-01T01:02:03.000000123-05:00", None], DataType.timestamp("ns", tz="America/New_York")
    ),
    "date": _made(["2020-02-29", None, "0001-01-01"], DataType.date32()),
    "time": _made(["01:02:03.000004", None], DataType.time64("us")),
    "decimal": _made(["1.20", None, "-3.33"], DataType.decimal128(20, 2)),
    "float16": Array([1.5, None], DataType.float32()).cast(DataType.float16()),
    "duration": Array([1, None], DataType.int64()).cast(DataType.duration("us")),
    "binary": Array([b"\x00\xff", None, b""], DataType.binary()),
    "numbers by number": Array([1, 2, 1], DataType.int64()).cast(
        DataType.dictionary(DataType.int8(), DataType.int64())
    ),
    "list": list_array(Array([0, 1, 1], DataType.int32()), Array(["a"], STRING)),
    "struct": struct_array([Array([1, None], DataType.int8())], fields=[Field("x", DataType.int8())]),
    "far date": Array([2**62, None], DataType.int64()).cast(DataType.timestamp("us")),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_every_kind_comes_back(name: str) -> None:
    array = ARRAYS[name]
    values = pickle.loads(pickle.dumps(values_of(array)))
    back = from_values(values, array.type)
    assert back.type == array.type
    assert back.null_count == array.null_count
    if name == "far date":
        assert back.cast(DataType.int64()).to_pylist() == array.cast(DataType.int64()).to_pylist()
    else:
        assert back.to_pylist() == array.to_pylist()
    assert values == values_of(array)


def test_cells_and_texts_mix_where_batches_differ() -> None:
    far, near = values_of(ARRAYS["far date"])[:1], values_of(ARRAYS["timestamp"])[:1]
    back = from_values([*far, *near, None], DataType.timestamp("us"))
    assert back.cast(DataType.int64()).to_pylist() == [2**62, 1577840523000004, None]


def test_dates_and_decimals_read_well() -> None:
    assert values_of(ARRAYS["date"])[0] == "2020-02-29"
    assert values_of(ARRAYS["zoned"])[0] == "2020-01-01T01:02:03.000000123-05:00"
    assert values_of(ARRAYS["decimal"])[2] == "-3.33"


def test_cells_show_their_value_only_when_asked() -> None:
    first, second, _ = values_of(ARRAYS["binary"])
    assert isinstance(first, Cell)
    assert (str(first), str(second), repr(first)) == ("b'\\x00\\xff'", "", "Cell(…)")
    assert first != second
    assert first != "x"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["17", "secret"], DataType.int64()),
        (["2020-13-45"], DataType.date32()),
        ([["secret"]], DataType.int64()),
        (["secret"], DataType.bool()),
        ([Cell(ARRAYS["duration"].slice(0, 1)), "secret"], DataType.duration("us")),
        (["lone \ud800 secret"], STRING),
        (["secret"], DataType.duration("us")),
    ],
)
def test_values_that_do_not_fit_are_refused_and_not_shown(values: list[Any], kind: DataType) -> None:
    with pytest.raises(DataError) as caught:
        from_values(values, kind)
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_ids_become_numbers_again() -> None:
    assert from_text(["17", None], DataType.int32()).to_pylist() == [17, None]


def test_what_is_text() -> None:
    texts = ["string", "large", "view", "dictionary"]
    assert [name for name, array in ARRAYS.items() if is_text(array.type)] == texts


def test_schemas_are_packed_whole() -> None:
    schema = Schema([Field("a", STRING, nullable=False, metadata={"k": "v"})], metadata={"origin": "x"})
    back = unpack_schema(pack_schema(schema))
    assert back == schema
    assert back.metadata_str == {"origin": "x"}
    assert back.field("a").metadata_str == {"k": "v"}
