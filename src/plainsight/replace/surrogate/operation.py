"""Surrogate: replace identifiers by fictional ones that a reader cannot tell from real ones.

This file only conducts: it gathers the notes that must agree into a `Scope`, hands each mention to the kind
that makes its surrogates, and checks what comes back. Each kind is a class made for one scope, with one verb:
``surrogates(mentions) -> one string for each``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

from plainsight.document import Document
from plainsight.errors import PluginError, UsageError, suggest
from plainsight.replace.surrogate.ages import Ages, AgeStyle
from plainsight.replace.surrogate.contacts import Contacts, PhoneStyle
from plainsight.replace.surrogate.dates import Dates, HolidayStyle
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import People
from plainsight.replace.surrogate.numbers import Numbers
from plainsight.replace.surrogate.organisations import Organisations
from plainsight.replace.surrogate.places import Places
from plainsight.replace.surrogate.professions import Professions
from plainsight.replace.surrogate.scope import Mention, Scope, folded
from plainsight.replace.surrogate.shape import scramble

__all__ = ["Surrogate"]

Consistency = Literal["patient", "note", "none"]

_KINDS = {
    "names": ("PATIENT", "DOCTOR"),
    "dates": ("DATE",),
    "ages": ("AGE",),
    "places": ("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION_OTHER"),
    "organisations": ("HOSPITAL", "ORGANIZATION"),
    "professions": ("PROFESSION",),
    "contacts": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR", "USERNAME"),
}
_KIND_OF = {label: kind for kind, labels in _KINDS.items() for label in labels}  # all others are numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Surrogate:
    """Replace every identifier by a fictional one of its kind, the same one wherever it stands.

    ``consistency`` says within what the same original gets the same surrogate: all notes of a patient, one
    note, or nothing (a fresh one each time). Dates shift by one offset per patient whatever it says, so that
    intervals survive: between ``min_shift`` and ``max_shift`` days, forwards or backwards; with
    ``whole_weeks`` in sevens, so that weekdays stay. ``holidays`` are shifted like any date or keep their
    kind; ``ages`` up to 89 are kept or become decades; ``phones`` are fictional ones (555-01xx) or keep
    their exchange's look. Without ``key`` nothing can be replaced.
    """

    name: ClassVar[str] = "surrogate"

    key: bytes | None = field(default=None, repr=False)
    consistency: Consistency = "patient"
    min_shift: int = 30
    max_shift: int = 365
    whole_weeks: bool = False
    holidays: HolidayStyle = "shift"
    ages: AgeStyle = "keep"
    phones: PhoneStyle = "fictional"

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return a surrogate for each span."""
        ...
