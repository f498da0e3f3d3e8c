"""Dates: whether they keep their format, and the days between them.

Dates are read with the grammar that shifts them (`plainsight.locale.date_grammar`). Intervals are measured
between full dates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from plainsight.evaluate.surrogates.forms import is_tag
from plainsight.evaluate.surrogates.pairs import Count, Note, all_pairs
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import Calendar, fold, load_calendar
from plainsight.locale.date_grammar import DAY_FIRST, WrittenDate, parse_date
from plainsight.locale.date_render import repair_ocr
from plainsight.locale.date_tokens import JOINTS, Token, tokenise
from plainsight.locale.holidays import load_holidays

_DAYS = re.compile(r"(.*\d)\s*[-–]\s*\d{1,2}")
_CROSSED = re.compile(r"([^-–]*\d)\s*[-–]\s*(?:\d{1,2}/|[^\W\d_]{3,}\.? )\d{1,2}")  # Sep 30-Oct 7
_LATEST_YEAR = 2030
_CENTURY = 100
_FUTURE = 3  # a two-digit year more years ahead of all other dates is of the last century
_OLDEST = 89


def same_format(original: str, released: str) -> bool | None:
    """Whether a date is written as before; None for holidays, which have no format to keep.

    >>> same_format("3/4/2019", "11/27/2019"), same_format("03/04/19", "3/4/19")
    (True, False)
    >>> same_format("Christmas", "March 3") is None
    True
    """
    calendar = load_calendar(DEFAULT_LOCALE)
    left, right = _tokens(original, calendar), _tokens(released, calendar)
    holiday = load_holidays(DEFAULT_LOCALE).find(original)
    if (holiday and holiday.rule) or any(token.kind == "x" for token in left):
        return None
    if (days := _DAYS.fullmatch(original)) and (ends := _CROSSED.fullmatch(released)):
        return same_format(days[1], ends[1])
    if all(token.kind in JOINTS + "w" for token in left + right):  # MWF, T/Th
        return True
    return len(left) == len(right) and all(
        _is_alike(*pair, calendar) for pair in zip(left, right, strict=True)
    )


def _tokens(text: str, calendar: Calendar) -> list[Token]:
    text = text.replace("mid-", "mid ")  # early May becomes mid-May
    tokens = tokenise(text, calendar)
    return tokenise(repair_ocr(text), calendar) if any(token.kind == "x" for token in tokens) else tokens


def _is_alike(left: Token, right: Token, calendar: Calendar) -> bool:
    """Whether two tokens are of one kind and written in one style."""
    if left.kind in JOINTS or left.kind != right.kind:
        return left.text == right.text
    if left.text[-1].isdigit() and right.text[-1].isdigit():
        padded = left.text[0] == "0" or right.text[0] == "0"
        return len(left.text) == len(right.text) or (left.kind == "N" and not padded)
    if left.kind == "M":
        full = calendar.is_full_month(left.text), calendar.is_full_month(right.text)
        stop = left.text[-1] == right.text[-1] or "." not in (left.text[-1], right.text[-1])
        uncut = any(fold(token.text) in calendar.uncut_months for token in (left, right))  # Apr. 3, May 3
        return (uncut or (stop and full[0] == full[1])) and _case(left.text) == _case(right.text)
    if left.kind == "W" and calendar.is_short_weekday(left.text) != calendar.is_short_weekday(right.text):
        return False
    return _case(left.text) == _case(right.text) or left.kind == "w"


def _case(word: str) -> str:
    return "upper" if word.isupper() else "lower" if word.islower() else "title"


def changed_formats(notes: Iterable[Note]) -> Count:
    """Count the dates that are written in another format than before; a label in their place has none."""
    dates = [pair for pair in all_pairs(notes) if pair.label == "DATE" and not is_tag(pair.surrogate)]
    same = {pair: same_format(pair.original, pair.surrogate) for pair in dates}
    errors = tuple(f"{pair.original} → {pair.surrogate}" for pair in dates if same[pair] is False)
    return Count(len(errors), sum(same[pair] is not None for pair in dates), errors)


def names_day(text: str, shift: int | None) -> bool:
    """Whether a date names a day, so that it must change when all days are shifted.

    A weekday may stay when the shift is of whole weeks, a day without its year when it is of a year; years,
    months, seasons and holidays name no day.

    >>> [names_day(text, 30) for text in ("11/13", "Nov 13", "Tuesday", "11/2013", "2013", "Nov 2013")]
    [True, True, True, False, False, False]
    """
    readings = parse_date(text, load_calendar(DEFAULT_LOCALE))
    roles = [{field.role for field in reading.fields} for reading in readings]
    if any({"year", "month", "day"} <= named for named in roles):
        return True
    if any({"month", "day"} <= named for named in roles):
        return shift is None or abs(shift) not in (365, 366)
    return any("weekday" in named for named in roles) and not (shift and shift % 7 == 0)


# --- intervals --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FullDate:
    """A full date: the days it may be, month first and day first, and whether its century is a guess."""

    readings: tuple[date | None, date | None]
    short_year: bool


def _read(text: str) -> FullDate | None:
    """Read a full date, with or without a weekday before it; None when it is none."""
    readings = [
        reading
        for reading in parse_date(text, load_calendar(DEFAULT_LOCALE))
        if reading.points == 1 and {"year", "month", "day"} <= reading.roles.keys()
    ]
    if not readings:
        return None
    month_first = next((r for r in readings if r.form not in DAY_FIRST), readings[0])
    day_first = next((r for r in readings if r.form in DAY_FIRST), month_first)
    days = _full_day(month_first), _full_day(day_first)
    return FullDate(days, readings[0].roles["year"].value < 100) if any(days) else None


def _full_day(reading: WrittenDate) -> date | None:
    values = reading.values(_LATEST_YEAR)[0]
    return _day(values["year"], values["month"], values["day"])


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def full_dates(notes: Iterable[Note]) -> list[tuple[Note, FullDate, FullDate | None]]:
    """Return the full dates of the notes, as they were and as they are."""
    return [
        (note, was, _read(pair.surrogate))
        for note in notes
        for pair in note.pairs
        if pair.label == "DATE" and (was := _read(pair.original))
    ]


def shifts(was: FullDate, now: FullDate | None) -> set[int]:
    """Return by how many days a date may have moved: month first, day first, over a turn of the century."""
    found = set()
    for before, after in zip(was.readings, now.readings, strict=True) if now else ():
        if before and after:
            for years in (-_CENTURY, 0, _CENTURY) if was.short_year else (0,):
                other = _day(after.year + years, after.month, after.day)
                found |= {(other - before).days} if other else set()
    return found


def shift_of(notes: Sequence[Note]) -> int | None:
    """Return the days by which most of a patient's full dates moved."""
    return _common_shift(full_dates(notes))


