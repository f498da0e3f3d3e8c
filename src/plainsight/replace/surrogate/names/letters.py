"""Letters of names: the group of origin that a word looks like, and other initials for initials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import chain
from math import log
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Doubles
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import census
from plainsight.replace.surrogate.names.census import Role

_LETTERS = ("abcdefghjklmnprstvw", "ioquxyz")  # names rarely begin with one of the second group
_UNSEEN = 2e-5
_PRIOR = 0.4
_SAMPLE = 6000  # names of a kind that its look is learnt from


class Letters:
    """Other first letters for first letters, for one patient; rare ones stay rare.

    The surrogate of a given name begins with the letter that takes the place of its own. So ``C. Whitfield``
    agrees with Caroline Whitfield whether or not a note names her. `own` never leaves a letter as it is;
    `shared` may.
    """

    def __init__(self, keyed: Keyed) -> None:
        drawn = dict(zip("".join(_LETTERS), keyed.digest("letters"), strict=False))
        circles = ["".join(sorted(group, key=drawn.__getitem__)) for group in _LETTERS]
        self.shared: dict[str, str] = {}
        self.own: dict[str, str] = {}
        for group, circle in zip(_LETTERS, circles, strict=True):
            for place, letter in enumerate(group):
                other = circle[place]
                self.shared[letter] = other
                self.own[letter] = other if other != letter else circle[place - 1]


@note_cache(4096)
def fitting(letter: str, group: str, avoid: str = "") -> str:
    """Return a letter, or the next one with which given names of a group begin; never the one to avoid."""
    known = beginnings(group)
    at = ord(letter) - ord("a")
    turns = (chr(ord("a") + (at + turn) % 26) for turn in range(26)) if letter.isascii() else ()
    return next((turn for turn in turns if turn in known and turn != avoid), letter)


@cache
def beginnings(group: str) -> frozenset[str]:
    """Return the letters with which given names of women and of men of a group begin; all without a group."""
    found: dict[str, set[str]] = {}
    groups = (group or "en", *census.NEIGHBOURS.get(group, ()))
    for bucket in census.load("first_names").buckets:
        if bucket.group in groups and bucket.sort == "name":
            found.setdefault(bucket.sex.upper(), set()).update(name[0] for name in bucket.drawn)
    both = [letters for sex, letters in found.items() if sex in "FM"] or list(found.values())
    return frozenset.intersection(*map(frozenset, both)) if both else frozenset()


class Kind(NamedTuple):
    """What names look alike: those of a role, sex and group."""

    role: Role
    sex: str
    group: str


@note_cache(16_384)
def likely_kind(word: str) -> Kind:
    """Return the kind of names whose letters are most like those of a word."""
    kinds, priors, rows, scores = _looks()
    seen = scores[[rows.get(piece, -1) for piece in _pieces(word)]]
    return kinds[int((priors + seen.sum(axis=0)).argmax())]


def likely_group(word: str) -> str:
    """Return the group of origin of the names whose letters are most like those of a word."""
    return likely_kind(word).group


def _pieces(word: str) -> list[str]:
    """Return all three letters that follow each other in a word, with its ends, and its last two."""
    padded = f"^{word}$"
    return [*(padded[at : at + 3] for at in range(len(padded) - 2)), padded[-3:], padded[:3]]


class _Looks(NamedTuple):
    """How names of each kind look.

    ``scores`` has a row for each piece, which says how likely it is in the names of each kind, and a last row
    for pieces that were never seen; ``priors`` says how likely each kind is.
    """

    kinds: tuple[Kind, ...]
    priors: Doubles
    rows: Mapping[str, int]
    scores: Doubles


@cache
def _looks() -> _Looks:
    names: dict[Kind, list[str]] = {}
    roles: tuple[Role, Role] = ("surnames", "first_names")
    for bucket in (bucket for role in roles for bucket in census.load(role).buckets):
        if bucket.sex in "-MF" and bucket.sort == "name":
            names.setdefault(Kind(bucket.role, bucket.sex, bucket.group), []).extend(bucket.drawn)
    samples = [own[:: 1 + len(own) // _SAMPLE] for own in names.values()]
    seen = [Counter(piece for name in sample for piece in _pieces(name)) for sample in samples]
    rows = {piece: row for row, piece in enumerate(dict.fromkeys(chain.from_iterable(seen)))}
    scores = np.full((len(rows) + 1, len(names)), log(_UNSEEN))
    for column, counts in enumerate(seen):
        total = counts.total()
        for piece, count in counts.items():
            scores[rows[piece], column] = log(count / total + _UNSEEN)
    priors = np.array([_PRIOR * log(len(own)) for own in names.values()])
    return _Looks(tuple(names), priors, rows, scores)
