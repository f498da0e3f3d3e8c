"""Metadata that leaves with a note: what the policy keeps, with dates replaced as in the text.

A date beside the text gives the patient's offset away if it stays while the dates in the text move. So the
policy names its date columns, and their values go through the operation for dates, with the patient's offset.
A date in any other kept column sets the note aside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from plainsight.config import Policy
from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.replace.base import Operation

_EMPTY = (None, "")


def released_meta(document: Document, policy: Policy, operation: Operation) -> dict[str, Any]:
    """Return the metadata that may leave with a note; ``operation`` is the policy's for dates."""
    if not document.meta:
        return {}
    # Keys with an underscore say how the note was stored, never what it says (formats/base.py).
    released = {key: value for key, value in document.meta.items() if key.startswith("_")}
    for key in document.meta.keys() & {*policy.keep_meta, *policy.date_columns}:
        value = document.meta[key]
        if key in policy.date_columns and value not in _EMPTY:
            value = _replaced(document, key, value, operation)
        elif operation.name != "keep" and _holds_date(value):
            raise DataError(
                f"column {key!r} holds a date, which would give the date shift away: "
                "name it in output.date_columns, or leave it out of output.keep_meta"
            )
        released[key] = value
    return {key: released[key] for key in document.meta if key in released}


def _holds_date(value: Any) -> bool:
    """Whether a value is a date or, as text or inside a list or table, looks like one."""
    if isinstance(value, str):
        return _date_pattern().search(value) is not None
    if isinstance(value, Mapping):
        return any(map(_holds_date, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_holds_date, value))
    return isinstance(value, date)


def _replaced(document: Document, key: str, value: Any, operation: Operation) -> Any:
    """Return a date column's value as the operation for dates replaces it, of the same type."""
    text = value.isoformat() if isinstance(value, date) else value
    found = _date_pattern().search(text) if isinstance(text, str) else None
    if found is None:
        raise DataError(f"date column {key!r} does not hold a date")
    start, end = found.span()
    note = Document(document.id, text, (Span(start, end, "DATE"),), document.patient_id, document.patient)
    [[made]] = operation.replace([note])
    if not isinstance(value, date):
        return text[:start] + made + text[end:]
    try:
        return type(value).fromisoformat(text[:start] + made + text[end:])
    except ValueError:  # a redacted or generalised date is no date any more
        return None


@cache
def _date_pattern() -> re.Pattern[str]:
    """Return what a date in a column looks like: digits in any order, or a month's name in any language."""
    names = load_calendar(DEFAULT_LOCALE).month_names.values()
    month = "(?:" + "|".join(sorted({name[:3] for months in names for name in months})) + r")\w*"
    forms = (
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
        r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}",
        r"(?:19|20)\d{6}(?!\d)",
        rf"\d{{1,2}}[- ]{month}[- ,]+\d{{2,4}}",
        rf"{month}\.? \d{{1,2}},? \d{{2,4}}",
    )
    return re.compile("|".join(forms), re.IGNORECASE)