def _common_shift(dates: Sequence[tuple[Note, FullDate, FullDate | None]]) -> int | None:
    counts = Counter(days for _, was, now in dates for days in shifts(was, now))
    return min(counts, key=lambda days: (-counts[days], abs(days))) if counts else None


def _shows_age(was: FullDate, others: Iterable[FullDate]) -> bool:
    """Whether a date lies so far back that a patient born then is over 89 by the latest of the others."""
    latest = max((day for other in others for day in other.readings if day), default=date.min)
    days = [day for day in was.readings if day]
    if was.short_year and min(days).year > latest.year + _FUTURE:
        days = [day.replace(year=day.year - _CENTURY, day=min(day.day, 28)) for day in days]
    return all((latest - day).days > _OLDEST * 365.25 for day in days)


def moved(notes: Sequence[Note], *, hidden: bool = False) -> list[tuple[date, int | None, str]]:
    """Return each full date: the day it was, by how many days it moved, and both texts.

    It moved by the patient's shift if that is possible, else by the shortest; None if it is no full date any
    longer. A date that shows an age over 89 is left out unless ``hidden``: it must be hidden, so it has to
    move otherwise.
    """
    every = [
        (pair, was, _read(pair.surrogate))
        for pair in all_pairs(notes)
        if pair.label == "DATE" and (was := _read(pair.original))
    ]
    common = shift_of(notes)
    found = []
    for pair, was, now in every:
        if hidden or not _shows_age(was, {other for _, other, _ in every} - {was}):
            possible = shifts(was, now)
            days = common if common in possible else min(possible, key=abs, default=None)
            day = next(day for day in was.readings if day)
            found.append((day, days, f"{pair.original} → {pair.surrogate}"))
    return found


def changed_intervals(notes: Sequence[Note]) -> Count:
    """Count the pairs of a patient's full dates whose interval changed; a lost date changes all its own."""
    dates = moved(notes)
    counts = Counter(days for _, days, _ in dates if days is not None)
    unchanged = sum(count * (count - 1) // 2 for count in counts.values())
    pairs = len(dates) * (len(dates) - 1) // 2
    return Count(pairs - unchanged, pairs)
