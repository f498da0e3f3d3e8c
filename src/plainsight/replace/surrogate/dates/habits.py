"""How one note writes its dates: which of day and month comes first, whether with zeros, around which day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from plainsight.hipaa import LATEST_YEAR
from plainsight.replace.surrogate.dates.calendar_words import fold
from plainsight.replace.surrogate.dates.forms import Field, Form
from plainsight.replace.surrogate.dates.shift import Point, day_of, full_year

__all__ = ["Habits", "Seen", "learn"]

_HEADER = 600
_LONG_AFTER = timedelta(days=400)
_CLOSE = 31
_AHEAD = 10
"""How many years ahead of its note a date of two digits may lie, as the end of a card or a stock does."""

_BIRTH = re.compile(
    r"(?:\bd\.?\s?o\.?\s?b\b\.?|\bdob|\bborn\b|\bbirth(?:\s?date|day|dt)?\b|\bb-?day\b|\bb\.|\bnacid[oa]\b|\bnacimiento\b)"
    r"[^\w\n]{0,6}(?:(?:on|in|the|date|is|was|of|sex|age|about|circa|dt|[MF])[^\w\n]{1,4}){0,3}$",
    re.IGNORECASE,
)
_BIRTH_AFTER = re.compile(r"\s?[(,]?\s?(?:DOB|d\.o\.b|\(?birth)", re.IGNORECASE)
_EXPIRY = re.compile(r"\bexp(?:\.|ir(?:es|y|ation))?[^\w\n]{0,4}(?:date|dt|on)?[^\w\n]{0,4}$", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|since|of|circa|year|until|til|from)\s+$", re.IGNORECASE)
_MONTH_FIRST, _DAY_FIRST = ("mdy", "md"), ("dmy", "dm")


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """A date as it stands in its note: its readings and what is around it."""

    start: int
    forms: tuple[Form, ...]
    before: str = ""
    after: str = ""

    @property
    def is_birth(self) -> bool:
        """Whether the words around say that somebody was born then."""
        return bool(_BIRTH.search(self.before) or _BIRTH_AFTER.match(self.after))


@dataclass(slots=True, repr=False)
class Habits:
    """What the dates of a note have in common."""

    orders: Counter[tuple[str, str]] = field(default_factory=Counter)
    closer: str = ""
    zeros: Counter[tuple[str, bool]] = field(default_factory=Counter)
    short_months: int = 0
    anchor: date | None = None

    def order(self, form: Form) -> str:
        """Return ``m`` where the month comes first in such dates, else ``d``.

        Dates that can be read in one way only settle it, first those with the same joint; then the reading
        under which the note's days lie closer together; else 02.03.1949 is European and the rest American.
        """
        for joints in ((form.joint,), ("/", "-", ".", "_", "=", "0")):
            month = sum(self.orders[each, "m"] for each in joints)
            day = sum(self.orders[each, "d"] for each in joints)
            if month != day:
                return "m" if month > day else "d"
        return self.closer or ("d" if _shape(form) == "N.4" else "m")

    def choose(self, seen: Seen) -> Form:
        """Return the reading that holds in this note."""
        forms = seen.forms
        if len(forms) == 1:
            return forms[0]
        first = forms[0]
        if first.name == "d":
            return forms[-1] if _IN.search(seen.before) else first
        if first.name not in _MONTH_FIRST + _DAY_FIRST:
            return first
        if _EXPIRY.search(seen.before):
            for form in forms:
                if form.name == "my" and self._soon(form.fields()["year"].value):
                    return form
        wanted = _MONTH_FIRST if self.order(first) == "m" else _DAY_FIRST
        return next((form for form in forms if form.name in wanted), first)

    def _soon(self, year: int) -> bool:
        return self.anchor is None or -2 <= full_year(year, self.anchor.year + _AHEAD) - self.anchor.year <= 8

    def padded(self, form: Form) -> bool:
        """Whether numbers under ten have a zero in such dates."""
        shape = _shape(form)
        for alike in (shape, shape[:-1]):
            votes = sum(
                n if zero else -n for (known, zero), n in self.zeros.items() if known.startswith(alike)
            )
            if votes:
                return votes > 0
        if named := _month_name(form):
            return (named.isupper() and form.name == "d M y") or form.joint in ("", "-")
        return shape.endswith("4") and form.joint != "."

    def years(self, form: Form, *, birth: bool) -> list[Point]:
        """Return what the points of a form say, with whole years, sharing what only one of them says."""
        latest = self.anchor.year if self.anchor else LATEST_YEAR
        if not birth:
            latest += _AHEAD if self.anchor else 0
        points: list[Point] = [{} for _ in range(form.points)]
        for part in form.parts:
            if isinstance(part, Field):
                points[part.point][part.role] = (
                    full_year(part.value, latest) if part.role in ("year", "decade") else part.value
                )
        return points


def learn(dates: Sequence[Seen], *, known: Iterable[date] = ()) -> Habits:
    """Return the habits that a note's dates show; ``known`` are days that the record holds."""
    habits = Habits()
    for seen in dates:
        _count(habits, seen)
    days = {*known, *_plain_days(dates)}
    for seen in dates:
        _vote(habits, seen, days)
    if not habits.orders:
        habits.closer = _closer(habits, dates, days)
    habits.anchor = _anchor(habits, dates)
    return habits


