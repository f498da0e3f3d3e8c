"""Draw surrogate names.

A listed name becomes another of its bucket by a keyed permutation: one of the same sex, census group and
kind, about as common and as long, and no two names become the same. A name that no list knows (one in six: a
misspelt, rare or foreign one) becomes an invented one, with the beginning of one listed name and the end of
another. So a real name that was overlooked looks no different from the surrogates around it.

Originals and surrogates are in small letters a to z.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, islice, repeat
from math import log
from operator import add

from plainsight.lists import read, read_lines
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import census
from plainsight.replace.surrogate.names.census import Bucket, Role, Sex
from plainsight.replace.surrogate.names.parse import PARTICLES
from plainsight.replace.surrogate.shape import scramble

_WORDS = default_locale().table("names")
_OTHER: dict[Role, Role] = {"surnames": "first_names", "first_names": "surnames"}
_CLASH = {"M": "Ff", "F": "Mm", "": "MF", "-": ""}  # buckets for others; without a sex, those of one alone
_INSTEAD = {"M": "M", "F": "F", "": "u", "-": "-"}


def surname(keyed: Keyed, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname; never the original.

    Each ``turn`` gives another one. Different originals get different ones in the same turn, but for those
    that are not listed or never drawn themselves, which only rarely meet.
    """
    return _draw(keyed, "surnames", original, "-", turn)


def given(keyed: Keyed, original: str, sex: Sex, turn: int = 0) -> str:
    """Return a surrogate for a given name that reads as the sex; never the original.

    A name that both sexes bear becomes another such name, even if the sex of this bearer is known. So it gets
    the same surrogate in a note that does not mention the sex.
    """
    return _draw(keyed, "first_names", original, sex, turn)


def _draw(keyed: Keyed, role: Role, name: str, sex: str, turn: int) -> str:
    """Return the first other name of the bucket, in a keyed order, that suits the sex."""
    slot = _slot(role, name, sex)
    if slot is None:
        return invent(keyed, role, _INSTEAD[sex], name, turn)
    bucket, place, suits = slot
    names, number = bucket.drawn, bucket.number
    if place is None:
        place = keyed.number(f"{number} {name} {turn}", len(names))
    drawn = (names[keyed.permute(place, len(names), number << 20 | again << 16 | turn)] for again in count())
    return next(made for made in drawn if made != name and (not suits or census.sex_of(made) in ("", suits)))


@note_cache(16_384)
def _slot(role: Role, name: str, sex: str) -> tuple[Bucket, int | None, str] | None:
    """Return the bucket to draw from for a name, its place there, and the sex that a drawn name has to suit.

    It has no place if it is never drawn, or of another bucket. A surname in the role of a given one may not
    suit. None if the name is not listed.
    """
    listed = role if census.find(role, name) else _OTHER[role]
    if (found := census.find(listed, name)) is None:
        return None
    if found.sex in _CLASH[sex]:
        found = _nearest(_INSTEAD[sex], found, census.level(listed, name), len(name))
    at = bisect_left(found.drawn, name)
    place = at if found.drawn[at : at + 1] == (name,) else None
    return found, place, sex if found.sex == "-" and sex != "-" else ""


