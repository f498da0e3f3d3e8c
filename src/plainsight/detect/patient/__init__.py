"""The patient detector: find what the structured record and the site's census already know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from plainsight.detect.patient.census import Census, read_census
from plainsight.detect.patient.dates import Dates
from plainsight.detect.patient.initials import Initials
from plainsight.detect.patient.names import Names
from plainsight.detect.patient.numbers import Numbers
from plainsight.detect.patient.people import people_of
from plainsight.detect.patient.places import Employers, Places
from plainsight.detect.patient.view import Claim, View, look
from plainsight.document import Document, Patient, Span
from plainsight.text.shadow import shadow


class PatientRecord:
    """Match each patient's own record in their notes, and the site's people in all notes.

    ``census`` is a file of people known at the site: one name a line, or JSON lines (see
    `plainsight.detect.patient.census`). They are matched by full name only.

    >>> patient = Patient(id="1", names=("Odessa Pettway",), ids=(("MEDICALRECORD", "0371-88-214"),))
    >>> note = Document("a", "PETTWAY, O   mr# 037188214", patient=patient)
    >>> [(span.label, span.source) for span in PatientRecord().detect([note])[0]]
    [('PATIENT', 'patient.name'), ('MEDICALRECORD', 'patient.number')]
    """

    name: ClassVar[str] = "patient"
    labels: ClassVar[frozenset[str]] = frozenset(
        {
            "ACCOUNT", "BIOID", "CITY", "COUNTRY", "DATE", "DEVICE", "DOCTOR", "EMAIL", "FAX", "HEALTHPLAN",
            "IDNUM", "LICENSE", "MEDICALRECORD", "ORGANIZATION", "PATIENT", "PHONE", "SSN", "STATE", "STREET",
            "USERNAME", "VEHICLE", "ZIP",
        }
    )  # fmt: skip

    def __init__(self, *, census: Path | None = None) -> None:
        self.census = census

    @cached_property
    def _census(self) -> Census | None:
        return None if self.census is None else read_census(Path(self.census))

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the record and the census know in each document."""
        records: dict[Patient, _Record] = {}  # for this call only: nothing is remembered of a patient
        found: list[list[Span]] = []
        for document in documents:
            patient, claims = document.patient, list[Claim]()
            if patient is not None or self._census is not None:
                view = look(document.text)
                if patient is not None:
                    record = records.get(patient) or records.setdefault(patient, _Record(patient))
                    claims += record.find(document.text, view)
                if self._census is not None:
                    claims += self._census.find(view)
            found.append(_outermost(claims))
        return found


class _Record:
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


def _outermost(claims: list[Claim]) -> list[Span]:
    """Return the claims as spans, without repeated ones and those inside a longer one."""
    spans: list[Span] = []
    reach = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end, -claim.score, *claim[2:])):
        if claim.end > reach:
            spans.append(Span(*claim[:4], f"patient.{claim.rule}"))
            reach = claim.end
    return spans
