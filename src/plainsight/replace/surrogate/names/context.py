"""What the words around a name say: whether it is a given name or a surname, and the person's sex."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from plainsight.locale import default_locale
from plainsight.replace.surrogate.names.census import Sex, sex_of

_WORDS = {key: value.split() for key, value in default_locale().table("names").items() if type(value) is str}
_WOMAN, _MAN, _ANYBODY = 1.0, -1.0, 0.0


def _by_sex(men: str, women: str, anybody: str) -> dict[str, float]:
    """Return the sex that each word of three lists stands for."""
    lists = {men: _MAN, women: _WOMAN, anybody: _ANYBODY}
    return {word: sex for key, sex in lists.items() for word in _WORDS[key]}


_RELATIONS = _by_sex("male_relatives", "female_relatives", "before_given_names")
_TITLES = _by_sex("male_titles", "female_titles", "before_surnames")
_FAMILY = frozenset(_WORDS["male_relatives"] + _WORDS["female_relatives"] + _WORDS["relatives"])
_BETWEEN = " \t\r\n([\"“‘'"
_LOOSELY = _BETWEEN + ",:;/+-"
_PASSED = frozenset(("is", "was", "named", "called", "deceased", "name", "in", "law", "s"))

_RELATIVE = f"(?:(?P<m>{'|'.join(_WORDS['male_relatives'])})|(?P<f>{'|'.join(_WORDS['female_relatives'])}))"
_AFTER = re.compile(
    rf"[\s,(]*(?:(?:his|her|the|pt'?s|patient'?s|my|their)\s+)?{_RELATIVE}"
    r"(?:[- ]in[- ]law)?\s*(?:[,).;:\n]|$|and\b)"
)
_OLD = re.compile(
    r"[^.\n]{0,30}?\b(?:years?|yrs?|y|months?|weeks?|days?)[-. /]*(?:old|o)\b\.?[-, ]*(?:[\w-]+,?\s+){0,4}?"
    r"(?:(?P<m>man|male|gentleman|boy|m)|(?P<f>woman|female|lady|girl|f))\b"
)
_PRONOUN = re.compile(r"[^.\n]{0,60}?[.;,]?\s+(?:(?P<m>he)|(?P<f>she))\b")
_CREDENTIAL = re.compile(r",?\s*(?:M\.?D\.?|D\.?O\.?|PA-?C|NP|PhD)\b")
_PAIR = re.compile(r"(?:\band|&|/|\+)\s*\Z", re.IGNORECASE)
_QUOTES = ("'", '"', "“", "”", "‘", "’")


class Cue(NamedTuple):
    """Evidence around one name. ``surname`` is above zero for a surname, below for a given name.

    ``sex`` is above zero for a woman, below for a man, by a title, a relation or an age line; ``pronoun`` is
    the same by a pronoun, which is weaker. ``family`` says that it is a relative's name.
    """

    surname: float = 0.0
    sex: float = 0.0
    pronoun: float = 0.0
    family: bool = False


NO_CUE = Cue()
"""The cue of most names."""


def find_cue(before: str, after: str) -> Cue:
    """Return the evidence in the text before and after a name.

    >>> find_cue("his wife ", " reports").sex > 0, find_cue("saw Mr. ", "").surname > 0
    (True, True)
    """
    surname, sex, family = _before(before)
    pronoun = 0.0
    near = after.lower()
    if relation := _AFTER.match(near):
        surname -= 1.0
        sex += 2.0 * _sign(relation)
        family = True
    elif _CREDENTIAL.match(after):
        surname += 1.0
    if after[:1] in _QUOTES and before[-1:] in _QUOTES:  # known as "Wink"
        surname -= 1.0
    # These patterns are slow: look first whether they can match.
    aged = any(word in near for word in ("old", "yo", "y.o", "y/o"))
    if aged and (old := _OLD.match(near)):
        sex += 2.0 * _sign(old)
    elif "he " in near and (hit := _PRONOUN.match(near)):
        pronoun = _sign(hit)
    return Cue(surname, sex, pronoun, family) if surname or sex or pronoun else NO_CUE


def _before(text: str) -> tuple[float, float, bool]:
    """Return what a title or a relation before a name says of surname, sex and family."""
    near = text.rstrip(_BETWEEN).removesuffix(".")
    word = _last(near)
    if (sex := _TITLES.get(word)) is not None or (word == "name" and _last(near[:-5]) == "maiden"):
        pair = _PAIR.search(near, 0, len(near) - len(word))  # Mr. and Mrs. Smith
        family = _last(near[: len(near) - len(word)].rstrip(_LOOSELY)) in _FAMILY  # her daughter Dr. Smith
        return 2.0, 0.0 if pair else 3.0 * (sex or 0.0), family
    far = text.rstrip(_LOOSELY)
    if far != near:
        word = _last(far)
    for _ in range(4):
        if (sex := _RELATIONS.get(word)) is not None:
            return -2.0, 2.0 * sex, word in _FAMILY
        if word not in _PASSED:
            break
        far = far[: len(far) - len(word)].rstrip(" -,'’")
        word = _last(far)
    return 0.0, 0.0, False


def _last(text: str) -> str:
    """Return the word that a text ends with, in small letters."""
    word = text[text.rfind(" ") + 1 :]
    while not word.isalpha() and word:  # something else than a space stands before it
        word = word[1:]
    return word.lower()


def _sign(hit: re.Match[str]) -> float:
    return _WOMAN if hit["f"] else _MAN


# --- sex --------------------------------------------------------------------------------------------------

_STATISTICS: dict[Sex, float] = {"F": 2.0, "M": -2.0, "": 0.0}
_SHARED = 0.5  # of what is known of a person counts for each of the given names
_PRONOUN_WEIGHT = 0.5


def find_sexes(
    evidence: Iterable[tuple[tuple[str, ...], Cue]], together: Collection[tuple[str, ...]]
) -> Mapping[str, Sex]:
    """Return the sex of each given name, so that no title, relation or pronoun clashes with a surrogate.

    ``evidence`` has given names of one person with the cue of one mention; ``together`` all given names that
    one person has. All cues of a scope and the statistics of the name are added up, so that one odd remark
    does not turn John into a woman. Pronouns count only where nothing else is known.
    """
    own: dict[str, float] = {}
    pronouns: dict[str, float] = {}
    for (first, *_), cue in evidence:
        own[first] = own.get(first, 0.0) + cue.sex
        pronouns[first] = pronouns.get(first, 0.0) + cue.pronoun
    own = {word: score + _STATISTICS[sex_of(word)] for word, score in own.items()}
    shared: dict[str, float] = {}
    for group in together:
        for word in group:
            own.setdefault(word, _STATISTICS[sex_of(word)])
        known = sum(own[word] for word in group)
        for word in group:
            shared[word] = shared.get(word, 0.0) + _SHARED * known
    scores = {
        word: score + shared.get(word, 0.0) or _PRONOUN_WEIGHT * pronouns.get(word, 0.0)
        for word, score in own.items()
    }
    return {word: "F" if score > 0 else "M" if score < 0 else "" for word, score in scores.items()}
