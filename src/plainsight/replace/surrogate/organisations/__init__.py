"""Surrogate hospitals and organisations: they keep their kind, and all forms of one name agree.

`parse` splits a name into words that tell its kind (Hospital), core words that make it a name (Mercy), brands
and codes. `draw` draws another core word of the same sort, makes acronyms anew from the surrogate, and
changes the numbers and letters of wards and rooms. `rename` puts the parts together.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainsight.replace.surrogate.names.people import People
from plainsight.replace.surrogate.organisations.parse import Part, parts
from plainsight.replace.surrogate.organisations.rename import Form, NewNames
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.scope import Mention, Scope

_LABELS = ("HOSPITAL", "ORGANIZATION")
_LONGEST_PLACE = 4
_NAME_SORTS = frozenset(("", "town", "surname", "woman", "man", "coined"))
_SAINT_SORTS = frozenset(("saints", "san", "santa", "marian", "devotion", "denomination"))


class Organisations:
    """The surrogates of hospitals and organisations in one scope.

    The words of a name that tell its kind stay; each of the others becomes another word of its sort, the same
    one wherever it stands, so that all forms of a name agree. Names and places that other identifiers of the
    scope share are replaced as ``people`` and ``places`` replace them.
    """

    def __init__(self, scope: Scope, *, people: People, places: Places) -> None:
        self._scope = scope
        self._people = people
        self._places = places

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a name for each mention."""
        known = [mention for label in _LABELS for mention in self._scope.of(label)]
        forms = {(mention.text, mention.label) for mention in (*known, *mentions)}
        read = {form: self._read(form) for form in sorted(forms)}
        made = NewNames(read, keyed=self._scope.keyed.child("organisations")).forms()
        return [made[mention.text, mention.label] for mention in mentions]

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
            if made := self._places.phrase(text, 0, town=True):
                shared = Part("shared", text, text.casefold(), found[place].ending, made=made)
                return shared, place + 1 - start
        return None, 1

    def _person(self, part: Part) -> Part | None:
        """Return a word of a name's own with its surrogate where somebody is called so."""
        is_name = part.kind == "core" and part.sort in _NAME_SORTS
        made = self._people.word(part.text) if is_name else None
        return part._replace(kind="shared", made=made) if made else None
