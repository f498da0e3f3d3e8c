"""One note as the patient detector sees it, and what it claims in it."""

from __future__ import annotations

from typing import NamedTuple

from plainsight.text.shadow import shadow

__all__ = ["Claim", "View", "flatten", "look", "occurrences"]

_FLAT = bytes(ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else 32 for c in range(256))


class Claim(NamedTuple):
    """These characters are that kind of identifier, this surely, by that rule."""

    start: int
    end: int
    label: str
    score: float
    rule: str


class View(NamedTuple):
    """The shadow of a note, and its flat form: small letters and digits, a space for all else.

    The flat form begins and ends with an added space, so a whole word is found as ``b" word "``, and the
    place where that is found in it is the place of the word in the shadow.
    """

    text: bytes
    flat: bytes


def flatten(text: bytes) -> bytes:
    """Return the flat form of a shadow, with a space added at both ends.

    >>> flatten(b"Van-Hooser, A.")
    b' van hooser  a  '
    """
    return b" %b " % text.translate(_FLAT)


def look(text: str) -> View:
    """Return the view of a note."""
    folded = shadow(text)
    return View(folded, flatten(folded))


def occurrences(view: View, words: bytes) -> list[int]:
    """Return where whole flat words begin in the shadow."""
    needle, found = b" %b " % words, []
    at = view.flat.find(needle)
    while at >= 0:
        found.append(at)
        at = view.flat.find(needle, at + 1)
    return found
