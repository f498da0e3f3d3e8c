"""Surrogate hospitals and organisations: they keep their kind, and all forms of one name agree.

`parse` splits a name into words that tell its kind (Hospital), core words that make it a name (Mercy), brands
and codes. `draw` draws another core word of the same sort, makes acronyms anew from the surrogate, and
changes the numbers and letters of wards and rooms. `rename` puts the parts together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from plainsight.replace.surrogate.names.people import People
from plainsight.replace.surrogate.organisations.parse import Part, parts
from plainsight.replace.surrogate.organisations.rename import Form, NewNames
from plainsight.replace.surrogate.organisations.vocabulary import plain
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.places.towns import is_city
from plainsight.replace.surrogate.scope import Mention, Scope

_LABELS = ("HOSPITAL", "ORGANIZATION")
_LONGEST_PLACE = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NAME_SORTS = frozenset(("", "town", "surname", "woman", "man", "coined"))
_SAINT_SORTS = frozenset(("saints", "san", "santa", "marian", "devotion", "denomination"))


class Organisations:
    """The surrogates of hospitals and organisations in one scope.

    The words of a name that tell its kind stay; each of the others becomes a word of its sort, the same one
    wherever it stands, so that all forms of a name agree. States and towns become those that ``places``
    gives them, names of people in the record those that ``people`` does. What an acronym or a short form
    stands for is read from its own note, the record and ``known``: names of organisations that are known
    beforehand, each with its label.
    """

    def __init__(self, scope: Scope, *, people: People, places: Places, known: Sequence[Form] = ()) -> None:
        self._scope = scope
        self._people = people
        self._places = places
        employers = scope.patient.employers if scope.patient else ()
        self._known = (*known, *((name, "ORGANIZATION") for name in employers))
        self._notes: dict[int, NewNames] = {}
        self._made: dict[int, dict[Form, str]] = {}

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a name for each mention; "" for one in which nothing can be changed."""
        return [self._of_note(mention.note)[mention.text, mention.label] for mention in mentions]

    def name(self, text: str, note: int) -> str:
        """Return what stands for a name or an acronym that is written elsewhere in a note, as in a domain."""
        made = self._of_note(note)
        form = text, "HOSPITAL"
        if form not in made:
            read = self._read(form)
            letters = read[0].stem if len(read) == 1 and read[0].kind == "acronym" else ""
            made[form] = (
                self._notes[note].acronym(letters)
                if letters
                else NewNames({form: read}, keyed=self._scope.keyed.child("organisations")).forms()[form]
            )
        return made[form]

    def _of_note(self, note: int) -> dict[Form, str]:
        """Return the new name of each form in a note."""
        if note not in self._made:
            mentions = self._scope.of_note(note).of(*_LABELS)
            forms = {*self._known, *((mention.text, mention.label) for mention in mentions)}
            read = {form: self._read(form) for form in sorted(forms)}
            self._notes[note] = NewNames(read, keyed=self._scope.keyed.child("organisations"))
            self._made[note] = self._notes[note].forms()
        return self._made[note]

    def _read(self, form: Form) -> tuple[Part, ...]:
        """Return the parts of a name; what other identifiers share has its surrogate already."""
        found = parts(*form)
        made: list[Part] = []
        place = 0
        while place < len(found):
            part = found[place]
            shared, length = self._place(found, place) if part.kind != "gap" else (None, 1)
            made.append(shared or self._person(part) or part)
            place += length
        return tuple(made)

    def _place(self, found: Sequence[Part], start: int) -> tuple[Part | None, int]:
        """Return the longest place that begins here, and over how many parts it runs."""
        texts: list[tuple[str, int]] = []
        before, core = "", False
        for place in range(start, min(start + 2 * _LONGEST_PLACE - 1, len(found))):
            part = found[place]
            core = core or part.kind == "core"  # a place has a word of its own
            lone_saint = place == start and part.sort in _SAINT_SORTS
            if core and part.kind != "gap" and not lone_saint:
                texts.append((before + part.text, place))
            before += part.text + part.ending
        for text, place in reversed(texts):
            town = found[place].sort == "town" if place == start else is_city(text)
            if made := self._places.phrase(text, town=town):
                shared = Part("shared", text, text.casefold(), found[place].ending, made=made)
                return shared, place + 1 - start
        return None, 1

    def _person(self, part: Part) -> Part | None:
        """Return a word of a name's own with its surrogate where somebody in the record is called so."""
        is_name = part.kind == "core" and part.sort in _NAME_SORTS and part.stem in self._names
        made = self._people.word(part.text) if is_name else None
        return part._replace(kind="shared", made=made) if made else None

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of the names of people in the record, folded."""
        patient = self._scope.patient
        texts = patient.names + patient.relatives + patient.providers if patient else ()
        return frozenset(map(plain, _WORD.findall("\n".join(texts))))
