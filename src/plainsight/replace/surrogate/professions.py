"""Surrogate professions: another job of the same sector, in the same form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from plainsight.locale import default_locale
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.scope import Mention, Scope

_WORD = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"ing$|^\w+ing \w+s$|^(?:the|in) ")  # roofing, picking peaches, the mines
_COMMON_SECTORS = 12
_FEWEST = 3  # jobs that one is drawn from
_FAR = 40  # characters before a job that are read
_ARTICLE = r"(?:(?:a|an|the|his|her|their|own)\s+){0,2}"
_WAS = re.compile(
    r"(?:(?:retired|former|ex|apprentice|part-time|full-time|self-employed)[\s-]+)+(?=\w)", re.IGNORECASE
)
_WORK = re.compile(
    rf"\b(?:work(?:s|ed|ing)?|job|career|employed|retired from)\s+(in|at|for)\s+{_ARTICLE}$", re.IGNORECASE
)
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


def _verbs() -> str:
    lines = default_locale().table("sectors")["phrases"].strip().splitlines()
    return "|".join(form for line in lines for form in line.partition("|")[0].split())


_OBJECT_OF = re.compile(rf"\b({_verbs()})\s+{_ARTICLE}$", re.IGNORECASE)
_VERB_FIRST = re.compile(rf"(?:{_verbs()})\s+{_ARTICLE}(?=\w)", re.IGNORECASE)


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
    the same number and case, and with the same article. A field (``works in securities``) becomes a field, a
    place of work a place of work, and what somebody drives or teaches something that one can drive or teach.
    A job of an unknown sector gets one of the larger sectors.

    >>> from plainsight.document import Document
    >>> from plainsight.replace.surrogate.keyed import Keyed
    >>> baker = Mention(0, 0, 5, "PROFESSION", "Baker")
    >>> Professions(Scope(Keyed(bytes(32)), [Document("1", "Baker")], [baker])).surrogates([baker])
    ['Miller']
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._keyed = scope.keyed.child("professions")
        self._known: dict[tuple[str, str], str] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a job for each mention; "" for one without letters."""
        return [self._surrogate(mention) for mention in mentions]

    def _surrogate(self, mention: Mention) -> str:
        start, title = "", mention.text
        if was := _WAS.match(title):
            start, title = was[0], title[was.end() :]
        if said := _VERB_FIRST.match(title):  # drives a truck
            start, title = start + said[0], title[said.end() :]
        asked = plain(title), _form(plain(title), said[0] if said else self._scope.before(mention, _FAR))
        if asked not in self._known:
            self._known[asked] = self._made(*asked)
        made = self._known[asked]
        return made and start + _in_case(made, title)

    def _made(self, title: str, form: str) -> str:
        if not any(map(str.isalpha, title)):
            return ""
        fitting = _fitting(title, form, self._sector(title))
        if not fitting:
            return ""
        drawn = fitting[self._keyed.number(f"job {singular(title)}", len(fitting))]
        return _plural(drawn) if _is_plural(title) and not drawn.endswith("s") else drawn

    def _sector(self, title: str) -> Sector:
        # A misspelt or rare job: the sector is drawn, so that the same job always gets the same one.
        return sector_of(title) or sectors()[self._keyed.number(f"sector {title}", _COMMON_SECTORS)]


@note_cache(4096)
def _fitting(title: str, form: str, sector: Sector) -> tuple[str, ...]:
    """Return the jobs that can stand for a title."""
    found: dict[str, None] = {}
    for pool in _pools(title, form, sector):
        counted = bool(pool) and pool[0] not in _known("fields") and pool[0] not in _known("places")
        article = _takes_an(title) if counted else None
        found |= dict.fromkeys(_others(pool, title, article))
        if len(found) >= _FEWEST:
            break
    return tuple(found)


def _others(pool: Sequence[str], title: str, an: bool | None) -> Iterator[str]:
    """Yield the jobs of a pool that are other ones and, if it matters, go with ``an`` or with ``a``."""
    single = singular(title)
    for job in pool:
        plain_job, takes_an = _look(job)
        if plain_job not in title and single not in plain_job and (an is None or an == takes_an):
            yield job


@cache
def _look(job: str) -> tuple[str, bool]:
    """Return a listed job in small letters, and whether ``an`` goes with it."""
    return job.casefold(), _takes_an(job)


def _takes_an(title: str) -> bool:
    is_spelt = title.isupper() or title in _acronyms()
    return title[0].upper() in ("AEFHILMNORSX" if is_spelt else "AEIO")  # not the U of a union


def _form(title: str, before: str) -> str:
    """Return how a job is said, by what stands before it: ``in``, ``at``, or the objects of a verb."""
    if singular(title) in _known("roles"):
        return ""
    if found := _WORK.search(before):
        return "at" if found[1].lower() in ("at", "for") else "in"
    found = _OBJECT_OF.search(before)
    objects = _objects().get(found[1].lower(), "") if found else ""
    return objects if title not in _titles() or title in objects.split(", ") else ""


@cache
def _objects() -> dict[str, str]:
    """Return for each form of a verb what it is said of, as it is written in the list."""
    lines = (line.split("|") for line in default_locale().table("sectors")["phrases"].strip().splitlines())
    return {form: objects for forms, objects in lines for form in forms.split()}


def _pools(title: str, form: str, sector: Sector) -> tuple[tuple[str, ...], ...]:
    """Return the lists that can stand for a title, the best one first."""
    if form not in ("", "in", "at"):
        objects = tuple(form.split(", "))
        many = title.endswith("s")
        return tuple(thing for thing in objects if thing.endswith("s") == many), objects
    if title in _acronyms():
        return sector.acronyms, _all("acronyms")
    is_role = title in _titles() and title in sector.roles
    if title in sector.places or (form == "at" and not is_role and title not in sector.fields):
        return sector.places, _all("places")
    is_field = title in sector.fields or _FIELD.search(title) or form == "in"  # in what somebody works
    if is_field and not is_role:
        return sector.fields, _all("fields")
    single = _is_single(title)
    return tuple(role for role in sector.roles if (role in _single_roles()) == single), sector.roles, _roles()


@cache
def _all(kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(title for sector in sectors() for title in getattr(sector, kind)))


@cache
def _known(kind: str) -> frozenset[str]:
    return frozenset(_all(kind))


@cache
def _single_roles() -> frozenset[str]:
    return frozenset(filter(_is_single, _all("roles")))


@cache
def _roles() -> tuple[str, ...]:
    return tuple(role for sector in sectors() for role in sector.roles)


@cache
def _acronyms() -> frozenset[str]:
    return frozenset(acronym.casefold() for acronym in _all("acronyms"))


def _is_single(title: str) -> bool:
    return len(_WORD.findall(title)) == 1


def _is_plural(title: str) -> bool:
    """Whether a title is the plural of a known role."""
    single = singular(title)
    return single != title and single in _known("roles")


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
