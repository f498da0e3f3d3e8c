"""What a patient's structured record knows, and where it stands in a note."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainsight.detect.patient.dates import Dates
from plainsight.detect.patient.initials import Initials
from plainsight.detect.patient.names import Names
from plainsight.detect.patient.numbers import Numbers
from plainsight.detect.patient.people import people_of
from plainsight.detect.patient.places import Employers, Places
from plainsight.detect.patient.view import Claim, View
from plainsight.document import Patient
from plainsight.text.shadow import shadow


class Record:
    """Everything a structured record knows, prepared once for all notes of the patient."""

    def __init__(self, patient: Patient) -> None:
        people = people_of(patient)
        self._names = Names(people)
        self._initials = Initials(people, patient.emails)
        self._dates = Dates(patient.dates)
        self._numbers = Numbers(patient)
        emails = (shadow(email).strip().lower() for email in patient.emails)
        self._emails = [email for email in dict.fromkeys(emails) if email.find(b"@") > 0 and len(email) > 5]
        self._places = Places(patient.addresses)
        self._employers = Employers(patient.employers)

    def __repr__(self) -> str:
        return "Record(…)"

    def find(self, text: str, view: View) -> Iterator[Claim]:
        """Yield what the record knows in a note."""
        tokens = set(view.flat.split())
        yield from self._names.find(text, view, tokens)
        yield from self._initials.find(view, tokens)
        yield from self._dates.find(view.text)
        yield from self._numbers.find(view.text)
        yield from self._places.find(view)
        yield from self._employers.find(view, tokens)
        small = view.text.lower() if self._emails else b""
        for email in self._emails:
            for match in re.finditer(rb"(?<![a-z0-9])%b(?![a-z0-9])" % re.escape(email), small):
                yield Claim(*match.span(), "EMAIL", 0.99, "email")
