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

__all__ = ["Bucket", "Pool", "Role", "bearers", "level", "load", "place"]

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
    """All buckets of a role, and where each name is."""

    buckets: tuple[Bucket, ...]
    bucket_of: Mapping[str, Bucket]


@cache
def load(role: Role) -> Pool:
    """Return the buckets of a role."""
    packed = (files("plainsight.data") / "surrogates" / "names" / f"{role}.tsv.gz").read_bytes()
    buckets = []
    bucket_of: dict[str, Bucket] = {}
    for number, line in enumerate(gzip.decompress(packed).decode("ascii").splitlines()[1:], _FIRST[role]):
        sex, group, word, drawn, known, levels = line.split("\t")
        bucket = Bucket(number, sex, group, word == "1", tuple(drawn.split()), tuple(known.split()), levels)
        buckets.append(bucket)
        bucket_of.update(dict.fromkeys(bucket.drawn, bucket))
        bucket_of.update(dict.fromkeys(bucket.known, bucket))
    return Pool(tuple(buckets), bucket_of)


def place(names: tuple[str, ...], name: str) -> int | None:
    """Return where a name is in an alphabetical tuple."""
    found = bisect_left(names, name)
    return found if found < len(names) and names[found] == name else None


def level(bucket: Bucket, name: str) -> int:
    """Return how common a name of the bucket is, in fourths of powers of two above 64."""
    found = place(bucket.drawn, name)
    if found is None:
        found = len(bucket.drawn) + bisect_left(bucket.known, name)
    return ord(bucket.levels[found]) - 35


def bearers(role: Role, name: str) -> float:
    """Return about how many people bear a name in that role; 0 if it is not listed."""
    bucket = load(role).bucket_of.get(name)
    return 0.0 if bucket is None else float(64 * 2 ** (level(bucket, name) / 4))
