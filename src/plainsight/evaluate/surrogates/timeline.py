"""Count errors of dates: order, shift, impossible dates, and ages that do not fit the date of birth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from plainsight.evaluate.surrogates.dates import moved, shift_of
from plainsight.evaluate.surrogates.forms import is_tag
from plainsight.evaluate.surrogates.pairs import Count, Note, all_pairs
from plainsight.evaluate.surrogates.persons import Persons
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import parse_date

_LATEST_YEAR = 2035
_NUMERIC = re.compile(
    r"(?<!\d)(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})(?:\6(\d{4}|\d\d))?)(?!\d)"
)
_LEAP_YEAR = 2024  # for days without a year
_YEARS = re.compile(r"(\d{1,3})(?:\s*-?\s*(?:y|yo|yrs?|years?)\b.*)?", re.IGNORECASE)
_OLDEST = 89


def moved_otherwise(notes: Sequence[Note]) -> Count:
    """Count the full dates that did not move by the patient's shift, or are no full dates any longer."""
    dates = moved(notes)
    common = shift_of(notes)
    errors = tuple(text for _, days, text in dates if days != common)
    return Count(len(errors), len(dates), errors)


def out_of_order(notes: Sequence[Note]) -> Count:
    """Count the full dates that come before the one they followed."""
    dates = sorted((was, was + timedelta(days), text) for was, days, text in moved(notes) if days is not None)
    errors = tuple(
        f"{one[2]}; {other[2]}" for one, other in pairwise(dates) if one[0] < other[0] and one[1] > other[1]
    )
    return Count(len(errors), max(0, len(dates) - 1), errors)


def impossible(notes: Sequence[Note]) -> Count:
    """Count the dates that no calendar has: ``5/78/62``, ``February 30``, a day's wrong weekday."""
    pairs = [pair for pair in all_pairs(notes) if pair.label == "DATE" and not is_tag(pair.surrogate)]
    errors = tuple(
        f"{pair.original} → {pair.surrogate}"
        for pair in pairs
        if is_possible(pair.original) and not is_possible(pair.surrogate)
    )
    return Count(len(errors), len(pairs), errors)


def is_possible(text: str) -> bool:
    """Whether the days that a text writes exist and have the weekday that stands with them.

    >>> [is_possible(text) for text in ("3/31/24", "5/78/62", "Sun 3/31/24", "Mon 3/31/24", "Easter")]
    [True, False, True, False, True]
    """
    for year, _, month, day, first, _, second, short in _NUMERIC.findall(text):
        if year:
            days = [(int(year), int(month), int(day))]
        else:
            written = int(short) + 2000 * (len(short) < 3) if short else _LEAP_YEAR
            one, two = int(first), int(second)
            months = [] if short else [(2000 + two, one, 1), (2000 + one, two, 1)]  # 11/24 may be a month
            days = [(written, one, two), (written, two, one), *months]
        if not any(_exists(*parts) for parts in days):
            return False
    readings = [reading for reading in parse_date(text, load_calendar(DEFAULT_LOCALE)) if reading.points == 1]
    whole = [reading.values(_LATEST_YEAR)[0] for reading in readings]
    days_read = [
        (date(values["year"], values["month"], values["day"]), values.get("weekday"))
        if _exists(values["year"], values["month"], values["day"])
        else None
        for values in whole
        if {"year", "month", "day"} <= values.keys()
    ]
    if not days_read:
        return True
    return any(read is not None and read[1] in (None, read[0].weekday()) for read in days_read)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def wrong_ages(notes: Sequence[Note], persons: Persons) -> Count:
    """Count the patient's ages that do not fit the released date of birth and the date of their note.

    For an age over 89 both need only be high: its date of birth has to be hidden.
    """
    shift = shift_of(notes)
    births = [
        was + timedelta(days)
        for was, days, _ in moved(notes, hidden=True)
        if was == persons.birth and days is not None
    ]
    if persons.birth is None or shift is None or not births:
        return Count()
    errors, checked = [], 0
    for note in notes:
        if not (day := persons.note_date(note.gold.id)):
            continue
        for pair in note.pairs:
            before, after = _YEARS.fullmatch(pair.original.strip()), _YEARS.match(pair.surrogate.strip())
            if pair.label != "AGE" or not before or int(before[1]) != age(persons.birth, day):
                continue
            checked += 1
            possible = {age(birth, day + timedelta(shift)) for birth in births}
            shown = int(after[1]) if after else 0
            fits = max(possible) >= _OLDEST <= shown if int(before[1]) > _OLDEST else shown in possible
            if not fits:
                errors.append(f"{pair.original} → {pair.surrogate}, expected {sorted(possible)}")
    return Count(len(errors), checked, tuple(errors))


def age(birth: date, day: date) -> int:
    """Return somebody's age on a day in years."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
