"""The lists inside the package: read when first asked for, kept, never changed.

Each list is a gzipped, tab-separated table whose first line names its columns; ``source.toml`` beside
them says where each comes from. `load` gives a list as columns; the detector and, later, the surrogate
pools and the learned detectors' features all read it this way.

>>> states = load("states")
>>> dict(zip(states["name"], states["code"], strict=True))["Ohio"]
'OH'
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from plainsight.errors import UsageError, suggest

__all__ = ["load", "names", "read"]


def names() -> list[str]:
    """Return the names of all lists."""
    folder = files("plainsight.data") / "lexicons"
    return sorted(
        item.name.removesuffix(".tsv.gz") for item in folder.iterdir() if item.name.endswith(".tsv.gz")
    )


@cache
def load(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return a list as its columns, each a tuple of strings in the list's own order."""
    return read(name)


def read(name: str, *, rows: int | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return what `load` does, or its first rows, without keeping it: for tables made of it once."""
    try:
        packed = (files("plainsight.data") / "lexicons" / f"{name}.tsv.gz").read_bytes()
    except OSError:
        raise UsageError(f"unknown list {name!r}{suggest(name, names())}") from None
    head, _, body = gzip.decompress(packed).decode("ascii").partition("\n")
    if rows is not None:
        body = "\n".join(body.split("\n", rows)[:rows])
    titles = head.split("\t")
    cells = body.removesuffix("\n").replace("\n", "\t").split("\t")  # every row has every cell: slice columns
    return MappingProxyType({title: tuple(cells[n :: len(titles)]) for n, title in enumerate(titles)})
