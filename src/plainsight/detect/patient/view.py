"""A note prepared for search, and what the patient detector claims in it."""

from __future__ import annotations

from typing import NamedTuple

from plainsight.text.shadow import flatten, shadow


class Claim(NamedTuple):
    """An identifier that a rule has found, with its score."""

    start: int
    end: int
    label: str
    score: float
    rule: str


class View(NamedTuple):
    """The shadow of a note, and its flat form (`flatten`)."""

    text: bytes
    flat: bytes


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
