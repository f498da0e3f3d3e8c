"""The lists inside the package: complete, described, unchanged, and readable by column."""

from __future__ import annotations

import gzip
import hashlib
import tomllib
from importlib.resources import files

import pytest

from plainsight.errors import UsageError
from plainsight.lists import load, names, read

FOLDER = files("plainsight.data") / "lexicons"
SOURCES = tomllib.loads((FOLDER / "source.toml").read_text(encoding="utf-8"))


def test_every_list_has_a_source_and_every_source_a_list() -> None:
    assert names() == sorted(SOURCES)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_list_is_what_its_source_says(name: str) -> None:
    source = SOURCES[name]
    content = gzip.decompress((FOLDER / f"{name}.tsv.gz").read_bytes())
    assert hashlib.sha256(content).hexdigest() == source["sha256"]
    assert content.count(b"\n") == source["entries"] + 1
    assert source["origin"]
    assert source["licence"]
    table = load(name)
    assert list(table) == source["columns"]
    assert {len(column) for column in table.values()} == {source["entries"]}


def test_the_lists_stay_small() -> None:
    assert sum(len((FOLDER / f"{name}.tsv.gz").read_bytes()) for name in names()) < 4_000_000


def test_columns_keep_rows_together() -> None:
    surnames = load("surnames")
    row = surnames["name"].index("garcia")
    assert int(surnames["count"][row]) > 1_000_000
    assert surnames["groups"][row][5] == "9"  # nine in ten Hispanic
    first = load("first_names")
    female = dict(zip(first["name"], first["female"], strict=True))
    assert int(female["mary"]) > 95
    assert int(female["john"]) < 5
    cities = load("us_cities")
    assert ("Chattanooga", "TN") in zip(cities["name"], cities["state"], strict=True)


def test_names_come_most_common_first() -> None:
    for name in ("surnames", "first_names"):
        counts = [int(count) for count in load(name)["count"]]
        assert counts == sorted(counts, reverse=True)


def test_a_list_is_read_once_and_cannot_be_changed() -> None:
    assert load("states") is load("states")
    with pytest.raises(TypeError):
        load("states")["name"] = ()  # type: ignore[index]


def test_the_first_rows_alone() -> None:
    few, all_rows = read("states", rows=3), load("states")
    assert {title: column[:3] for title, column in all_rows.items()} == few
    assert read("states") == all_rows
    assert read("states", rows=10_000) == all_rows


def test_an_unknown_list_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="did you mean 'surnames'"):
        load("surname")
