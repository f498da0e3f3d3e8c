"""Learn how one note writes its dates: day or month first, with or without zeros, and around which day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from plainsight.hipaa import LATEST_YEAR
from plainsight.locale.calendar import Calendar
from plainsight.locale.date_grammar import DAY_FIRST, MONTH_FIRST, NUMERIC, Values, WrittenDate, full_year
from plainsight.replace.surrogate.dates.shift import day_of

_HEADER = 600  # characters at the top of a note
_LONG_AFTER = timedelta(days=400)
_CLOSE = 31  # days
_YEARS_AHEAD, _YEARS_TO_EXPIRY = 3, 10
"""How many years after its note a date with a two-digit year may lie, and that of a card which expires."""

_EARLY_CENTURY = 1999
_TIMES = ("in", "since", "of", "circa", "year", "until", "til", "from")
_CUE = re.compile(
    r"(?:(?P<birth>\b(?:d\.?\s?o\.?\s?b\b\.?|dob|born|birth(?:\s?date|day|dt)?|b-?day|b\.|nacid[oa]|nacimiento))"
    rf"|(?P<expiry>\bexp(?:\.|ir(?:es|y|ation))?)|(?P<time>\b(?:{'|'.join(_TIMES)})(?=\s+$)))"
    r"[^\w\n]{0,6}(?:(?:on|in|the|date|is|was|of|sex|age|about|circa|dt|[mf])[^\w\n]{1,4}){0,3}$"
)
_BIRTH_AFTER = re.compile(r"\s*[(=]\s?(?:DOB|d\.o\.b|born|birth)", re.IGNORECASE)


class DateInNote(NamedTuple):
    """A date where it stands in its note: its readings, and what the words around say of it."""

    start: int
    readings: tuple[WrittenDate, ...]
    cue: str | None = None

    def __repr__(self) -> str:
        return f"DateInNote({self.start})"  # never the text


def find_cue(before: str, after: str) -> str | None:
    """Return what the words around a date say: ``birth``, ``expiry``, ``time`` (as in "since 08") or nothing.

    >>> find_cue("DOB: ", " (75)"), find_cue("exp ", ""), find_cue("quit in ", " when"), find_cue("seen ", "")
    ('birth', 'expiry', 'time', None)
    """
    near = before.lower()
    # The pattern is slow: look first whether it can be met.
    likely = "b" in near or "exp" in near or "nac" in near or near.rstrip().endswith(_TIMES)
    if likely and (found := _CUE.search(near)):
        return found.lastgroup
    return "birth" if _BIRTH_AFTER.match(after) else None


@dataclass(slots=True, repr=False)
class Conventions:
    """What the dates of a note have in common.

    ``orders`` holds the votes for the month before the day, less those against it, by joint; ``closer`` the
    order under which the note's days lie closer together; ``zeros`` by shape how many more numbers under ten
    have a zero than have none; ``short_months`` how many more months are cut short than are not; ``months``
    how often a month and a short year are written in numbers; ``anchor`` the day around which it is written.
    """

    calendar: Calendar
    orders: Counter[str] = field(default_factory=Counter)
    closer: str = ""
    zeros: Counter[str] = field(default_factory=Counter)
    short_months: int = 0
    months: int = 0
    anchor: date | None = None

    def order(self, written: WrittenDate) -> str:
        """Return ``m`` where the month comes first in such dates, else ``d``.

        Dates that can be read in one way only settle it, first those with the same joint; then the reading
        under which the note's days lie closer together; then the locale, except that 02.03.1949 is European.
        """
        if votes := self.orders[written.joint] or self.votes:
            return "m" if votes > 0 else "d"
        return self.closer or ("d" if written.shape == "N.4" else self.calendar.date_order[0])

    @property
    def votes(self) -> int:
        """The votes of all joints but the full stop: 24.08.1976 says nothing of 3/4/24."""
        return sum(votes for joint, votes in self.orders.items() if joint != ".")

    def choose(self, dated: DateInNote) -> WrittenDate:
        """Return the reading that holds in this note."""
        readings = dated.readings
        first = readings[0]
        if first.form == "d":
            return readings[-1] if dated.cue == "time" else first
        if len(readings) == 1 or first.form not in NUMERIC:
            return first
        month_and_year = next((reading for reading in readings if reading.form == "my"), None)
        if month_and_year and (
            (dated.cue == "expiry" and self._is_soon(month_and_year.roles["year"].value))
            or self._means_month(first)
        ):
            return month_and_year
        wanted = MONTH_FIRST if self.order(first) == "m" else DAY_FIRST
        chosen = next((reading for reading in readings if reading.form in wanted), first)
        year_first = next((reading for reading in readings if reading.form == "ymd"), None)
        if year_first and self._is_near(year_first) and not self._is_near(chosen):
            return year_first  # 24-03-31 in a note of 2024
        return chosen

    def _is_near(self, written: WrittenDate) -> bool:
        day = self.full_day(written)
        return bool(self.anchor and day and abs(day - self.anchor) <= _LONG_AFTER)

    def _means_month(self, written: WrittenDate) -> bool:
        """Whether 7/03 is July 2003: in a note that names months so, and writes days without a zero."""
        month, day = written.roles["month"].text, written.roles["day"].text
        return day[0] == "0" and month[0] != "0" and self.months >= (1 if len(month) == 1 else 2)

    def _is_soon(self, year: int) -> bool:
        if self.anchor is None:
            return True
        return -2 <= full_year(year, self.anchor.year + _YEARS_TO_EXPIRY) - self.anchor.year <= 8

    def padded(self, written: WrittenDate) -> bool:
        """Whether numbers under ten have a zero in such dates."""
        for shape in (written.shape, written.shape[:-1]):
            if votes := sum(n for known, n in self.zeros.items() if known.startswith(shape)):
                return votes > 0
        if name := written.month_name:
            tight = written.joint in ("", "-") and written.points == 1
            return tight or (name.isupper() and written.form == "d M y")
        return written.shape.endswith("4") and (written.joint != "." or written.grain == "month")

    def short_month(self, written: WrittenDate) -> bool | None:
        """Whether the months of a date are cut short; None where it does not show."""
        for part in written.fields if written.month_name else ():
            if part.role == "month" and (short := self.calendar.is_short_month(part.text)) is not None:
                return short
        tight = written.grain == "day" and written.points == 1 and written.joint in ("", "-")
        return True if tight else None

    def values(self, written: WrittenDate, cue: str | None = None) -> list[Values]:
        """Return the values of each point, with whole years; nobody is born after the note.

        A birth of '32 in a note of unknown year is taken for one of 1932, to fail closed.
        """
        if self.anchor is None:
            return written.values(_EARLY_CENTURY if cue == "birth" else LATEST_YEAR)
        ahead = {"birth": 0, "expiry": _YEARS_TO_EXPIRY}.get(cue or "", _YEARS_AHEAD)
        return written.values(self.anchor.year + ahead)

    def full_day(self, written: WrittenDate) -> date | None:
        """Return the day that a date begins with, if it names day, month and year."""
        if written.day or written.grain != "day" or not {"year", "month"} <= written.roles.keys():
            return written.day
        try:
            return day_of(self.values(written)[0], date.min)
        except (ValueError, OverflowError):
            return None


def learn_conventions(
    dates: Sequence[DateInNote], calendar: Calendar, *, known: Iterable[date] = ()
) -> Conventions:
    """Return the conventions that a note's dates show; ``known`` are days that the record holds."""
    learned = Conventions(calendar)
    for dated in dates:
        for written in dated.readings[:1]:
            _count(learned, written)
    days = {*known, *_plain_days(learned, dates)}
    for dated in dates:
        _vote(learned, dated, days)
    if not learned.votes:
        learned.closer = _closer_order(learned, dates, days)
    learned.anchor = _anchor(learned, dates)
    return learned


