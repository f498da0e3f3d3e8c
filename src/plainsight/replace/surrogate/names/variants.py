"""Variants of a name word: nicknames, short forms and misspellings.

A variant stands for the same person: a nickname gets a nickname of the surrogate, a misspelling the surrogate
itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations, islice, takewhile

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.census import find, given_bearers, sex_of, surname_bearers
from plainsight.shipped import read_shipped
from plainsight.text.spelling import one_slip

_USUAL_FORMS = 3
_PET = re.compile(r"(?:ie|ey|ee|y|i)$")
_VOWELS = "aeiouy"
_NEVER_DOUBLED = "hjqwx"

# --- nicknames --------------------------------------------------------------------------------------------


def formal(name: str) -> str:
    """Return the given name that a nickname most often stands for, or the name itself.

    >>> formal("bill"), formal("xyz")
    ('william', 'xyz')
    """
    return _formal().get(name, name)


def nicknames(name: str, like: str, keyed: Keyed) -> Sequence[str]:
    """Return the most usual nicknames of a given name in a keyed order, which differs for those ``like`` it.

    Two nicknames of one name, Meg and Peggy, get different ones.
    """
    forms = _nicknames().get(name, ())[:_USUAL_FORMS]
    if not forms:
        return ()
    others = _nicknames().get(formal(like), ())
    start = keyed.number(f"nickname {name}", len(forms)) + (others.index(like) if like in others else 0)
    return [forms[(start + turn) % len(forms)] for turn in range(len(forms))]


def has_nickname(name: str) -> bool:
    """Whether people who bear a given name are often called by another one."""
    return name in _nicknames()


_FIRST_SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+(?:ck|sh|ll|nn|rr|ss|tt|[^aeiouy])")


def clipped(name: str) -> str:
    """Return a given name cut after its first syllable, as people do; nothing if too little would be cut.

    >>> clipped("beckett"), clipped("omar")
    ('beck', '')
    """
    found = _FIRST_SYLLABLE.match(name)
    return found[0] if found and 2 < len(found[0]) < len(name) - 1 else ""


def is_pet_name(name: str) -> bool:
    """Whether a name ends as pet names do: ``Benny`` beside ``Ben``."""
    return _PET.search(name) is not None


def petted(short: str) -> str:
    """Return a short form with the ending of a pet name; nothing if it ends in a vowel or such as ``row``.

    >>> petted("seg"), petted("beck")
    ('seggy', 'becky')
    """
    if not short or short[-1] in _VOWELS + _NEVER_DOUBLED:
        return ""
    return f"{short}{short[-1] if short[-2] in _VOWELS else ''}y"


@cache
def _nicknames() -> Mapping[str, tuple[str, ...]]:
    text = read_shipped("data/patient/nicknames.txt").decode("ascii")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {name: tuple(forms) for name, *forms in rows}


@cache
def _names_of() -> Mapping[str, Sequence[str]]:
    """Return the given names that each nickname is short for."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, forms in _nicknames().items():
        for form in forms:
            found[form].append(name)
    return dict(found)


@cache
def _formal() -> Mapping[str, str]:
    names = _nicknames()
    return {
        form: max(those, key=partial(_likely, form))
        for form, those in _names_of().items()
        if form not in names
    }


def _likely(form: str, name: str) -> tuple[bool, bool, float]:
    """Return what speaks for a name that a form may stand for: census group, sex, how common it is."""
    own, other = find("first_names", form), find("first_names", name)
    if own is None or other is None:
        return False, False, given_bearers(name)
    return own.group == other.group, own.sex.lower() == other.sex.lower(), given_bearers(name)


# --- short forms ------------------------------------------------------------------------------------------

_OWN_NAME = 50_000  # people; a name that more bear is rarely short for another
_OWN_STEM = 150_000
_LONGEST_SHORT = 5


def long_form(word: str, names: Sequence[str]) -> str | None:
    """Return the only one of some given names, which are sorted, that a word may be short for.

    The list of nicknames decides, or else the letters: ``Addie``, ``Adelaide``.
    """
    listed = [name for name in _names_of().get(word, ()) if next(_beginning(name, names), "") == name]
    bearers = given_bearers(word)
    if listed:
        found = [name for name in listed if bearers < 2 * given_bearers(name)]  # Mary is not short for Marie
    elif bearers < _OWN_STEM:
        stem = _PET.sub("", word) if bearers < _OWN_NAME else ""
        if len(stem) > 2 and stem[-1] == stem[-2]:
            stem = stem[:-1]
        near = _beginning(stem if len(stem) > 1 else word, names)
        may_be = (name for name in near if name != word and _may_be_short(word, stem, name))
        found = list(islice(may_be, 2))
    else:
        return None
    return found[0] if len(found) == 1 else None


def _beginning(prefix: str, names: Sequence[str]) -> Iterator[str]:
    """Return the names that begin so."""
    following = (names[at] for at in range(bisect_left(names, prefix), len(names)))
    return takewhile(lambda name: name.startswith(prefix), following)


def _may_be_short(word: str, stem: str, name: str) -> bool:
    if len(name) < len(word) or {sex_of(word), sex_of(name)} == {"M", "F"}:
        return False
    if name.startswith(word):
        return 2 < len(word) <= _LONGEST_SHORT and len(name) > len(word) + 1
    return 1 < len(stem) < len(word) and name.startswith(stem) and len(name) > len(stem) + 2


# --- misspellings -----------------------------------------------------------------------------------------

_SHORTEST = 5
_LISTED = 2500  # people; a name that fewer bear may well be a slip


def misspellings(counts: Mapping[str, float]) -> dict[str, str]:
    """Return each word that is a slip for another one, with that one.

    ``counts`` says how often each word stands, or more if the record has it. A pair is one letter or one swap
    apart. The rarer word is the slip, unless many people bear it: ``Dhillon`` beside ``Dillon`` is somebody
    else.
    """
    shared: dict[str, list[str]] = defaultdict(list)
    for word in counts:
        if len(word) >= _SHORTEST:
            for left in {word, *(word[:cut] + word[cut + 1 :] for cut in range(len(word)))}:
                shared[left].append(word)  # words one slip apart are alike without one of their letters
    near: dict[str, set[str]] = defaultdict(set)
    for alike in shared.values():
        for one, other in combinations(alike, 2):
            if one_slip(one, other):
                near[one].add(other)
                near[other].add(one)
    found: dict[str, str] = {}
    for word in sorted(near):
        targets = [other for other in near[word] if _weight(other, counts) > _weight(word, counts)]
        targets = [o for o in targets if _known(word) < _LISTED and o[:-1] != word[:-1]]  # Maria, Mario
        if targets:
            found[word] = max(targets, key=lambda other: (*_weight(other, counts), other))
    return {word: _end(found, word) for word in found}


def _end(found: Mapping[str, str], word: str) -> str:
    while word in found:  # weights rise along the way, so it ends
        word = found[word]
    return word


def _weight(word: str, counts: Mapping[str, float]) -> tuple[float, float]:
    return counts[word], _known(word)


def _known(word: str) -> float:
    return max(given_bearers(word), surname_bearers(word))
