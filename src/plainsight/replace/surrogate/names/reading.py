"""Read all names of a scope together, so that each helps to understand the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from plainsight.replace.surrogate.names.cues import NOTHING, Cue
from plainsight.replace.surrogate.names.cues import read as read_cue
from plainsight.replace.surrogate.names.initials import is_initials
from plainsight.replace.surrogate.names.link import DOCTOR, PARTICLE, PATIENT, Form
from plainsight.replace.surrogate.names.nicknames import formal
from plainsight.replace.surrogate.names.parse import Name, normal, parse, parse_plain
from plainsight.replace.surrogate.names.pools import sex_of
from plainsight.replace.surrogate.names.roles import GIVEN, Roles
from plainsight.replace.surrogate.names.short import beginnings, longer
from plainsight.replace.surrogate.names.spelling import misspellings
from plainsight.replace.surrogate.scope import Mention, Scope

__all__ = ["KEPT", "RECORD", "Read", "Reading"]

RECORD = -1
"""The number that the record has among the notes."""

KEPT = -1
"""The number of the piece behind a particle: it is kept as it stands."""

_WORDS = re.compile(r"[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))*")
_IN_RECORD = 10.0
_BY_SIDE = {PATIENT: -0.125, DOCTOR: 0.125}  # above zero for a surname
_BEFORE, _AFTER = 36, 80  # characters around a name that tell something of it


class Read(NamedTuple):
    """One name as understood: its form, the number of the piece behind each word of it, its particles.

    ``words`` are the form's words as they were written, ``given`` its given names in full. It is ``spoken``
    if it has a word at all, not letters alone, and ``doubtful`` if letters in it stand for somebody.
    """

    name: Name
    form: Form
    places: tuple[int, ...]
    words: tuple[str, ...]
    particles: tuple[tuple[str, str], ...]
    given: tuple[str, ...]
    spoken: bool
    doubtful: bool
    side: str
    note: int
    cue: Cue

    def __repr__(self) -> str:
        return f"Read({self.side}, {self.note})"  # never the words


_Formed = tuple[
    Form, tuple[int, ...], tuple[str, ...], tuple[tuple[str, str], ...], tuple[str, ...], bool, bool
]


class _Entry(NamedTuple):
    """A name before it is understood."""

    text: str
    side: str
    note: int
    cue: Cue
    expected: bool | None


class Reading:
    """The names of a scope, read.

    ``of`` has each mention's, ``all`` those and the record's, ``forms`` their forms with the words as
    written. `plain` mends a slip of the pen, `full` gives the full given name that a nickname stands for.
    """

    def __init__(self, scope: Scope, mentions: Iterable[Mention]) -> None:
        mentions = list(mentions)
        entries = [_entry(scope, mention) for mention in mentions]
        entries += _record(scope)
        names, which = _parse_all(entries)
        self._slips = misspellings(_counts(entries, names, which))
        readings = _read_roles(entries, names, which, Roles(self._slips))
        keys = [*zip(which, readings, strict=True)]
        distinct = dict.fromkeys(keys)
        given = [
            word
            for number, reading in distinct
            if GIVEN in reading
            for unit, role in zip(names[number].units, reading, strict=True)
            if role == GIVEN and not unit.initial
            for word in unit.words
        ]
        self._given = {*map(self.plain, given)} if self._slips else {*given}
        self._beginnings = beginnings(self._given)
        self._full: dict[str, str] = {}
        formed = {key: self._form(names[key[0]], key[1]) for key in distinct}
        self.forms = [(form, words) for form, _, words, *_ in formed.values()]
        # There is one for every mention, so this is written out: two thirds of the time of calling the class.
        reads: list[Read] = [
            tuple.__new__(Read, (names[key[0]], *formed[key], entry.side, entry.note, entry.cue))
            for entry, key in zip(entries, keys, strict=True)
        ]
        self.of = dict(zip(mentions, reads, strict=False))
        self.all = reads

    def plain(self, word: str) -> str:
        """Return the word that a misspelt one stands for."""
        return self._slips.get(word, word)

    def full(self, word: str) -> str:
        """Return the full given name that a given name stands for in these notes."""
        word = self._slips.get(word, word)
        known = self._full.get(word)
        if known is None:
            known = self._full[word] = self._find_full(word)
        return known

    def _find_full(self, word: str) -> str:
        usual = formal(word)
        if usual != word:
            if usual in self._given:
                return usual
            if {sex_of(word), sex_of(usual)} == {"M", "F"}:  # Jo is not Joseph
                usual = word
        found = longer(word, self._given, self._beginnings)
        return formal(found) if found else usual

    def _form(self, name: Name, reading: Sequence[str]) -> _Formed:
        """Return the form that a name has in a reading, and where it comes from."""
        if len(name.units) == 1:
            (unit,) = name.units
            if len(unit.words) == 1 and not unit.initial and not unit.particle:  # nearly half of all names
                if reading[0] == GIVEN:
                    words = (self.full(unit.words[0]),)
                    return Form(words, 1), unit.pieces, unit.words, (), words, True, False
                words = (self.plain(unit.words[0]),)
                return Form(words, 0), unit.pieces, unit.words, (), (), True, False
        return self._long_form(name, reading)

    def _long_form(self, name: Name, reading: Sequence[str]) -> _Formed:
        """Do as `_form` does for a name of several words, or of one that is more than a word."""
        given: list[tuple[int, str]] = []
        surname: list[tuple[int, str]] = []
        heads: list[tuple[str, str]] = []
        for unit, role in zip(name.units, reading, strict=True):
            part = given if role == GIVEN else surname
            if unit.particle:
                part += [(KEPT, f"{word}{PARTICLE}") for word in unit.particle.split()]
                heads.append((self.plain(unit.words[0]), unit.particle))
            part += zip(unit.pieces, unit.words, strict=True)
        count = len(given)
        words, names = [], []
        spoken = doubtful = False
        for at, (place, word) in enumerate(given + surname):
            if len(word) == 1:
                doubtful = True
            elif place != KEPT:
                spoken = True
                if at < count:
                    word = self.full(word)
                    names.append(word)
                else:
                    word = self.plain(word)
            words.append(word)
        places, written = zip(*given, *surname, strict=True) if words else ((), ())
        return Form(tuple(words), count), places, written, tuple(heads), tuple(names), spoken, doubtful


def _entry(scope: Scope, mention: Mention) -> _Entry:
    number, _, _, label, name = mention
    before, after = scope.around(mention, _BEFORE, _AFTER)
    cue = read_cue(before, after)
    expected = False if cue.surname >= 2.0 else True if before[-1:] == "/" or after[:1] == "/" else None
    return tuple.__new__(_Entry, (name, label, number, cue, expected))  # see `Reading`


def _record(scope: Scope) -> Iterable[_Entry]:
    """Return the names that the record has; the patient's own come with the sex."""
    if (patient := scope.patient) is None:
        return
    sex = {"m": -4.0, "f": 4.0}.get(patient.sex[:1].lower(), 0.0)
    for name in patient.names:
        yield _Entry(name, PATIENT, RECORD, Cue(told=sex), None)
    for name in patient.relatives:
        yield _Entry(name, PATIENT, RECORD, NOTHING, None)
    for name in patient.providers:
        yield _Entry(name, DOCTOR, RECORD, NOTHING, None)


