"""Write a date to the month or to the year, for ``precision`` in a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plainsight.locale.calendar import Calendar
from plainsight.locale.date_grammar import NUMERIC, Values, WrittenDate
from plainsight.locale.date_render import render_date

_FINER = {"month": ("day", "nth", "week", "weekday"), "year": ("month", "season", "quarter")}


def coarse_date(
    written: WrittenDate, points: Sequence[Values], precision: Literal["month", "year"], calendar: Calendar
) -> str:
    """Return a shifted date to the month or year; nothing if it does not name one.

    What is no finer than that stays in its form.

    >>> from plainsight.locale.calendar import load_calendar
    >>> from plainsight.locale.date_grammar import parse_date
    >>> calendar = load_calendar("en_US")
    >>> for text in ("Tuesday, March 5, 2019", "3/5/2019", "2019-03-05", "the 5th", "summer 2019"):
    ...     written = parse_date(text, calendar)[0]
    ...     [coarse_date(written, written.values(2030), unit, calendar) for unit in ("month", "year")]
    ['March 2019', '2019']
    ['3/2019', '2019']
    ['2019-03', '2019']
    ['', '']
    ['summer 2019', '2019']
    """
    finer = _FINER["month"] + (_FINER["year"] if precision == "year" else ())
    if not any(role in point for point in points for role in finer):
        return render_date(written, points, calendar, month_from=[None] * len(points))
    made = dict.fromkeys(_coarse(written, point, precision, calendar) for point in points)
    return " to ".join(made) if all(made) and len(made) < 3 else ""


def _coarse(
    written: WrittenDate, point: Values, precision: Literal["month", "year"], calendar: Calendar
) -> str:
    year, month = point.get("year"), point.get("month")
    if precision == "year" or month is None:
        return str(year) if year is not None and precision == "year" else ""
    if year is None or written.form not in (*NUMERIC, "ymd", "ydm"):
        name = calendar.month_names[calendar.language][month - 1]
        return name if year is None else f"{name} {year}"
    return f"{year}-{month:02d}" if written.form in ("ymd", "ydm") else f"{month}/{year}"
