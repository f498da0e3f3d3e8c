"""Surrogate: replace identifiers by fictional ones that a reader cannot tell from real ones.

How a surrogate comes about, from here down:

1. The notes of one patient are one `Scope` (`scope.py`), with the keyed choices of this patient (`keyed.py`).
   The spans in them are its mentions. With ``consistency = "note"`` or ``"none"`` scopes are smaller.
2. The label of a mention says which kind makes its surrogate: names, dates, places and so on (`_KINDS`). A
   kind is a class made for one scope, with one method: ``surrogates(mentions)``, one string for each.
3. A kind first reads its mentions together, because one helps to understand another: "J. Smith" may be the
   John Smith of the line above. Then it draws: each distinct original gets the first candidate of its own
   keyed order that its own rule does not refuse (`scope.assign`), whatever else stands in the notes. Last it
   writes each surrogate in the form of the mention.
4. Organisations and web addresses also ask the people and places of the scope, so that "Smith Clinic" and
   "jsmith@mail.com" follow Smith.
5. What many patients share (`SHARED`: providers, hospitals, towns) may become itself at chance rate, because
   an original that never appears among a site's surrogates would give itself away. What is the patient's own
   never stays: such a surrogate, or an empty one, becomes what ``on_failure`` says, by default its label
   (`failure.py`).

For the name of a person, `names/people.py` is the next file to read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, get_args

from plainsight.document import Document
from plainsight.errors import PluginError, suggest
from plainsight.locale.number_kinds import number_kinds
from plainsight.replace.mask import AgeStyle
from plainsight.replace.surrogate.ages import Ages
from plainsight.replace.surrogate.contacts.phones import Phones
from plainsight.replace.surrogate.contacts.web import Addresses, Web
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.failure import stand_in
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.people import People
from plainsight.replace.surrogate.numbers import Numbers, Ranges
from plainsight.replace.surrogate.organisations import Organisations
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.professions import Professions
from plainsight.replace.surrogate.scope import Mention, Scope, by_owner, folded, mentions_of
from plainsight.replace.surrogate.times import Times

Consistency = Literal["patient", "site", "note", "none"]
_KINDS = {
    "names": ("PATIENT", "DOCTOR"),
    "dates": ("DATE",),
    "ages": ("AGE",),
    "times": ("TIME",),
    "places": ("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION_OTHER"),
    "organisations": ("HOSPITAL", "ORGANIZATION"),
    "professions": ("PROFESSION",),
    "phones": ("PHONE", "FAX"),
    "addresses": ("IPADDR",),
    "web": ("EMAIL", "URL", "USERNAME"),
}
_KIND_OF = {label: kind for kind, labels in _KINDS.items() for label in labels}
SHARED = frozenset(
    "DOCTOR HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP LOCATION_OTHER".split()  # noqa: SIM905
)
"""The labels of what many patients share: drawn from pools that hold the original."""

_MAY_STAY = SHARED | {"AGE", "DATE"}  # an age up to 89; a year that the shift does not leave
_STYLES = {
    "consistency": get_args(Consistency),
    "ages": get_args(AgeStyle),
    "phones": get_args(Ranges),
    "numbers": get_args(Ranges),
    "domains": get_args(Ranges),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surrogate(DateOptions):
    """Replace every identifier by a fictional one of its kind, the same one wherever it stands.

    ``consistency`` says within what the same original gets the same surrogate: all notes of a patient, all
    notes of the site (those of every patient under the key), one note, or nothing (a fresh one each time).
    Dates always shift by one offset per patient, so that intervals survive; `DateOptions` explains the
    options of dates. ``ages`` up to 89 are kept or become decades. ``phones``,
    ``numbers`` (SSNs, NPIs and other numbers with ranges of their own) and ``domains`` of addresses look like
    any other and may be somebody's (``plausible``), or come from ranges that are nobody's (``fictional``),
    beside which a number that was missed stands out. ``on_failure`` says what stands for what cannot
    be read: a ``tag`` with its label, its general form (``mask``), or other letters and digits
    (``keep-format``). ``locale`` says how dates are written and which kinds of numbers there are. Without
    ``key`` nothing can be replaced.
    """

    name: ClassVar[str] = "surrogate"

    consistency: Consistency = "patient"
    ages: AgeStyle = "keep"
    phones: Ranges = "plausible"
    numbers: Ranges = "plausible"
    domains: Ranges = "plausible"

    def __post_init__(self) -> None:
        for option, styles in _STYLES.items():
            given = getattr(self, option)
            if given not in styles:
                raise PluginError(f"surrogate: {option} cannot be {given!r}{suggest(str(given), styles)}")
        DateOptions.__post_init__(self)
        number_kinds(self.locale)  # refuse broken ones at once

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return a surrogate for each span."""
        if not documents:
            return []
        work: dict[str, list[tuple[Kind, Scope, Sequence[int], list[Mention]]]] = defaultdict(list)
        for scope, positions in self._scopes(documents):
            kinds = self._kinds(scope)
            by_kind: dict[str, list[Mention]] = defaultdict(list)
            for mention in scope.mentions:
                by_kind[_KIND_OF.get(mention.label, "numbers")].append(mention)
            for name, mentions in by_kind.items():
                work[name].append((kinds[name], scope, positions, mentions))
        made: list[dict[int, str]] = [{} for _ in documents]  # by where a span starts
        # One kind after another, each for all scopes: its tables stay in the processor's cache, and that
        # saves a tenth of the time.
        for tasks in work.values():
            for kind, scope, positions, mentions in tasks:
                for mention, surrogate in zip(mentions, kind.surrogates(mentions), strict=True):
                    made[positions[mention.note]][mention.start] = self._checked(scope, mention, surrogate)
        return [
            [surrogates[span.start] for span in document.spans]
            for document, surrogates in zip(documents, made, strict=True)
        ]

    def _scopes(self, documents: Sequence[Document]) -> Iterator[tuple[Scope, Sequence[int]]]:
        """Yield all scopes, each with the positions of its notes among the documents."""
        keyed = self.keyed()
        for owner, positions in by_owner(documents).items():
            of_patient = keyed.child(owner)
            if self.consistency in ("patient", "site"):
                notes = [documents[position] for position in positions]
                # Dates shift by patient even then: their kind uses the patient's choices.
                own = keyed.child("site") if self.consistency == "site" else of_patient
                mentions = mentions_of(notes)
                yield Scope(own, notes, mentions, patient_keyed=of_patient, locale=self.locale), positions
                continue
            for position in positions:
                for scope in self._note_scopes(of_patient, documents[position]):
                    yield scope, [position]

    def _note_scopes(self, of_patient: Keyed, note: Document) -> Iterator[Scope]:
        """Yield the scope of one note, or one scope for each mention as if no other stood there."""
        keyed = of_patient.child(f"note {note.id}")
        scope = Scope(keyed, [note], mentions_of([note]), patient_keyed=of_patient, locale=self.locale)
        if self.consistency == "note":
            yield scope
            return
        # Dates stay together, because one tells how to read another.
        dates = [mention for mention in scope.mentions if mention.label == "DATE"]
        others = [[mention] for mention in scope.mentions if mention.label != "DATE"]
        for mentions in [dates, *others] if dates else others:
            alone = keyed.child(f"mention {mentions[0].start}")
            yield Scope(alone, [note], mentions, patient_keyed=of_patient, locale=self.locale)

    def _kinds(self, scope: Scope) -> dict[str, Kind]:
        """Return what makes each kind of surrogate; people and places are shared."""
        people, places = People(scope), Places(scope)
        organisations = Organisations(scope, people=people, places=places)
        return {
            "names": people,
            "dates": Dates(scope, self),
            "ages": Ages(self.ages),
            "times": Times(scope),
            "places": places,
            "organisations": organisations,
            "professions": Professions(scope),
            "phones": Phones(scope, area_code=places.area_code, ranges=self.phones),
            "addresses": Addresses(scope, ranges=self.domains),
            "web": Web(scope, name_word=people.word, organisation=organisations.name, ranges=self.domains),
            "numbers": Numbers(scope, ranges=self.numbers),
        }

    def _checked(self, scope: Scope, mention: Mention, surrogate: str) -> str:
        """Return a surrogate, or what ``on_failure`` says where there is none or it is the original."""
        if surrogate and (mention.label in _MAY_STAY or folded(surrogate) != folded(mention.text)):
            return surrogate
        return stand_in(self.on_failure, mention.label, mention.text, scope.keyed)


class Kind(Protocol):
    """Make the surrogates of some labels in one scope."""

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return a surrogate for each mention."""
        ...
