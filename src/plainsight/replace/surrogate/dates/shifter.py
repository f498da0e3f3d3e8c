"""Shift the dates of a patient by one number of days; each keeps the form it is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, partial
from typing import Literal, get_args

from plainsight.errors import PluginError, suggest
from plainsight.hipaa import LATEST_YEAR
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar, match_case
from plainsight.locale.date_grammar import Values, WrittenDate, full_year, parse_date
from plainsight.locale.date_render import Style, render_date, render_week, repair_ocr, restore_ocr
from plainsight.locale.holidays import Holiday, load_holidays
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.dates.conventions import (
    Conventions,
    DateInNote,
    find_cue,
    learn_conventions,
)
from plainsight.replace.surrogate.dates.holiday_phrases import phrase_for_holiday
from plainsight.replace.surrogate.dates.shift import complete, day_of, day_or_later, shift
from plainsight.replace.surrogate.failure import FailureStyle
from plainsight.replace.surrogate.scope import Mention, Scope
from plainsight.replace.with_key import WithKey

HolidayStyle = Literal["shift", "keep"]

_FARTHEST = 36_500
_UNKNOWN = date(2022, 6, 15)
"""The day assumed for a note that names none; no leap day is near it."""

_OLDEST = 90
_BEFORE, _AFTER = 24, 10  # characters around a date in which a cue may stand
_BESIDE = 24
"""How many characters there may be between a holiday and a date that says the same."""

_WEEKEND = re.compile(r"(?:the )?(?:week|wk)-?e?nd(s?)\.?", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|thru|through|until|til)\b", re.IGNORECASE)

_STYLES = {"holidays": get_args(HolidayStyle), "on_failure": get_args(FailureStyle)}


@dataclass(frozen=True, slots=True, kw_only=True)
class DateOptions(WithKey):
    """The options of operations that shift dates; see `Dates`."""

    name = "dates"

    min_shift: int = 30
    max_shift: int = 365
    whole_weeks: bool = False
    holidays: HolidayStyle = "shift"
    hide_over_89: bool = True
    on_failure: FailureStyle = "tag"
    locale: str = DEFAULT_LOCALE

    def __post_init__(self) -> None:
        for option, styles in _STYLES.items():
            given = getattr(self, option)
            if given not in styles:
                raise PluginError(f"{self.name}: {option} cannot be {given!r}{suggest(str(given), styles)}")
        least, most = self.min_shift, self.max_shift
        if type(least) is not int or type(most) is not int:
            raise PluginError(f"{self.name}: min_shift and max_shift are whole numbers of days")
        if not 0 < least <= most <= _FARTHEST:
            limits = f"min_shift is at least 1 and at most max_shift, max_shift at most {_FARTHEST} days"
            raise PluginError(f"{self.name}: {limits}")
        if self.whole_weeks and most // 7 * 7 < least:
            raise PluginError(f"{self.name}: no whole week lies between min_shift and max_shift")
        load_calendar(self.locale)  # refuse an unknown or broken one at once


class Dates:
    """Shift the dates of a scope by the patient's offset.

    The offset is a pure function of key, patient and options: between ``min_shift`` and ``max_shift`` days
    forwards or backwards, in sevens with ``whole_weeks``, or just ``days``. Days move by it exactly, within
    and across notes; coarser dates by it in their own unit (see `shift`), so a year may stay as it is, and
    weekdays with the days. Dates therefore differ from other kinds: a surrogate may look like another
    original of the patient, and a coarse one like its own.

    ``holidays="shift"`` writes the day that a holiday moves to, or the holiday that falls on it; ``"keep"``
    takes the nearest other holiday of its kind (civic, Christian, Jewish, Muslim and so on).

    With ``hide_over_89`` a day of birth that shows an age over 89 at the latest note's date keeps its shifted
    day and month, and its year becomes the one that makes the person 90 then. A date is one of birth where
    the words around say so, or where a whole date lies more than 89 years back.
    """

    def __init__(self, scope: Scope, options: DateOptions | None = None, *, days: int | None = None) -> None:
        self._scope = scope
        self._options = options or DateOptions()
        self._days = days
        self._calendar = load_calendar(scope.locale)

    @cached_property
    def offset(self) -> int:
        """Return the signed number of days that this patient's dates move by; never zero."""
        if self._days is not None:
            return self._days
        step = 7 if self._options.whole_weeks else 1
        first, last = -(-self._options.min_shift // step), self._options.max_shift // step
        choices = last - first + 1
        choice = self._scope.patient_keyed.child("dates").number("offset", 2 * choices)
        return step * (first + choice if choice < choices else choices - choice - first)

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return the shifted form of each mention; nothing for what is no date."""
        made = []
        for mention in mentions:
            try:
                made.append(self._shifted(mention))
            except (ValueError, OverflowError):  # years before 1 or after 9999
                made.append("")
        return made

    def _shifted(self, mention: Mention) -> str:
        text = mention.text
        readings, repaired, holiday = _read(text, self._scope.locale)
        if holiday and (holiday.rule or not readings):
            return self._holiday(holiday, mention)
        if readings:
            written = self._written(mention)
            return restore_ocr(text, written) if repaired else written
        if weekend := _WEEKEND.fullmatch(text):
            # A weekend that lands in the middle of the week is no weekend any more.
            midweek = (5 + self.offset) % 7 in (1, 2)
            return match_case(text, f"midweek{weekend[1]}") if midweek else text
        return ""

    def _written(self, mention: Mention) -> str:
        """Return a date in its own form, moved by the offset."""
        dated, conventions = self._date(mention), self._conventions(mention.note)
        written = conventions.choose(dated)
        if written.form == "week":
            return self._week(written)
        around = conventions.anchor or self._around
        points = conventions.values(written, birth=dated.cue == "birth")
        month_from: Sequence[int | None] = [None] * len(points)
        if len(points) > 1:
            points, month_from = complete(points, written)
        points = [self._moved(point, around, birth=dated.cue == "birth") for point in points]
        short = conventions.short_month(written) if written.month_name else None
        style = Style(
            padded=not written.zeros and conventions.padded(written),
            short_months=conventions.short_months > 0 if short is None else short,
        )
        return render_date(written, points, self._calendar, month_from=month_from, style=style)

    def _week(self, written: WrittenDate) -> str:
        """Move several weekdays, in the order of the week if they were in it.

        The working week from Monday to Friday stays: it is nobody's own, and any other five days in a row
        would give the offset away.
        """
        days = [field.value for field in written.fields]
        until = any(_TO.search(part) for part in written.parts if isinstance(part, str))
        is_range = len(days) == 2 and (written.joint in ("-", "=") or until)
        if self.offset % 7 == 0 or (is_range and days == [0, 4]):
            return "".join(part if isinstance(part, str) else part.text for part in written.parts)
        moved = [(day + self.offset) % 7 for day in days]
        in_order = not is_range and days == sorted(days)
        return render_week(written, sorted(moved) if in_order else moved, self._calendar)

    def _moved(self, point: Values, around: date, *, birth: bool) -> Values:
        new = shift(point, self.offset, around)
        if not self._options.hide_over_89 or self._latest.year - point.get("year", 9999) < 89:
            return new
        whole = "day" in point and "month" in point
        day = day_of(point, around) if whole else date(point["year"], point.get("month", 12), 28)
        if not (birth or whole) or _age(day, self._latest) <= 89:
            return new
        latest = self._latest + timedelta(days=self.offset)
        new["year"] = latest.year - _OLDEST
        if whole:
            shifted = day + timedelta(days=self.offset)
            birthday_ahead = (shifted.month, shifted.day) > (latest.month, latest.day)
            born = day_or_later(new["year"] - birthday_ahead, shifted.month, shifted.day)
            new |= {"year": born.year, "month": born.month, "day": born.day}
            new["weekday"] = (point.get("weekday", 0) + (born - day).days) % 7
        return new

    # --- what the notes say ---------------------------------------------------------------------------

    @cached_property
    def _all_conventions(self) -> dict[int, Conventions]:
        notes: dict[int, list[DateInNote]] = {}
        for mention in self._scope.of("DATE"):
            notes.setdefault(mention.note, []).append(self._date(mention))
        learn = partial(learn_conventions, calendar=self._calendar, known=self._record)
        return {note: learn(dates) for note, dates in notes.items()}

    def _conventions(self, note: int) -> Conventions:
        return self._all_conventions.get(note) or Conventions(self._calendar)

    def _date(self, mention: Mention) -> DateInNote:
        cue = find_cue(self._scope.before(mention, _BEFORE), self._scope.after(mention, _AFTER))
        return DateInNote(mention.start, _read(mention.text, self._scope.locale)[0], cue)

    @cached_property
    def _record(self) -> list[date]:
        """Return the days that the structured record holds."""
        days = []
        for text in self._scope.patient.dates if self._scope.patient else ():
            with suppress(ValueError):
                days.append(date.fromisoformat(text[:10]))
        return days

    @cached_property
    def _anchors(self) -> list[date]:
        return [learned.anchor for learned in self._all_conventions.values() if learned.anchor]

    @cached_property
    def _around(self) -> date:
        """Return the day around which notes that name none are taken to be written."""
        return max(self._anchors or self._record, default=_UNKNOWN)

    @cached_property
    def _latest(self) -> date:
        """Return the day at which nobody may be seen to be over 89: late, if the notes do not name one."""
        return max(self._anchors, default=date(LATEST_YEAR, 12, 31))

    # --- holidays -------------------------------------------------------------------------------------

    def _holiday(self, holiday: Holiday, mention: Mention) -> str:
        around = self._conventions(mention.note).anchor or self._around
        if holiday.year:
            year = full_year(int(holiday.year.lstrip("'’‘")), around.year + 1)
            day = holiday.day(year) or around.replace(year=year, day=1)
        else:
            years = range(max(2, around.year - 1), min(9998, around.year + 1) + 1)
            days = [when for year in years if (when := holiday.day(year))]
            day = min(days, key=lambda when: abs(when - around + timedelta(days=60)), default=around)
        return phrase_for_holiday(
            holiday,
            day + timedelta(days=self.offset),
            self._calendar,
            load_holidays(self._scope.locale),
            before=self._scope.before(mention),
            after=self._scope.after(mention, 16),
            same_kind=self._options.holidays == "keep",
            exact=bool(holiday.year) or holiday.is_fixed or around is not _UNKNOWN,
            beside=any(day in self._days_of(other) for other in self._beside(mention)),
        )

    def _beside(self, mention: Mention) -> list[Mention]:
        """Return the dates that stand right before or after one."""
        others = [m for m in self._scope.of("DATE") if m.note == mention.note and m != mention]
        return [m for m in others if max(mention.start - m.end, m.start - mention.end) <= _BESIDE]

    def _days_of(self, mention: Mention) -> Iterator[date]:
        """Return the days that a date names."""
        dated, conventions = self._date(mention), self._conventions(mention.note)
        written = conventions.choose(dated) if dated.readings else None
        if written and written.grain == "day":
            with suppress(ValueError, OverflowError):
                for point in complete(conventions.values(written, birth=dated.cue == "birth"), written)[0]:
                    yield day_of(point, conventions.anchor or self._around)


def _age(born: date, at: date) -> int:
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


@note_cache(16_384)
def _read(text: str, locale: str) -> tuple[tuple[WrittenDate, ...], bool, Holiday | None]:
    """Return the readings of a date, whether scanned digits had to be repaired for them, and its holiday."""
    calendar = load_calendar(locale)
    readings, repaired = parse_date(text, calendar), False
    if not readings:
        better = repair_ocr(text)
        if found := parse_date(better, calendar):
            readings, repaired = found, better != text
    return readings, repaired, load_holidays(locale).find(text)
