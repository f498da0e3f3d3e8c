"""The word lists are what they say they are."""

import re
import tomllib
from importlib.resources import files

import pytest

from plainsight.text.word_lists import eponyms, is_ordinary, nicknames, ordinary

FOLDER = files("plainsight").joinpath("data", "patient")


@pytest.mark.parametrize("words", [ordinary(), eponyms(), frozenset(nicknames())])
def test_words_are_folded(words: frozenset[bytes]) -> None:
    assert words
    assert all(re.fullmatch(rb"[a-z]{2,}", word) for word in words)


def test_source_names_every_file() -> None:
    source = tomllib.loads(FOLDER.joinpath("source.toml").read_text(encoding="utf-8"))
    assert {file.name for file in FOLDER.iterdir()} == {*source["files"], "source.toml"}
    assert source["licence"] == "Apache-2.0"


def test_nicknames_are_one_line_each_and_sorted() -> None:
    lines = FOLDER.joinpath("nicknames.txt").read_text(encoding="utf-8").splitlines()
    given = [line.split()[0] for line in lines if not line.startswith("#")]
    assert given == sorted(set(given))
    assert all(name not in forms for name, forms in nicknames().items())


@pytest.mark.parametrize(
    "word", [b"will", b"may", b"grace", b"young", b"brain", b"banks", b"gathers", b"colon"]
)
def test_ordinary_words(word: bytes) -> None:
    assert is_ordinary(word)


@pytest.mark.parametrize("word", [b"gaithers", b"okafor", b"ernestine", b"martin", b"s", b"ass"])
def test_names_are_not_ordinary(word: bytes) -> None:
    assert not is_ordinary(word)
