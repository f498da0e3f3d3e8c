"""Read any table as rows: CSV, TSV, Parquet, JSON lines, or a table of a database.

For tables that are no notes, such as a hospital's patients or wards. Values are as the table holds them;
those of CSV are texts.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from plainsight.errors import FormatError, UsageError
from plainsight.formats.encodings import READ_ERRORS, find_encoding
from plainsight.formats.files import open_bytes
from plainsight.formats.parquet import open_parquet, values_of
from plainsight.sources.database import Link, as_database, refusing
from plainsight.sources.places import Database

_DATABASES = (".db", ".sqlite", ".sqlite3", ".duckdb")
_PARQUET = (".parquet", ".pq")
_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".json")

Row = dict[str, Any]


def read_table(path: Path) -> Iterator[Row]:
    """Yield the rows of a table by column, in its order."""
    name = path.name.lower()
    if isinstance(path, Database) or name.endswith(_DATABASES):
        return _of_database(path)
    if not path.is_file():
        raise UsageError(f"no table at {path}")
    if name.endswith(_PARQUET):
        return _of_parquet(path)
    return _of_lines(path) if name.endswith(_LINES) else _of_csv(path)


def _of_csv(path: Path) -> Iterator[Row]:
    encoding = find_encoding(lambda: open_bytes(path), str(path))
    with open_bytes(path) as stream:
        stream.read(len(encoding.mark))
        text = io.TextIOWrapper(stream, encoding.name, encoding.errors, newline="")
        try:
            first = text.readline()
            delimiter = max(",;|\t", key=first.count)
            reader = csv.reader(chain([first], text), delimiter=delimiter)
            header = next(reader, [])
            for row in reader:
                if row and len(row) != len(header):
                    where = f"{path}:{reader.line_num}"
                    raise FormatError(f"{len(row)} fields where the header has {len(header)}", where)
                if row:
                    yield dict(zip(header, row, strict=True))
        except (csv.Error, *READ_ERRORS, UnicodeError):
            raise FormatError("the table cannot be read to its end", str(path)) from None


def _of_parquet(path: Path) -> Iterator[Row]:
    reader = open_parquet(path)
    names = reader.schema.names
    try:
        for batch in reader:
            for row in zip(*(values_of(column) for column in batch.columns), strict=True):
                yield dict(zip(names, row, strict=True))
    except Exception as error:  # the library has no exceptions of its own
        raise FormatError(
            f"the table cannot be read to its end ({type(error).__name__})", str(path)
        ) from None


def _of_lines(path: Path) -> Iterator[Row]:
    """Yield the objects of JSON lines, or of a JSON file: one object, or a list of them."""
    with open_bytes(path) as stream:
        lines: Iterator[bytes] = iter(stream)
        if path.name.lower().endswith(".json"):
            lines = iter([stream.read()])
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                found = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
            except (msgspec.DecodeError, RecursionError, ValueError):
                raise FormatError("not JSON that can be read", f"{path}:{number}") from None
            for one in found if isinstance(found, list) else [found]:
                if not isinstance(one, dict):
                    raise FormatError("not a JSON object", f"{path}:{number}")
                yield one


def _of_database(path: Path) -> Iterator[Row]:
    from sqlalchemy import text

    link = Link(as_database(path), read_only=True)
    with refusing(link), link.connect() as connection:
        table = link.quoted_table(link.chosen_table(connection))
        names = link.column_names(connection, table)
        for row in connection.execute(text(f"SELECT * FROM {table}")):
            yield dict(zip(names, row, strict=True))
