"""Dates: every date of a patient moves by one number of days, and keeps the form it is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cached_property
from typing import Literal, get_args

from plainsight.errors import UsageError, suggest
from plainsight.hipaa import LATEST_YEAR
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.dates.calendar_words import in_case_of
from plainsight.replace.surrogate.dates.forms import Form
from plainsight.replace.surrogate.dates.habits import Habits, Seen, cue_in, learn
from plainsight.replace.surrogate.dates.holidays import Holiday, find_holiday
from plainsight.replace.surrogate.dates.parse import parse
from plainsight.replace.surrogate.dates.render import render
from plainsight.replace.surrogate.dates.share import shared
from plainsight.replace.surrogate.dates.shift import Point, day_of, full_year, moved, overflowing
from plainsight.replace.surrogate.dates.told import told
from plainsight.replace.surrogate.dates.week import moved_week
from plainsight.replace.surrogate.dates.worn import mended, wear
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.surrogate.shape import scramble

__all__ = ["Dates", "HolidayStyle"]

HolidayStyle = Literal["shift", "keep"]
_HOLIDAY_STYLES = get_args(HolidayStyle)

_UNKNOWN = date(2022, 6, 15)
"""The day taken for a note that names none: what it leaves open has no leap day near."""

_OLDEST = 90
_BEFORE, _AFTER = 24, 10  # characters around a date that tell something of it
_ALONE = (None,)
_BESIDE = 24
"""How many characters there may be between a holiday and a date that says the same."""

_WEEKEND = re.compile(r"(?:the )?(?:week|wk)-?e?nd(s?)\.?", re.IGNORECASE)


class Dates:
    """Shift the dates of a scope by the patient's offset.

    The offset is a pure function of key, patient and options: between ``min_shift`` and ``max_shift`` days
    forwards or backwards, in sevens with ``whole_weeks``, or just ``days``. Days move by it exactly, within
    and across notes; coarser dates by it in their own unit (see `shift`), so a year may stay as it is, and
    weekdays with the days. Dates therefore differ from other kinds: a surrogate may look like another
    original of the patient, and a coarse one like its own.

    ``holidays="shift"`` tells the day that a holiday comes to lie on, or the holiday that falls on it;
    ``"keep"`` takes the nearest other holiday of its kind (civic, Christian, Jewish, Muslim and so on).

    With ``hide_over_89`` a day of birth that shows an age over 89 at the latest note's date keeps its shifted
    day and month, and its year becomes the one that makes the person 90 then. A date is one of birth where
    the words around say so, or where a whole date lies more than 89 years back.
    """

    def __init__(
        self,
        scope: Scope,
        *,
        min_shift: int = 30,
        max_shift: int = 365,
        whole_weeks: bool = False,
        holidays: HolidayStyle = "shift",
        days: int | None = None,
        hide_over_89: bool = True,
    ) -> None:
        self._scope = scope
        self._min_shift = min_shift
        self._max_shift = max_shift
        self._whole_weeks = whole_weeks
        self._holidays = holidays
        self._days = days
        self._hide_over_89 = hide_over_89
        self._known: dict[tuple[int, int], Seen] = {}
        self._made: dict[tuple[int, int, str], tuple[str, bool]] = {}

    @cached_property
    def offset(self) -> int:
        """Return the signed number of days that this patient's dates move by; never zero."""
        if self._holidays not in _HOLIDAY_STYLES:
            raise UsageError(
                f"holidays cannot be {self._holidays!r}{suggest(self._holidays, _HOLIDAY_STYLES)}"
            )
        if self._days is not None:
            if not 0 < abs(self._days) <= 36_500:
                raise UsageError("dates shift by one day at least and a hundred years at most")
            return self._days
        step = 7 if self._whole_weeks else 1
        first, last = -(-max(self._min_shift, 1) // step), self._max_shift // step
        if first > last or self._max_shift > 36_500:
            raise UsageError(
                f"dates cannot shift by {self._min_shift} to {self._max_shift} days"
                + (" in whole weeks" if self._whole_weeks else "")
            )
        choices = last - first + 1
        choice = self._scope.patient_keyed.child("dates").number("offset", 2 * choices)
        return step * (first + choice if choice < choices else choices - choice - first)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return the shifted form of each mention."""
        return [self._surrogate(mention)[0] for mention in mentions]

    def by_structure(self, mentions: Sequence[Mention]) -> list[bool]:
        """Tell for each mention whether it was read as a date; one that was not had its text scrambled."""
        return [self._surrogate(mention)[1] for mention in mentions]

    def _surrogate(self, mention: Mention) -> tuple[str, bool]:
        place = (mention.note, mention.start, mention.text)
        if (made := self._made.get(place)) is None:
            try:
                text, structured = self._shifted(mention, self._seen(mention))
            except (ValueError, OverflowError):  # years before 1 or after 9999
                text, structured = "", False
            self._made[place] = made = (text, structured) if text else (self._scrambled(mention.text), False)
        return made

    def _scrambled(self, text: str) -> str:
        return scramble(self._scope.keyed.child("dates"), text)

    def _shifted(self, mention: Mention, seen: Seen) -> tuple[str, bool]:
        _, worn, holiday = _readings(mention.text)
        if holiday and holiday.rule:
            return self._holiday(holiday, mention), True
        if seen.forms:
            return self._form(mention, seen, worn=worn)
        if holiday:
            return self._holiday(holiday, mention), False
        if weekend := _WEEKEND.fullmatch(mention.text):
            # A weekend that lands in the middle of the week is no weekend any more.
            far = (5 + self.offset) % 7 in (1, 2)
            return (in_case_of(mention.text, f"midweek{weekend[1]}") if far else mention.text), True
        return "", False

    def _form(self, mention: Mention, seen: Seen, *, worn: bool) -> tuple[str, bool]:
        habits = self._habits(mention.note)
        form = habits.choose(seen)
        if form.name == "week":
            return moved_week(form, self.offset), True
        lenders: Sequence[int | None] = _ALONE
        if form.is_day and form.day and not self._is_hidden(form.day.year):
            day = form.day + timedelta(days=self.offset)
            new: list[Point] = [{"year": day.year, "month": day.month, "day": day.day}]
        else:
            around, birth = habits.anchor or self._around, seen.cue == "birth"
            points = habits.years(form, birth=birth)
            if len(points) > 1:
                points, lenders = shared(points, form)
            new = [self._moved(point, around, birth=birth) for point in points]
        written = render(
            form,
            new,
            lenders=lenders,
            padded=not form.zeros and habits.padded(form),
            short=habits.short_months > 0 if form.short is None else form.short,
            offset=self.offset,
        )
        if worn:
            written = wear(mention.text, written)
        if form.name == "odd" and written == mention.text:
            return "", False
        return written, form.name != "odd"

    def _moved(self, point: Point, around: date, *, birth: bool) -> Point:
        new = moved(point, self.offset, around)
        if not self._is_hidden(point.get("year", 9999)):
            return new
        whole = "day" in point and "month" in point
        day = day_of(point, around) if whole else date(point["year"], point.get("month", 12), 28)
        if (birth or whole) and _age(day, self._latest) > 89:
            latest = self._latest + timedelta(days=self.offset)
            year = latest.year - _OLDEST
            if whole:
                shifted = day + timedelta(days=self.offset)
                year -= (shifted.month, shifted.day) > (latest.month, latest.day)
                born = overflowing(year, shifted.month, shifted.day)
                new |= {"year": born.year, "month": born.month, "day": born.day}
                new["weekday"] = (point.get("weekday", 0) + (born - day).days) % 7
            else:
                new["year"] = year
        return new

    def _is_hidden(self, year: int) -> bool:
        """Whether a year may be that of a birth which shows an age over 89."""
        return self._hide_over_89 and self._latest.year - year >= 89

    # --- what the notes say ---------------------------------------------------------------------------

    @cached_property
    def _all_habits(self) -> dict[int, Habits]:
        notes: dict[int, list[Seen]] = {}
        for mention in self._scope.of("DATE"):
            notes.setdefault(mention.note, []).append(self._seen(mention))
        return {note: learn(dates, known=self._record) for note, dates in notes.items()}

    def _seen(self, mention: Mention) -> Seen:
        place = (mention.note, mention.start)
        if (seen := self._known.get(place)) is None:
            cue = cue_in(*self._scope.around(mention, _BEFORE, _AFTER))
            seen = self._known[place] = Seen(mention.start, _readings(mention.text)[0], cue)
        return seen

    def _habits(self, note: int) -> Habits:
        return self._all_habits.get(note) or Habits()

    @cached_property
    def _record(self) -> list[date]:
        """Return the days that the structured record holds."""
        days = []
        for text in self._scope.patient.dates if self._scope.patient else ():
            try:
                days.append(date.fromisoformat(text[:10]))
            except ValueError:
                continue
        return days

    @cached_property
    def _around(self) -> date:
        """Return the day around which notes that name none are taken to be written."""
        anchors = [habits.anchor for habits in self._all_habits.values() if habits.anchor]
        return max(anchors or self._record, default=_UNKNOWN)

    @cached_property
    def _latest(self) -> date:
        """Return the day at which nobody may be seen to be over 89: late, if the notes do not name one."""
        anchors = [habits.anchor for habits in self._all_habits.values() if habits.anchor]
        return max(anchors, default=date(LATEST_YEAR, 12, 31))

    # --- holidays -------------------------------------------------------------------------------------

    def _holiday(self, holiday: Holiday, mention: Mention) -> str:
        around = self._habits(mention.note).anchor or self._around
        if holiday.year:
            year = full_year(int(holiday.year.lstrip("'’‘")), around.year + 1)
            day = holiday.day(year) or around.replace(year=year, day=1)
        else:
            years = range(max(2, around.year - 1), min(9998, around.year + 1) + 1)
            days = [when for year in years if (when := holiday.day(year))]
            day = min(days, key=lambda when: abs(when - around + timedelta(days=60)), default=around)
        return told(
            holiday,
            day + timedelta(days=self.offset),
            before=self._scope.before(mention),
            after=self._scope.after(mention, 16),
            same_kind=self._holidays == "keep",
            exact=bool(holiday.year) or holiday.is_fixed or around is not _UNKNOWN,
            beside=any(day in self._days_of(other) for other in self._beside(mention)),
        )

    def _beside(self, mention: Mention) -> Iterator[Mention]:
        """Return the dates that stand right before or after one."""
        for other in self._scope.of("DATE"):
            if other.note == mention.note and other != mention:
                gap = max(mention.start - other.end, other.start - mention.end)
                if gap <= _BESIDE:
                    yield other

    def _days_of(self, mention: Mention) -> Iterator[date]:
        """Return the days that a date names."""
        seen, habits = self._seen(mention), self._habits(mention.note)
        form = habits.choose(seen) if seen.forms else None
        if form and form.grain == "day":
            with suppress(ValueError, OverflowError):
                for point in shared(habits.years(form, birth=seen.is_birth), form)[0]:
                    yield day_of(point, habits.anchor or self._around)


def _age(born: date, at: date) -> int:
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


@note_cache(16_384)
def _readings(text: str) -> tuple[tuple[Form, ...], bool, Holiday | None]:
    """Return the readings of a date, whether its worn digits had to be mended for them, and its holiday."""
    forms, worn = parse(text), False
    if not forms or forms[0].name == "odd":
        whole = mended(text)
        if better := parse(whole):
            forms, worn = better, whole != text
    return forms, worn, find_holiday(text)
