"""The table of towns: state, people and post codes, and which towns are alike."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect, bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from sys import intern
from typing import NamedTuple

from plainsight import lists
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache

_WORD = re.compile(r"[^\W_]+")
_SHORT = default_locale().table("places")["short_words"]
_SIZES = (2_000, 8_000, 25_000, 75_000, 250_000, 800_000)
_CITY, _NOT_SMALL = 100_000, 5_000
_ABROAD = {"ENG": "GB", "SCT": "GB", "WLS": "GB", "KP": "KR"}  # countries whose cities one code has
_NOWHERE = (-1, "")
_FEWEST = 4  # a smaller pool would leave hardly a choice
_SMALL = 25_000
LARGE = 6
"""How many towns of an area are so large that no two of them may have the same one in their place."""
_ODD = re.compile(rf"\b(?:{default_locale().table('places')['unlike_towns']})\b", re.IGNORECASE)


class Town(NamedTuple):
    """A town, its state, how many live there (0: not known), its post codes and its telephone area."""

    home: str
    name: str
    people: int
    codes: str  # one after the other
    area: str  # the first code of the area; see `areas`


@cache
def word_set(*keys: str) -> frozenset[str]:
    """Return the words of some keys of the locale's ``streets.toml``, folded, to look up in."""
    return frozenset(word.casefold() for key in keys for word in default_locale().words("streets", key))


def invented(number: int) -> str:
    """Return one of thousands of made-up town names."""
    heads, tails = (default_locale().words("streets", key) for key in ("head", "tail"))
    head, tail = divmod(number % (len(heads) * len(tails)), len(tails))
    return heads[head] + tails[tail]


@note_cache(16_384)
def town_key(name: str) -> str:
    """Return a town's name as towns are compared: ``ST. PAUL`` and ``Saint Paul`` are one.

    >>> town_key("St. Paul"), town_key("Coeur d'Alene")
    ('saint paul', 'coeur dalene')
    """
    plain = name.casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in plain if not unicodedata.combining(c) and c not in "’‘ʻ")
    words = _WORD.findall(plain.replace("'", ""))
    return " ".join([_SHORT.get(word, word) for word in words]) if len(words) > 1 else "".join(words)


