"""Parquet files that are small on disk and huge in memory."""

import io

import pytest
from arro3.core import Array, DataType, Field, RecordBatch, Schema
from arro3.io import write_parquet

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats import limits, parquet_sizes
from plainsight.formats.parquet import Parquet
from plainsight.formats.parquet_sizes import rows_at_once


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Let a file grow to 1 MB, or else twenty times."""
    monkeypatch.setenv("PLAINSIGHT_MAX_EXPANSION", "20")
    monkeypatch.setattr(limits, "_FREE", 1 << 20)


def packed(texts, **options):
    schema = Schema([Field(name, DataType.string()) for name in ("id", "text")])
    ids = [str(number) for number in range(len(texts))]
    batch = RecordBatch.from_arrays(
        [Array(ids, DataType.string()), Array(texts, DataType.string())], schema=schema
    )
    write_parquet(batch, made := io.BytesIO(), compression="zstd(3)", **options)
    return made.getvalue()


def test_pages_that_grow_too_much_are_refused_before_they_are_read(tmp_path):
    texts = [f"{number} " + "x" * 90_000 for number in range(100)]
    (path := tmp_path / "bomb.parquet").write_bytes(packed(texts, dictionary_enabled=False))
    with pytest.raises(FormatError, match=r"over 20 times its size; PLAINSIGHT_MAX_EXPANSION allows more"):
        list(Parquet().read(path))


def test_rows_that_share_a_long_text_are_read_to_the_limit(tmp_path):
    (path := tmp_path / "bomb.parquet").write_bytes(packed(["Seen by Dr. Ng. " * 1000] * 9999))
    *notes, last = Parquet().read(path)
    assert 1 <= len(notes) < 9999
    assert all(isinstance(note, Document) for note in notes)
    assert isinstance(last, SetAside)
    assert "20 times its size" in last.reason


def test_fewer_rows_are_read_together_where_they_may_share_long_texts(monkeypatch):
    texts = ["".join(map(str, range(first, first + 3000))) for first in (0, 10_000, 20_000)]
    file = packed(texts * 30)
    longest = sum(map(len, texts))
    monkeypatch.setattr(parquet_sizes, "_BATCH_BYTES", 5 * longest)
    assert rows_at_once(io.BytesIO(file), 256, pages=True) == 4  # with the four bytes of each length
    assert rows_at_once(io.BytesIO(file), 256, pages=False) == 256
    monkeypatch.setattr(parquet_sizes, "_BATCH_BYTES", 500 * longest)
    assert rows_at_once(io.BytesIO(file), 256, pages=True) == 256


def test_a_small_file_may_grow(tmp_path):
    (path := tmp_path / "notes.parquet").write_bytes(packed(["x" * 900] * 900))
    assert len([note for note in Parquet().read(path) if isinstance(note, Document)]) == 900


@pytest.mark.parametrize("place", [-9, -20, -60, 4, 5, 30])
def test_sizes_of_a_damaged_file_are_not_said(place):
    damaged = bytearray(packed(["Seen by Dr. Ng."] * 9))
    damaged[place] ^= 0xFF
    assert 1 <= rows_at_once(io.BytesIO(bytes(damaged)), 256, pages=True) <= 256
