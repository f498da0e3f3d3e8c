"""All measures of surrogates over a set of gold notes, as one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plainsight.evaluate.surrogates.dates import changed_formats, changed_intervals
from plainsight.evaluate.surrogates.originals import collapsed, originals_left, split_numbers
from plainsight.evaluate.surrogates.pairs import Count, Note, by_patient
from plainsight.evaluate.surrogates.people import gender_clashes, inconsistent
from plainsight.evaluate.surrogates.places import disagreeing

_PER_PATIENT: Mapping[str, tuple[str, Callable[[Sequence[Note]], Count]]] = {
    "people_across_notes": ("people with more than one surrogate in a patient's notes", inconsistent),
    "gender_clashes": ("people whose surrogate is of the other sex", gender_clashes),
    "date_formats": ("dates whose format changed", changed_formats),
    "date_intervals": ("pairs of full dates whose interval changed", changed_intervals),
    "places": ("city, state and ZIP code that disagree", disagreeing),
    "originals_left": ("originals left", originals_left),
    "collapsed": ("originals that share a surrogate with another", collapsed),
    "split_numbers": ("numbers with more than one surrogate in a patient's notes", split_numbers),
}

MEASURES: Mapping[str, str] = {
    "people_within_note": "people with more than one surrogate in a note",
    **{name: about for name, (about, _) in _PER_PATIENT.items()},
}
"""The measures in the order of the table; each counts errors."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of a set of notes."""

    notes: int
    patients: int
    identifiers: int
    inexact: tuple[str, ...]
    counts: Mapping[str, Count]
    by_patient: Mapping[str, Mapping[str, Count]]

    def to_json(self) -> dict[str, object]:
        """Return everything as plain data; no note text is in it."""
        return {
            "notes": self.notes,
            "patients": self.patients,
            "identifiers": self.identifiers,
            "text_outside_spans_changed": list(self.inexact),
            "measures": {name: count.to_json() for name, count in self.counts.items()},
            "by_patient": {
                patient: {name: count.to_json() for name, count in counts.items()}
                for patient, counts in self.by_patient.items()
            },
        }


def measure(notes: Iterable[Note]) -> Measured:
    """Measure surrogates; a note without a patient is its own scope."""
    notes = list(notes)
    patients = by_patient(notes)
    counts: dict[str, dict[str, Count]] = {}
    for patient, theirs in patients.items():
        within = sum((inconsistent([note]) for note in theirs), Count())
        across = {name: count(theirs) for name, (_, count) in _PER_PATIENT.items()}
        counts[patient] = {"people_within_note": within, **across}
    return Measured(
        notes=len(notes),
        patients=len(patients),
        identifiers=sum(len(note.pairs) for note in notes),
        inexact=tuple(note.gold.id for note in notes if not note.exact),
        counts={name: sum((theirs[name] for theirs in counts.values()), Count()) for name in MEASURES},
        by_patient=counts,
    )
