"""Surrogate: replace identifiers by fictional ones that a reader cannot tell from real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from plainsight.document import Document
from plainsight.errors import PluginError, UsageError, suggest
from plainsight.replace.surrogate.ages import Ages
from plainsight.replace.surrogate.contacts import Contacts
from plainsight.replace.surrogate.dates import Dates
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

KIND_OF = {
    "PATIENT": "names",
    "DOCTOR": "names",
    "DATE": "dates",
    "AGE": "ages",
    "STREET": "places",
    "CITY": "places",
    "STATE": "places",
    "COUNTRY": "places",
    "ZIP": "places",
    "LOCATION_OTHER": "places",
    "HOSPITAL": "organisations",
    "ORGANIZATION": "organisations",
    "PROFESSION": "professions",
    "PHONE": "contacts",
    "FAX": "contacts",
    "EMAIL": "contacts",
    "URL": "contacts",
    "IPADDR": "contacts",
    "USERNAME": "contacts",
}
"""What makes the surrogates of a label; all other labels are numbers."""
