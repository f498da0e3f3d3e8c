"""Draw surrogate names: a pure function of the key and the word.

A listed word becomes another name of its bucket (`census.home`) by a keyed permutation: one of the same
role, sex, group of origin and sort, about as common, and no two names become the same. A given name becomes
one that begins with the letter drawn for its own (`letters.Letters`). A name that no list knows (one in
six: a rare or foreign one) becomes an invented one, with the beginning of one name of the group that it
looks like and the end of another. So a real name that was overlooked looks no different from the surrogates
around it.

Originals and surrogates are in small letters a to z.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, repeat
from math import log
from operator import add
from string import ascii_lowercase
from sys import intern

from plainsight.lists import read, read_lines
from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import census
from plainsight.replace.surrogate.names.canonical import group_of, syllables
from plainsight.replace.surrogate.names.census import Bucket, Role
from plainsight.replace.surrogate.names.letters import Kind, likely_kind
from plainsight.replace.surrogate.names.parse import PARTICLES

_WORDS = default_locale().table("names")
_MOST_TURNS = 1 << 10
_FEWEST = 12  # given names with one first letter, before those of a neighbouring group help out
_FEWEST_KIN = 5  # of one sex, before those that both sexes bear help out
_MOST_NEAR = 24
_MOST_KIN = 48  # names with one first letter: of so few, those that are surnames, too, are not told apart
_RARE = 500  # bearers of a surname that no given name becomes
_BLOCK = 16  # names that are about as common
_FIRST_KIN = 1 << 12  # no bucket has this number
_KIN_SEXES = {
    "M": ("M", "Mm"),
    "F": ("F", "Ff"),
    "m": ("m", "mM"),
    "f": ("f", "fF"),
    "u": ("u", "umf", "umfMF"),
}


def draw(keyed: Keyed, word: str, letter: str, turn: int = 0) -> str:
    """Return a surrogate for a name word, which may be the word itself; each ``turn`` gives another one.

    ``letter`` is the first letter of the surrogate if the word is a given name, as far as its bucket has one.
    Different words of one bucket get different surrogates in the same turn, but for given names whose letters
    have fewer names in all buckets, and names that are never drawn themselves.
    """
    if pool := syllables(word):
        same, alike = ([name for name in pool if name[0] == first] for first in (word[0], letter))
        if len(alike) < min(len(same), _FEWEST_KIN):  # several would become one
            same = alike = list(pool)
        return alike[keyed.permute(same.index(word) % len(alike), len(alike), turn)]
    slot = _slot(word)
    if slot is None:
        return invent(keyed, word, letter, turn)
    bucket, place = slot
    if bucket.role == "first_names" and letter and (names := _beginning(bucket, letter)):
        both = bucket.sort in census.BOTH and len(names) > _MOST_KIN
        if both and len(surnames := _beginning(bucket, letter, both=True)) >= _FEWEST_KIN:
            names = surnames
        rank = _ranks(bucket, both).get(word)
        if rank is None:
            rank = keyed.number(f"kin {word}", len(names))
        return _as_common(keyed, names, rank, ord(bucket.sex) << 8 | ord(letter), turn)
    if bucket.role == "surnames" and letter and census.also_given(word):
        rank, names = _surname_ranks(bucket.group).get(word), _surnames(bucket.group, letter)
        if rank is not None and len(names) >= _FEWEST_KIN:
            return _as_common(keyed, names, rank, ord(bucket.sex) << 8 | ord(letter), turn)
    size = len(bucket.drawn)
    number = keyed.number(f"{bucket.number} {word}", size) if place is None else place
    return bucket.drawn[keyed.permute(number, size, (bucket.number << 8) * _MOST_TURNS + turn)]


@note_cache(16_384)
def _slot(word: str) -> tuple[Bucket, int | None] | None:
    """Return the bucket of a listed word and its place there; it has no place if it is never drawn."""
    found = census.home(word)
    if found is None:
        return None
    at = bisect_left(found.drawn, word)
    return found, at if found.drawn[at : at + 1] == (word,) else None


@note_cache(8192)
def _beginning(bucket: Bucket, letter: str, both: bool = False) -> Sequence[str]:
    """Return the names of a bucket's group and sex that begin with a letter, the most common ones first.

    ``both`` asks for those alone that are surnames, too, and of the same sex however few they are.
    """
    names: list[str] = []
    for sexes in _KIN_SEXES[bucket.sex][: 1 if both else None]:
        names = [name for name in _of_group(bucket.group, sexes, both) if name[0] == letter]
        if len(names) >= _FEWEST_KIN:
            break
    if len(names) < _FEWEST:
        groups = census.NEIGHBOURS.get(bucket.group, ())
        near = [name for group in groups for name in _of_group(group, sexes, both)]
        names += [name for name in near if name[0] == letter and name not in names][:_MOST_NEAR]
    return tuple(names)


@cache
def _surnames(group: str, letter: str) -> Sequence[str]:
    """Return the surnames of a group that begin with a letter, the most common ones first."""
    buckets = [bucket for bucket in census.load("surnames").buckets if bucket.group == group]
    names = [each for bucket in buckets for each in census.bearers_of(bucket) if each[0][0] == letter]
    return _most_common_first((name, bearers) for name, bearers in names if bearers > _RARE)


def _most_common_first(names: Iterable[tuple[str, float]]) -> Sequence[str]:
    """Return names, given with their bearers."""
    return tuple([name for _, name in sorted((-bearers, name) for name, bearers in names)])


@cache
def _surname_ranks(group: str) -> Mapping[str, int]:
    """Return the place of each surname of a group among those with its first letter."""
    pools = [_surnames(group, letter) for letter in ascii_lowercase]
    return {name: rank for names in pools for rank, name in enumerate(names)}


def _as_common(keyed: Keyed, names: Sequence[str], rank: int, kind: int, turn: int) -> str:
    """Return one of the names of a kind about as common as the one at ``rank`` among those with its letter.

    The names are cut into blocks of about as common ones. Different ranks become different names, unless
    there are fewer names than ranks.
    """
    blocks = max(1, round(len(names) / _BLOCK))
    block = rank // _BLOCK
    if block >= blocks:  # rarer than any of them, so none of the most common
        block = 1 + block % (blocks - 1) if blocks > 1 else 0
    start = block * _BLOCK
    size = _BLOCK if block < blocks - 1 else len(names) - start
    index = (_FIRST_KIN << 16) + (kind << 8) + block % 256
    return names[start + keyed.permute(rank % size, size, index * _MOST_TURNS + turn)]


@note_cache(8192)
def _ranks(bucket: Bucket, both: bool) -> Mapping[str, int]:
    """Return the place of each name among those of a bucket's group and sex with its first letter."""
    places: Counter[str] = Counter()
    ranks = {}
    for name in _of_group(bucket.group, _KIN_SEXES[bucket.sex][0], both):
        ranks[name] = places[name[0]]
        places[name[0]] += 1
    return ranks