def _count(habits: Habits, seen: Seen) -> None:
    for form in seen.forms[:1]:
        for part in form.parts:
            if isinstance(part, Field) and part.role in ("day", "month") and _shows_zeros(part.text):
                habits.zeros[_shape(form), part.text[0] == "0"] += 1
        name = fold(_month_name(form))
        if name and name != "may":
            habits.short_months += 1 if len(name) <= 4 else -1


def _shows_zeros(text: str) -> bool:
    """Whether a number shows how its writer writes those under ten."""
    return text.isdigit() and (len(text) == 1 or text[0] == "0")


def _vote(habits: Habits, seen: Seen, days: set[date]) -> None:
    """Count what a date of numbers says about the order: one that has no other reading, or a known day."""
    month = next((form for form in seen.forms if form.name in _MONTH_FIRST), None)
    day = next((form for form in seen.forms if form.name in _DAY_FIRST), None)
    if month is None and day is None:
        return
    joint = seen.forms[0].joint
    if month is None or day is None:
        habits.orders[joint, "m" if month else "d"] += 4
        return
    readings = {"m": _full_day(habits, month), "d": _full_day(habits, day)}
    fitting = [
        order
        for order, form in (("m", month), ("d", day))
        if (when := readings[order])
        and (when in days or form.fields().get("weekday", _NONE).value == when.weekday())
    ]
    if len(fitting) == 1 and readings["m"] != readings["d"]:
        habits.orders[joint, fitting[0]] += 1


_NONE = Field("odd", "", -1)


def _closer(habits: Habits, dates: Sequence[Seen], days: set[date]) -> str:
    """Return the order of day and month that brings the days of a note closer, if one clearly does."""
    spread: dict[str, float] = {}
    for order, names in (("m", _MONTH_FIRST), ("d", _DAY_FIRST)):
        forms = [f for seen in dates if not seen.is_birth for f in seen.forms if f.name in names]
        full = [day for form in forms if (day := _full_day(habits, form))]
        known = sorted({*days, *full})
        if not known:
            return ""
        middle = known[len(known) // 2]
        full += [day_of(_values(habits, form), middle) for form in forms if "year" not in form.fields()]
        spread[order] = sum(abs((day - middle).days) for day in full) / max(len(full), 1)
    if 2 * spread["d"] < spread["m"] and spread["d"] <= _CLOSE:
        return "d"
    return "m" if spread["m"] < spread["d"] else ""


def _values(habits: Habits, form: Form) -> Point:
    return habits.years(form, birth=False)[0]


def _plain_days(dates: Sequence[Seen]) -> Iterable[date]:
    """Return the days that are written without any doubt: with a month's name, or the year first."""
    nobody = Habits()
    for seen in dates:
        for form in () if seen.is_birth else seen.forms[:1]:
            if form.name in ("d M y", "M d y", "ymd", "y M d") and (day := _full_day(nobody, form)):
                yield day


def _full_day(habits: Habits, form: Form) -> date | None:
    point = _values(habits, form)
    if "year" not in point or "month" not in point or "day" not in point:
        return None
    try:
        return day_of(point, date(point["year"], 1, 1))
    except (ValueError, OverflowError):
        return None


def _anchor(habits: Habits, dates: Sequence[Seen]) -> date | None:
    """Return the day around which a note is written: the latest of its header, else of all.

    A day long after the first one is the end of something, such as a licence.
    """
    days: list[tuple[bool, int, date]] = []
    for seen in dates:
        if not seen.forms or seen.is_birth or _EXPIRY.search(seen.before):
            continue
        form = habits.choose(seen)
        if day := _full_day(habits, form):
            days.append((True, seen.start, day))
        elif form.grain == "month" and "year" in form.fields():
            point = _values(habits, form)
            days.append((False, seen.start, date(point["year"], point["month"], 15)))
    full = [(start, day) for whole, start, day in days if whole] or [(start, day) for _, start, day in days]
    first = [day for start, day in full if start < _HEADER] or [day for _, day in full]
    return max((day for day in first if day - first[0] <= _LONG_AFTER), default=None)


def _shape(form: Form) -> str:
    years = [len(part.text) for part in form.parts if isinstance(part, Field) and part.role == "year"]
    return f"{'M' if _month_name(form) else 'N'}{form.joint}{min(years[0], 4) if years else 0}"


def _month_name(form: Form) -> str:
    months = (part.text for part in form.parts if isinstance(part, Field) and part.role == "month")
    return next((text for text in months if not text.isdigit()), "")