class _Told:
    """What the names of a scope tell of each other; asked only where a word may be letters (``JQS``)."""

    def __init__(self, entries: Iterable[_Entry]) -> None:
        self._entries = entries

    @cached_property
    def words_and_codes(self) -> tuple[set[str], set[str]]:
        """Return the words that are names, and the initials of people."""
        known: set[str] = set()
        codes: set[str] = set()
        for text in {entry.text for entry in self._entries}:
            if text.isalpha():
                if text.istitle():
                    known.add(normal(text))
                continue
            words = _WORDS.findall(text)
            known.update([normal(word) for word in words if len(word) > 1])
            if len(words) > 1:
                if "," in text:
                    words = [*words[1:], words[0]]
                letters = "".join([word[0] for word in words]).lower()
                codes.update((letters, letters[0] + letters[-1], letters[:2]))
        return known, codes


def _parse_all(entries: Sequence[_Entry]) -> tuple[list[Name], list[int]]:
    """Parse all names, with what they tell of each other; return them, and which one each entry has."""
    told = _Told(entries)
    places: dict[tuple[str, bool | None], int] = {}
    which = [places.setdefault((entry.text, entry.expected), len(places)) for entry in entries]
    names = [parse_plain(text) or parse(text, _judge(text, expected, told)) for text, expected in places]
    heads = frozenset([unit.words[0] for name in names for unit in name.units if unit.particle])
    if heads:
        for (text, expected), place in places.items():
            if any(not heads.isdisjoint(unit.words) for unit in names[place].units):
                names[place] = parse(text, _judge(text, expected, told), heads)
    return names, which


