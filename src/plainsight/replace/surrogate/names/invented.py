"""Invented names: the beginning of one listed name and the end of another.

One name in six is misspelt, rare or foreign. A listed name in its place would make the next such name that
was overlooked stand out; an invented one of the same look hides it.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice, repeat
from math import log
from operator import add

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.buckets import Role, load
from plainsight.replace.surrogate.shape import scramble

__all__ = ["invent"]

_DIGESTS = 8
_TRIES = 12  # for each digest, which is long enough
_CHOICES = 6
_UNSEEN = -9.0  # the logarithm of how likely letters are that were never seen
_SAMPLE = 6000  # names that a sort's invented ones are made of
_EDGE_SAMPLE = 40_000  # names that the look of groups is learnt from
_LONGEST = 14
_UNSEEMLY = re.compile(
    r"(.)\1\1|fuc?k|shit|cunt|nigg|fagg|cock|dick|rape|piss|puss|slut|whor|tits|sex|porn|nazi"
)


def invent(keyed: Keyed, role: Role, sex: str, original: str, turn: int = 0) -> str:
    """Return a name in small letters that is neither listed nor a word and looks like the original's sort.

    ``original`` is in small letters a to z; ``sex`` is that of the bucket to learn from. Of a few such names
    it is the one whose spelling is about as usual as the original's.
    """
    made = _made(keyed, role, sex, original, turn)
    usual = _usual(role, original)
    while choices := list(islice(made, _CHOICES)):
        for name in sorted(choices, key=lambda name: abs(_usual(role, name) - usual)):
            if name != original and _is_new(name):
                return name
    return scramble(keyed, original, turn)


def _made(keyed: Keyed, role: Role, sex: str, original: str, turn: int) -> Iterator[str]:
    """Return names of an original's sort, about as long, in a keyed order."""
    names, endings = _parts(role, sex, _group(role, sex, original))
    length = max(3, min(len(original), _LONGEST))
    longest = max(3, length // 2)  # ending
    count, spread = len(names), longest - 1
    for number in range(_DIGESTS):
        bits = int.from_bytes(keyed.digest(f"invent {role} {sex} {original} {turn} {number}"), "big")
        for _ in range(_TRIES):
            bits, pick = divmod(bits, count)
            bits, ending = divmod(bits, spread)
            cut = length - 2 - ending
            if cut < 2:
                cut = 2
            name = names[pick]
            if len(name) < cut:
                continue
            choices = endings.get((name[cut - 2 : cut], length - cut))
            if choices:
                yield name[:cut] + choices[bits % len(choices)][cut - length :]


@cache
def _pairs(role: Role) -> Mapping[str, float]:
    """Return how likely two letters are to follow each other in the names of a role."""
    names = [name for bucket in load(role).buckets for name in bucket.drawn[::8]]
    pairs = Counter(f"^{name}$"[at : at + 2] for name in names for at in range(len(name) + 1))
    firsts: Counter[str] = Counter()
    for pair, number in pairs.items():
        firsts[pair[0]] += number
    return {pair: log(number / firsts[pair[0]]) for pair, number in pairs.items()}


def _usual(role: Role, name: str) -> float:
    """Return how usual the spelling of a name is: the mean of how likely each letter is after the last."""
    pairs = map(add, f"^{name}", f"{name}$")
    return sum(map(_pairs(role).get, pairs, repeat(_UNSEEN))) / (len(name) + 1)


_Endings = Mapping[tuple[str, int], tuple[str, ...]]


@cache
def _parts(role: Role, sex: str, group: str) -> tuple[tuple[str, ...], _Endings]:
    """Return names of a sort, and those with an ending after two letters, by the length of the ending."""
    pool = load(role).buckets
    names = [name for b in pool if b.sex == sex and b.group == group and not b.word for name in b.drawn]
    names = names[:: 1 + len(names) // _SAMPLE]
    endings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for name in names:
        for length in range(1, min(8, len(name) - 1)):
            endings[name[-length - 2 : -length], length].append(name)
    return tuple(names), {after: tuple(those) for after, those in endings.items()}


@note_cache(16_384)
def _group(role: Role, sex: str, original: str) -> str:
    """Return the census group whose names begin and end most like the original."""
    scores = _edges(role, sex)
    start, end = f"^{original[:3]}", f"{original[-3:]}$"
    return max(scores, key=lambda group: scores[group].get(start, _UNSEEN) + scores[group].get(end, _UNSEEN))


@cache
def _edges(role: Role, sex: str) -> Mapping[str, Mapping[str, float]]:
    """Return for each group how likely its names are to have these first or last three letters."""
    pool = [bucket for bucket in load(role).buckets if bucket.sex == sex and not bucket.word]
    step = 1 + sum(len(bucket.drawn) for bucket in pool) // _EDGE_SAMPLE
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for bucket in pool:
        names = bucket.drawn[::step]
        seen[bucket.group].update(f"^{name[:3]}" for name in names)
        seen[bucket.group].update(f"{name[-3:]}$" for name in names)
    return {
        group: {edge: log(number / total) for edge, number in edges.items()}
        for group, edges in seen.items()
        if (total := edges.total())
    }


def _is_new(name: str) -> bool:
    if name in load("surnames").codes or name in load("first_names").codes or _UNSEEMLY.search(name):
        return False
    return f" {name} " not in _words().get(name[:3], "")


@cache
def _words() -> Mapping[str, str]:
    """Return the words that no invented name may be, by their first three letters."""
    packed = (files("plainsight.data") / "surrogates" / "names" / "not_names.txt.gz").read_bytes()
    return {line[:3]: f" {line} " for line in gzip.decompress(packed).decode("ascii").splitlines()}
