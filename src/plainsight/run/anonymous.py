"""Hide the names of notes: each gets its place in the input for an id, and its patient a code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b

from plainsight.document import SetAside
from plainsight.pipeline import Replaced

__all__ = ["anonymous"]


def anonymous(items: Iterable[Replaced | SetAside]) -> Iterator[Replaced | SetAside]:
    """Give the notes numbers for names; the patients' codes are others in every run, with no way back."""
    salt = os.urandom(16)
    for number, item in enumerate(items, start=1):
        name = f"note-{number:07d}"
        if isinstance(item, SetAside):
            yield SetAside(name, item.reason)
            continue
        patient = item.document.patient_id
        if patient is not None:
            code = blake2b(patient.encode("utf-8", "surrogatepass"), key=salt, digest_size=8).hexdigest()
            patient = f"patient-{code}"
        yield replace(item, document=replace(item.document, id=name, patient_id=patient))
