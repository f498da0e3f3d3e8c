"""All measures of surrogates over a set of gold notes, as one table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from plainsight.evaluate.surrogates import identity, timeline
from plainsight.evaluate.surrogates.dates import changed_formats, changed_intervals
from plainsight.evaluate.surrogates.detected import is_clinical
from plainsight.evaluate.surrogates.groups import fits_group
from plainsight.evaluate.surrogates.originals import (
    collapsed,
    originals_left,
    providers_changed,
    safe_harbor_left,
    shared_left,
    split_numbers,
)
from plainsight.evaluate.surrogates.pairs import Count, Note, by_patient
from plainsight.evaluate.surrogates.people import gender_clashes, inconsistent
from plainsight.evaluate.surrogates.persons import Persons
from plainsight.evaluate.surrogates.places import disagreeing, wrong_area_codes
from plainsight.evaluate.surrogates.scrambles import scrambles, tags

_BY_WORDS: Mapping[str, tuple[str, Callable[[Sequence[Note]], Count]]] = {
    "people_across_notes": ("people with more than one surrogate in a patient's notes", inconsistent),
    "gender_clashes": ("people whose surrogate is of the other sex", gender_clashes),
}
"""For patients whose marks have no ids: who is who is read from the words."""

_BY_IDS: Mapping[str, tuple[str, Callable[[Sequence[Note], Persons], Count]]] = {
    "split": ("people whose mentions do not fit together", identity.split),
    "merged": ("people with a mention that reads like somebody else's", identity.merged),
    "wrong_sex": ("people of the other sex", identity.wrong_sex),
    "families": ("families that lost their common surname", identity.broken_families),
    "institutions": ("institutions whose forms do not fit together", identity.institutions),
    "logins": ("logins and e-mail addresses that left their name", identity.lost_logins),
    "wrong_ages": ("ages that do not fit the date of birth", timeline.wrong_ages),
}
"""For patients whose marks have ids."""

_PER_PATIENT: Mapping[str, tuple[str, Callable[[Sequence[Note]], Count]]] = {
    "date_formats": ("dates whose format changed", changed_formats),
    "date_intervals": ("pairs of full dates whose interval changed", changed_intervals),
    "date_shifts": ("full dates that moved by another shift", timeline.moved_otherwise),
    "date_order": ("full dates that changed their order", timeline.out_of_order),
    "impossible_dates": ("dates that no calendar has", timeline.impossible),
    "places": ("city, state and ZIP code that disagree", disagreeing),
    "area_codes": ("telephones that left the state of their place", wrong_area_codes),
    "scrambles": ("replacements with scrambled letters", scrambles),
    "tags": ("replacements that are only a label", tags),
    "originals_left": ("the patient's own originals left", originals_left),
    "shared_left": ("providers, institutions and places that became themselves", shared_left),
    "providers_changed": ("mentions of providers that changed", providers_changed),
    "collapsed": ("originals that share a surrogate with another", collapsed),
    "split_numbers": ("numbers with more than one surrogate in a patient's notes", split_numbers),
}

MEASURES: Mapping[str, str] = {
    "people_within_note": "people with more than one surrogate in a note",
    **{name: about for name, (about, _) in (*_BY_WORDS.items(), *_BY_IDS.items(), *_PER_PATIENT.items())},
    "safe_harbor_left": "mentions that Safe Harbor forbids and that did not change",
    "in_vain": "replacements of what is no identifier",
    "medicine": "of these, medicine",
}
"""The measures in the order of the table.

Each counts errors, but `shared_left` chance, and `providers_changed` and `safe_harbor_left` what a policy for
Safe Harbor has to answer for.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of a set of notes; ``groups`` counts the people who kept the origin of their name."""

    notes: int
    patients: int
    identifiers: int
    replacements: int
    missed: int
    inexact: tuple[str, ...]
    counts: Mapping[str, Count]
    by_patient: Mapping[str, Mapping[str, Count]]
    groups: Mapping[str, Count] = field(default_factory=dict)

    def per_100(self, name: str) -> float | None:
        """Return how many errors of a measure there are for 100 replacements."""
        count = self.counts[name]
        return 100 * count.count / self.replacements if self.replacements and count.of else None

    def to_json(self) -> dict[str, object]:
        """Return everything as plain data; no note text is in it."""
        rates = {name: self.per_100(name) for name in self.counts}
        return {
            "notes": self.notes,
            "patients": self.patients,
            "identifiers": self.identifiers,
            "replacements": self.replacements,
            "identifiers_missed": self.missed,
            "text_outside_spans_changed": list(self.inexact),
            "measures": {name: count.to_json() for name, count in self.counts.items()},
            "per_100_replacements": {n: None if r is None else round(r, 4) for n, r in rates.items()},
            "groups_kept": {name: count.to_json() for name, count in self.groups.items()},
            "by_patient": {
                patient: {name: count.to_json() for name, count in counts.items()}
                for patient, counts in self.by_patient.items()
            },
        }


def measure(notes: Iterable[Note], persons: Mapping[str, Persons] | None = None) -> Measured:
    """Measure surrogates; a note without a patient is its own scope.

    People are told apart by the ids of their marks where a patient's marks have them, else by their words.
    """
    notes = list(notes)
    patients = by_patient(notes)
    counts: dict[str, dict[str, Count]] = {}
    groups: dict[str, Count] = defaultdict(Count)
    for patient, theirs in patients.items():
        known = (persons or {}).get(patient, Persons())
        counts[patient] = _measure_patient(theirs, known)
        for group, count in identity.kept_groups(theirs, known, fits_group).items():
            groups[group] += count
    return Measured(
        notes=len(notes),
        patients=len(patients),
        identifiers=sum(len(note.pairs) + note.missed for note in notes),
        replacements=sum(
            len(note.pairs) if note.replacements is None else note.replacements for note in notes
        ),
        missed=sum(note.missed for note in notes),
        inexact=tuple(note.gold.id for note in notes if not note.exact),
        counts={name: sum((theirs[name] for theirs in counts.values()), Count()) for name in MEASURES},
        by_patient=counts,
        groups=dict(sorted(groups.items())),
    )


def _measure_patient(notes: Sequence[Note], persons: Persons) -> dict[str, Count]:
    counts = dict.fromkeys(MEASURES, Count())
    if identity.has_ids(notes):
        counts |= {name: count(notes, persons) for name, (_, count) in _BY_IDS.items()}
    else:
        counts["people_within_note"] = sum((inconsistent([note]) for note in notes), Count())
        counts |= {name: count(notes) for name, (_, count) in _BY_WORDS.items()}
    counts |= {name: count(notes) for name, (_, count) in _PER_PATIENT.items()}
    counts["safe_harbor_left"] = safe_harbor_left(notes, persons)
    found = sum(note.replacements or 0 for note in notes)
    wrong = [pair for note in notes for pair in note.in_vain]
    for name, pairs in (("in_vain", wrong), ("medicine", [pair for pair in wrong if is_clinical(pair)])):
        examples = tuple(f"{pair.label} {pair.original} → {pair.surrogate}" for pair in pairs)
        counts[name] = Count(len(pairs), found, examples)
    return counts
