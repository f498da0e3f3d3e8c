"""Initials: telling them from short names, and letters for those that belong to nobody known."""

from __future__ import annotations

from collections.abc import Set

from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.pools import is_given, is_surname

__all__ = ["STEPS", "is_initials", "other_letter"]

_CYCLES = ("abcdefghjklmnprstvw", "ioquxyz")  # names rarely begin with one of the second
STEPS = len(_CYCLES[1]) - 1
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
            return given < 3_000 and surname < 20_000
        case _:
            return word.isupper() and given + surname < 100


def other_letter(keyed: Keyed, letter: str, turn: int = 0) -> str:
    """Return the letter that takes a letter's place: another one, in each turn a different one.

    All letters go round a keyed circle, so no two take the same place; rare ones stay rare.
    """
    for letters in _CYCLES:
        if letter in letters:
            size = len(letters)
            circle = [letters[keyed.permute(place, size)] for place in range(size)]
            return circle[(circle.index(letter) + 1 + turn % (size - 1)) % size]
    return letter
