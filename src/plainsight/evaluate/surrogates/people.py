"""Count people with more than one surrogate, and given names of the wrong sex.

The rule who is who is independent of the surrogates' own: the same given word and the same surname word are
the same person; a single word, or an initial with a surname, belongs to the people who have it, and must fit
one of them. Providers and all others are kept apart. Nicknames, misspellings and initials alone do not count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from plainsight import lists
from plainsight.evaluate.surrogates.pairs import Count, Note, Pair, all_pairs
from plainsight.locale.calendar import fold

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_LABELS = ("PATIENT", "DOCTOR")
_TITLED = re.compile(r"\b(?:dr|drs|mr|mrs|ms|miss|prof|professor|nurse|attorney|officer)\.? $", re.IGNORECASE)


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """A name's words, folded: the given one or its initial, the surname, or the only word there is."""

    given: str = ""
    surname: str = ""
    single: str = ""

    def __repr__(self) -> str:
        return "Name(…)"

    @property
    def full(self) -> bool:
        """Whether there is a given name and a surname."""
        return len(self.given) > 1 and bool(self.surname)


def name_of(text: str) -> Name:
    """Read a name: ``First … Last``, ``Last, First``, an initial and a surname, or one word.

    >>> name = name_of("SMITH, JOHN Q")
    >>> name.given, name.surname
    ('john', 'smith')
    """
    before, after = map(_words, text.partition(",")[::2])
    if before and after:
        return Name(after[0], before[-1])
    words = before or after
    if len(words) < 2:
        return Name(single=words[0] if words else "")
    if len(words[-1]) == 1:  # PINKHAM W: a surname and an initial
        return Name(words[-1], words[0]) if len(words) == 2 else Name()
    return Name(words[0], words[-1])


def _words(text: str) -> list[str]:
    words = (fold(word) for word in _WORD.findall(text))
    return [word for word in words if word not in _SUFFIXES]


@dataclass(slots=True, repr=False)
class Person:
    """One person of a patient's notes, and the surrogate words for it."""

    provider: bool
    given: str
    surname: str
    givens: set[str] = field(default_factory=set)
    surnames: set[str] = field(default_factory=set)
    sexes: set[str] = field(default_factory=set)
    broken: bool = False

    def __repr__(self) -> str:
        return "Person(…)"

    @property
    def several(self) -> bool:
        """Whether there is more than one surrogate."""
        return self.broken or len(self.givens) > 1 or len(self.surnames) > 1


def people(notes: Iterable[Note]) -> list[Person]:
    """Return everybody who is named in these notes of one patient."""
    named = [
        (pair.label == "DOCTOR", name_of(pair.original), name_of(pair.surrogate), pair)
        for pair in all_pairs(notes)
        if pair.label in _LABELS
    ]
    found: dict[tuple[bool, str, str], Person] = {}
    for provider, name, made, pair in named:
        if name.full:
            key = (provider, name.given, name.surname)
            person = found.setdefault(key, Person(*key))
            person.sexes |= _context_sex(pair)
            person.givens.add(made.given)
            person.surnames.add(made.surname)
            person.broken |= not (made.given and made.surname)
    alone: dict[tuple[bool, str], Person] = {}
    bearers: dict[tuple[bool, str], list[Person]] = defaultdict(list)
    for person in found.values():
        for word in {person.given, person.surname}:
            bearers[person.provider, word].append(person)
    titled = {(provider, name.single) for provider, name, _, pair in named if _TITLED.search(pair.before)}
    for provider, name, made, pair in named:
        if name.full:
            continue
        word = name.single or name.surname
        known = bearers.get((provider, word), [])
        if name.given:
            known = [person for person in known if person.surname == word and person.given[0] == name.given]
        if known:
            _join(known, name, made, _context_sex(pair))
        elif len(word) > 1 and not name.given:
            given = word if (provider, word) not in titled and _rather_given(word) else ""
            person = alone.setdefault((provider, word), Person(provider, given, "" if given else word))
            (person.givens if given else person.surnames).add(made.single)
            person.sexes |= _context_sex(pair) if given else set()
    return [*found.values(), *alone.values()]


