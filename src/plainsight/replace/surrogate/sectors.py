"""Sectors of work: to which one a job belongs, and which jobs it has."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache

__all__ = ["Sector", "plain", "sector_of", "sectors", "singular"]

_WORD = re.compile(r"[^\W\d_]+")
_SENIORITY = frozenset(default_locale().words("sectors", "seniority"))
# Last words that say too little: the word before them tells what somebody does.
_VAGUE = frozenset(default_locale().words("sectors", "vague_heads"))


@dataclass(frozen=True, slots=True, eq=False)
class Sector:
    """A sector: what one of its people is called, and the roles, fields and places of work in it."""

    name: str
    keys: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    acronyms: tuple[str, ...] = ()


@cache
def sectors() -> tuple[Sector, ...]:
    """Return all sectors, in the order of the list."""
    found = []
    for name, table in default_locale().table("sectors")["sectors"].items():
        keys = tuple(table["keys"].split())
        forms = {form: tuple(" ".join(titles.split()).split(", ")) for form, titles in table.items()}
        found.append(Sector(name=name, **forms | {"keys": keys}))
    return tuple(found)


def plain(title: str) -> str:
    """Return a title as it is looked up: small letters, one space between words."""
    return " ".join(title.casefold().split())


def singular(title: str) -> str:
    """Return a title in the singular, as far as its ending shows: ``bakers`` -> ``baker``."""
    for ending, single in (("ies", "y"), ("men", "man"), ("women", "woman"), ("sses", "ss"), ("ches", "ch")):
        if title.endswith(ending):
            return title.removesuffix(ending) + single
    return title[:-1] if title.endswith("s") and not title.endswith(("ss", "us", "is", "'s")) else title


@note_cache(4096)
def sector_of(title: str) -> Sector | None:
    """Return the sector of a job, a field or a place of work; None when nothing tells it.

    >>> sector_of("retired long-haul trucker").name, sector_of("securities").name
    ('transport worker', 'finance worker')
    """
    title = plain(title)
    known = _titles()
    for form in (title, singular(title)):
        if form in known:
            return known[form]
    words = [singular(word) for word in _WORD.findall(title) if word not in _SENIORITY]
    # What somebody is stands last ('school cook'); a word that half the sectors share ('aide') tells nothing.
    for word in reversed(words):
        if (sector := _heads().get(word)) is not None:
            return sector
    telling = [word for word in words if word not in _VAGUE]
    for word in (*reversed(telling), *reversed(words)):
        if (sector := _by_key(word)) is not None:
            return sector
    return None


@cache
def _titles() -> dict[str, Sector]:
    """Return each title's sector; the first that has it wins."""
    known: dict[str, Sector] = {}
    for sector in sectors():
        for title in (*sector.roles, *sector.fields, *sector.places, *sector.acronyms):
            known.setdefault(title.casefold(), sector)
    return known


@cache
def _heads() -> dict[str, Sector]:
    """Return the sector of each last word of roles that one sector has almost to itself."""
    counts: dict[str, Counter[Sector]] = {}
    for sector in sectors():
        for role in sector.roles:
            counts.setdefault(role.split()[-1].casefold(), Counter())[sector] += 1
    heads = {}
    for word, by_sector in counts.items():
        (sector, most), *_ = by_sector.most_common(1)
        if most >= 0.7 * by_sector.total() and word not in _VAGUE:
            heads[word] = sector
    return heads


def _by_key(word: str) -> Sector | None:
    """Return the sector with the longest key that begins the word."""
    keys = _keys()
    for length in range(len(word), 2, -1):
        if (sector := keys.get(word[:length])) is not None:
            return sector
    return keys.get(word)


@cache
def _keys() -> dict[str, Sector]:
    """Return the sector of each key; the first that has it wins."""
    return {key: sector for sector in reversed(sectors()) for key in sector.keys}
