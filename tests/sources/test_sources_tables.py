from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from arro3.core import Array, DataType, RecordBatch
from arro3.io import write_parquet

from plainsight.errors import FormatError, UsageError
from plainsight.sources.places import place
from plainsight.sources.tables import read_table

ROWS = [{"unit": "Garden", "beds": "12"}, {"unit": "Zoë", "beds": "4"}]


def test_delimited_tables_of_any_delimiter_and_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('unit,beds\n"Garden",12\nZoë,4\n', encoding="utf-8-sig")
    (tmp_path / "b.csv").write_bytes("unit;beds\r\nGarden;12\r\nZoë;4\r\n".encode("cp1252"))
    (tmp_path / "c.tsv").write_text("unit\tbeds\nGarden\t12\n\nZoë\t4\n", encoding="utf-8")
    for name in ("a.csv", "b.csv", "c.tsv"):
        assert list(read_table(tmp_path / name)) == ROWS


def test_json_lines_and_json(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"unit": "Garden"}\n\n{"unit": "Zoë"}\n', encoding="utf-8")
    (tmp_path / "b.json").write_text('[{"unit": "Garden"}, {"unit": "Zoë"}]', encoding="utf-8")
    for name in ("a.jsonl", "b.json"):
        assert [row["unit"] for row in read_table(tmp_path / name)] == ["Garden", "Zoë"]


def test_parquet(tmp_path: Path) -> None:
    units = Array(["Garden", "Zoë"], type=DataType.string())
    write_parquet(RecordBatch.from_pydict({"unit": units}), tmp_path / "units.parquet")
    assert [row["unit"] for row in read_table(tmp_path / "units.parquet")] == ["Garden", "Zoë"]


def test_a_table_of_a_database(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect(tmp_path / "h.db") as connection:
        connection.execute("CREATE TABLE units (unit TEXT, beds INTEGER)")
        connection.execute("INSERT INTO units VALUES ('Garden', 12)")
    assert list(read_table(tmp_path / "h.db")) == [{"unit": "Garden", "beds": 12}]
    assert list(read_table(place(f"sqlite:///{tmp_path}/h.db#units"))) == [{"unit": "Garden", "beds": 12}]


def test_what_cannot_be_read_is_refused_without_its_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("unit,beds\nGarden\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"1 fields where the header has 2") as refused:
        list(read_table(tmp_path / "a.csv"))
    assert "Garden" not in str(refused.value)
    (tmp_path / "a.jsonl").write_text('{"unit": Garden}\n', encoding="utf-8")
    with pytest.raises(FormatError, match="not JSON"):
        list(read_table(tmp_path / "a.jsonl"))
    with pytest.raises(UsageError, match="no table at"):
        list(read_table(tmp_path / "missing.csv"))