def _join(known: Sequence[Person], name: Name, made: Name, sexes: set[str]) -> None:
    """Compare a partial form with the people it may mean: it must fit one of them."""
    if name.given:
        fits = [
            p for p in known if made.surname in p.surnames and made.given[:1] in {g[:1] for g in p.givens}
        ]
    else:
        fits = [p for p in known if made.single in (p.givens if p.given == name.single else p.surnames)]
    if not fits:
        for person in known:
            person.broken = True
    elif len(known) == 1 and sexes != {"f", "m"} - {sex_of(known[0].given)}:  # Mrs. Smith is not John Smith
        known[0].sexes |= sexes


def inconsistent(notes: Sequence[Note]) -> Count:
    """Count the people of these notes who have more than one surrogate."""
    found = people(notes)
    return Count(sum(person.several for person in found), len(found))


# --- sex --------------------------------------------------------------------------------------------------

_HIS = "mr mister sir father brother grandfather uncle nephew husband son grandson stepson boyfriend dad"
_HERS = (
    "mrs ms miss madam mme sister mother grandmother aunt niece wife daughter granddaughter stepdaughter"
    " girlfriend mom mum"
)
_BEFORE = re.compile(
    rf"\b(?:(?P<m>{_HIS.replace(' ', '|')})|(?P<f>{_HERS.replace(' ', '|')}))\.?,? $", re.IGNORECASE
)
_AFTER = re.compile(
    r",? (?:is|was) an? [^.\n]{0,24}?\b(?:(?P<m>man|male|gentleman|boy)|(?P<f>woman|female|lady|girl))\b",
    re.IGNORECASE,
)
_DECISIVE = 95  # per cent of those who bear the name
_COMMON = 500  # bearers: of rarer names too little is known
_RATHER = 5  # a word that is so many times more often a surname is one everywhere


def _context_sex(pair: Pair) -> set[str]:
    """Return the sex that the words beside a name say."""
    hits = (_BEFORE.search(pair.before.replace("\n", " ")), _AFTER.match(pair.after))
    return {str(hit.lastgroup) for hit in hits if hit}


@cache
def _female() -> dict[str, int]:
    table = lists.load("first_names")
    rows = zip(table["name"], table["female"], table["count"], strict=True)
    return {name: int(female) for name, female, count in rows if int(count) >= _COMMON}


def _rather_given(word: str) -> bool:
    """Whether a word is a given name more often than a surname."""
    return _counts("first_names").get(word, 0) > _counts("surnames").get(word, 0)


def rather_surname(word: str) -> bool:
    """Whether a word in the place of a given name is the first of two surnames: ``Maldonado Ibarra``."""
    return _counts("surnames").get(word, 0) > _RATHER * _counts("first_names").get(word, 0)


@cache
def _counts(name: str) -> dict[str, int]:
    table = lists.load(name)
    return dict(zip(table["name"], map(int, table["count"]), strict=True))


def sex_of(given: str) -> str:
    """Return ``m`` or ``f`` for a given name that nearly always is, else nothing.

    >>> sex_of("lorraine"), sex_of("dana")
    ('f', '')
    """
    female = _female().get(given.casefold())
    if female is None:
        return ""
    return "f" if female >= _DECISIVE else "m" if female <= 100 - _DECISIVE else ""


def gender_clashes(notes: Sequence[Note]) -> Count:
    """Count the people whose surrogate's given name is of the other sex.

    The sex is what title, relation word or description say; where they say nothing, what the original given
    name says. Only people for whom both sides are decisive are counted; two surnames have no sex.
    """
    clashes = checked = 0
    for person in people(notes):
        if rather_surname(person.given):
            continue
        sexes = person.sexes or {sex_of(person.given)}
        made = {sex for given in person.givens if (sex := sex_of(given))}
        if len(sexes) == 1 and made and (known := next(iter(sexes))):
            checked += 1
            clashes += made != {known}
    return Count(clashes, checked)