@cache
def _of_group(group: str, sexes: str, both: bool) -> Sequence[str]:
    """Return the given names of a group that people of some sexes bear, the most common ones first."""
    buckets = [
        bucket
        for bucket in census.load("first_names").buckets
        if bucket.group == group and bucket.sex in sexes and (not both or bucket.sort in census.BOTH)
    ]
    names = [each for bucket in buckets for each in census.bearers_of(bucket)]
    return _most_common_first(
        (name, bearers) for name, bearers in names if (home := census.home(name)) and home.group == group
    )


# --- surnames after particles -----------------------------------------------------------------------------

_ONE_PARTICLE = {"vande": "vander", "vanden": "vander"}  # often taken for each other
_FEW = 8
_FIXED = 100
_TURNS = 60


def after_particle(keyed: Keyed, particle: str, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname after a particle: ``de la Torre``, but never ``de la Kowalski``.

    The particle is written as one word: ``dela``.
    """
    particle = _ONE_PARTICLE.get(particle, particle)
    surnames = _surnames_after(particle, group_of(particle + original))
    loose = (
        particle in ("de", "del") and census.surname_bearers(particle + original) < _FIXED
    )  # Robles de Maldonado
    if loose or len(surnames) < _FEW or turn >= _TURNS:
        return draw(keyed, original, "", turn)
    number = keyed.number(f"after {particle} {original}", len(surnames))
    return surnames[keyed.permute(number, len(surnames), turn)]


@note_cache(256)
def _surnames_after(particle: str, group: str) -> tuple[str, ...]:
    """Return the surnames after a particle, of a group or near it if there are enough.

    The Census writes both as one word.
    """
    if table := _WORDS["surnames_after"].get(particle):
        return tuple(sorted(set(_WORDS[table].split())))
    alone = particle not in ("vander", "vande", "vanden", "dela", "delas", "delos")
    joined = [name for name in _joined_names().get(particle[:2], ()) if name.startswith(particle)]
    near = (group, *census.NEIGHBOURS.get(group, ()))
    if len(own := [name for name in joined if group_of(name) in near]) >= _FEW:
        joined = own
    names = (name[len(particle) :] for name in joined)
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
_LONGEST = 14
_UNSEEMLY = re.compile(
    r"(.)\1\1|fuc?k|shit|cunt|nigg|fagg|cock|dick|rape|piss|puss|slut|whor|tits|sex|porn|nazi"
)


def invent(keyed: Keyed, original: str, letter: str, turn: int = 0) -> str:
    """Return a name that is neither listed nor a word and looks like the original; nothing if there is none.

    It begins with the letter if names of its kind do. Of a few such names it is the one whose spelling is
    about as usual as the original's.
    """
    kind = likely_kind(original)
    made = _invented(keyed, kind, original, letter, turn)
    usual = _usual(kind.role, original)
    while choices := list(islice(made, _CHOICES)):
        for name in sorted(choices, key=lambda name: abs(_usual(kind.role, name) - usual)):
            if _is_new(name):
                return name
    return ""


def _invented(keyed: Keyed, kind: Kind, original: str, letter: str, turn: int) -> Iterator[str]:
    """Yield invented names of a kind, about as long as the original, in a keyed order."""
    by_letter, endings = _parts(kind)
    names = by_letter.get(letter) or by_letter[""]
    length = max(4, min(len(original), _LONGEST))
    spread = max(3, length // 2) - 1  # the longest ending is half of the name
    for number in range(_DIGESTS):
        bits = int.from_bytes(keyed.digest(f"invent {kind} {original} {turn} {number}"), "big")
        for _ in range(_TRIES):
            bits, pick = divmod(bits, len(names))
            bits, ending = divmod(bits, spread)
            cut = max(2, length - 2 - ending)
            name = names[pick]
            size = length - cut
            choices = endings.get((name[cut - 2 : cut], size)) if len(name) >= cut else None
            if choices:
                start = bits % (len(choices) // size) * size
                yield name[:cut] + choices[start : start + size]


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


_Endings = Mapping[tuple[str, int], str]


@cache
def _parts(kind: Kind) -> tuple[Mapping[str, Sequence[str]], _Endings]:
    """Return names of a kind by first letter, and the endings after two letters, by length, as one text."""
    pool = census.load(kind.role).buckets
    names = [name for b in pool if (b.sex, b.group) == kind[1:] and b.sort == "name" for name in b.drawn]
    names = names[:: 1 + len(names) // _SAMPLE]
    by_letter: defaultdict[str, list[str]] = defaultdict(list, {"": names})
    endings: defaultdict[tuple[str, int], str] = defaultdict(str)
    for name in names:
        by_letter[name[0]].append(name)
        for length in range(1, min(8, len(name) - 1)):
            endings[intern(name[-length - 2 : -length]), length] += name[-length:]
    return {letter: own for letter, own in by_letter.items() if len(own) >= _FEW}, endings


def _is_new(name: str) -> bool:
    if census.is_listed(name) or _UNSEEMLY.search(name):
        return False
    return f" {name} " not in _not_names().get(name[:3], "")


@cache
def _not_names() -> Mapping[str, str]:
    """Return the words that no invented name may be, by their first three letters."""
    return {line[:3]: f" {line} " for line in read_lines("surrogates/names/not_names.txt.gz")}
