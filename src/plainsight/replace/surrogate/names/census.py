"""The census names in buckets: names that can stand for each other.

A bucket holds names of one role, sex, group of origin and sort (an everyday word, a name in both roles, or
neither) that about as many people bear. scripts/build_surrogates_names.py makes them. Every name has one
bucket that it is drawn in: see `home`. Names here are in small letters a to z.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from plainsight.lists import read_lines

Role = Literal["surnames", "first_names"]
Sex = Literal["M", "F", ""]

_FIRST = {"surnames": 0, "first_names": 1024}  # no two buckets share a number: each has its own permutations
_LEVELS = 256
_BEARERS = tuple(64 * 2 ** (level / 4) for level in range(_LEVELS))
_LEVEL = bytes((sign - 35) % 256 for sign in range(256))  # of each sign
_ALSO_GIVEN = 0.1
_SEXES: dict[str, Sex] = {"M": "M", "F": "F"}

NEIGHBOURS = {"ea": ("ar",), "pt": ("hi",), "ph": ("hi",), "nl": ("de",), "de": ("nl",), "sc": ("de", "nl")}
"""Groups that share given names with a group: they help out where it has few with some first letter."""

BOTH = ("both", "both, rather a surname")
"""Sorts of names that are given names and surnames alike."""


class Bucket(NamedTuple):
    """Names in alphabetical order: those to draw from, and those that are known but never drawn.

    ``sex`` is that of all bearers (``M``, ``F``), of most (``m``, ``f``), of both (``u``) or none (``-``).
    ``group`` is a code of scripts/surrogates/name_groups.txt, ``bl`` (African American) or ``X`` (white and
    black alike). ``levels`` says how common each of the names to draw from is, in fourths of powers of two
    above 64 bearers, and ``level`` how common all are.
    """

    number: int
    role: Role
    sex: str
    group: str
    sort: str
    drawn: tuple[str, ...]
    known: tuple[str, ...]
    levels: bytes
    level: int

    def __hash__(self) -> int:
        return self.number  # quicker than that of all its names


class Pool(NamedTuple):
    """All buckets of a role, and for each name the place of its bucket and its level, as one number."""

    buckets: tuple[Bucket, ...]
    codes: Mapping[str, int]


@cache
def load(role: Role) -> Pool:
    """Return the buckets of a role."""
    buckets = []
    codes: dict[str, int] = {}
    for place, line in enumerate(read_lines(f"surrogates/names/{role}.tsv.gz")[1:]):
        sex, group, sort, *names, signs = line.split("\t")
        drawn, known = (tuple(some.split()) for some in names)
        levels = signs.encode("latin-1").translate(_LEVEL)  # of the drawn names, then of the known ones
        number, middle = _FIRST[role] + place, levels[len(levels) // 2]
        buckets.append(Bucket(number, role, sex, group, sort, drawn, known, levels[: len(drawn)], middle))
        codes.update(zip(drawn + known, map((place * _LEVELS).__add__, levels), strict=True))
    return Pool(tuple(buckets), codes)


def is_listed(name: str) -> bool:
    """Whether a name is listed in any role."""
    return name in load("surnames").codes or name in load("first_names").codes


def find(role: Role, name: str) -> Bucket | None:
    """Return the bucket that a name is in, if it is listed."""
    pool = load(role)
    code = pool.codes.get(name)
    return None if code is None else pool.buckets[code // _LEVELS]


def home(name: str) -> Bucket | None:
    """Return the bucket whose names stand for a name: of the role that it more often has, if it is listed.

    It depends on nothing but the name. A name that is a given name and a surname alike is in the bucket of
    such names, among the given names.
    """
    found = find("first_names", name)
    if found is None or (found.sort not in BOTH and given_bearers(name) <= surname_bearers(name)):
        return find("surnames", name) or found
    return found


def also_given(name: str) -> bool:
    """Whether a surname is a given name nearly as often."""
    return given_bearers(name) > _ALSO_GIVEN * surname_bearers(name)


def bearers(role: Role, name: str) -> float:
    """Return about how many people bear a name in that role; 0 if it is not listed."""
    code = load(role).codes.get(name)
    return 0.0 if code is None else _BEARERS[code % _LEVELS]


def bearers_of(bucket: Bucket) -> Iterator[tuple[str, float]]:
    """Yield the names that are drawn from a bucket, and about how many people bear each in its role."""
    return zip(bucket.drawn, map(_BEARERS.__getitem__, bucket.levels), strict=True)


def given_bearers(name: str) -> float:
    """Return about how many people have this given name; 0 if it is not listed."""
    return bearers("first_names", name)


def surname_bearers(name: str) -> float:
    """Return about how many people have this surname; 0 if it is not listed."""
    return bearers("surnames", name)


def sex_of(name: str) -> Sex:
    """Return the sex of nearly all who bear a given name; nothing if it is unknown or both bear it."""
    found = find("first_names", name)
    return "" if found is None else _SEXES.get(found.sex, "")
