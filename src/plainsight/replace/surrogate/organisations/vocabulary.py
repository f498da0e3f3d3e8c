"""The lists of words and names that organisations are made of, each read when first asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from plainsight.lists import load, read
from plainsight.locale import default_locale

# The pieces of a name: ``H0SPITAL`` with a digit for a letter, ``M.G.H.``, words, digits, gaps.
TOKEN = re.compile(
    r"(?P<damaged>(?=[^\W_]{6})[^\W\d_]+[01][^\W\d_]{2,}[^\W_]*)"
    r"|(?P<dotted>(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![^\W\d_]))?)"
    r"|(?P<word>[^\W\d_]+(?:['’ʼʻ`][^\W\d_]+)*)"
    r"|(?P<digits>\d+)|(?P<gap>[\W_]+)"
)


def plain(word: str) -> str:
    """Return a word as it is looked up: small letters, one sort of apostrophe, no okina."""
    small = word.casefold()
    return small if small.isascii() else small.replace("’", "'").replace("ʼ", "'").replace("ʻ", "")


def _plain(words: Sequence[str]) -> list[str]:
    """Return words as they are looked up; in one text, which is faster than one by one."""
    return plain("\n".join(words)).split("\n") if words else []


def singular(word: str) -> str:
    """Return a word without the ending of a plural, if it has one."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def kinds(section: str = "") -> frozenset[str]:
    """Return the words for kinds of organisations, such as hospital: all of them, or those of a section.

    The section ``small words`` has articles, prepositions and the like; those of ``later words`` are part of
    the name itself where they come first.
    """
    table = _table()["kinds"]
    return frozenset(" ".join([table[section]] if section else table.values()).split())


@cache
def abbreviations() -> frozenset[str]:
    """Return what no made-up acronym may be, in small letters."""
    clinical = (word for word in load("clinical")["word"] if word.isupper())
    return frozenset(word.casefold() for word in (*_table()["abbreviations"].split(), *clinical))


@cache
def peoples() -> dict[str, tuple[str, ...]]:
    """Return for each word for a people those of its part of the world."""
    groups = [tuple(line.split()) for line in _table()["peoples"].splitlines()]
    return {plain(word): group for group in groups for word in group}


def _table() -> Mapping[str, Any]:
    return default_locale().table("organisations")


# --- words that make a name ---------------------------------------------------------------------------------

_TOWN = re.compile(r"[A-Z][a-z]{3,11}")
_TWO_CAPITALS = re.compile(r"ma?c|van|ste?[^aeiouhrtwy]|.{,3}$")  # McKay, VanDyke, too short: not for `title`
_TOWNS, _SURNAMES, _FIRST_NAMES = 4000, 4000, 400
_KNOWN_SURNAMES = 30_000
_RARE = 33  # a word of this frequency (a hundredth of its Zipf value x 10) or less reads as a name


@cache
def _cores() -> dict[str, tuple[list[str], list[str]]]:
    """Return for each sort the words that are drawn, and those that are only recognised."""
    split = {sort: words.partition("|") for sort, words in _table()["cores"].items()}
    return {sort: (drawn.split(), known.split()) for sort, (drawn, _, known) in split.items()}


@cache
def sorts() -> dict[str, tuple[str, ...]]:
    """Return the words of each sort, from which surrogates are drawn."""
    written = {sort: tuple(dict.fromkeys(words)) for sort, (words, _) in _cores().items()}
    daily = ordinary()
    cities = dict.fromkeys(city for city in read("us_cities")["name"] if _TOWN.fullmatch(city))
    towns = tuple(islice((city for city in cities if plain(city) not in daily), _TOWNS))
    surnames = (name for name in _surnames()[: 2 * _SURNAMES] if not _TWO_CAPITALS.match(name))
    first = read("first_names", rows=2000)
    female = {
        name.title(): int(share)
        for name, share in zip(first["name"], first["female"], strict=True)
        if name not in daily and len(name) > 2
    }
    table = load("states")
    in_us = [place for place, country in enumerate(table["country"]) if country == "US"]
    return written | {
        "town": towns,
        "surname": tuple(name.title() for name in surnames if name not in daily)[:_SURNAMES],
        "woman": tuple(name for name, share in female.items() if share > 95)[:_FIRST_NAMES],
        "man": tuple(name for name, share in female.items() if share < 5)[:_FIRST_NAMES],
        "state": tuple(table["name"][place] for place in in_us),
        "state code": tuple(table["code"][place] for place in in_us),
    }


@cache
def _surnames() -> tuple[str, ...]:
    return read("surnames", rows=_KNOWN_SURNAMES)["name"]


@cache
def ordinary() -> frozenset[str]:
    """Return the words of daily English: no made-up name is one of them."""
    table = read("words")
    rows = zip(table["word"], table["zipf"], table["listed"], strict=True)
    daily = frozenset(word for word, zipf, listed in rows if int(zipf) > _RARE and listed == "1")
    return daily | kinds() | frozenset(map(plain, load("clinical")["word"]))


@cache
def sections() -> dict[str, dict[str, int]]:
    """Return for each sort the place of each of its words, folded; -1 for one that is only recognised."""
    known = {sort: words for sort, (_, words) in _cores().items()}
    known["surname"] = list(_surnames())
    return {
        sort: dict.fromkeys(_plain(known.get(sort, ())), -1)
        | {word: place for place, word in reversed(list(enumerate(_plain(words))))}
        for sort, words in sorts().items()
    }


@cache
def listed() -> frozenset[str]:
    """Return the words of all sorts, and those of daily English."""
    return ordinary().union(*sections().values())


# --- names that everybody knows -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Brand:
    """A well-known name: its section, its place there, its form, and whether it counts only alone."""

    section: str
    place: int
    form: int
    name: str
    alone: bool
    words: tuple[str, ...]


@cache
def brand_names() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the names of each section: one row for each, its forms in it."""
    found = {}
    for section, lines in _table()["brands"].items():
        rows = (line.split("|") for line in lines.splitlines())
        found[section] = tuple(tuple(form.strip(" *") for form in row) for row in rows)
    return found


@cache
def brands() -> dict[str, tuple[Brand, ...]]:
    """Return the brands by their first word, the longest first."""
    found: dict[str, list[Brand]] = {}
    for section, lines in _table()["brands"].items():
        for place, line in enumerate(lines.splitlines()):
            for form, marked in enumerate(line.split("|")):
                name, alone = marked.strip(" *"), marked.strip().endswith("*")
                words = tuple(token[0] for token in TOKEN.finditer(plain(name)) if token.lastgroup != "gap")
                found.setdefault(words[0], []).append(Brand(section, place, form, name, alone, words))
    return {word: tuple(sorted(known, key=lambda brand: -len(brand.words))) for word, known in found.items()}