def _count(learned: Conventions, written: WrittenDate) -> None:
    for zero in written.zeros:
        learned.zeros[written.shape] += 1 if zero else -1
    tight = written.grain == "day" and written.joint in ("", "-")  # short whatever the others are
    if written.month_name and not tight and (short := learned.short_month(written)) is not None:
        learned.short_months += 1 if short else -1
    if written.form == "my" and written.shape.endswith("2"):
        learned.months += 1


def _vote(learned: Conventions, dated: DateInNote, days: set[date]) -> None:
    """Count what a date in numbers says about the order: one that has no other reading, or a known day."""
    month = next((reading for reading in dated.readings if reading.form in MONTH_FIRST), None)
    day = next((reading for reading in dated.readings if reading.form in DAY_FIRST), None)
    if month is None and day is None:
        return
    joint = dated.readings[0].joint
    if month is None or day is None:
        learned.orders[joint] += 4 if month else -4
        return
    if not days and "weekday" not in month.roles:
        return
    full = learned.full_day(month), learned.full_day(day)
    weekday = month.roles["weekday"].value if "weekday" in month.roles else None
    fits = [when is not None and (when in days or when.weekday() == weekday) for when in full]
    if fits[0] != fits[1] and full[0] != full[1]:
        learned.orders[joint] += 1 if fits[0] else -1


def _closer_order(learned: Conventions, dates: Sequence[DateInNote], days: set[date]) -> str:
    """Return the order of day and month that brings the days of a note closer to those without doubt.

    Where there are none, nothing says that a note differs from its locale.
    """
    if not days:
        return ""
    spread: dict[str, float] = {}
    for order, forms in (("m", MONTH_FIRST), ("d", DAY_FIRST)):
        readings = [r for dated in dates if dated.cue != "birth" for r in dated.readings if r.form in forms]
        full = [day for reading in readings if (day := learned.full_day(reading))]
        known = sorted(days)
        middle = known[len(known) // 2]
        full += [day_of(learned.values(r)[0], middle) for r in readings if "year" not in r.roles]
        spread[order] = sum(abs((day - middle).days) for day in full) / max(len(full), 1)
    usual, other = ("m", "d") if learned.calendar.date_order[0] == "m" else ("d", "m")
    if 2 * spread[other] < spread[usual] and spread[other] <= _CLOSE:
        return other
    return usual if spread[usual] < spread[other] else ""


def _plain_days(learned: Conventions, dates: Sequence[DateInNote]) -> Iterable[date]:
    """Return the days that are written without any doubt: with a month's name, or the year first."""
    for dated in dates:
        for written in () if dated.cue == "birth" else dated.readings[:1]:
            plain = written.form in ("d M y", "M d y", "ymd", "y M d")
            if plain and (day := learned.full_day(written)):
                yield day


def _anchor(learned: Conventions, dates: Sequence[DateInNote]) -> date | None:
    """Return the day around which a note is written: the latest of its header, else of all.

    A day long after the first one is the end of something, such as a licence.
    """
    days: list[tuple[int, date]] = []
    months: list[tuple[int, date]] = []
    for dated in dates:
        if not dated.readings or dated.cue in ("birth", "expiry"):
            continue
        written = learned.choose(dated)
        if day := learned.full_day(written):
            days.append((dated.start, day))
        elif written.grain == "month" and "year" in written.roles:
            point = learned.values(written)[0]
            months.append((dated.start, date(point["year"], point["month"], 15)))
    found = days or months
    first = [day for start, day in found if start < _HEADER] or [day for _, day in found]
    return max((day for day in first if day - first[0] <= _LONG_AFTER), default=None)
