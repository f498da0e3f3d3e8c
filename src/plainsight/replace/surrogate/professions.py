"""Surrogate professions: another job of the same sector, in the same form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.scope import Mention, Scope, assign
from plainsight.replace.surrogate.shape import scramble

_WORD = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"ing$|^\w+ing \w+s$|^(?:the|in) ")  # roofing, picking peaches, the mines
_COMMON_SECTORS = 12
_LAST_LISTED_TURN = 300

# Words that say little of their own: they may stand in a surrogate even when the notes have them.
_COMMON_WORDS = frozenset(default_locale().words("sectors", "common_words"))
_LETTERS = re.compile(r"[^\W\d_]+")
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
        forms = {form: tuple(" ".join(titles.split()).split(", ")) for form, titles in table.items()}
        found.append(Sector(name=name, **forms | {"keys": tuple(table["keys"].split())}))
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
    """Return the sector of a job, a field or a place of work; None if it is unknown.

    >>> sector_of("retired long-haul trucker").name, sector_of("securities").name
    ('transport worker', 'finance worker')
    """
    title = plain(title)
    # What somebody is stands last ('school cook'); a word that many sectors share ('aide') does not help.
    words = [singular(word) for word in reversed(_LETTERS.findall(title)) if word not in _SENIORITY]
    telling = [word for word in words if word not in _VAGUE]
    found = [_titles().get(form) for form in (title, singular(title))]
    found += [_heads().get(word) for word in words]
    found += [_by_key(word) for word in (*telling, *words)]
    return next(filter(None, found), None)


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
    beginnings = (word[:length] for length in range(len(word), 2, -1))
    return next((_keys()[start] for start in beginnings if start in _keys()), _keys().get(word))


@cache
def _keys() -> dict[str, Sector]:
    """Return the sector of each key; the first that has it wins."""
    return {key: sector for sector in reversed(sectors()) for key in sector.keys}


class Professions:
    """The surrogate professions of one scope.

    A job becomes another one of its sector (`sectors`), one word for one word and several for several, in
    the same number and case; a field (``securities``) becomes a field, a place of work a place of work. A job
    of an unknown sector gets one of the larger sectors.

    >>> from plainsight.replace.surrogate.keyed import Keyed
    >>> baker = Mention(0, 0, 5, "PROFESSION", "Baker")
    >>> Professions(Scope(Keyed(bytes(32)), [], [baker])).surrogates([baker])
    ['Maltster']
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("professions")

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a job for each mention."""
        titles = {plain(mention.text) for mention in mentions}
        made = assign(titles, self._candidate, refused=lambda title, job: plain(job) == title)
        return [_in_case(made[plain(mention.text)], mention.text) for mention in mentions]

    def _candidate(self, title: str, turn: int) -> str:
        """Return a job for a title: each turn another one, from the list that fits it best first."""
        if turn >= _LAST_LISTED_TURN:
            return scramble(self._keyed, title, turn)
        sector = sector_of(title)
        if sector is None:
            # A misspelt or rare job: the sector is drawn, so that the same job always gets the same one.
            sector = sectors()[self._keyed.number(f"sector {title}", _COMMON_SECTORS)]
        for pool in _pools(sector, title):
            size = len(pool)
            if turn < size:
                if title in pool:
                    place = self._keyed.permute((pool.index(title) + turn) % size, size)
                else:
                    place = (self._keyed.number(f"job {singular(title)}", size) + turn) % size
                return _plural(pool[place]) if _is_plural(title) else pool[place]
            turn -= size
        return scramble(self._keyed, title, turn)


@note_cache(4096)
def _pools(sector: Sector, title: str) -> tuple[tuple[str, ...], ...]:
    """Return the lists that can stand for a title, the best one first."""
    if title in _acronyms():
        return sector.acronyms, _roles()
    if title in sector.places:
        return sector.places, sector.fields, _roles()
    is_field = title in sector.fields or _FIELD.search(title)  # in what somebody works
    if is_field and title not in sector.roles:
        return sector.fields, _roles()
    same = tuple(role for role in sector.roles if _is_single(role) == _is_single(title))
    return same, sector.roles, _roles()


@cache
def _roles() -> tuple[str, ...]:
    return tuple(role for sector in sectors() for role in sector.roles)


@cache
def _acronyms() -> frozenset[str]:
    return frozenset(acronym.casefold() for sector in sectors() for acronym in sector.acronyms)


def _is_single(title: str) -> bool:
    return len(_WORD.findall(title)) == 1


def _is_plural(title: str) -> bool:
    """Whether a title is the plural of a known role."""
    single = singular(title)
    return single != title and single in _roles()


def _plural(job: str) -> str:
    if job.endswith(("s", "ch", "sh", "x")):
        return f"{job}es"
    return f"{job[:-1]}ies" if job.endswith("y") and job[-2:-1] not in "aeiou" else f"{job}s"


def _in_case(job: str, original: str) -> str:
    """Return a job in the case of the original: ``LINE COOK``, ``Line Cook``, ``Line cook``."""
    letters = "".join(filter(str.isalpha, original))
    if job.isupper():  # an acronym
        return job.lower() if original.islower() else job
    if len(letters) > 1 and letters.isupper():
        return job.upper()
    words = original.split()
    if len(words) > 1 and all(word[0].isupper() for word in words if word not in ("a", "and", "of", "the")):
        return " ".join(word[:1].upper() + word[1:] for word in job.split())
    return job[:1].upper() + job[1:] if letters[:1].isupper() else job
