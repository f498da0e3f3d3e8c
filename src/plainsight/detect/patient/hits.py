"""Words of a note that may be parts of names in the record."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Entry", "Hit"]


class Entry(NamedTuple):
    """A word that is, or may be a misspelling of, a word of somebody's name."""

    people: dict[int, int]
    """Whose name, by place in the list of people, and what it is there."""
    kinds: int
    """All that it is for anybody."""
    words: tuple[bytes, ...]
    """The record's words it stands for: itself, or what it is a misspelling of."""
    ordinary: bool
    slip: bool
    """It is a misspelling."""


class Hit(NamedTuple):
    """A word of the note that has an entry."""

    start: int
    end: int
    token: bytes
    entry: Entry
