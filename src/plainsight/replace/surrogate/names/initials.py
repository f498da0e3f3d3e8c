"""Initials: telling them from short names, and letters for those that belong to nobody known."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.pools import is_given, is_surname

__all__ = ["READ_AS_WORDS", "STEPS", "Letters", "is_initials"]

_GROUPS = ("abcdefghjklmnprstvw", "ioquxyz")  # names rarely begin with one of the second
_TAKEN = """
an as at be by do go he if in is it me my no of oh ok on or ox so to up us we am the and for not you was are
her his she him had has pt hx rx dx tx sx md rn np pa po iv im sq er ed icu mri ct bp hr rr bid tid qid prn
npo cc ml mg kg cm mm
"""
READ_AS_WORDS = frozenset(_TAKEN.split())
"""Letters that a reader of a note takes for something else than initials."""

STEPS = len(_GROUPS[1]) - 1
"""How many turns give each letter another one."""


def is_initials(
    word: str, *, alone: bool, capitals: bool, expected: bool | None, known: Set[str], codes: Set[str]
) -> bool:
    """Whether a short word is letters that stand for names, such as ``JQS`` or ``tjw``.

    ``alone`` says that it is the whole name, ``capitals`` that the whole name is in capitals; ``expected`` is
    false after a title and true beside a slash (``CJW/mlp``). ``known`` are words that are names in these
    notes, ``codes`` the initials of their people.
    """
    lower = word.lower()
    if word.istitle() or (lower.startswith(("mc", "mac", "la", "de")) and len(word) > 3):
        return False
    mute = not any(letter in "aeiouy" for letter in lower)
    given, surname = is_given(lower), is_surname(lower)
    if not alone:
        return len(word) < 4 and word.isupper() and ((mute and surname + given < 1000) or not capitals)
    if expected is False:
        return mute and surname < 1000
    if lower in known:
        return False
    if len(word) > 4:
        return False
    if lower in codes or mute or (expected and len(word) < 4) or not (word.isupper() or word.islower()):
        return True
    match len(word):
        case 2:
            return given < 20_000
        case 3:
            return given < 800 and surname < 20_000
        case _:
            return word.isupper() and given + surname < 100


class Letters:
    """Other letters for letters: each turn gives each its own, never itself, and rare ones stay rare."""

    def __init__(self, keyed: Keyed) -> None:
        self._keyed = keyed

    def other(self, letter: str, turn: int = 0) -> str:
        """Return the letter that takes a letter's place, the next on a keyed circle."""
        for circle in self._circles:
            if letter in circle:
                size = len(circle)
                return circle[(circle.index(letter) + 1 + turn % (size - 1)) % size]
        return letter

    @cached_property
    def _circles(self) -> list[str]:
        draws = self._keyed.digest("letters")  # a byte for each letter, and some to spare
        drawn = dict(zip("".join(_GROUPS), draws, strict=False))
        return ["".join(sorted(group, key=drawn.__getitem__)) for group in _GROUPS]
