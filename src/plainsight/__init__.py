"""Find every identifier in clinical notes and hide patients in plain sight.

>>> import plainsight
>>> plainsight.deidentify("Seen by Dr. Okafor on 3/4/2019.", policy="redact")
'Seen by Dr. [DOCTOR] on [DATE].'
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plainsight.config import load_policy
from plainsight.document import Document, Patient, SetAside, Span
from plainsight.errors import DataError
from plainsight.pipeline import Pipeline

__all__ = [
    "Document",
    "Patient",
    "Pipeline",
    "SetAside",
    "Span",
    "__version__",
    "deidentify",
    "detect",
    "load",
]

__version__ = "0.1.0"


def load(policy: str | Path = "balanced", *, key: bytes | None = None) -> Pipeline:
    """Return the pipeline of a policy: a built-in's name or the path of a TOML file.

    With the same secret ``key`` of at least 32 bytes, a patient gets the same surrogates in every pipeline;
    without one, they come from a random key that is forgotten with the pipeline.
    """
    return Pipeline(load_policy(policy), key=key)


def detect(text: str, *, policy: str | Path = "balanced", patient: Patient | None = None) -> tuple[Span, ...]:
    """Return the identifiers of one note. For many notes, `load` a pipeline once."""
    return _one(load(policy).detect([_note(text, patient)])).spans


def deidentify(
    text: str,
    *,
    policy: str | Path = "balanced",
    patient: Patient | None = None,
    key: bytes | None = None,
) -> str:
    """Return one note with its identifiers replaced. For many notes, `load` a pipeline once."""
    return _one(load(policy, key=key).deidentify([_note(text, patient)])).text


def _note(text: str, patient: Patient | None) -> Document:
    return Document("note", text, patient=patient, patient_id=patient.id if patient else None)


def _one(items: Iterable[Document | SetAside]) -> Document:
    (item,) = items
    if isinstance(item, SetAside):
        raise DataError(item.reason)
    return item
