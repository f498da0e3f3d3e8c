"""Understand all names of a scope together, so that each helps to understand the others.

Parse every name (`parse`), find misspellings and nicknames (`variants`), tell given names from surnames
(`roles`), and give each name its form: its words in order, given names first, spelled right and in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from plainsight.replace.surrogate.names.census import sex_of
from plainsight.replace.surrogate.names.context import NO_CUE, Cue, find_cue
from plainsight.replace.surrogate.names.linking import DOCTOR, PARTICLE, PATIENT, Form, is_name
from plainsight.replace.surrogate.names.parse import Name, is_initials, normal, parse
from plainsight.replace.surrogate.names.roles import GIVEN, Roles, UnitRoles
from plainsight.replace.surrogate.names.variants import formal, long_form, misspellings
from plainsight.replace.surrogate.scope import Mention, Scope

RECORD = -1
"""The number that the record has among the notes."""

KEPT = -1
"""The number of the piece behind a particle: it is kept as it stands."""

_WORDS = re.compile(r"[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))*")
_RECORD_COUNT = 10.0
_BY_SIDE = {PATIENT: -0.125, DOCTOR: 0.125}  # above zero for a surname
_BEFORE, _AFTER = 36, 80  # characters around a name that may hold a cue


class ScopeName(NamedTuple):
    """One name of a scope, understood.

    ``places`` has the number of the piece behind each word of the form, ``words`` these words as they are
    written, ``particles`` the surnames with particles, ``given`` the given names that are words. Without
    ``has_word`` the name is letters alone; with ``has_letter`` a letter stands for a word. ``side`` says
    whether it is a provider's name.
    """

    name: Name
    form: Form
    places: tuple[int, ...]
    words: tuple[str, ...]
    particles: tuple[tuple[str, str], ...]
    given: tuple[str, ...]
    has_word: bool
    has_letter: bool
    side: str
    note: int
    cue: Cue

    def __repr__(self) -> str:
        return f"ScopeName({self.side}, {self.note})"  # never the words


class _Entry(NamedTuple):
    """A name before it is understood; ``expected`` says whether initials are expected here."""

    text: str
    side: str
    note: int
    cue: Cue
    expected: bool | None

    @property
    def key(self) -> _Key:
        """What decides how the name is parsed."""
        return self.text, self.expected


_Key = tuple[str, bool | None]


class ScopeNames:
    """The names of a scope: ``of`` has each mention's, ``all`` those and the record's."""

    def __init__(self, scope: Scope, mentions: Sequence[Mention]) -> None:
        self._entries = [*(_entry(scope, mention) for mention in mentions), *_record(scope)]
        names = self._parse()
        self._slips = misspellings(_counts(self._entries, names))
        roles = _read_roles(self._entries, names, Roles(self._slips))
        self._given = {
            self.right(word)
            for entry, its_roles in zip(self._entries, roles, strict=True)
            for unit, role in zip(names[entry.key].units, its_roles, strict=True)
            if role == GIVEN and not unit.initial
            for word in unit.words
        }
        self._full: dict[str, str] = {}
        self.all = [
            self._understood(entry, names[entry.key], its_roles)
            for entry, its_roles in zip(self._entries, roles, strict=True)
        ]
        self.of = dict(zip(mentions, self.all, strict=False))

    def right(self, word: str) -> str:
        """Return the word that a misspelled one stands for."""
        return self._slips.get(word, word)

    def full(self, word: str) -> str:
        """Return the full given name that a given name stands for in these notes."""
        word = self.right(word)
        if word not in self._full:
            self._full[word] = self._find_full(word)
        return self._full[word]

    def _find_full(self, word: str) -> str:
        usual = formal(word)
        if usual != word:
            if usual in self._given:
                return usual
            if {sex_of(word), sex_of(usual)} == {"M", "F"}:  # Jo is not Joseph
                usual = word
        found = long_form(word, self._given)
        return formal(found) if found else usual

    def _understood(self, entry: _Entry, name: Name, roles: UnitRoles) -> ScopeName:
        """Return a name with the form that it has with these roles, and where its words come from."""
        given: list[tuple[int, str]] = []
        surname: list[tuple[int, str]] = []
        particles: list[tuple[str, str]] = []
        for unit, role in zip(name.units, roles, strict=True):
            part = given if role == GIVEN else surname
            if unit.particle:
                part += [(KEPT, f"{word}{PARTICLE}") for word in unit.particle.split()]
                particles.append((self.right(unit.words[0]), unit.particle))
            part += zip(unit.pieces, unit.words, strict=True)
        words = [self.full(word) if is_name(word) else word for _, word in given]
        words += [self.right(word) for _, word in surname]
        places, written = zip(*given, *surname, strict=True) if words else ((), ())
        return ScopeName(
            name=name,
            form=Form(tuple(words), len(given)),
            places=places,
            words=written,
            particles=tuple(particles),
            given=tuple([word for word in words[: len(given)] if is_name(word)]),
            has_word=any(map(is_name, words)),
            has_letter=any(len(word) == 1 for word in words),
            side=entry.side,
            note=entry.note,
            cue=entry.cue,
        )

    def _parse(self) -> dict[_Key, Name]:
        """Parse all names; those with a surname that follows a particle elsewhere are parsed once more."""
        names = {key: self._parse_one(*key) for key in dict.fromkeys(entry.key for entry in self._entries)}
        heads = frozenset([unit.words[0] for name in names.values() for unit in name.units if unit.particle])
        for key, name in names.items():
            if any(not heads.isdisjoint(unit.words) for unit in name.units):
                names[key] = self._parse_one(*key, heads)
        return names

    def _parse_one(self, text: str, expected: bool | None, heads: frozenset[str] = frozenset()) -> Name:
        def initials(word: str, alone: bool) -> bool:
            known, codes = self._words_and_codes
            return is_initials(
                word, alone=alone, capitals=text.isupper(), expected=expected, known=known, codes=codes
            )

        return parse(text, initials, heads)

    @cached_property
    def _words_and_codes(self) -> tuple[set[str], set[str]]:
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


def _entry(scope: Scope, mention: Mention) -> _Entry:
    before, after = scope.before(mention, _BEFORE), scope.after(mention, _AFTER)
    cue = find_cue(before, after)
    expected = False if cue.surname >= 2.0 else True if before[-1:] == "/" or after[:1] == "/" else None
    return _Entry(mention.text, mention.label, mention.note, cue, expected)


def _record(scope: Scope) -> Iterable[_Entry]:
    """Return the names that the record has; the patient's own come with the sex."""
    if (patient := scope.patient) is None:
        return
    sex = {"m": -4.0, "f": 4.0}.get(patient.sex[:1].lower(), 0.0)
    yield from (_Entry(name, PATIENT, RECORD, Cue(sex=sex), None) for name in patient.names)
    yield from (_Entry(name, PATIENT, RECORD, NO_CUE, None) for name in patient.relatives)
    yield from (_Entry(name, DOCTOR, RECORD, NO_CUE, None) for name in patient.providers)


