"""Why a template may not become a rule: its own text could hold an identifier, or half of one.

The fixed words of a rule stand in a file and in no slot, so no identifier may be among them. These checks
look at the template alone; `plainsight.site.harvest` also asks detectors, the site's notes and gold.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from plainsight.detect.templates import Form
from plainsight.labels import CATEGORIES
from plainsight.text.rare_words import LEAST_BITS, UNSEEN_BITS, surprise
from plainsight.text.shadow import shadow
from plainsight.text.vocabulary import Is, flags_of
from plainsight.text.word_lists import is_ordinary


class Reason(StrEnum):
    """Why a template was refused."""

    AMBIGUOUS = "the same syntax was found with other identifiers"
    PART = "a slot covers only a part of a name, a number or a code"
    NAME = "a fixed word is a name of the site's lists"
    RARE = "a fixed word is rare, a name or a long number"
    CLAIMED = "a careful detector finds an identifier among the fixed words"
    VAGUE = "too few fixed words: it would match sentences of any kind"
    CONSTANT = "its slots hold the same words in all sentences"
    ORDINARY = "its slots also hold ordinary words"
    MISSED = "the detectors find its identifiers in too few of its sentences"
    HARM = "its slots are no identifiers in gold notes"
    LEAK = "gold notes have an identifier among its fixed words"


_NAME_LABELS = frozenset(CATEGORIES["NAME"])
_JOINTS = frozenset(b"-'_@&")
_NUMBER_JOINTS = frozenset(b"./:,")
_LONG_NUMBER = 4
"""Digits of a number that may be a year, a ZIP code or a part of an identifier."""
_KNOWN = Is.WORD | Is.STOP | Is.MEDICAL | Is.CUE | Is.GENERIC | Is.TITLE | Is.CODE | Is.CALENDAR


def refusal(form: Form, names: Collection[str] = (), *, words: int = 2) -> Reason | None:
    """Return why a template may not become a rule, judged by its own text; None if it may.

    ``names`` are words of the names that the site knows, case-folded. ``words`` is the number of fixed words
    that it needs; before a colon one is enough.
    """
    fixed = [word for _, word in form.fixed]
    if any(_is_known_name(word, names) for word in fixed):
        return Reason.NAME
    if any(may_identify(word) for word in fixed):
        return Reason.RARE
    if _has_half_slot(form):
        return Reason.PART
    telling = [word for word in fixed if len(word) > 1 and word.isalpha()]
    if len(telling) < words and not (telling and b":" in form.syntax):
        return Reason.VAGUE
    return None


def _is_known_name(word: str, names: Collection[str]) -> bool:
    """Whether the site knows a name of this spelling; ordinary words in small letters are no names."""
    return word.casefold() in names and not (word.islower() and _is_ordinary(word))


def _is_ordinary(word: str) -> bool:
    folded = shadow(word).lower()
    return is_ordinary(folded) or bool(flags_of(folded.decode("ascii")) & (Is.WORD | Is.STOP))


def may_identify(word: str) -> bool:
    """Whether a word by itself may be a name or a number of somebody.

    >>> [may_identify(word) for word in ("Signed", "by", "Okafor", "Smith", "24", "2019", "B12", "X4471")]
    [False, False, True, True, False, True, False, True]
    """
    if digits := sum(map(str.isdigit, word)):
        return digits >= _LONG_NUMBER or (digits < len(word) and digits >= 3)
    folded = shadow(word).decode("ascii")
    flags, ordinary = flags_of(folded), is_ordinary(folded.lower().encode())
    level = flags & Is.LEVEL
    if word.islower():
        return (
            len(word) > 1
            and not ordinary
            and (level == Is.LEVEL or (not flags & _KNOWN and surprise(folded) >= UNSEEN_BITS))
        )
    if level >= 2 or flags & Is.BIG_CITY:
        return True
    if len(folded) <= 3 and folded.isupper():
        return len(folded) > 1 and not flags & Is.KNOWN and not ordinary
    return not ordinary and not flags & Is.MEDICAL and surprise(folded) >= LEAST_BITS


def _has_half_slot(form: Form) -> bool:
    """Whether a fixed word is joined to a slot, so that it may be part of the identifier.

    ``{{ID|N}}-AB`` and ``J {{DOCTOR|W}}`` are; ``{{AGE|N}}-year-old`` and ``{{PATIENT|W}}'s`` are not.
    """
    fixed = dict(form.fixed)
    gaps = _gaps(form.syntax)
    for slot in form.slots:
        sides = ((slot.first - 1, gaps[slot.first]), (slot.last + 1, gaps[slot.last + 1]))
        for number, gap in sides:
            word = fixed.get(number)
            if word is None:
                continue
            if slot.label in _NAME_LABELS and len(word) == 1 and word.isupper() and word not in "AI":
                return True
            joined = gap and b" " not in gap and (_JOINTS.issuperset(gap) or _NUMBER_JOINTS.issuperset(gap))
            if not joined or (word.islower() and (word == "s" or _is_ordinary(word))):
                continue
            if _JOINTS.issuperset(gap) or word.isdigit():
                return True
    return False


def _gaps(syntax: bytes) -> list[bytes]:
    """Return what stands before each word of a syntax, and after the last."""
    for sign in (b"N", b"A"):
        syntax = syntax.replace(sign, b"W")
    return syntax.split(b"W")