def _nearest(sex: str, own: Bucket, common: int, length: int) -> Bucket:
    """Return the bucket of that sex which is most like the one that a name so common and long is in."""

    def distance(other: Bucket) -> float:
        its_length = len(other.drawn[len(other.drawn) // 2])
        kind = 100 * (other.group != own.group) + 50 * (other.word != own.word)
        return kind + abs(other.level - common) + abs(its_length - length)

    return min((other for other in census.load("first_names").buckets if other.sex == sex), key=distance)


# --- surnames after particles -----------------------------------------------------------------------------

_FEW = 8
_FIXED = 100
_TURNS = 60


def after_particle(keyed: Keyed, particle: str, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname after a particle: ``de la Torre``, but never ``de la Kowalski``."""
    surnames = _surnames_after(particle)
    loose = (
        particle in ("de", "del") and census.surname_bearers(particle + original) < _FIXED
    )  # Robles de Maldonado
    if loose or len(surnames) < _FEW or turn >= _TURNS:
        return surname(keyed, original, turn)
    number = keyed.number(f"after {particle} {original}", len(surnames))
    return surnames[keyed.permute(number, len(surnames), turn)]


@note_cache(256)
def _surnames_after(particle: str) -> tuple[str, ...]:
    """Return the surnames after a particle; the Census writes both as one word."""
    if table := _WORDS["surnames_after"].get(particle):
        return tuple(sorted(set(_WORDS[table].split())))
    start = particle.replace(" ", "")
    alone = " " not in particle and start not in ("vander", "vande")
    names = (name[len(start) :] for name in _joined_names().get(start[:2], ()) if name.startswith(start))
    # "van" stands in "vanish" too: the rest must be a surname itself, unless the particle is a clear one
    return tuple(
        name
        for name in names
        if len(name) > (3 if alone else 4) and (census.surname_bearers(name) >= _FIXED or not alone)
    )


@cache
def _joined_names() -> Mapping[str, Sequence[str]]:
    """Return the surnames that begin with a particle by their first two letters, the most common first."""
    starts = tuple(PARTICLES)
    found: dict[str, list[str]] = defaultdict(list)
    for name in read("surnames")["name"]:
        if name.startswith(starts):
            found[name[:2]].append(name)
    return found


# --- invented names ---------------------------------------------------------------------------------------

_DIGESTS = 8
_TRIES = 12  # with each digest, which is long enough
_CHOICES = 6
_UNSEEN = -9.0  # the logarithm of how likely letters are that were never seen
_SAMPLE = 6000  # names that the invented ones of a group are made of
_EDGE_SAMPLE = 40_000  # names that the look of groups is learnt from
_LONGEST = 14
_UNSEEMLY = re.compile(
    r"(.)\1\1|fuc?k|shit|cunt|nigg|fagg|cock|dick|rape|piss|puss|slut|whor|tits|sex|porn|nazi"
)


def invent(keyed: Keyed, role: Role, sex: str, original: str, turn: int = 0) -> str:
    """Return a name that is neither listed nor a word and looks like the original.

    ``sex`` is that of the buckets to learn from. Of a few such names it is the one whose spelling is about as
    usual as the original's.
    """
    made = _invented(keyed, role, sex, original, turn)
    usual = _usual(role, original)
    while choices := list(islice(made, _CHOICES)):
        for name in sorted(choices, key=lambda name: abs(_usual(role, name) - usual)):
            if name != original and _is_new(name):
                return name
    return scramble(keyed, original, turn)


def _invented(keyed: Keyed, role: Role, sex: str, original: str, turn: int) -> Iterator[str]:
    """Yield invented names of the original's group, about as long, in a keyed order."""
    names, endings = _parts(role, sex, _group(role, sex, original))
    length = max(3, min(len(original), _LONGEST))
    spread = max(3, length // 2) - 1  # the longest ending is half of the name
    for number in range(_DIGESTS):
        bits = int.from_bytes(keyed.digest(f"invent {role} {sex} {original} {turn} {number}"), "big")
        for _ in range(_TRIES):
            bits, pick = divmod(bits, len(names))
            bits, ending = divmod(bits, spread)
            cut = max(2, length - 2 - ending)
            name = names[pick]
            choices = endings.get((name[cut - 2 : cut], length - cut)) if len(name) >= cut else None
            if choices:
                yield name[:cut] + choices[bits % len(choices)][cut - length :]


@cache
def _pairs(role: Role) -> Mapping[str, float]:
    """Return how likely two letters are to follow each other in the names of a role."""
    names = [name for bucket in census.load(role).buckets for name in bucket.drawn[::8]]
    pairs = Counter(pair for name in names for pair in map(add, f"^{name}", f"{name}$"))
    firsts: Counter[str] = Counter()
    for pair, number in pairs.items():
        firsts[pair[0]] += number
    return {pair: log(number / firsts[pair[0]]) for pair, number in pairs.items()}


def _usual(role: Role, name: str) -> float:
    """Return how usual the spelling of a name is: the mean of how likely each letter is after the last."""
    likely = map(_pairs(role).get, map(add, f"^{name}", f"{name}$"), repeat(_UNSEEN))
    return sum(likely) / (len(name) + 1)


_Endings = Mapping[tuple[str, int], Sequence[str]]


@cache
def _parts(role: Role, sex: str, group: str) -> tuple[Sequence[str], _Endings]:
    """Return names of a group, and those with an ending after two letters, by the length of the ending."""
    pool = census.load(role).buckets
    names = [name for b in pool if b.sex == sex and b.group == group and not b.word for name in b.drawn]
    names = names[:: 1 + len(names) // _SAMPLE]
    endings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for name in names:
        for length in range(1, min(8, len(name) - 1)):
            endings[name[-length - 2 : -length], length].append(name)
    return names, endings


@note_cache(16_384)
def _group(role: Role, sex: str, original: str) -> str:
    """Return the census group whose names begin and end most like the original."""
    scores = _edges(role, sex)
    start, end = f"^{original[:3]}", f"{original[-3:]}$"
    return max(scores, key=lambda group: scores[group].get(start, _UNSEEN) + scores[group].get(end, _UNSEEN))


@cache
def _edges(role: Role, sex: str) -> Mapping[str, Mapping[str, float]]:
    """Return for each group how likely its names are to have these first or last three letters."""
    pool = [bucket for bucket in census.load(role).buckets if bucket.sex == sex and not bucket.word]
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
    if (
        name in census.load("surnames").codes
        or name in census.load("first_names").codes
        or _UNSEEMLY.search(name)
    ):
        return False
    return f" {name} " not in _not_names().get(name[:3], "")


@cache
def _not_names() -> Mapping[str, str]:
    """Return the words that no invented name may be, by their first three letters."""
    return {line[:3]: f" {line} " for line in read_lines("surrogates/names/not_names.txt.gz")}
