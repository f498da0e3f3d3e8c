"""What the words around a name tell: whether it is a given name or a surname, and the person's sex."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NOTHING", "Cue", "read"]

_WOMAN, _MAN, _ANYBODY = 1.0, -1.0, 0.0

_MEN = """
husband hubby father dad daddy papa son brother bro grandfather grandpa granddad grandson granson uncle
nephew boyfriend stepfather stepdad stepson stepbrother widower godfather
"""
_WOMEN = """
wife mother mom mum mama mommy daughter dtr dau sister sis grandmother grandma granny nana granddaughter
aunt auntie niece girlfriend stepmother stepmom stepdaughter stepsister widow godmother
"""
_OTHERS = """
cousin spouse partner friend roommate sibling twin baby infant fiance fiancé fiancee fiancée grandchild
child kid dear hi hello called nicknamed named me
"""
_RELATIONS = {
    **dict.fromkeys(_MEN.split(), _MAN),
    **dict.fromkeys(_WOMEN.split(), _WOMAN),
    **dict.fromkeys(_OTHERS.split(), _ANYBODY),
}
_MISTERS = "mr mister señor"
_MISSES = "mrs ms miss sra srta señora madam mme"
_DOCTORS = """
dr drs doctor prof professor attending resident surgeon officer trooper sgt lt capt judge attorney atty
rev reverend pastor rabbi imam deputy nee née maiden
"""
_TITLES = {
    **dict.fromkeys(_MISTERS.split(), _MAN),
    **dict.fromkeys(_MISSES.split(), _WOMAN),
    **dict.fromkeys(_DOCTORS.split(), _ANYBODY),
}
_BETWEEN = " \t\r\n([\"“‘'"
_LOOSELY = _BETWEEN + ",:;/+-"
_PASSED = frozenset(("is", "was", "named", "called", "deceased", "name", "in", "law", "s"))

_RELATIVE = f"(?:(?P<m>{'|'.join(_MEN.split())})|(?P<f>{'|'.join(_WOMEN.split())}))"
_AFTER = re.compile(
    rf"[\s,(]*(?:(?:his|her|the|pt'?s|patient'?s|my|their)\s+)?{_RELATIVE}"
    r"(?:[- ]in[- ]law)?\s*(?:[,).;:\n]|$|and\b)"
)
_BEFORE_RELATIONS = ("his", "her", "the", "pt", "patient", "my", *_MEN.split(), *_WOMEN.split())
_BEGINNINGS = frozenset([word[:2] for word in _BEFORE_RELATIONS])
_OLD = re.compile(
    r"[^.\n]{0,30}?\b(?:years?|yrs?|y|months?|weeks?|days?)[-. /]*(?:old|o)\b\.?[-, ]*(?:[\w-]+,?\s+){0,4}?"
    r"(?:(?P<m>man|male|gentleman|boy|m)|(?P<f>woman|female|lady|girl|f))\b"
)
_PRONOUN = re.compile(r"[^.\n]{0,60}?[.;,]?\s+(?:(?P<m>he)|(?P<f>she))\b")
_HE_OR_SHE = re.compile(r"he\b(?:(?<=\she)|(?<=\sshe))")  # letters first: they are looked for at once
_CREDENTIAL = re.compile(r",?\s*(?:M\.?D\.?|D\.?O\.?|PA-?C|NP|PhD)\b")
_CREDENTIALS = frozenset("MDPN")  # what one begins with
_PAIR = re.compile(r"(?:\band|&|/|\+)\s*\Z", re.IGNORECASE)
_END = frozenset(("", *".:;)]/'’\"”-"))
_QUOTES = ("'", '"', "“", "”", "‘", "’")


class Cue(NamedTuple):
    """Evidence around one name: for a surname (above zero) or a given name, for a woman or a man.

    ``told`` is what title, relation or age line say of the sex, ``hint`` what a pronoun suggests.
    """

    surname: float = 0.0
    told: float = 0.0
    hint: float = 0.0


NOTHING = Cue()
"""What stands around most names says nothing of them."""


def read(before: str, after: str) -> Cue:
    """Return what stands around a name says of it.

    >>> read("his wife ", " reports").told > 0, read("saw Mr. ", "").surname > 0
    (True, True)
    """
    surname, told = _before(before)
    hint = 0.0
    near = after.lower()
    first = after[:1]
    if first in _END:  # as half of all names have it: no relation and no credential follows
        pass
    elif _may_be_relation(near) and (relation := _AFTER.match(near)):
        surname -= 1.0
        told += 2.0 * _sign(relation)
    elif after.lstrip(",").lstrip()[:1] in _CREDENTIALS and _CREDENTIAL.match(after):
        surname += 1.0
    if first in _QUOTES and before[-1:] in _QUOTES:  # known as "Wink"
        surname -= 1.0
    # The patterns are slow: look first whether they can be met.
    aged = "old" in near or "yo" in near or "y.o" in near or "y/o" in near
    if aged and (old := _OLD.match(near)):
        told += 2.0 * _sign(old)
    elif "he " in near and _HE_OR_SHE.search(near) and (pronoun := _PRONOUN.match(near)):
        hint = _sign(pronoun)
    return Cue(surname, told, hint) if surname or told or hint else NOTHING


def _may_be_relation(near: str) -> bool:
    """Whether a relation may follow a name: the pattern for it is slow."""
    start = near.lstrip(" ,(")
    if start[:2] in _BEGINNINGS:
        return start.startswith(_BEFORE_RELATIONS)
    return not start[:1].isalpha()


def _before(text: str) -> tuple[float, float]:
    """Return what a title or a relation before a name says of surname and sex."""
    near = text.rstrip(_BETWEEN).removesuffix(".")
    word = _last(near)
    if (sex := _TITLES.get(word)) is not None or (word == "name" and _last(near[:-5]) == "maiden"):
        pair = _PAIR.search(near, 0, len(near) - len(word))  # Mr. and Mrs. Smith
        return 2.0, 0.0 if pair else 3.0 * (sex or 0.0)
    far = text.rstrip(_LOOSELY)
    if far != near:
        word = _last(far)
    for _ in range(4):
        if (sex := _RELATIONS.get(word)) is not None:
            return -2.0, 2.0 * sex
        if word not in _PASSED:
            break
        far = far[: len(far) - len(word)].rstrip(" -,'’")
        word = _last(far)
    return 0.0, 0.0


def _last(text: str) -> str:
    """Return the word that a text ends with, in small letters."""
    word = text[text.rfind(" ") + 1 :]
    if not word.isalpha():  # something else than a space stands before it
        at = len(word)
        while at and word[at - 1].isalpha():
            at -= 1
        word = word[at:]
    return word.lower()


def _sign(hit: re.Match[str]) -> float:
    """Return 1 for a woman, -1 for a man."""
    return _WOMAN if hit["f"] else _MAN
