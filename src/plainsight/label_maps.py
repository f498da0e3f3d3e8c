"""Maps between our labels and those of other corpora and systems, read from ``data/labels/schemes.toml``.

What a many-to-one map loses:

| scheme | whose labels | lost on the way in | lost on the way out |
|---|---|---|---|
| `i2b2-2006` | the 8 types of that challenge | kinds of place and number | the same and professions |
| `i2b2-2014` | the types of that challenge | ROOM and DEPARTMENT | nothing |
| `mask` | MASK's 7 flat categories | all but the category | all but the category |
| `meddocan` | MEDDOCAN's 29 types | sex, kinship, traits; kinds of place | kinds of place, SSN, logins |
| `mimic` | the types of the MIMIC corpus | kinds of address, wards | the same, fax, devices; professions |
| `neuroner` | what NeuroNER's models emit | nothing | nothing |
| `philter` | Philter's 7 types | all but the type | all but the type; professions |
| `physionet` | the marks of PhysioNet's deid | wards | kinds of number; professions |
| `presidio` | Presidio's entity names | kinds of person and place | the same and numbers; professions |

A label that stands for several of ours becomes the general one among them (`LOCATION` -> LOCATION_OTHER,
`ID` -> IDNUM) or, for people, the more protected one (`NAME` -> PATIENT), so that nothing falls out of a
label group by being mapped. A label that marks no identifier by our guide becomes None.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from plainsight.errors import DataError, UsageError, suggest
from plainsight.shipped import read_shipped


@dataclass(frozen=True, slots=True)
class Scheme:
    """Another label set: its labels as ours, and ours as its labels; None where there is no counterpart."""

    name: str
    inward: Mapping[str, str | None]
    outward: Mapping[str, str | None]


def _scheme(name: str, table: Mapping[str, Mapping[str, str]]) -> Scheme:
    reads = {their: our for our, labels in table["reads"].items() for their in labels.split()}
    inward = {their: None if our == "none" else our for their, our in reads.items()}
    writes: dict[str, str | None] = dict(table["writes"])
    nothing = writes.pop("none", None) or ""
    return Scheme(
        name, MappingProxyType(inward), MappingProxyType({**writes, **dict.fromkeys(nothing.split())})
    )


def _schemes() -> dict[str, Scheme]:
    tables = tomllib.loads(read_shipped("data/labels/schemes.toml").decode())
    return {name: _scheme(name, table) for name, table in tables.items()}


SCHEMES: Mapping[str, Scheme] = MappingProxyType(_schemes())
"""Every other label set, by name."""


def to_ours(scheme: str, label: str) -> str | None:
    """Return our label for another scheme's, or None where its label marks nothing that we mark.

    >>> to_ours("i2b2-2014", "LOCATION-OTHER")
    'LOCATION_OTHER'
    """
    return _look_up(scheme, label, find_scheme(scheme).inward)


def from_ours(scheme: str, label: str) -> str | None:
    """Return another scheme's label for ours, or None where it has no such label.

    >>> from_ours("meddocan", "DOCTOR")
    'NOMBRE_PERSONAL_SANITARIO'
    """
    return _look_up(f"plainsight (to {scheme})", label, find_scheme(scheme).outward)


def find_scheme(scheme: str) -> Scheme:
    """Return a scheme by name."""
    try:
        return SCHEMES[scheme]
    except KeyError:
        raise UsageError(f"unknown label scheme {scheme!r}{suggest(scheme, SCHEMES)}") from None


def _look_up(whose: str, label: str, known: Mapping[str, str | None]) -> str | None:
    try:
        return known[label]
    except KeyError:
        raise DataError(f"unknown {whose} label{_shown(label, known)}") from None


def _shown(label: str, known: Iterable[str]) -> str:
    """Name a wrong label and the nearest right one, unless it may be note text from a broken file."""
    if not re.fullmatch(r"[A-Z][A-Z0-9_-]{0,39}", label):
        return ": not a name in capitals"
    return f" {label!r}{suggest(label, known)}"
