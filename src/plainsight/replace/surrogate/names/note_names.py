"""Read the names of one note, so that each helps to understand the others.

What is read: which words are initials, which belong to the patient or the family, which nickname or slip
stands for which name, and for whom an initial stands. A note is read by itself, together with what is known
of the patient (`KnownName`): the names of the record, and those of earlier notes if somebody kept them. So
a note gets the same surrogates whichever other notes stand beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from plainsight.replace.surrogate.names.canonical import BEFORE_NAMES, canonical, parts
from plainsight.replace.surrogate.names.census import given_bearers, home, sex_of, surname_bearers
from plainsight.replace.surrogate.names.context import find_cue
from plainsight.replace.surrogate.names.parse import Name, is_initials, normal, parse
from plainsight.replace.surrogate.names.variants import formal, long_form, misspellings
from plainsight.replace.surrogate.scope import Mention, Scope

PATIENT, DOCTOR = "PATIENT", "DOCTOR"
_WORDS = re.compile(r"[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))*")
_KNOWN_COUNT = 10.0
_BEFORE, _AFTER = 36, 80  # characters around a name that may hold a cue


class KnownName(NamedTuple):
    """A name that is known of a patient from elsewhere, and whether it is a provider's."""

    text: str
    side: str

    def __repr__(self) -> str:
        return f"KnownName({self.side})"  # never the text


def record_names(scope: Scope) -> list[KnownName]:
    """Return the names that the patient's record has."""
    if (patient := scope.patient) is None:
        return []
    own = [KnownName(name, PATIENT) for name in patient.names + patient.relatives]
    return own + [KnownName(name, DOCTOR) for name in patient.providers]


class _Entry(NamedTuple):
    """A name in the note or known; ``expected`` says whether initials are expected here."""

    text: str
    side: str
    expected: bool | None
    known: bool


