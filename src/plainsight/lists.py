"""The bundled word lists: read on first use, then kept.

Each list is a gzipped, tab-separated table whose first line names its columns; ``source.toml`` beside
them says where each comes from. `load` returns a list as columns.

>>> states = load("states")
>>> dict(zip(states["name"], states["code"], strict=True))["Ohio"]
'OH'
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from plainsight.errors import UsageError, suggest
from plainsight.shipped import PACKAGE, read_shipped


def names() -> list[str]:
    """Return the names of all lists."""
    folder = PACKAGE / "data" / "lexicons"
    return sorted(item.name.removesuffix(".tsv.gz") for item in folder.glob("*.tsv.gz"))


@cache
def load(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return a list as its columns, each a tuple of strings in the list's own order."""
    return read(name)


def read(name: str, *, rows: int | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return a list, or its first rows, without keeping it: for callers that build a table from it once."""
    if name not in names():
        raise UsageError(f"unknown list {name!r}{suggest(name, names())}")
    packed = read_shipped(f"data/lexicons/{name}.tsv.gz")
    head, _, body = gzip.decompress(packed).decode("ascii").partition("\n")
    if rows is not None:
        body = "\n".join(body.split("\n", rows)[:rows])
    titles = head.split("\t")
    cells = (
        body.removesuffix("\n").replace("\n", "\t").split("\t")
    )  # every row has all cells, so columns are slices
    return MappingProxyType({title: tuple(cells[n :: len(titles)]) for n, title in enumerate(titles)})


def read_lines(path: str) -> list[str]:
    """Return the lines of a gzipped text of ``plainsight.data``, given by its path there."""
    return gzip.decompress(read_shipped(f"data/{path}")).decode().splitlines()
