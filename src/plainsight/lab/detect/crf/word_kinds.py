"""Kinds of words by list and case, so that a few notes also teach about words they do not hold."""

from __future__ import annotations

import re

from plainsight.note_cache import note_cache
from plainsight.text.vocabulary import listed

_TELLING = (
    "title", "cue", "head", "orghead", "generic", "place", "calendar", "state", "stop", "medical",
)  # fmt: skip
"""Lists that decide the kind of a word, in this order."""

_SAME = re.compile(r"(.)\1+")
_LONGEST = 5  # signs of a token that is no word


@note_cache(1 << 16)
def kind_of(word: str) -> str:
    """Return the kind of a word, which has no space in it.

    >>> kind_of("Hospital"), kind_of("O'Neil"), kind_of("12/2019"), kind_of("J")
    ('Ww.head', "a'a", '0/0', 'W')
    """
    if not word.isalpha():
        signs = ("a" if sign.isalpha() else "0" if sign.isdigit() else sign for sign in word)
        return _SAME.sub(r"\1", "".join(signs))[:_LONGEST]
    case = "w" if word.islower() else "W" if word.isupper() else "Ww"
    return case if len(word) == 1 else f"{case}.{_list_of(word)}"


def _list_of(word: str) -> str:
    """Return the most informative list of a word."""
    lists = {feature.removeprefix("in=") for feature in listed(word)}
    for name in _TELLING:
        if name in lists:
            return name
    if lists & {"pure", "common"}:
        return "name"
    if "word" in lists:
        return "mixed" if "mixed" in lists else "word"
    return next((name for name in ("city", "country") if name in lists), "unknown")