class NoteNames:
    """The names of one note."""

    def __init__(self, scope: Scope, mentions: Sequence[Mention], known: Sequence[KnownName]) -> None:
        self._entries = {mention: _entry(scope, mention) for mention in mentions}
        self._all = [*self._entries.values(), *(_Entry(n.text, n.side, None, True) for n in known)]
        self._parsed = self._parse()
        slips = misspellings(self._counts())
        # A known spelling of another name is no slip: Kowalczuk is Kovalchuk, also beside Kowalczyk.
        self._slips = {w: right for w, right in slips.items() if canonical(w) == w or home(w) is None}
        self._full: dict[str, str] = {}

    @property
    def words(self) -> frozenset[str]:
        """The words of all names."""
        return self._all_words

    def name(self, mention: Mention) -> Name | None:
        """Return a mention's name as parsed, if it is one of the note's."""
        entry = self._entries.get(mention)
        return self._parsed[entry] if entry else None

    def side(self, mention: Mention) -> str:
        """Return whose name it is: a relative's, whatever the label says, where the words around say so."""
        return self._entries[mention].side

    def right(self, word: str) -> str:
        """Return the word that a misspelled one stands for."""
        return self._slips.get(word, word)

    def full(self, word: str) -> str:
        """Return the full given name that a nickname stands for, or the word."""
        if word not in self._full:
            self._full[word] = self._find_full(word) if _may_be_given(word) else word
        return self._full[word]

    def _find_full(self, word: str) -> str:
        usual = formal(word)
        if usual != word:
            if usual in self._given:
                return usual
            if {sex_of(word), sex_of(usual)} == {"M", "F"}:  # Jo is not Joseph
                usual = word
        given = [name for name in self._sorted_given if self._sides[word] & self._sides[name]]
        found = long_form(word, given)  # a nurse's name is not short for the patient's
        return formal(found) if found else usual

    @cached_property
    def _sides(self) -> Mapping[str, set[str]]:
        """Whose name each word is a part of."""
        found: dict[str, set[str]] = defaultdict(set)
        for entry in self._all:
            for word in self._words_of(entry):
                for part in parts(self.right(word)).words:
                    found[part].add(entry.side)
        return found

    @cached_property
    def own(self) -> frozenset[str]:
        """The words of the patient and the family: their surrogates are never the word itself."""
        found = (self._words_of(entry) for entry in self._all if entry.side == PATIENT)
        return frozenset(self.key(part) for words in found for word in words for part in parts(word).words)

    def key(self, word: str) -> str:
        """Return what a word's surrogate is drawn for: the usual spelling of the full name."""
        return canonical(self.full(self.right(word)))

    @cached_property
    def heads(self) -> Mapping[str, str]:
        """The particle of each surname that stands after one in this note: Ms. Cruz is Ana de la Cruz."""
        units = [unit for name in self._parsed.values() for unit in name.units if unit.particle]
        found = sorted((unit.words[0], unit.particle.replace(" ", "")) for unit in units)
        return {head: particle for head, particle in found if particle not in BEFORE_NAMES}

    def meant(self, form: Sequence[str], side: str) -> Sequence[str] | None:
        """Return the words that a form's words and letters stand for, of the fullest name that fits.

        ``form`` has given names before surnames; so does the result, one word for each.
        """
        for _, words in sorted(self._forms, key=lambda each: _rank(each, side)):
            if (found := follow(form, words)) is not None:
                return found
        return None

    @cached_property
    def _forms(self) -> set[tuple[str, tuple[str, ...]]]:
        forms = {(entry.side, form(self._parsed[entry])) for entry in self._all}
        return {(side, words) for side, words in forms if len(words) > 1 and len(words[-1]) > 1}

    @cached_property
    def _given(self) -> frozenset[str]:
        words = (part for word in self._all_words for part in parts(word).words)
        return frozenset(word for word in words if _may_be_given(word))

    @cached_property
    def _sorted_given(self) -> list[str]:
        return sorted(self._given)

    @cached_property
    def _all_words(self) -> frozenset[str]:
        return frozenset(self.right(word) for entry in self._all for word in self._words_of(entry))

    def _words_of(self, entry: _Entry) -> Iterable[str]:
        return (word for unit in self._parsed[entry].units for word in unit.words if len(word) > 1)

    def _counts(self) -> dict[str, float]:
        """Return how often each word stands in the note; a word known before counts as often seen."""
        counts: dict[str, float] = {}
        for entry in self._all:
            for word in self._words_of(entry):
                counts[word] = counts.get(word, 0.0) + (_KNOWN_COUNT if entry.known else 1.0)
        return counts

    def _parse(self) -> dict[_Entry, Name]:
        """Parse all names; those with a surname that follows a particle elsewhere are parsed once more."""
        names = {entry: self._parse_one(entry) for entry in dict.fromkeys(self._all)}
        heads = frozenset([unit.words[0] for name in names.values() for unit in name.units if unit.particle])
        for entry, name in names.items():
            if any(not heads.isdisjoint(unit.words) for unit in name.units):
                names[entry] = self._parse_one(entry, heads)
        return names

    def _parse_one(self, entry: _Entry, heads: frozenset[str] = frozenset()) -> Name:
        def initials(word: str, alone: bool) -> bool:
            known, codes = self._words_and_codes
            capitals = entry.text.isupper()
            return is_initials(
                word, alone=alone, capitals=capitals, expected=entry.expected, known=known, codes=codes
            )

        return parse(entry.text, initials, heads)

    @cached_property
    def _words_and_codes(self) -> tuple[set[str], set[str]]:
        """Return the words that are names, and the initials of people."""
        known: set[str] = set()
        codes: set[str] = set()
        for text in {entry.text for entry in self._all}:
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
    expected = False if cue.title else True if before[-1:] == "/" or after[:1] == "/" else None
    return _Entry(mention.text, PATIENT if cue.family else mention.label, expected, known=False)


def _may_be_given(word: str) -> bool:
    return given_bearers(word) >= surname_bearers(word)


def form(name: Name) -> tuple[str, ...]:
    """Return the words and letters of a name, what stands behind a comma first."""
    units = name.units if name.comma is None else name.units[name.comma :] + name.units[: name.comma]
    return tuple(word for unit in units for word in unit.words)


def follow(form: Sequence[str], words: Sequence[str]) -> Sequence[str] | None:
    """Return the words of a fuller name that a form's words stand for in order, or None if it does not fit.

    >>> follow(("c", "whitfield"), ("caroline", "j", "whitfield"))
    ['caroline', 'whitfield']
    """
    found: list[str] = []
    at = 0
    for place, word in enumerate(form):
        before = at
        while at < len(words) and not _stands_for(word, words[at]):
            at += 1
        if at == len(words) and 0 < place < len(form) - 1 and len(word) == 1:
            found.append(word)  # a middle initial that the fuller name lacks
            at = before
            continue
        if at == len(words) or (not found and at > 0):
            return None
        found.append(words[at])
        at += 1
    whole = len(form) > 2 and all(len(word) == 1 for word in form)
    return None if whole and at < len(words) else found  # three letters hold the surname's


def _rank(form: tuple[str, tuple[str, ...]], side: str) -> tuple[object, ...]:
    """Sort the names with most words first."""
    return -sum(len(word) > 1 for word in form[1]), form[0] != side, -len(form[1]), form[1]


def _stands_for(form: str, word: str) -> bool:
    return form == word or (form[0] == word[0] and 1 in (len(form), len(word)))
