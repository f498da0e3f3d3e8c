"""Take a number whose digits are a date close to another date of its note for that date: ``T: 112623``.

Detectors find such digits and often take them for a number of the record, so they would not move with the
other dates. In the corpus 60 of 179 dates without separators are within two months of a full date of their
note, and none of 880 numbers of records that are as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from plainsight.document import Document
from plainsight.labels import CATEGORIES

_NUMBERS = frozenset(CATEGORIES["ID"])
_DIGITS = re.compile(r"\d{6}|\d{8}")
_CLOSE = timedelta(days=62)


def read_joined_dates(document: Document) -> Document:
    """Return a document in which numbers that are dates of its time are labelled as dates.

    What the patient's record says is a number stays one.
    """
    text = document.text
    joined = {
        span: day
        for span in document.spans
        if span.label in _NUMBERS and span.end - span.start in (6, 8) and span.detector != "patient"
        if _DIGITS.fullmatch(text, span.start, span.end)
        for day in _days(text[span.start : span.end])
    }
    if not joined:
        return document
    known = [
        day for span in document.spans if span.label == "DATE" for day in _days(text[span.start : span.end])
    ]
    dates = {span for span, day in joined.items() if any(abs(day - other) <= _CLOSE for other in known)}
    spans = (replace(span, label="DATE") if span in dates else span for span in document.spans)
    return replace(document, spans=tuple(spans)) if dates else document


def _days(text: str) -> Iterator[date]:
    """Yield the day that a date most likely means, if it says day, month and year."""
    from plainsight.hipaa import LATEST_YEAR  # reads the calendar, which most notes do not need here
    from plainsight.locale import DEFAULT_LOCALE
    from plainsight.locale.calendar import load_calendar
    from plainsight.locale.date_grammar import parse_date

    for reading in parse_date(text, load_calendar(DEFAULT_LOCALE))[:1]:
        values = reading.values(LATEST_YEAR)[0]
        try:
            yield date(values["year"], values["month"], values["day"])
        except (KeyError, ValueError):
            continue
