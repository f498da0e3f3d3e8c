"""Move a date by a number of days, as finely as it is given.

Days move by the offset itself, so that the interval between any two of them stays. What is coarser moves by
the offset rounded to its own unit (months, seasons, quarters, years, decades, or thirds of them): intervals
between two months or two years stay exact as well, and between a year and a day they are right to the year.
"""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from plainsight.locale.date_grammar import Role, Values, WrittenDate

_YEAR = 365.2425
_UNITS: dict[Role, tuple[int, float]] = {  # how many in a year, and days in each
    "month": (12, _YEAR / 12),
    "season": (4, _YEAR / 4),
    "quarter": (4, _YEAR / 4),
    "year": (1, _YEAR),
}
_ROUND = 364
# Notes speak more of what was than of what is to come.
_LOOK_BACK = timedelta(days=60)


def day_of(point: Mapping[Role, int], around: date) -> date:
    """Return the day of a point, with what it leaves out taken from a day nearby.

    A day that its month does not have runs over into the next month. If several days are possible and only
    one of them falls on the given weekday, it is that one.
    """
    days = _candidates(point, around)
    if len(days) == 1:
        return days[0]
    agreeing = [day for day in days if day.weekday() == point.get("weekday")]
    middle = around if "month" not in point else around - _LOOK_BACK
    return min(agreeing or days, key=lambda day: abs(day - middle))


def _candidates(point: Mapping[Role, int], around: date) -> list[date]:
    year, month, day = point.get("year"), point.get("month"), point.get("day", 1)
    if month is None:
        first = around.replace(day=1)
        months = (first - timedelta(days=1), first, first + timedelta(days=32))
        fitting = [m for m in months if monthrange(m.year, m.month)[1] >= day]
        return [m.replace(day=day) for m in fitting or months[1:2]]
    if "week" in point:
        day = 7 * point["week"] - 3  # its middle
    if "nth" in point:
        first = date(year or around.year, month, 1)
        ahead = (point["weekday"] - first.weekday()) % 7 + 7 * (point["nth"] - 1)
        return [first + timedelta(days=ahead)]
    if year is not None:
        return [day_or_later(year, month, day)]
    if (month, day) == (2, 29):
        years = range(max(4, around.year - 8), around.year + 8)
        return [date(y, 2, 29) for y in years if isleap(y)]
    return [day_or_later(y, month, day) for y in range(max(1, around.year - 1), around.year + 2)]


def day_or_later(year: int, month: int, day: int) -> date:
    """Return a day; one that its month does not have is as much later: February 30 is March 1 or 2."""
    return date(year, month, 1) + timedelta(days=day - 1)


