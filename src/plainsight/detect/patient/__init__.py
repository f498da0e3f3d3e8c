"""The patient detector: what the structured record and the site's census already know, found in the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from plainsight.detect.patient.census import Census, read_census
from plainsight.detect.patient.record import Record
from plainsight.detect.patient.view import Claim, look
from plainsight.document import Document, Patient, Span


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
        records: dict[Patient, Record] = {}  # for this call only: nothing is remembered of a patient
        return [self._detect_one(document, records) for document in documents]

    def _detect_one(self, document: Document, records: dict[Patient, Record]) -> list[Span]:
        patient, census = document.patient, self._census
        if patient is None and census is None:
            return []
        view = look(document.text)
        claims: list[Claim] = []
        if patient is not None:
            record = records.get(patient)
            if record is None:
                record = records[patient] = Record(patient)
            claims += record.find(document.text, view)
        if census is not None:
            claims += census.find(view)
        return [Span(c.start, c.end, c.label, c.score, f"patient.{c.rule}") for c in _outermost(claims)]


def _outermost(claims: Iterable[Claim]) -> list[Claim]:
    """Drop claims that lie inside a longer one, and repeated ones."""
    kept: list[Claim] = []
    reach = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end, -claim.score, *claim[2:])):
        if claim.end > reach:
            kept.append(claim)
            reach = claim.end
    return kept