def _counts(entries: Sequence[_Entry], names: Mapping[_Key, Name]) -> dict[str, float]:
    """Return how often each word stands in the notes; a word of the record counts as often seen."""
    counts: dict[str, float] = {}
    for entry in entries:
        times = _RECORD_COUNT if entry.note == RECORD else 1.0
        for unit in names[entry.key].units:
            for word in unit.words:
                counts[word] = counts.get(word, 0.0) + times
    return counts


_WEIGHTS = (3.0, 3.0, 2.5, 2.5)
"""How much a name's roles count for its words, by how clear the name is."""


def _read_roles(entries: Sequence[_Entry], names: Mapping[_Key, Name], roles: Roles) -> list[UnitRoles]:
    """Return the roles in each entry's name: read the clear ones first, then the others by their votes."""
    tiers: dict[_Key, tuple[int, float]] = {}
    for entry in entries:
        name = names[entry.key]
        if name.comma is not None or name.full_units > 1:
            by_size = 2 if name.full_units > 2 else 3
            tier = 0 if name.comma is not None else 1 if entry.note == RECORD else by_size
            # "Wife Oma Jean" says more than "Oma Jean", whichever note comes first.
            tiers[entry.key] = min(tiers.get(entry.key, (9, 0.0)), (tier, entry.cue.surname))
    for tier, weight in enumerate(_WEIGHTS):
        alike = [(names[key], context) for key, (its, context) in tiers.items() if its == tier]
        for name, read in [(name, roles.read(name, context)) for name, context in alike]:
            roles.vote_for(name, read, weight)
    # The cues of single words count for all of them together, so that a word has the same role everywhere.
    for entry in entries:
        units = names[entry.key].units
        if len(units) == 1 and entry.note != RECORD and not units[0].initial:
            expected = max(-1.0, min(1.0, entry.cue.surname)) + _BY_SIDE[entry.side]
            for word in units[0].words:
                roles.vote(word, expected)
    full_units = {key: name.full_units for key, name in names.items()}
    keys = [(entry.key, entry.cue.surname if full_units[entry.key] > 1 else 0.0) for entry in entries]
    read_as = {key: roles.read(names[key[0]], key[1]) for key in dict.fromkeys(keys)}  # most names repeat
    return [read_as[key] for key in keys]
