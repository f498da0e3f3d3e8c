"""Move a point in time by a number of days, as finely as it is told.

Days move by the offset itself, so that the interval between any two of them stays. What is coarser moves by
the offset rounded to its own unit (months, seasons, quarters, years, decades, or thirds of them): intervals
between two months or two years stay exact as well, and between a year and a day they are right to the year.
"""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Mapping
from datetime import date, timedelta

from plainsight.replace.surrogate.dates.forms import Role

__all__ = ["Point", "day_of", "full_year", "moved", "odd_number", "overflowing"]

Point = dict[Role, int]
"""What one point of a date says, by role; years are whole."""

_YEAR = 365.2425
_UNITS: dict[Role, tuple[int, float]] = {
    "month": (12, _YEAR / 12),
    "season": (4, _YEAR / 4),
    "quarter": (4, _YEAR / 4),
    "year": (1, _YEAR),
}
# Notes speak more of what was than of what is to come.
_LOOK_BACK = timedelta(days=60)


def full_year(digits: int, latest: int) -> int:
    """Return the last year up to ``latest`` that ends in these two digits.

    >>> full_year(99, 2024), full_year(26, 2034), full_year(2019, 0)
    (1999, 2026, 2019)
    """
    return digits if digits > 99 else latest - (latest - digits) % 100


def day_of(point: Mapping[Role, int], around: date) -> date:
    """Return the day that a point means, what it leaves out taken from a day nearby.

    A day that its month does not have runs over into the next month. A weekday that agrees with only one of
    the days in question settles which.
    """
    days = _candidates(point, around)
    if len(days) == 1:
        return days[0]
    weekday = point.get("weekday")
    agreeing = [day for day in days if day.weekday() == weekday]
    middle = around if "month" not in point else around - _LOOK_BACK
    return min(agreeing or days, key=lambda day: abs(day - middle))


def _candidates(point: Mapping[Role, int], around: date) -> list[date]:
    year, month, day = point.get("year"), point.get("month"), point.get("day", 1)
    if "nth" in point and month is not None:
        first = date(year or around.year, month, 1)
        ahead = (point["weekday"] - first.weekday()) % 7 + 7 * (point["nth"] - 1)
        return [first + timedelta(days=ahead)]
    if month is None:
        first = around.replace(day=1)
        months = (first - timedelta(days=1), first, first + timedelta(days=32))
        fitting = [m for m in months if monthrange(m.year, m.month)[1] >= day]
        return [m.replace(day=day) for m in fitting or months[1:2]]
    if year is not None:
        return [overflowing(year, month, day)]
    years = range(max(1, around.year - 1), around.year + 2)
    if (month, day) == (2, 29):
        years = range(max(4, around.year - 8), around.year + 8)
        return [date(y, 2, 29) for y in years if isleap(y)]
    return [overflowing(y, month, day) for y in years]


def overflowing(year: int, month: int, day: int) -> date:
    """Return a day; one that its month does not have is as much later: February 30 is March 1 or 2."""
    return date(year, month, day) if 0 < day < 29 else date(year, month, 1) + timedelta(days=day - 1)


def moved(point: Mapping[Role, int], offset: int, around: date) -> Point:
    """Return where a point comes to lie.

    >>> moved({"year": 2019, "month": 12, "day": 31}, 60, date(2020, 1, 1))
    {'year': 2020, 'month': 2, 'day': 29}
    >>> moved({"month": 3}, -100, date(2020, 1, 1)), moved({"year": 1999, "season": 3}, 90, date(2020, 1, 1))
    ({'month': 12}, {'season': 0, 'year': 2000})
    """
    new: Point = {}
    if len(point) == 3 and "year" in point and "month" in point and "day" in point:  # as most dates have it
        day = overflowing(point["year"], point["month"], point["day"]) + timedelta(days=offset)
        return {"year": day.year, "month": day.month, "day": day.day}
    if "nth" in point and "month" not in point:
        new = {"nth": point["nth"]}  # the second Tuesday of any month: only its weekday moves
    elif "day" in point or "nth" in point:
        day = day_of(point, around) + timedelta(days=offset)
        new = {"year": day.year, "month": day.month, "day": day.day}
        if "nth" in point:
            new["nth"] = (day.day - 1) // 7 + 1
    elif "decade" in point:
        new = _on_grid(point, "decade", 1, 10 * _YEAR, offset)
    else:
        role: Role | None = next((role for role in _UNITS if role in point), None)
        if role:
            new = _on_grid(point, role, *_UNITS[role], offset)
    if "weekday" in point:
        new["weekday"] = (point["weekday"] + offset) % 7
    return new if new.keys() == point.keys() else {role: new[role] for role in new if role in point}


def _on_grid(point: Mapping[Role, int], role: Role, per_year: int, unit: float, offset: int) -> Point:
    """Move a point on the grid of its unit."""
    base = {"month": 1, "decade": 0, "year": 0}.get(role, 0)
    if role == "decade":
        place = point["decade"] // 10
    elif role == "year":
        place = point["year"]
    else:
        place = point.get("year", 0) * per_year + point[role] - base
    if "third" in point:
        place, third = divmod(3 * place + point["third"] + round(3 * offset / unit), 3)
    else:
        place, third = place + round(offset / unit), 0
    if role == "decade":
        return {"decade": 10 * place, "third": third}
    if role == "year":
        return {"year": place, "third": third}
    return {role: place % per_year + base, "year": place // per_year, "third": third}


def odd_number(value: int, offset: int, digits: int) -> int:
    """Return what a number that belongs to no date becomes: a month or day one like it, others what they are.

    >>> odd_number(45, 100, 2), odd_number(0, 100, 2), odd_number(13, -40, 2)
    (77, 0, 30)
    """
    if value == 0:
        return 0
    highest = int("9" * digits)
    low, high = (1, 12) if value <= 12 else (13, 31) if value <= 31 else (32, highest)
    size = min(high, highest) - low + 1
    return low + (value - low + (offset % size or 1)) % size