class Towns(Mapping[str, Mapping[str, Town]]):
    """The towns by state and key. Those of a state are read when it is first asked for: one note has few."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: dict[str, list[str]] = {}
        for line in lines:
            self._lines.setdefault(line[: line.index("\t")], []).append(line)
        self._read: dict[str, dict[str, Town]] = {}

    def __getitem__(self, home: str) -> Mapping[str, Town]:
        if home not in self._read:
            self._read[home] = _read(self._lines[home])
            self._lines[home].clear()
        return self._read[home]

    def __contains__(self, home: object) -> bool:
        return home in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _read(lines: Iterable[str]) -> dict[str, Town]:
    found: dict[str, Town] = {}
    for line in lines:
        home, name, people, codes, key, area = line.split("\t")
        home = intern(home)  # one string for all towns of a state
        found[intern(key or name.lower())] = Town(home, intern(name), int(people), codes, intern(area))
    return found


@cache
def towns() -> Towns:
    """Return the towns by state and key."""
    return Towns(lists.read_lines("surrogates/places/towns.tsv.gz")[1:])


def area_of(code: str) -> str:
    """Return the part of a post code that its neighbours share, if its country is known by its shape."""
    return code[:3] if len(code) == 5 else code[:2] if len(code) == 3 and code[0].isalpha() else ""


@cache
def of_code() -> dict[str, Town]:
    """Return the town that each post code belongs to; of an area, one of its towns."""
    found: dict[str, Town] = {}
    for home in towns().values():
        for town in home.values():
            for code in town.codes.split():
                found[code] = town
                if area := area_of(code):
                    found.setdefault(area, town)
    return found


def size_of(people: int) -> int:
    """Return the size class of a town, 0 to 6."""
    return bisect(_SIZES, people)


# --- telephone areas, and the towns in them, by size -------------------------------------------------------


@cache
def areas(home: str) -> dict[str, int]:
    """Return the telephone areas of a state, each by its first code, with their people, the largest first.

    >>> list(areas("US/TN"))
    ['901', '615', '423', '931', '865', '731']
    """
    found: dict[str, int] = {}
    for town in towns().get(home, {}).values():
        found[town.area] = found.get(town.area, 1) + town.people
    return {area: found[area] for area in sorted(found, key=lambda area: (-found[area], area))}


def matched(home: str, town: str, within: Sequence[str], target: str, area: str, *, posted: bool) -> int:
    """Return which town of the `pool` of another area is the like of a town, given by its key.

    That is the one whose place by people among the others is the same as the town's in some areas of its
    state; the first ones keep apart.
    """
    mine = -towns()[home][town].people, town
    alike = [_by_people(home, each, posted) for each in within]
    place = sum(bisect_left(each, mine) for each in alike)
    count, size = sum(map(len, alike)), len(pool(target, area, posted=posted))
    apart = min(LARGE, size)
    return place if place < apart else max(min(apart, size - 1), place * size // count)


@cache
def _by_people(home: str, area: str, posted: bool) -> Sequence[tuple[int, str]]:
    """Return the keys of the towns of an area, those with post codes or the others, the largest first."""
    rows = towns()[home].items()
    return sorted(
        (-town.people, key) for key, town in rows if town.area == area and bool(town.codes) == posted
    )


@cache
def pool(home: str, area: str, *, posted: bool) -> tuple[Town, ...]:
    """Return the towns of an area that can stand for others, the largest first, or those with post codes."""
    mine = [town for town in towns()[home].values() if town.area == area]
    alike = [town for town in mine if (town.codes or not posted) and _is_like_others(town)]
    return tuple(sorted(alike or mine, key=lambda town: (-town.people, town.name)))


@cache
def small_towns(home: str) -> tuple[Town, ...]:
    """Return the towns of a state that can stand for one that no table knows."""
    mine = [town for area in areas(home) for town in pool(home, area, posted=True)]
    return tuple([town for town in mine if town.people < _SMALL] or mine)


def _is_like_others(town: Town) -> bool:
    name = town.name.lower()
    return len(name.split()) < 4 and name not in _names_of_regions() and not _ODD.search(name)


@cache
def _names_of_regions() -> frozenset[str]:
    names = lists.load("states")["name"] + lists.load("countries")["name"]
    return frozenset(map(str.casefold, names))


# --- counties ---------------------------------------------------------------------------------------------


class Counties(NamedTuple):
    """The counties of each state, and the states that have one of a name, by key, the largest state first."""

    of_home: dict[str, tuple[str, ...]]
    of_name: dict[str, tuple[str, ...]]


@cache
def counties() -> Counties:
    """Return the counties of the United States."""
    rows = (line.split("\t") for line in lists.read_lines("surrogates/places/counties.tsv.gz")[1:])
    of_home = {home: tuple(names.split(";")) for home, names in rows}
    people = {home: sum(town.people for town in towns().get(home, {}).values()) for home in of_home}
    of_name: dict[str, tuple[str, ...]] = {}
    for home in sorted(of_home, key=lambda home: (-people[home], home)):
        for name in of_home[home]:
            of_name[town_key(name)] = (*of_name.get(town_key(name), ()), home)
    return Counties(of_home, of_name)


# --- other countries --------------------------------------------------------------------------------------


@cache
def _abroad() -> dict[str, list[tuple[str, int]]]:
    """Return the cities outside the United States by country, each with how many live there."""
    table = lists.read("world_cities")
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, country, people in zip(table["name"], table["country"], table["population"], strict=True):
        found[country].append((name, int(people)))
    return dict(found)


@cache
def world() -> dict[str, dict[str, int]]:
    """Return the cities outside the United States by country: their key and how many live there."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for country, cities in _abroad().items():
        mine = found[_ABROAD.get(country, country)]
        for name, people in cities:
            key = name.lower().replace("'", "").replace("-", " ").removeprefix("al ")
            mine[key] = max(people, mine.get(key, 0))
    return dict(found)


@cache
def _largest(*, abroad: bool) -> dict[str, str]:
    """Return the place of the largest town of each name: in the states, or in other countries."""
    found: dict[str, str] = {}
    for home in sorted(world() if abroad else towns()):
        for key in world()[home] if abroad else towns()[home]:
            if key not in found or _people(home, key) >= _people(found[key], key):
                found[key] = home
    return found


def _people(home: str, key: str) -> int:
    """Return how many live in a town of a state or a country."""
    return towns()[home][key].people if home in towns() else world()[home][key]


def largest(key: str) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return people and place of the largest town of a name: in the states, and in other countries.

    Where a town in the states is not small, only cities are looked for in other countries.
    """
    home, country = _largest(abroad=False).get(key), _largest(abroad=True).get(key)
    here = (_people(home, key), home) if home else _NOWHERE
    there = (_people(country, key), country) if country else _NOWHERE
    return here, there if there[0] >= _CITY or here[0] < _NOT_SMALL else _NOWHERE


def is_city(name: str) -> bool:
    """Whether a name is that of a town in the states that is not small."""
    return town_key(name) in _cities()


@cache
def _cities() -> frozenset[str]:
    """Return the keys of towns that are not small; far quicker than to read all about all towns."""
    rows = (line.split("\t", 5) for line in lists.read_lines("surrogates/places/towns.tsv.gz")[1:])
    return frozenset(
        key or name.lower() for _, name, people, _, key, _ in rows if int(people) >= 2 * _NOT_SMALL
    )


@cache
def world_pool(country: str, size: int) -> list[str]:
    """Return the cities of a country of about that size class, or all if there is none like it."""
    mine = _abroad().get(_ABROAD.get(country, country), [])
    alike = [name for name, people in mine if abs(size_of(people) - size) <= 1]
    return alike if len(alike) >= _FEWEST else [name for name, _ in mine]
