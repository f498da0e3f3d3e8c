"""How one note writes its dates: which of day and month comes first, whether with zeros, around which day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from plainsight.hipaa import LATEST_YEAR
from plainsight.replace.surrogate.dates.forms import Field, Form
from plainsight.replace.surrogate.dates.shift import Point, day_of, full_year

__all__ = ["Habits", "Seen", "cue_in", "learn"]

_HEADER = 600
_LONG_AFTER = timedelta(days=400)
_CLOSE = 31
_AHEAD = 10
"""How many years ahead of its note a date of two digits may lie, as the end of a card or a stock does."""

_TIMES = ("in", "since", "of", "circa", "year", "until", "til", "from")
_CUE = re.compile(
    r"(?:(?P<birth>\b(?:d\.?\s?o\.?\s?b\b\.?|dob|born|birth(?:\s?date|day|dt)?|b-?day|b\.|nacid[oa]|nacimiento))"
    rf"|(?P<expiry>\bexp(?:\.|ir(?:es|y|ation))?)|(?P<time>\b(?:{'|'.join(_TIMES)})(?=\s+$)))"
    r"[^\w\n]{0,6}(?:(?:on|in|the|date|is|was|of|sex|age|about|circa|dt|[mf])[^\w\n]{1,4}){0,3}$"
)
_BIRTH_AFTER = re.compile(r"\s*[(=]\s?(?:DOB|d\.o\.b|born|birth)", re.IGNORECASE)
_MONTH_FIRST, _DAY_FIRST = frozenset(("mdy", "md")), frozenset(("dmy", "dm"))
_NUMBERS = _MONTH_FIRST | _DAY_FIRST


class Seen(NamedTuple):
    """A date as it stands in its note: its readings, and what the words around say of it."""

    start: int
    forms: tuple[Form, ...]
    cue: str | None = None

    def __repr__(self) -> str:
        return f"Seen({self.start})"  # never what is written there

    @property
    def is_birth(self) -> bool:
        """Whether the words around say that somebody was born then."""
        return self.cue == "birth"


def cue_in(before: str, after: str) -> str | None:
    """Return what the words around a date say: ``birth``, ``expiry``, ``time`` (as in "since 08") or nothing.

    >>> cue_in("DOB: ", " (75)"), cue_in("Lot 7, exp ", ""), cue_in("quit in ", " when"), cue_in("seen ", "")
    ('birth', 'expiry', 'time', None)
    """
    near = before.lower()
    # The pattern is slow: look first whether it can be met.
    likely = "b" in near or "exp" in near or "nac" in near or near.rstrip().endswith(_TIMES)
    if likely and (found := _CUE.search(near)):
        return found.lastgroup
    return "birth" if ("(" in after or "=" in after) and _BIRTH_AFTER.match(after) else None


@dataclass(slots=True, repr=False)
class Habits:
    """What the dates of a note have in common.

    ``orders`` has the votes for the month before the day, less those against it, by joint; ``zeros`` how
    often numbers under ten in dates of a shape have a zero, and have none.
    """

    orders: dict[str, int] = field(default_factory=dict)
    closer: str = ""
    zeros: dict[tuple[str, bool], int] = field(default_factory=dict)
    short_months: int = 0
    months: int = 0
    anchor: date | None = None
    _votes: dict[str, int] = field(default_factory=dict)

    def order(self, form: Form) -> str:
        """Return ``m`` where the month comes first in such dates, else ``d``.

        Dates that can be read in one way only settle it, first those with the same joint; then the reading
        under which the note's days lie closer together; else 02.03.1949 is European and the rest American.
        """
        if votes := self.orders.get(form.joint) or sum(self.orders.values()):
            return "m" if votes > 0 else "d"
        return self.closer or ("d" if form.shape == "N.4" else "m")

    def choose(self, seen: Seen) -> Form:
        """Return the reading that holds in this note."""
        forms = seen.forms
        if len(forms) == 1:
            return forms[0]
        first = forms[0]
        if first.name == "d":
            return forms[-1] if seen.cue == "time" else first
        if first.name not in _NUMBERS:
            return first
        if seen.cue == "expiry":
            for form in forms:
                if form.name == "my" and self._soon(form.roles["year"].value):
                    return form
        for form in forms:
            if form.name == "my" and self._is_month(first):
                return form
        wanted = _MONTH_FIRST if self.order(first) == "m" else _DAY_FIRST
        for form in forms:
            if form.name in wanted:
                return form
        return first

    def _is_month(self, form: Form) -> bool:
        """Whether 7/03 is July 2003: in a note that names months so, and writes days without a zero."""
        roles = form.roles
        month, day = roles["month"].text, roles["day"].text
        return day[0] == "0" and month[0] != "0" and self.months >= (1 if len(month) == 1 else 2)

    def _soon(self, year: int) -> bool:
        return self.anchor is None or -2 <= full_year(year, self.anchor.year + _AHEAD) - self.anchor.year <= 8

    def padded(self, form: Form) -> bool:
        """Whether numbers under ten have a zero in such dates."""
        votes = self._votes.get(form.shape)
        if votes is None:
            votes = self._votes[form.shape] = self._zeros(form.shape) or self._zeros(form.shape[:-1])
        if votes:
            return votes > 0
        if named := form.month_name:
            return (named.isupper() and form.name == "d M y") or (
                form.joint in ("", "-") and form.points == 1
            )
        return form.shape.endswith("4") and (form.joint != "." or form.grain == "month")

    def _zeros(self, shape: str) -> int:
        """Return how many more numbers have a zero than have none in dates whose shape begins so."""
        return sum([n if zero else -n for (known, zero), n in self.zeros.items() if known.startswith(shape)])

    def years(self, form: Form, *, birth: bool) -> list[Point]:
        """Return what the points of a form say, with whole years, sharing what only one of them says."""
        latest = self.anchor.year if self.anchor else LATEST_YEAR
        if not birth:
            latest += _AHEAD if self.anchor else 0
        points: list[Point] = [{} for _ in range(form.points)]
        for part in form.parts:
            if isinstance(part, str):
                continue
            role, _, value, point = part
            if value < 100 and (role == "year" or role == "decade"):
                value = full_year(value, latest)
            points[point][role] = value
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
        for zero in form.zeros:
            habits.zeros[form.shape, zero] = habits.zeros.get((form.shape, zero), 0) + 1
        tight = form.grain == "day" and form.joint in ("", "-")  # short whatever the others are
        if form.month_name and form.short is not None and not tight:
            habits.short_months += 1 if form.short else -1
        if form.name == "my" and form.shape.endswith("2"):
            habits.months += 1


def _vote(habits: Habits, seen: Seen, days: set[date]) -> None:
    """Count what a date of numbers says about the order: one that has no other reading, or a known day."""
    month = day = None
    for form in reversed(seen.forms):  # the first of each counts
        if form.name in _MONTH_FIRST:
            month = form
        elif form.name in _DAY_FIRST:
            day = form
    if month is None and day is None:
        return
    joint = seen.forms[0].joint
    if month is None or day is None:
        habits.orders[joint] = habits.orders.get(joint, 0) + (4 if month else -4)
        return
    if not days and "weekday" not in month.said:
        return
    readings = {"m": _full_day(habits, month), "d": _full_day(habits, day)}
    fitting = [
        order
        for order, form in (("m", month), ("d", day))
        if (when := readings[order])
        and (when in days or form.roles.get("weekday", _NONE).value == when.weekday())
    ]
    if len(fitting) == 1 and readings["m"] != readings["d"]:
        habits.orders[joint] = habits.orders.get(joint, 0) + (1 if fitting[0] == "m" else -1)


_NONE = Field("odd", "", -1)
_NOBODY = Habits()


def _closer(habits: Habits, dates: Sequence[Seen], days: set[date]) -> str:
    """Return the order of day and month that brings the days of a note closer, if one clearly does."""
    spread: dict[str, float] = {}
    for order, names in (("m", _MONTH_FIRST), ("d", _DAY_FIRST)):
        forms = [f for seen in dates if not seen.is_birth for f in seen.forms if f.name in names]
        full = [day for form in forms if (day := _full_day(habits, form))]
        known = sorted(days) or sorted(full)
        if not known:
            return ""
        middle = known[len(known) // 2]
        full += [day_of(_values(habits, form), middle) for form in forms if "year" not in form.said]
        spread[order] = sum(abs((day - middle).days) for day in full) / max(len(full), 1)
    if 2 * spread["d"] < spread["m"] and spread["d"] <= _CLOSE:
        return "d"
    return "m" if spread["m"] < spread["d"] else ""


def _values(habits: Habits, form: Form) -> Point:
    return habits.years(form, birth=False)[0]


def _plain_days(dates: Sequence[Seen]) -> Iterable[date]:
    """Return the days that are written without any doubt: with a month's name, or the year first."""
    for seen in dates:
        for form in () if seen.is_birth else seen.forms[:1]:
            if form.name in ("d M y", "M d y", "ymd", "y M d") and (day := _full_day(_NOBODY, form)):
                yield day


def _full_day(habits: Habits, form: Form) -> date | None:
    if form.day is not None:
        return form.day
    if form.grain != "day" or "year" not in form.said or "month" not in form.said:
        return None
    point = _values(habits, form)
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
        if not seen.forms or seen.cue in ("birth", "expiry"):
            continue
        form = habits.choose(seen)
        if day := _full_day(habits, form):
            days.append((True, seen.start, day))
        elif form.grain == "month" and "year" in form.said:
            point = _values(habits, form)
            days.append((False, seen.start, date(point["year"], point["month"], 15)))
    full = [(start, day) for whole, start, day in days if whole] or [(start, day) for _, start, day in days]
    first = [day for start, day in full if start < _HEADER] or [day for _, day in full]
    return max((day for day in first if day - first[0] <= _LONG_AFTER), default=None)
