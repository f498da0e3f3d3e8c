"""The patient detector: find what the structured record and the site's census already know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from plainsight.document import Document, Patient, Span

if TYPE_CHECKING:  # most notes come without a record, and then nothing of this is loaded
    from plainsight.detect.patient.census import Census
    from plainsight.detect.patient.view import Claim


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
        if self.census is None:
            return None
        from plainsight.detect.patient.census import read_census

        return read_census(Path(self.census))

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the record and the census know in each document."""
        if self._census is None and all(document.patient is None for document in documents):
            return [[] for _ in documents]
        from plainsight.detect.patient.record import Record
        from plainsight.detect.patient.view import look

        records: dict[Patient, Record] = {}  # for this call only: nothing is remembered of a patient
        found: list[list[Span]] = []
        for document in documents:
            patient = document.patient
            claims: list[Claim] = []
            if patient is not None or self._census is not None:
                view = look(document.text)
                if patient is not None:
                    record = records.get(patient) or records.setdefault(patient, Record(patient))
                    claims += record.find(document.text, view)
                if self._census is not None:
                    claims += self._census.find(view)
            found.append(_outermost(claims))
        return found


def _outermost(claims: list[Claim]) -> list[Span]:
    """Return the claims as spans, without repeated ones and those inside a longer one."""
    spans: list[Span] = []
    reach = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end, -claim.score, *claim[2:])):
        if claim.end > reach:
            spans.append(Span(*claim[:4], f"patient.{claim.rule}"))
            reach = claim.end
    return spans