def _judge(text: str, expected: bool | None, told: _Told) -> Callable[[str, bool], bool]:
    def judge(word: str, alone: bool) -> bool:
        known, codes = told.words_and_codes
        return is_initials(
            word, alone=alone, capitals=text.isupper(), expected=expected, known=known, codes=codes
        )

    return judge


def _counts(entries: Sequence[_Entry], names: Sequence[Name], which: Sequence[int]) -> dict[str, float]:
    """Return how often each word stands in the notes; what the record has counts as often seen."""
    counts: dict[str, float] = {}
    for entry, number in zip(entries, which, strict=True):
        times = _IN_RECORD if entry.note == RECORD else 1.0
        for unit in names[number].units:
            for word in unit.words:
                counts[word] = counts.get(word, 0.0) + times
    return counts


_WEIGHTS = (3.0, 3.0, 2.5, 2.5)
"""What a name's reading counts for its words, by how clear the name is."""


def _read_roles(
    entries: Sequence[_Entry], names: Sequence[Name], which: Sequence[int], roles: Roles
) -> list[tuple[str, ...]]:
    """Return the roles in each entry's name: the clear ones are read first, the others in their light."""
    tiers: dict[int, tuple[int, float]] = {}
    for entry, number in zip(entries, which, strict=True):
        name = names[number]
        if name.comma is not None or name.words > 1:
            tier = 0 if name.comma is not None else 1 if entry.note == RECORD else 2 if name.words > 2 else 3
            # "Wife Oma Jean" says more than "Oma Jean", whichever note comes first.
            tiers[number] = min(tiers.get(number, (9, 0.0)), (tier, entry.cue.surname))
    clear: list[list[tuple[Name, float]]] = [[] for _ in _WEIGHTS]
    for number, (tier, context) in tiers.items():
        clear[tier].append((names[number], context))
    for alike, weight in zip(clear, _WEIGHTS, strict=True):
        for name, reading in [(name, roles.read(name, context)) for name, context in alike]:
            roles.vote_reading(name, reading, weight)
    # What stands around single words counts for all of them together, or one would be now this, now that.
    for entry, number in zip(entries, which, strict=True):
        units = names[number].units
        if len(units) == 1 and entry.note != RECORD and not units[0].initial:
            told = entry.cue.surname
            expected = (max(-1.0, min(1.0, told)) if told else 0.0) + _BY_SIDE[entry.side]
            for word in units[0].words:
                roles.vote(word, expected)
    made: dict[tuple[int, float], tuple[str, ...]] = {}
    readings = []
    for entry, number in zip(entries, which, strict=True):
        name = names[number]
        key = number, entry.cue.surname if name.words > 1 else 0.0
        known = made.get(key)
        if known is None:
            known = made[key] = roles.read(name, key[1])
        readings.append(known)
    return readings
