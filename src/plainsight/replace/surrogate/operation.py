"""Surrogate: replace identifiers by fictional ones that a reader cannot tell from real ones.

This file only conducts: it gathers the notes that must agree into a `Scope`, hands each mention to the kind
that makes its surrogates, and checks what comes back. Each kind is a class made for one scope, with one verb:
``surrogates(mentions) -> one string for each``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Literal, Protocol, Self, get_args

from plainsight import collector
from plainsight.document import Document
from plainsight.errors import PluginError, UsageError, suggest
from plainsight.replace.surrogate.ages import Ages, AgeStyle
from plainsight.replace.surrogate.contacts import Contacts, PhoneStyle
from plainsight.replace.surrogate.dates import Dates, HolidayStyle
from plainsight.replace.surrogate.dates.bounds import check_shift
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import People
from plainsight.replace.surrogate.numbers import Numbers
from plainsight.replace.surrogate.organisations import Organisations
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.professions import Professions
from plainsight.replace.surrogate.scope import Mention, Scope, folded, owner
from plainsight.replace.surrogate.shape import scramble

__all__ = ["Surrogate"]

Consistency = Literal["patient", "note", "none"]
_Placed = tuple[Scope, Sequence[int]]
"""A scope, and where its notes stand among those that are asked about."""

_TOGETHER = 32  # scopes

_KINDS = {
    "names": ("PATIENT", "DOCTOR"),
    "dates": ("DATE",),
    "ages": ("AGE",),
    "places": ("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION_OTHER"),
    "organisations": ("HOSPITAL", "ORGANIZATION"),
    "professions": ("PROFESSION",),
    "contacts": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR", "USERNAME"),
}
_KIND_OF = {label: kind for kind, labels in _KINDS.items() for label in labels}
_OTHERS = "numbers"
_MAY_STAY = ("AGE", "DATE")  # an age up to 89; a coarse date, such as a year that the shift does not leave
_STYLES = {
    "consistency": get_args(Consistency),
    "holidays": get_args(HolidayStyle),
    "ages": get_args(AgeStyle),
    "phones": get_args(PhoneStyle),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surrogate:
    """Replace every identifier by a fictional one of its kind, the same one wherever it stands.

    ``consistency`` says within what the same original gets the same surrogate: all notes of a patient, one
    note, or nothing (a fresh one each time). Dates shift by one offset per patient whatever it says, so that
    intervals survive: between ``min_shift`` and ``max_shift`` days, forwards or backwards; with
    ``whole_weeks`` in sevens, so that weekdays stay. ``holidays`` are shifted like any date or keep their
    kind; ``hide_over_89`` moves dates of birth that show an age over 89, so that they show 90. ``ages`` up to
    89 are kept or become decades; ``phones`` are fictional ones (555-01xx) or keep their exchange's look.
    Without ``key`` nothing can be replaced.
    """

    name: ClassVar[str] = "surrogate"

    key: bytes | None = field(default=None, repr=False)
    consistency: Consistency = "patient"
    min_shift: int = 30
    max_shift: int = 365
    whole_weeks: bool = False
    holidays: HolidayStyle = "shift"
    hide_over_89: bool = True
    ages: AgeStyle = "keep"
    phones: PhoneStyle = "fictional"

    def __post_init__(self) -> None:
        for option, styles in _STYLES.items():
            given = getattr(self, option)
            if given not in styles:
                raise PluginError(f"surrogate: {option} cannot be {given!r}{suggest(str(given), styles)}")
        check_shift(self.name, self.min_shift, self.max_shift, whole_weeks=self.whole_weeks)

    def with_key(self, key: bytes) -> Self:
        """Return the same operation with this key."""
        return replace(self, key=key)

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return a surrogate for each span."""
        if not documents:
            return []
        if self.key is None:
            raise UsageError("surrogates need a key")
        made: list[dict[int, str]] = [{} for _ in documents]  # by where a span starts
        scopes = self._scopes(documents)
        with collector.paused():
            while some := list(islice(scopes, _TOGETHER)):
                self._fill(made, some)
        return [
            [surrogates[span.start] for span in document.spans]
            for document, surrogates in zip(documents, made, strict=True)
        ]

    def _scopes(self, documents: Sequence[Document]) -> Iterator[_Placed]:
        """Yield all scopes, and where their notes stand among the documents."""
        assert self.key is not None
        keyed = Keyed.from_secret(self.key)
        patients: dict[str, list[int]] = {}
        for place, document in enumerate(documents):
            patients.setdefault(owner(document), []).append(place)
        for whose, places in patients.items():
            of_patient = keyed.child(whose)
            if self.consistency == "patient":
                notes = [documents[place] for place in places]
                yield Scope(of_patient, notes, _mentions(notes)), places
            else:
                yield from (
                    (scope, [place])
                    for place in places
                    for scope in self._of_note(of_patient, documents[place])
                )

    def _of_note(self, of_patient: Keyed, note: Document) -> Iterator[Scope]:
        """Yield the scopes of a note by itself: one, or one for each mention as if no other stood there."""
        keyed = of_patient.child(f"note {note.id}")
        scope = Scope(keyed, [note], _mentions([note]), patient_keyed=of_patient)
        if self.consistency == "note":
            yield scope
            return
        for mentions in _apart(scope.mentions):
            alone = keyed.child(f"mention {mentions[0].start}")
            yield Scope(alone, scope.documents, mentions, patient_keyed=of_patient, words=scope.words)

    def _fill(self, made: Sequence[dict[int, str]], scopes: Sequence[_Placed]) -> None:
        """Put the surrogates of scopes in place, each made by its kind and checked.

        One kind after another, each for all scopes, and names first read, then drawn: what is looked up is at
        hand for the next scope, in the processor's cache. That saves an eighth of the time.
        """
        work: dict[str, list[tuple[_Placed, Kind, list[Mention]]]] = {name: [] for name in (*_KINDS, _OTHERS)}
        named: list[People] = []
        for scope, where in scopes:
            people, places = People(scope), Places(scope)
            sorted_out: dict[str, list[Mention]] = {}
            for mention in scope.mentions:
                sorted_out.setdefault(_KIND_OF.get(mention.label, _OTHERS), []).append(mention)
            if "names" in sorted_out:
                named.append(people)
            for name, mentions in sorted_out.items():
                kind = self._kind(name, scope, people, places)
                work[name].append(((scope, where), kind, mentions))
        for people in named:
            people.read()
        for people in named:
            people.draw()
        for tasks in work.values():
            for (scope, where), kind, mentions in tasks:
                for mention, surrogate in zip(mentions, kind.surrogates(mentions), strict=True):
                    same = mention.label not in _MAY_STAY and folded(surrogate) == folded(mention.text)
                    checked = surrogate if surrogate and not same else self._instead(scope, mention)
                    made[where[mention.note]][mention.start] = checked

    def _kind(self, name: str, scope: Scope, people: People, places: Places) -> Kind:
        """Return what makes the surrogates of a kind; people and places are shared with others."""
        match name:
            case "names":
                return people
            case "places":
                return places
            case "organisations":
                return Organisations(scope, people=people, places=places)
            case "contacts":
                return Contacts(scope, people=people, places=places, phones=self.phones)
            case "professions":
                return Professions(scope)
            case "ages":
                return Ages(scope, style=self.ages)
            case "dates":
                return Dates(
                    scope,
                    min_shift=self.min_shift,
                    max_shift=self.max_shift,
                    whole_weeks=self.whole_weeks,
                    holidays=self.holidays,
                    hide_over_89=self.hide_over_89,
                )
            case _:
                return Numbers(scope)

    def _instead(self, scope: Scope, mention: Mention) -> str:
        """Return another surrogate for one that is no surrogate at all: fail closed."""
        keyed = scope.keyed.child(f"checked {mention.label}")
        scrambled = scramble(keyed, mention.text)
        return scrambled if folded(scrambled) != folded(mention.text) else f"[{mention.label}]"


class Kind(Protocol):
    """What makes the surrogates of some labels in one scope."""

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        ...


def _apart(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Part mentions from each other; dates stay together, for one tells how to read another."""
    dates = [mention for mention in mentions if mention.label == "DATE"]
    others = [[mention] for mention in mentions if mention.label != "DATE"]
    return [dates, *others] if dates else others


def _mentions(notes: Sequence[Document]) -> list[Mention]:
    """Return the mentions of the notes of a scope."""
    # There is one for every span, so this is written out: a third of the time of calling the class.
    return [
        tuple.__new__(Mention, (place, span.start, span.end, span.label, note.text[span.start : span.end]))
        for place, note in enumerate(notes)
        for span in note.spans
    ]
