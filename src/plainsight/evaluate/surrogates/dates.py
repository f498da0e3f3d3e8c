"""Dates: whether they keep their format, and the days between them.

A date's format is its row of fields: numbers with their padding, words by what they are (a long month, a
short weekday) and by their case, and the signs between them. Intervals are measured between full dates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from plainsight.evaluate.surrogates.counts import Count
from plainsight.evaluate.surrogates.pairs import Note

__all__ = [
    "changed_formats",
    "changed_intervals",
    "full_dates",
    "names_day",
    "same_format",
    "shift_of",
    "shifts",
]

_FIELD = re.compile(r"\d+(?:(?:st|nd|rd|th)(?![a-z]))?|[^\W\d_]+|[\W_]+", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_DAYS = re.compile(r"(.*\d)\s*[-–]\s*\d{1,2}")
_CROSSED = re.compile(r"([^-–]*\d)\s*[-–]\s*(?:\d{1,2}/|[^\W\d_]{3,}\.? )\d{1,2}")  # Sep 30-Oct 7
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = frozenset(("spring", "summer", "fall", "autumn", "winter"))
_NUMBER = re.compile(
    r"oh|one|two|three|ten|eleven|twelve|hundred|thousand|(?:four|six|seven|eigh|nine)(?:t|teen)?|five"
    r"|(?:thir|fif)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|first|second|third|twelfth|ninth|fifth"
    r"|(?:four|six|seven|eigh|ten|eleven|(?:thir|four|fif|six|seven|eigh|nine)teen)t?h|(?:twen|thir)tieth"
)
_DAY_CODES = re.compile(r"(?:m|t|w|r|f|s|u|th|tu|sa|su|h)+")
_PLAIN = re.compile(r"of|the|and|to|in|on|at|years?|s|mid|early|late")


def same_format(original: str, released: str) -> bool | None:
    """Tell whether a date is written as before; None for holidays, which have no format to keep.

    >>> same_format("3/4/2019", "11/27/2019"), same_format("03/04/19", "3/4/19")
    (True, False)
    >>> same_format("Christmas", "March 3") is None
    True
    """
    if "may" in _LETTERS.findall(original.casefold() + " " + released.casefold()):  # Apr. 3, but May 3
        original, released = original.replace(".", ""), released.replace(".", "")
    left, right = _joined(_FIELD.findall(original)), _joined(_FIELD.findall(released))
    if any(_word(field) == "other" for field in left):
        return None
    if (days := _DAYS.fullmatch(original)) and (ends := _CROSSED.fullmatch(released)):
        return same_format(days[1], ends[1])
    return len(left) == len(right) and all(map(_alike, left, right))


def _joined(fields: list[str]) -> list[str]:
    """Take number words that stand together as one: ``thirtieth`` may become ``twenty-first``."""
    joined: list[str] = []
    for place, field in enumerate(fields):
        number = _word(field) == "number"
        if number and place >= 2 and fields[place - 1] in (" ", "-") and _word(fields[place - 2]) == "number":
            joined.pop()  # the first of them stands for all
        else:
            joined.append(field)
    return joined


def _alike(left: str, right: str) -> bool:
    if left[0].isdigit() and right[0].isdigit():
        ordinals = left.lstrip("0123456789"), right.lstrip("0123456789")
        if bool(ordinals[0]) != bool(ordinals[1]) or (ordinals[0] and not _case(*ordinals)):
            return False
        left, right = left.removesuffix(ordinals[0]), right.removesuffix(ordinals[1])
        if len(left) > 2 or len(right) > 2:
            return len(left) == len(right)
        if left[0] == "0" or right[0] == "0":  # padding shows: what is padded stays two digits wide
            return len(left) == len(right)
        return True
    if left[0].isalpha() and right[0].isalpha():
        kinds = _word(left), _word(right)
        if "month" in kinds:
            return all(kind.startswith("month") for kind in kinds) and _case(left, right)
        if kinds == ("codes", "codes"):  # MWF, TTh
            return True
        return kinds[0] == kinds[1] and (kinds[0] != "plain" or left == right) and _case(left, right)
    return left == right


def _word(word: str) -> str:
    """Tell what a word of a date is."""
    if not word[0].isalpha():
        return ""
    low = word.casefold()
    if _PLAIN.fullmatch(low):
        return "plain"
    if _NUMBER.fullmatch(low):
        return "number"
    if low in _SEASONS:
        return "season"
    if low in ("may", "june", "july"):  # long and, to many writers, short
        return "month"
    if any(low[:3] == name[:3] and len(low) <= len(name) + 2 for name in _WEEKDAYS):
        return "weekday long" if len(low) > 5 else "weekday short"  # thurs
    if whole := next((name for name in _MONTHS if low[:3] == name[:3] and len(low) <= len(name) + 2), ""):
        return "month long" if len(low) > 4 or low == whole else "month short"  # sept
    return "codes" if _DAY_CODES.fullmatch(low) else "other"


def _case(left: str, right: str) -> bool:
    def case(word: str) -> str:
        return "upper" if word.isupper() else "lower" if word.islower() else "title"

    return case(left) == case(right) or min(len(left), len(right)) == 1


def changed_formats(notes: Iterable[Note]) -> Count:
    """Count the dates that are written in another format than before."""
    told = [
        same_format(pair.original, pair.surrogate)
        for note in notes
        for pair in note.pairs
        if pair.label == "DATE"
    ]
    return Count(told.count(False), len(told) - told.count(None))


# --- intervals --------------------------------------------------------------------------------------------

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{2}|\d{4})")
_DAY_MONTH = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th)?[\s\-./]*([^\W\d_]{3,9})\.?[,\s\-./']*((?:\d{2})?\d{2})", re.IGNORECASE
)
_MONTH_DAY = re.compile(  # no hyphen before the year: Aug 30-31 are two days
    r"([^\W\d_]{3,9})\.?[\s\-./]*(\d{1,2})(?:st|nd|rd|th)?(?:,\s*|[\s./']+)((?:\d{2})?\d{2})", re.IGNORECASE
)
_WEEKDAY_BEFORE = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]*\s+", re.IGNORECASE)
_PIVOT = 30  # two digits above it are of the last century
_CENTURY = 100
_FUTURE = 3  # years ahead of all other dates: a year of two digits is of the last century, then
_OLDEST = 89


@dataclass(frozen=True, slots=True)
class Full:
    """A full date: the days it may be, month first and day first, and whether its century is a guess."""

    readings: tuple[date | None, date | None]
    short_year: bool


def _read(text: str) -> Full | None:
    """Read a full date, with or without a weekday before it; None when it is none."""
    text = _WEEKDAY_BEFORE.sub("", text.strip())
    if hit := _ISO.fullmatch(text):
        return _full(hit[1], (int(hit[3]), int(hit[4])))
    if hit := _NUMERIC.fullmatch(text):
        one, two = int(hit[1]), int(hit[3])
        return _full(hit[4], (one, two), (two, one))
    if hit := _DAY_MONTH.fullmatch(text):
        return _full(hit[3], (_month(hit[2]), int(hit[1])))
    if hit := _MONTH_DAY.fullmatch(text):
        return _full(hit[3], (_month(hit[1]), int(hit[2])))
    return None


def _full(year: str, first: tuple[int, int], other: tuple[int, int] | None = None) -> Full | None:
    """Make a date of a year and month and day, as far as there are such days."""
    short = len(year) == 2
    number = int(year) + (0 if not short else 1900 if int(year) > _PIVOT else 2000)
    readings = _day(number, *first), _day(number, *(other or first))
    return Full(readings, short) if any(readings) else None


def _month(word: str) -> int:
    return next((n for n, name in enumerate(_MONTHS, 1) if name[:3] == word.casefold()[:3]), 0)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def full_dates(notes: Iterable[Note]) -> list[tuple[Note, Full, Full | None]]:
    """Return the full dates of the notes, as they were and as they are."""
    return [
        (note, was, _read(pair.surrogate))
        for note in notes
        for pair in note.pairs
        if pair.label == "DATE" and (was := _read(pair.original))
    ]


def shifts(was: Full, now: Full | None) -> set[int]:
    """Return by how many days a date may have moved: month first, day first, over a turn of the century."""
    if now is None:
        return set()
    found = set()
    for before, after in zip(was.readings, now.readings, strict=True):
        if before and after:
            found.add((after - before).days)
            if was.short_year:
                for years in (-_CENTURY, _CENTURY):
                    other = _day(after.year + years, after.month, after.day)
                    found |= {(other - before).days} if other else set()
    return found


def shift_of(notes: Sequence[Note]) -> int | None:
    """Return the days by which the most of a patient's full dates moved."""
    return _common(full_dates(notes))