def shift(point: Mapping[Role, int], offset: int, around: date, *, keep_year: bool = False) -> Values:
    """Return where a point comes to lie; with ``keep_year``, in the same year (see `shift_days`).

    >>> shift({"year": 2019, "month": 12, "day": 31}, 60, date(2020, 1, 1))
    {'year': 2020, 'month': 2, 'day': 29}
    >>> shift({"month": 3}, -100, date(2020, 1, 1)), shift({"year": 1999, "season": 3}, 90, date(2020, 1, 1))
    ({'month': 12}, {'season': 0, 'year': 2000})
    """
    new: Values = {}
    if "nth" in point and "month" not in point:
        new = {"nth": point["nth"]}  # the second Tuesday of any month: only its weekday moves
    elif "day" in point or "nth" in point or "week" in point:
        start = day_of(point, around)
        day = start + timedelta(days=shift_days(start, offset, keep_year=keep_year))
        which = (day.day - 1) // 7 + 1
        new = {"year": day.year, "month": day.month, "day": day.day, "nth": which, "week": which}
    elif "decade" in point:
        moved = 0 if keep_year else offset
        place, third = _shift_unit(point["decade"] // 10, point.get("third"), 10 * _YEAR, moved)
        new = {"decade": 10 * place, "third": third}
    elif role := next((role for role in _UNITS if role in point), None):
        per_year, days = _UNITS[role]
        first = int(role == "month")  # months count from 1
        place = point["year"] if role == "year" else point.get("year", 0) * per_year + point[role] - first
        place, third = _shift_unit(place, point.get("third"), days, offset)
        year = point.get("year", 0) if keep_year else place // per_year
        new = {role: place % per_year + first, "year": year, "third": third}
    if "weekday" in point:
        new["weekday"] = (point["weekday"] + offset) % 7
    return {role: new[role] for role in new if role in point}


def shift_days(day: date, offset: int, *, keep_year: bool) -> int:
    """Return by how many days a day moves.

    To keep its year it goes round in it. A round has 52 weeks, so that weekdays stay.
    """
    if not keep_year:
        return offset
    place = (day - date(day.year, 1, 1)).days
    return (place + offset) % _ROUND - place


def shift_season(points: Sequence[Values], offset: int, *, keep_year: bool = False) -> list[Values]:
    """Return where a season of several years comes to lie.

    A winter of two years is one season. If it becomes another, it has one year only.

    >>> shift_season([{"season": 0, "year": 2015}, {"year": 2016}], 365)
    [{'season': 0, 'year': 2016}, {'year': 2017}]
    >>> shift_season([{"season": 0, "year": 2015}, {"year": 2016}], 91)
    [{'season': 1, 'year': 2016}]
    """
    first, last = points
    season, per_year = first["season"], _UNITS["season"][0]
    if keep_year:
        return [first, last]
    is_one = season == 0 and last["year"] - first["year"] == 1
    steps = round(offset / _UNITS["season"][1])
    places = [per_year * point["year"] + season + steps for point in points]
    if is_one and places[1] % per_year:
        return [{"season": places[1] % per_year, "year": places[1] // per_year}]
    years = [place // per_year for place in places]
    return [{"season": places[0] % per_year, "year": years[0]}, {"year": years[1]}]


def _shift_unit(place: int, third: int | None, days: float, offset: int) -> tuple[int, int]:
    """Move the number of a unit, such as a month, by the offset; or the number of a third of it."""
    if third is None:
        return place + round(offset / days), 0
    return divmod(3 * place + third + round(3 * offset / days), 3)


# --- ranges -----------------------------------------------------------------------------------------------


def complete(points: Sequence[Values], written: WrittenDate) -> tuple[list[Values], list[int | None]]:
    """Fill in what the points of one date share: in ``June 3-7, 2019`` both days are in June 2019.

    Returns the points, and for each the place of the one that its month comes from.
    """
    filled = [point.copy() for point in points]
    month_from: list[int | None] = [None] * len(points)
    for field in written.fields:  # 1928-31: the short year is of the century of the one before it
        if field.role == "year" and field.point > 0 and field.value < 100:
            start = filled[field.point - 1].get("year")
            if start is not None:
                filled[field.point]["year"] = start + (field.value - start) % 100
    for place, point in enumerate(filled):
        if "day" in point and "month" not in point:
            month_from[place] = _borrow_month(filled, place)
    for place in reversed(range(len(filled) - 1)):
        _borrow_year(filled[place], filled[place + 1], later=True)
    for place in range(1, len(filled)):
        _borrow_year(filled[place], filled[place - 1], later=False)
    return filled, month_from


def _borrow_month(points: list[Values], place: int) -> int | None:
    """Take the month from the point before, or after; a day that would run backwards is of the next month."""
    for lender in (place - 1, place + 1):
        if 0 <= lender < len(points) and "month" in points[lender]:
            point, other = points[place], points[lender]
            turn = (point["day"] < other["day"]) if lender < place else -(point["day"] > other["day"])
            month = other["month"] - 1 + turn
            point["month"] = month % 12 + 1
            if "year" in other:
                point["year"] = other["year"] + month // 12
            return lender
    return None


def _borrow_year(point: Values, other: Values, *, later: bool) -> None:
    if "year" in other and "year" not in point and point.keys() & {"month", "season", "quarter"}:
        mine, its = _place_in_year(point), _place_in_year(other)
        point["year"] = other["year"] - (mine > its if later else -(mine < its))


def _place_in_year(point: Values) -> tuple[int, int]:
    return point.get("month", point.get("season", point.get("quarter", 0))), point.get("day", 0)
