"""What the points of one date share: in ``June 3-7, 2019`` both days are in June, and both in 2019."""

from __future__ import annotations

from collections.abc import Sequence

from plainsight.replace.surrogate.dates.forms import Form
from plainsight.replace.surrogate.dates.shift import Point

__all__ = ["shared"]


def shared(points: Sequence[Point], form: Form) -> tuple[list[Point], list[int | None]]:
    """Return the points with what they take from their neighbours, and from which one each has its month."""
    made = list(points)
    lenders: list[int | None] = [None] * len(points)
    if len(made) == 1:
        return made, lenders
    made = [point.copy() for point in points]
    _short_years(made, form)
    for place, point in enumerate(made):
        if "day" in point and "month" not in point:
            lenders[place] = _borrow_month(made, place)
    for place in reversed(range(len(made))):
        _borrow_year(made, place, later=True)
    for place in range(len(made)):
        _borrow_year(made, place, later=False)
    return made, lenders


def _short_years(points: list[Point], form: Form) -> None:
    """Read the short year of ``1928-31`` in the century of the one before it."""
    for place in range(1, len(points)):
        start = points[place - 1].get("year")
        for field in form.fields:
            if field.role == "year" and field.point == place and field.value < 100 and start is not None:
                points[place]["year"] = start + (field.value - start) % 100


def _borrow_month(points: list[Point], place: int) -> int | None:
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


def _borrow_year(points: list[Point], place: int, *, later: bool) -> None:
    other = place + 1 if later else place - 1
    if not 0 <= other < len(points) or "year" in points[place] or "year" not in points[other]:
        return
    if not points[place].keys() & {"month", "season", "quarter"}:
        return
    mine, its = _in_year(points[place]), _in_year(points[other])
    points[place]["year"] = points[other]["year"] - (mine > its if later else -(mine < its))


def _in_year(point: Point) -> tuple[int, int]:
    return point.get("month", point.get("season", point.get("quarter", 0))), point.get("day", 0)