def _common(dates: Sequence[tuple[Note, Full, Full | None]]) -> int | None:
    told = Counter(days for _, was, now in dates for days in shifts(was, now))
    return min(told, key=lambda days: (-told[days], abs(days))) if told else None


_YEARLESS = re.compile(r"(?<![\d/.-])(\d{1,2})[-/.](\d{1,2})(?![\d/.]|-\d)")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)?", re.IGNORECASE)
_SPELLED = re.compile(r"first|second|third|.*(?:th|tieth)")
_YEAR, _WEEK, _LEAP = (365, 366), 7, 2000


def names_day(text: str, shift: int | None) -> bool:
    """Tell whether a date names a day, so that it cannot be as it was once the days have moved by a shift.

    A weekday may stay when the shift is of whole weeks, a day without its year when it is of a year; years,
    months, seasons and holidays name no day.

    >>> [names_day(text, 30) for text in ("11/13", "Nov 13", "Tuesday", "11/2013", "2013", "Nov 2013")]
    [True, True, True, False, False, False]
    """
    if _read(text):
        return True
    fields = _joined(_FIELD.findall(text))
    kinds = [_word(field) for field in fields]
    if "other" in kinds:
        return False
    spelled = any(
        kind == "number" and _SPELLED.fullmatch(field.casefold())
        for field, kind in zip(fields, kinds, strict=True)
    )
    numbers = any(_ORDINAL.fullmatch(field) for field in fields)
    if any(kind.startswith("month") for kind in kinds):
        day = (numbers or spelled) and "'" not in text and "’" not in text
    else:
        day = any(
            _day(_LEAP, int(one), int(two)) or _day(_LEAP, int(two), int(one))
            for one, two in _YEARLESS.findall(text)
        )
    if day:
        return shift is None or abs(shift) not in _YEAR
    weekly = any(kind.startswith("weekday") or kind == "codes" for kind in kinds)
    return weekly and not (shift and shift % _WEEK == 0)


