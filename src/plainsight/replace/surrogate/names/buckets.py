"""The census names in buckets: names that can stand for each other, as the package's data cuts them.

A bucket holds names of one role, sex, census group and kind (an everyday word, too, or a name alone) that
about as many people bear and that are about as long. scripts/build_surrogates_names.py makes them.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

__all__ = ["Bucket", "Pool", "Role", "bearers", "find", "level", "load", "middle_level", "place"]

Role = Literal["surnames", "first_names"]

_FIRST = {"surnames": 0, "first_names": 1024}  # no two buckets share a number: each has its own permutations


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """Names in alphabetical order: those to draw from, and those that are known but never drawn.

    ``sex`` is that of all bearers (``M``, ``F``), of most (``m``, ``f``), of both (``u``) or none (``-``).
    ``levels`` tells how common each name is, `drawn` before `known`, in fourths of powers of two.
    """

    number: int
    sex: str
    group: str
    word: bool
    drawn: tuple[str, ...]
    known: tuple[str, ...]
    levels: str


class Pool(NamedTuple):
    """All buckets of a role, and for each name the place of its bucket and its level, as one number."""

    buckets: tuple[Bucket, ...]
    codes: Mapping[str, int]


_LEVELS = 256
_BEARERS = tuple(64 * 2 ** (level / 4) for level in range(_LEVELS))


@cache
def load(role: Role) -> Pool:
    """Return the buckets of a role."""
    packed = (files("plainsight.data") / "surrogates" / "names" / f"{role}.tsv.gz").read_bytes()
    buckets = []
    codes: dict[str, int] = {}
    for place, line in enumerate(gzip.decompress(packed).decode("ascii").splitlines()[1:]):
        sex, group, word, drawn, known, levels = line.split("\t")
        number = _FIRST[role] + place
        made = Bucket(number, sex, group, word == "1", tuple(drawn.split()), tuple(known.split()), levels)
        buckets.append(made)
        code = {sign: place * _LEVELS + ord(sign) - 35 for sign in levels}
        codes.update(zip(made.drawn + made.known, map(code.__getitem__, levels), strict=True))
    return Pool(tuple(buckets), codes)


def find(role: Role, name: str) -> Bucket | None:
    """Return the bucket that a name is in, if it is listed."""
    pool = load(role)
    code = pool.codes.get(name)
    return None if code is None else pool.buckets[code // _LEVELS]


def level(role: Role, name: str) -> int:
    """Return how common a listed name is, in fourths of powers of two above 64."""
    return load(role).codes[name] % _LEVELS


def bearers(role: Role, name: str) -> float:
    """Return about how many people bear a name in that role; 0 if it is not listed."""
    code = load(role).codes.get(name)
    return 0.0 if code is None else _BEARERS[code % _LEVELS]


def middle_level(bucket: Bucket) -> int:
    """Return how common the names of a bucket are."""
    return ord(bucket.levels[len(bucket.levels) // 2]) - 35


def place(names: tuple[str, ...], name: str) -> int | None:
    """Return where a name is in an alphabetical tuple."""
    found = bisect_left(names, name)
    return found if found < len(names) and names[found] == name else None
