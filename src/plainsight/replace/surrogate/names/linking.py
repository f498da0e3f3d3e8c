"""Link the forms of one person: ``Caroline J. Whitfield``, ``C. Whitfield``, ``CJW``.

Everybody who stands somewhere with a given name (or its letter) and a surname is a person, in the fullest
form found. Any other form belongs to the person whose words it follows in order, where a letter stands for
a word that begins with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

PATIENT, DOCTOR = "PATIENT", "DOCTOR"
PARTICLE = "~"
"""Ends a particle among the words of a form: a letter may stand for it, but it is nobody's name."""


def is_name(word: str) -> bool:
    """Whether a word of a form is a name, neither a letter nor a particle."""
    return len(word) > 1 and word[-1] != PARTICLE


class Form(NamedTuple):
    """One way a person is written: given names before surnames, each a word or a letter.

    ``given`` is how many of the words are given names. Words are as they should be, not misspelt, and given
    names in their full form.
    """

    words: tuple[str, ...]
    given: int

    def __repr__(self) -> str:
        return f"Form({len(self.words)} words)"  # never the words

    @property
    def full(self) -> bool:
        """Whether it has a given name or its letter, and a surname in full."""
        return 0 < self.given < len(self.words) and len(self.words[-1]) > 1


@dataclass(slots=True, repr=False, eq=False)
class Person:
    """A person: the fullest form, how often each side has the name, and the numbers of the notes.

    ``written`` has, for each place in the form, the words that stand there in the notes.
    """

    form: Form
    written: dict[int, set[str]] = field(default_factory=dict)
    sides: dict[str, int] = field(default_factory=dict)
    notes: set[int] = field(default_factory=set)

    @property
    def side(self) -> str:
        """The side that most labels say."""
        return DOCTOR if self.sides.get(DOCTOR, 0) > self.sides.get(PATIENT, 0) else PATIENT


class LinkedPeople:
    """The people of a scope."""

    def __init__(self, forms: Iterable[tuple[Form, tuple[str, ...], str, int, int]]) -> None:
        """Take forms with the words as written, the side, the number of the note, and their weight."""
        self.all: list[Person] = []
        self._by_surname: dict[str, list[Person]] = defaultdict(list)
        groups: dict[Form, list[tuple[tuple[str, ...], str, int, int]]] = {}
        for form, written, side, note, weight in forms:
            groups.setdefault(form, []).append((written, side, note, weight))
        for form in sorted(groups, key=_rank):
            alike = sorted(groups[form])
            # Find all persons before counting any form: the order of the notes must not matter.
            found = [self.best(form, side, note) for _, side, note, _ in alike]
            meant = [person for person in found if person] or [self._newcomer(form)] * len(alike)
            for person, (written, side, note, weight) in zip(meant, alike, strict=True):
                self._see(person, form, written)
                person.sides[side] = person.sides.get(side, 0) + weight
                person.notes.add(note)

    def _newcomer(self, form: Form) -> Person:
        person = Person(form)
        self.all.append(person)
        for word in form.words[form.given :]:
            self._by_surname[word].append(person)
        return person

    def _see(self, person: Person, form: Form, written: tuple[str, ...]) -> None:
        """Add the words that a person is written with."""
        places = range(len(written)) if form == person.form else follow(form, person) or ()
        for at, (place, word) in enumerate(zip(places, written, strict=True)):
            if is_name(word) and (at < form.given) == (place < person.form.given):
                person.written.setdefault(place, set()).add(word)

    def best(self, form: Form, side: str, note: int) -> Person | None:
        """Return the person that a form most likely stands for."""
        found: list[tuple[tuple[object, ...], Person]] = []
        for person in self.with_surname(form.words[-1]) if form.full else self.all:
            places = follow(form, person)
            if places is not None:
                rank = (
                    side in person.sides,
                    note in person.notes,
                    places[-1] == len(person.form.words) - 1,
                    sum(person.sides.values()),
                    len(places) - len(person.form.words),
                    person.form.words,
                )
                found.append((rank, person))
        return max(found, key=lambda each: each[0])[1] if found else None

    def both_sides(self) -> frozenset[str]:
        """Return the surnames that a patient or relative and a provider have who are not the same person."""
        have: dict[str, set[str]] = defaultdict(set)
        for person in self.all:
            if len(person.form.words[0]) > 1:
                for word in person.form.words[person.form.given :]:
                    have[word].add(person.side)
        return frozenset(word for word, sides in have.items() if len(sides) > 1)

    def with_surname(self, word: str) -> list[Person]:
        """Return everybody who has a surname."""
        return self._by_surname.get(word, [])


def _rank(form: Form) -> tuple[int, int, Form]:
    """Sort the fullest forms first."""
    words = form.words
    return -len([word for word in words if len(word) > 1]), -len(words), form


def follow(form: Form, person: Person) -> list[int] | None:
    """Return the places in a person's name that a form's words stand for, or None if it does not fit.

    >>> follow(Form(("c", "whitfield"), 1), Person(Form(("caroline", "j", "whitfield"), 2)))
    [0, 2]
    """
    places: list[int] = []
    at = 0
    whole = person.form
    for word in form.words:
        while at < len(whole.words) and not (
            _stands_for(word, whole.words[at])
            or any(_stands_for(word, other) for other in person.written.get(at, ()))
        ):
            at += 1
        if at == len(whole.words) or (not places and at > 0):
            return None
        places.append(at)
        at += 1
    if len(form.words) > 2 and all(len(word) == 1 for word in form.words) and places[-1] < whole.given:
        return None  # three letters hold the surname's
    return places


def _stands_for(form: str, word: str) -> bool:
    return form == word or (form[0] == word[0] and 1 in (len(form), len(word)))
