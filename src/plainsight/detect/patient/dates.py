"""Find the dates of a record in a text, in any format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import re2

from plainsight.detect.patient.view import Claim
from plainsight.locale import DEFAULT_LOCALE, load_locale
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import WrittenDate, parse_date
from plainsight.locale.date_shapes import date_shapes

Day = tuple[int, int, int]
"""Year, month, day."""

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_CUES = load_locale(DEFAULT_LOCALE).word_sets("date_cues")
_EVENT_ENDINGS = tuple(_CUES["event_endings"])
_SPACED = r"\b[0-9]{1,2} [0-9]{1,2} (?:[0-9]{4}|[0-9]{2})\b"
_IN_NUMBER = re.compile(rb"[.$/#+]$|[0-9A-Za-z]-$")
_GOES_ON = re.compile(rb"[%/0-9]|[-.][0-9]")
_BORN = re.compile(rb"\b(?:born|birth year|yob|b\.)(?: in)?[ \t:]*\Z", re.IGNORECASE)
_TRIM = b".,:;[]\"'*-~="


@cache
def _scanner() -> Any:
    return re2.compile(f"{date_shapes(DEFAULT_LOCALE)}|{_SPACED}".encode())


def read_date(value: str) -> Day | None:
    """Read the date at the beginning of an ISO string, compact or not; None if there is none."""
    match = re.match(r"(\d{4})-?(\d\d)-?(\d\d)(?!\d)", value.strip())
    if not match:
        return None
    year, month, day = (int(group) for group in match.groups())
    sensible = 1880 <= year <= 2200 and 1 <= month <= 12 and 1 <= day <= 31
    return (year, month, day) if sensible and (year, month, day) != (1900, 1, 1) else None  # a usual filler


class Dates:
    """The dates of one record, ready to be found."""

    def __init__(self, values: Iterable[str]) -> None:
        days = [date for value in values if (date := read_date(value))]
        self._birth_year = min(days)[0] if days else None
        self._known: set[tuple[int | None, int | None, int | None]] = set()
        """Year, month and day as a text may give them: years of two digits, no day, no year."""
        for year, month, day in days:
            self._known |= {
                (year, month, day),
                (year % 100, month, day),
                (year, month, None),
                (None, month, day),
            }

    def find(self, text: bytes) -> Iterator[Claim]:
        """Yield the record's dates in the shadow of a note; a range without spaces is one date."""
        for match in _scanner().finditer(text) if self._known else ():
            start, end = match.span()
            if not _IN_NUMBER.search(text, max(0, start - 2), start) and not _GOES_ON.match(text, end):
                readings = parse_date(text[start:end].decode(), _CALENDAR)
                if score := max((self._score(one, text, start) for one in readings), default=0.0):
                    yield Claim(start, end, "DATE", score, "date")

    def _score(self, reading: WrittenDate, text: bytes, start: int) -> float:
        """Score one reading of a date: 0 if the record has no such date."""
        score = 0.0
        for point in reading.values(99):  # years of two digits stay as they are
            date = point.get("year"), point.get("month"), point.get("day")
            if reading.form == "y" and date[0] == self._birth_year:
                score = 0.9 if _BORN.search(text, max(0, start - 16), start) else score
            elif date in self._known and (date[0] or _is_month_and_day(reading, text, start)):
                score = 0.99 if None not in date else 0.9
        return score


def _is_month_and_day(reading: WrittenDate, text: bytes, start: int) -> bool:
    """Tell whether a date without a year is one rather than a score (``pain 3/9``) or a word (``may 10``)."""
    month, day = reading.roles["month"], reading.roles["day"]
    if not month.text.isdigit():
        return month.text.istitle() or month.text.lower().encode() not in _CUES["unsure_months"]
    if reading.form == "dm" and day.value < 13:
        return False  # read as month and day already
    words = text[max(0, start - 20) : start].lower().split()
    last = words[-1].strip(_TRIM) if words else b""
    if last in _CUES["ratio_before"]:
        return False
    is_ratio = month.value < day.value < 13 and "0" not in (month.text[0], day.text[0])
    cued = last in _CUES["before"] or last in _CUES["events"] or last.endswith(_EVENT_ENDINGS)
    return reading.points > 1 or "weekday" in reading.roles or cued or not is_ratio