def _shows_age(was: Full, others: Iterable[Full]) -> bool:
    """Whether a date lies so far back that a patient born then is over 89 by the latest of the others."""
    latest = max((day for other in others for day in other.readings if day), default=date.min)
    days = [day for day in was.readings if day]
    if was.short_year and min(days).year > latest.year + _FUTURE:
        days = [day.replace(year=day.year - _CENTURY, day=min(day.day, 28)) for day in days]
    return all((latest - day).days > _OLDEST * 365.25 for day in days)


def changed_intervals(notes: Sequence[Note]) -> Count:
    """Count the pairs of a patient's full dates whose interval changed: all those of a date that was lost.

    A date that shows an age over 89 is left out: it is meant to be hidden, so its intervals have to change.
    """
    every = full_dates(notes)
    dates = [item for item in every if not _shows_age(item[1], {other for _, other, _ in every} - {item[1]})]
    common = _common(dates)
    moved: Counter[int | None] = Counter()
    broken = 0
    for _, was, now in dates:
        possible = shifts(was, now)
        if not possible:
            broken += 1
        else:
            moved[common if common in possible else min(possible, key=abs)] += 1
    kept = sum(count * (count - 1) // 2 for count in moved.values())
    pairs = len(dates) * (len(dates) - 1) // 2
    return Count(pairs - kept, pairs)
