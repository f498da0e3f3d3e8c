"""Field policies: what becomes of each field of a structured record.

A policy is a TOML file of tables: a place in the record, and an action. The shipped ones are in
``data/fields``; a user's file lies over them, entry by entry.

| action | what becomes of the value |
|---|---|
| ``keep`` | it stays, whatever it is |
| ``code`` | it stays if it has the form of a code, a number or a unit; else detectors read it |
| ``drop`` | it goes, and is counted |
| ``text`` | detectors read it, as they read notes |
| ``refuse`` | the record is set aside if it has such a field |
| a label, KEY or BIRTHDATE | it is replaced as that identifier: see `plainsight.replace.fields` |

A source may have further actions for its own data types, such as ``name PATIENT``. What a policy does not
name is unknown: ``unknown = "drop"`` leaves it out and counts it, ``unknown = "refuse"`` sets the record
aside.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from plainsight.errors import FormatError, UsageError, suggest
from plainsight.replace.fields import FIELD_LABELS
from plainsight.shipped import read_shipped

KEEP, CODE, DROP, TEXT, REFUSE = "keep", "code", "drop", "text", "refuse"
ACTIONS = (KEEP, CODE, DROP, TEXT, REFUSE, *FIELD_LABELS)

_FORM_OF_CODE = re.compile(r"[\w.:;+%°/*<>=(){}\[\]|#-]{1,64}")
_FORM_OF_NUMBER = re.compile(  # a date, a telephone, a person
    r"\d{1,4}\)?[-/]\d{1,3}[-/]\d{2,4}|\d{2,4}\.\d{2,3}\.\d{4}"
)


def is_code(value: str) -> bool:
    """Whether a value has the form of a code, a number or a unit, and not that of words, a date or a phone.

    >>> is_code("2345-7"), is_code("10*3/uL"), is_code("Jane Roe"), is_code("123-45-6789")
    (True, True, False, False)
    """
    return _FORM_OF_CODE.fullmatch(value) is not None and _FORM_OF_NUMBER.search(value) is None


def load_fields(source: str, over: Path | None, actions: Collection[str] = ()) -> dict[str, Any]:
    """Return the field policy of a source, with a user's file over it; ``actions`` are its own actions."""
    table = tomllib.loads(read_shipped(f"data/fields/{source}.toml").decode("utf-8"))
    if over is None:
        return table
    try:
        given = tomllib.loads(over.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{over}: not a file of field policies: {error}") from None
    given = given.get(source, {})  # one file may be for several sources
    for key, value in given.items():
        if key not in table:
            raise UsageError(f"{over}: unknown key {source}.{key}{suggest(key, table)}")
        if isinstance(table[key], dict) != isinstance(value, dict):
            raise UsageError(
                f"{over}: {source}.{key} is {'a table' if isinstance(table[key], dict) else 'text'}"
            )
        if not isinstance(value, dict):
            _check(value, (DROP, REFUSE), f"{over}: {source}.{key}")
            table[key] = value
            continue
        for place, action in value.items():
            _check(action, (*ACTIONS, *actions), f"{over}: {source}.{key}.{place}")
            table[key][place] = action
    return table


def _check(action: object, known: Collection[str], where: str) -> None:
    if action not in known:
        raise UsageError(f"{where}: no action {action!r}{suggest(str(action), known)}")


def refuse(name: str) -> FormatError:
    """Return the error about a record that has a field which its policy refuses."""
    return FormatError(f"it has the field {name}, which the field policy refuses")


NUMBER_LABELS = {
    "MR": "MEDICALRECORD", "PI": "MEDICALRECORD", "SS": "SSN", "DL": "LICENSE", "AN": "ACCOUNT",
    "VN": "ACCOUNT", "MA": "HEALTHPLAN", "MC": "HEALTHPLAN", "MB": "HEALTHPLAN", "NPI": "LICENSE",
}  # fmt: skip
"""The label of an identifier by its type code in HL7: v2 table 0203, which FHIR uses, too."""

_TITLES = """
mr mrs ms miss mx dr prof rev sr jr ii iii iv md do phd rn np pa dds dmd pharmd msn bsn mba mph esq sir dame
hon mme mlle m md-phd pa-c aprn fnp lcsw crna cnm dnp
"""
TITLES = frozenset(_TITLES.split())
"""Titles before and after names that identify nobody."""


def is_title(value: str) -> bool:
    """Whether a prefix or suffix of a name is nothing but titles.

    >>> is_title("Mrs."), is_title("Mrs. Doe")
    (True, False)
    """
    words = value.casefold().replace(",", " ").split()
    return bool(words) and all(word.replace(".", "") in TITLES for word in words)
