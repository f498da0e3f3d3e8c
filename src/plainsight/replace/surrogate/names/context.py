"""What the words around a name say: whether a title stands before it, and whether it is a relative's."""

from __future__ import annotations

import re
from typing import NamedTuple

from plainsight.locale import default_locale

_WORDS = {key: value.split() for key, value in default_locale().table("names").items() if type(value) is str}
_TITLES = frozenset(_WORDS["male_titles"] + _WORDS["female_titles"] + _WORDS["before_surnames"])
_RELATIVES = _WORDS["male_relatives"] + _WORDS["female_relatives"]
_FAMILY = frozenset(_RELATIVES + _WORDS["relatives"])
_BETWEEN = " \t\r\n([\"“‘'"
_LOOSELY = _BETWEEN + ",:;/+-"
_PASSED = frozenset(("is", "was", "named", "called", "deceased", "name", "in", "law", "s"))
_AFTER = re.compile(
    rf"[\s,(]*(?:(?:his|her|the|pt'?s|patient'?s|my|their)\s+)?(?:{'|'.join(_RELATIVES)})"
    r"(?:[- ]in[- ]law)?\s*(?:[,).;:\n]|$|and\b)"
)


class Cue(NamedTuple):
    """What stands around one name: a title before it, a word for a relative before or after it."""

    title: bool = False
    family: bool = False


def find_cue(before: str, after: str) -> Cue:
    """Return what the text before and after a name says.

    >>> find_cue("his wife ", " reports").family, find_cue("saw Mr. ", "").title
    (True, True)
    """
    near = before.rstrip(_BETWEEN).removesuffix(".")
    word = _last(near)
    title = word in _TITLES or (word == "name" and _last(near[:-5]) == "maiden")
    if title:  # her daughter Dr. Smith
        near = near[: len(near) - len(word)]
    return Cue(title, _after_relative(near if title else before) or _AFTER.match(after.lower()) is not None)


def _after_relative(text: str) -> bool:
    """Whether a text ends with a word for a relative, or with one and words such as ``is called``."""
    text = text.rstrip(_LOOSELY)
    word = _last(text)
    for _ in range(4):
        if word in _FAMILY:
            return True
        if word not in _PASSED:
            return False
        text = text[: len(text) - len(word)].rstrip(" -,'’")
        word = _last(text)
    return False


def _last(text: str) -> str:
    """Return the word that a text ends with, in small letters."""
    word = text[text.rfind(" ") + 1 :]
    while not word.isalpha() and word:  # something else than a space stands before it
        word = word[1:]
    return word.lower()
