"""The label set, its categories and the groups a policy can choose.

The 28 labels are those of the annotation guide (the i2b2-2014 scheme). Three nested groups follow the
law and the literature: ``A`` (what HIPAA Safe Harbor lists), ``B`` (A and providers),
``C`` (B and facilities, states, countries); ``all`` adds professions, ``all+time`` times of day (S132).
``safe-harbor`` is A and logins, which are unique codes (R).
``i2b2-hipaa`` is the set that the official i2b2-2014 scorer calls HIPAA, ``i2b2-2006``, ``i2b2-2014`` and
``mimic`` are what those corpora mark. ``phipa`` and ``gdpr`` are all labels: neither law lists identifiers.
Rules finer than a label (a bare year, an age under 90, three digits of a ZIP code) are in `profiles` and
`hipaa`; `to_ours` and `from_ours` map other corpora's labels (tables in `label_maps`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from plainsight.errors import PolicyError, suggest
from plainsight.label_maps import SCHEMES, find_scheme, from_ours, to_ours

__all__ = [
    "CATEGORIES", "CATEGORY_OF", "DIRECT_LABELS", "GROUPS", "LABELS", "OPTIONAL_LABELS", "SCHEMES",
    "find_scheme", "from_ours", "group", "to_ours",
]  # fmt: skip

CATEGORIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "NAME": ("PATIENT", "DOCTOR", "USERNAME"),
        "PROFESSION": ("PROFESSION",),
        "LOCATION": (
            "HOSPITAL",
            "ORGANIZATION",
            "STREET",
            "CITY",
            "STATE",
            "COUNTRY",
            "ZIP",
            "LOCATION_OTHER",
        ),
        "AGE": ("AGE",),
        "DATE": ("DATE",),
        "CONTACT": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
        "ID": (
            "SSN",
            "MEDICALRECORD",
            "HEALTHPLAN",
            "ACCOUNT",
            "LICENSE",
            "VEHICLE",
            "DEVICE",
            "BIOID",
            "IDNUM",
        ),
    }
)
"""Category to its labels, as in i2b2-2014."""

CATEGORY_OF: Mapping[str, str] = MappingProxyType(
    {label: category for category, labels in CATEGORIES.items() for label in labels}
)
"""Label to its category."""

LABELS: tuple[str, ...] = tuple(CATEGORY_OF)
"""All 28 labels."""

DIRECT_LABELS = frozenset((*CATEGORIES["NAME"], *CATEGORIES["CONTACT"], *CATEGORIES["ID"], "STREET"))
"""Labels of direct identifiers, which point to one person or household by themselves.

All others are indirect: dates, ages, places, employers and professions identify somebody together.
"""

OPTIONAL_LABELS = ("TIME",)
"""Labels that only some policies want: times of day, which no group but ``all+time`` has."""

_ALL = frozenset(LABELS)
_C = _ALL - {"PROFESSION"}
_B = _C - {"HOSPITAL", "STATE", "COUNTRY"}
_A = _B - {"DOCTOR", "USERNAME"}

# Unlike Safe Harbor, the scorer counts every age and every year, and no web address or finer place.
_I2B2_HIPAA = _A - {"LOCATION_OTHER", "URL", "IPADDR"}

GROUPS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "safe-harbor": _A | {"USERNAME"},
        "A": _A,
        "B": _B,
        "C": _C,
        "all": _ALL,
        "all+time": _ALL | {"TIME"},
        "i2b2-hipaa": _I2B2_HIPAA,
        "i2b2-2006": _C,
        "i2b2-2014": _ALL,
        "mimic": _C,
        "phipa": _ALL,
        "gdpr": _ALL,
    }
)
"""Named label groups, nested from ``A`` to ``all``; ``safe-harbor`` is ``A`` and logins.

`plainsight.profiles` has the rules of those that mark only a part of what their labels mean."""


def group(name: str) -> frozenset[str]:
    """Return the labels of a group by name.

    >>> "DOCTOR" in group("safe-harbor")
    False
    """
    try:
        return GROUPS[name]
    except KeyError:
        raise PolicyError(f"unknown label group {name!r}{suggest(name, GROUPS)}") from None
