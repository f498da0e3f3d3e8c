"""The pools that surrogate names are drawn from.

A listed name becomes another of its bucket by a keyed permutation: one of the same sex, census group and
kind, about as common and as long, and no two names become the same. A name that no list knows becomes an
invented one. So a real name that was overlooked looks no different from the surrogates around it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import Literal

from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.buckets import (
    Bucket,
    Role,
    bearers,
    find,
    level,
    load,
    middle_level,
    place,
)
from plainsight.replace.surrogate.names.invented import invent
from plainsight.replace.surrogate.names.written import accented, display, plain
from plainsight.replace.surrogate.shape import scramble

__all__ = ["Sex", "display", "given", "is_given", "is_surname", "sex_of", "surname"]

Sex = Literal["M", "F", ""]

_NO_LETTER = re.compile("[^a-z]+")
_OTHER: dict[Role, Role] = {"surnames": "first_names", "first_names": "surnames"}
_CLASH = {"M": "Ff", "F": "Mm", "": "MF", "-": ""}  # buckets for others; without a sex, those of one alone
_SEXES: dict[str, Sex] = {"M": "M", "F": "F"}
_INSTEAD = {"M": "M", "F": "F", "": "u", "-": "-"}


def surname(keyed: Keyed, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname, both in small letters without punctuation; never the original.

    Each ``turn`` gives another one. Different originals get different ones in the same turn, but for those
    that are not listed or never drawn themselves, which only rarely meet.
    """
    return _draw(keyed, "surnames", original, "-", turn)


def given(keyed: Keyed, original: str, sex: Sex, turn: int = 0) -> str:
    """Return a surrogate for a given name that reads as the sex; never the original.

    A name that both sexes bear becomes another one of those, whatever the sex of this bearer: so it stays
    the same in a note that does not tell.
    """
    return _draw(keyed, "first_names", original, sex, turn)


@note_cache(16_384)
def sex_of(name: str) -> Sex:
    """Return the sex of nearly all who bear a given name, or nothing where it is unknown or both do."""
    found = find("first_names", plain(name))
    return "" if found is None else _SEXES.get(found.sex, "")


@note_cache(16_384)
def is_given(name: str) -> float:
    """Return about how many people have this given name; 0 if it is not listed."""
    return bearers("first_names", plain(name))


@note_cache(16_384)
def is_surname(name: str) -> float:
    """Return about how many people have this surname; 0 if it is not listed."""
    return bearers("surnames", plain(name))


def _draw(keyed: Keyed, role: Role, original: str, sex: str, turn: int) -> str:
    name = plain(original)
    if (slot := _slot(role, name, sex)) is not None:
        return accented(_choice(keyed, *slot, name, turn), original)
    letters = _NO_LETTER.sub("", name)
    if not letters:
        return scramble(keyed, original, turn)
    return accented(invent(keyed, role, _INSTEAD[sex], letters, turn), original)


@note_cache(16_384)
def _slot(role: Role, name: str, sex: str) -> tuple[tuple[str, ...], int, int | None, str] | None:
    """Return the names to draw from for a name, the number of their bucket, and its own place among them.

    None if it is not listed; it has no place if it is never drawn, or of another bucket. At last comes the
    sex that a drawn name has to suit: where a surname serves as a given one, not all do.
    """
    listed = role
    found = find(role, name)
    if found is None:
        listed = _OTHER[role]
        found = find(listed, name)
    if found is None:
        return None
    if found.sex in _CLASH[sex]:
        found = _nearest(_INSTEAD[sex], found, level(listed, name), len(name))
    doubtful = sex if found.sex == "-" and sex != "-" else ""
    return found.drawn, found.number, place(found.drawn, name), doubtful


def _choice(
    keyed: Keyed, names: tuple[str, ...], number: int, start: int | None, sex: str, name: str, turn: int
) -> str:
    """Return a name of a bucket other than this one that suits the sex: the first in a keyed order."""
    if start is None:
        start = keyed.number(f"{number} {name} {turn}", len(names))
    for again in count():
        made = names[keyed.permute(start, len(names), number << 20 | again << 16 | turn)]
        if made != name and (not sex or sex_of(made) in ("", sex)):
            return made
    raise AssertionError


@lru_cache(1024)
def _nearest(sex: str, own: Bucket, common: int, length: int) -> Bucket:
    """Return the bucket of that sex which is most like the one that a name so common and long is in."""

    def distance(other: Bucket) -> float:
        its_length = len(other.drawn[len(other.drawn) // 2])
        sort = 100 * (other.group != own.group) + 50 * (other.word != own.word)
        return sort + abs(middle_level(other) - common) + abs(its_length - length)

    return min((other for other in load("first_names").buckets if other.sex == sex), key=distance)
