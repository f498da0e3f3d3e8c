"""One patient's record, ready to be found in that patient's notes."""

from __future__ import annotations

from collections.abc import Iterator

from plainsight.detect.patient.dates import Dates
from plainsight.detect.patient.emails import Emails
from plainsight.detect.patient.employers import Employers
from plainsight.detect.patient.initials import Initials
from plainsight.detect.patient.names import Names
from plainsight.detect.patient.numbers import Numbers
from plainsight.detect.patient.people import people_of
from plainsight.detect.patient.places import Places
from plainsight.detect.patient.view import Claim, View
from plainsight.document import Patient

__all__ = ["Record"]


class Record:
    """Everything a structured record knows, prepared once for all notes of the patient."""

    def __init__(self, patient: Patient) -> None:
        people = people_of(patient)
        self._names = Names(people)
        self._initials = Initials(people, patient.emails)
        self._dates = Dates(patient.dates)
        self._numbers = Numbers(patient)
        self._emails = Emails(patient.emails)
        self._places = Places(patient.addresses)
        self._employers = Employers(patient.employers)

    def __repr__(self) -> str:
        return "Record(…)"

    def find(self, text: str, view: View) -> Iterator[Claim]:
        """Yield what the record knows in a note."""
        tokens = set(view.flat.split())
        yield from self._names.find(view, tokens)
        yield from self._names.find_literal(text)
        yield from self._initials.find(view, tokens)
        yield from self._dates.find(view, tokens)
        yield from self._numbers.find(view.text)
        yield from self._emails.find(view.text)
        yield from self._places.find(view)
        yield from self._employers.find(view, tokens)
