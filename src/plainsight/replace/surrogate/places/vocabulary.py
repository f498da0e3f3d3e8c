"""The words that names of places are made of, by section of the list ``words.txt``."""

from __future__ import annotations

from functools import cache

from plainsight.replace.surrogate.places.towns import lines

__all__ = ["invented", "word_set", "words"]


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    now: list[str] = []
    for line in lines("words.txt"):
        if line.startswith("["):
            now = found.setdefault(line.strip("[]"), [])
        else:
            now += line.split()
    return {section: tuple(dict.fromkeys(entries)) for section, entries in found.items()}


def words(section: str) -> tuple[str, ...]:
    """Return the words of a section in the list's order."""
    return _sections()[section]


@cache
def word_set(*sections: str) -> frozenset[str]:
    """Return the words of some sections, folded, to look up in."""
    return frozenset(word.casefold() for section in sections for word in words(section))


def invented(number: int) -> str:
    """Return one of thousands of made-up town names."""
    heads, tails = words("head"), words("tail")
    head, tail = divmod(number % (len(heads) * len(tails)), len(tails))
    return heads[head] + tails[tail]
