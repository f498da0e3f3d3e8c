"""Shift the dates of a patient by one number of days; each keeps the form it is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, partial

from plainsight.hipaa import LATEST_YEAR
from plainsight.locale.calendar import load_calendar, match_case
from plainsight.locale.date_grammar import Field, Values, WrittenDate, full_year, parse_date
from plainsight.locale.date_render import Style, render_date, render_week, repair_ocr, restore_ocr
from plainsight.locale.events import HOLIDAY, load_events
from plainsight.locale.holidays import Holiday, load_holidays
from plainsight.note_cache import note_cache
from plainsight.replace.surrogate.dates.coarse import coarse_date
from plainsight.replace.surrogate.dates.conventions import (
    Conventions,
    DateInNote,
    find_cue,
    learn_conventions,
)
from plainsight.replace.surrogate.dates.holiday_phrases import (
    neutral_phrase,
    neutral_words,
    phrase_for_holiday,
)
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shift import complete, day_of, shift, shift_days, shift_season
from plainsight.replace.surrogate.scope import Mention, Scope

_UNKNOWN = date(2022, 6, 15)
"""The day assumed for a note that names none; no leap day is near it."""
_LATE = date(LATEST_YEAR, 12, 31)
"""The day assumed for a note that names none where nobody may be seen to be over 89."""

_LONGEST = 80
"""The longest text in which holidays and dates are told apart, in characters."""
_BEFORE, _AFTER = 24, 10  # characters around a date in which a cue may stand
_BESIDE = 24
"""How many characters there may be between a holiday and a date that says the same."""

_WEEKEND = re.compile(r"(?:the )?(?:week|wk)-?e?nd(s?)\.?", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|thru|through|until|til)\b", re.IGNORECASE)
_RECURRING = re.compile(r"\b(?:every|each|other|alternate)\b", re.IGNORECASE)
_PLURAL_DAY = re.compile(r"day['’]?s\.?$", re.IGNORECASE)
# What may stand between a holiday and a date, or between two holidays.
_LINK = "the|days?|weeks?|night|eve|before|after|between|and|or|to|of|on|until|thru|through"
_LINKS = rf"(?:[^\w]|\b(?:{_LINK})\b)*"
_LINKED = re.compile(rf"(?P<head>{_LINKS})(?P<date>.*?)(?P<tail>{_LINKS})", re.IGNORECASE | re.DOTALL)


class Dates:
    """Shift the dates of a scope by the patient's offset.

    The offset is a pure function of key, patient and options (see `DateOptions`), or just ``days``. Days move
    by it exactly, within and across notes; coarser dates by it in their own unit (see `shift`), so a year may
    stay as it is, and weekdays with the days. Dates therefore differ from other kinds: a surrogate may look
    like another original of the patient, and a coarse one like its own.

    A date is read with the help of its own note and of the patient's record, never of other notes, so it
    moves alike whichever notes stand together.

    ``holidays="shift"`` writes the day that a holiday moves to, or the holiday that falls on it;
    ``"neutral"`` writes "the holiday"; ``"keep"`` takes the nearest other holiday of its kind (civic,
    Christian and so on).

    With ``hide_over_89`` a date of birth that shows an age over 89 at its note's date, or at the latest date
    of the record, becomes its label. A date is one of birth where the words around say so, or where a whole
    date lies more than 89 years back.
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
        return self._options.drawn_offset(self._scope.patient_keyed)

    @property
    def _season_offset(self) -> int:
        """Return by how many days a season moves: by whole years if dates keep theirs."""
        return round(365.25 * round(self.offset / 365.25)) if self._options.keeps_seasons else self.offset

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
        if self._options.offset == "strict" and (neutral := self._event(mention)):
            return neutral
        readings, repaired, holiday, pieces = _read(text, self._scope.locale)
        if holiday and holiday.rule:
            return self._holiday(holiday, mention)
        if readings:
            written = self._written(mention)
            return restore_ocr(text, written) if repaired else written
        if pieces and (compound := self._compound(pieces, mention)):
            return compound
        if holiday:
            return self._holiday(holiday, mention)
        if weekend := _WEEKEND.fullmatch(text):
            # A weekend that lands in the middle of the week is no weekend any more.
            midweek = (5 + self.offset) % 7 in (1, 2)
            return match_case(text, f"midweek{weekend[1]}") if midweek else text
        return text if self._calendar.is_relative(text) else ""

    def _written(self, mention: Mention) -> str:
        """Return a date in its own form, moved by the offset; its label if it must not be shown."""
        dated, conventions = self._date(mention), self._conventions(mention.note)
        written = conventions.choose(dated)
        if self._stays(written):
            return mention.text
        if written.form == "week":
            return self._week(written)
        around, keep_year = conventions.anchor or self._around, self._options.keep_year
        points = conventions.values(written, dated.cue)
        month_from: Sequence[int | None] = [None] * len(points)
        if len(points) > 1:
            points, month_from = complete(points, written)
        if any(self._shows_over_89(point, mention.note, birth=dated.cue == "birth") for point in points):
            return f"[{mention.label}]"
        offset = self._season_offset if written.form == "season" else self.offset
        if len(points) == 2 and written.form == "season" and "season" not in points[1]:
            points = shift_season(points, offset, keep_year=keep_year)
            written = _first_years(written, len(points))
        else:
            points = [shift(point, offset, around, keep_year=keep_year) for point in points]
        if self._options.precision != "day":
            return coarse_date(written, points, self._options.precision, self._calendar)
        short = conventions.short_month(written) if written.month_name else None
        style = Style(
            padded=not written.zeros and conventions.padded(written),
            short_months=conventions.short_months > 0 if short is None else short,
        )
        return render_date(written, points, self._calendar, month_from=month_from, style=style)

    def _stays(self, written: WrittenDate) -> bool:
        """Whether a date is a season of any year or a recurring weekday that the policy keeps.

        A season does not stay if dates may move into another one: it would show the true one.
        """
        if self._options.generic != "keep":
            return False
        if written.form == "season":
            return self._options.keeps_seasons and all(field.role != "year" for field in written.fields)
        if written.form == "weekday":
            words = "".join(part for part in written.parts if isinstance(part, str))
            return bool(_RECURRING.search(words)) or _PLURAL_DAY.search(written.fields[-1].text) is not None
        return written.form in ("week", "nth weekday")

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

    def _shows_over_89(self, point: Values, note: int, *, birth: bool) -> bool:
        """Whether a point, as a day or year of birth, shows an age over 89."""
        latest = max((self._conventions(note).anchor or _LATE, *self._record))
        if not self._options.hide_over_89 or latest.year - point.get("year", 9999) < 89:
            return False
        whole = "day" in point and "month" in point
        day = day_of(point, latest) if whole else date(point["year"], point.get("month", 1), 1)
        return (birth or whole) and _age(day, latest) > 89

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
    def _around(self) -> date:
        """Return the day around which a note that names none is taken to be written."""
        return max(self._record, default=_UNKNOWN)

    # --- holidays -------------------------------------------------------------------------------------

    def _holiday(self, holiday: Holiday, mention: Mention) -> str:
        """Return what stands for a holiday."""
        around = self._conventions(mention.note).anchor or self._around
        day = _day_of_holiday(holiday, around)
        moved = day + timedelta(days=shift_days(day, self.offset, keep_year=self._options.keep_year))
        before, after = self._scope.before(mention), self._scope.after(mention, 16)
        if self._is_neutral or self._options.precision != "day":
            return neutral_phrase(holiday, self._calendar, moved.year, before=before, after=after)
        return phrase_for_holiday(
            holiday,
            moved,
            self._calendar,
            load_holidays(self._scope.locale),
            before=before,
            after=after,
            same_kind=self._options.holidays == "keep",
            exact=bool(holiday.year) or holiday.is_fixed or around is not _UNKNOWN,
            beside=any(day in self._days_of(other) for other in self._beside(mention)),
        )

    @property
    def _is_neutral(self) -> bool:
        return self._options.holidays == "neutral" or self._options.offset == "strict"

    def _event(self, mention: Mention) -> str:
        """Return neutral words for a date that names an event; nothing for others."""
        events = load_events(self._scope.locale).find(mention.text)
        event = next((event for event in events if event.name != HOLIDAY), None)
        if event is None:  # a holiday has words of its own
            alone = len(events) == 1 and events[0].end - events[0].start == len(mention.text)
            event = events[0] if alone and not self._is_known_holiday(mention) else None
        if event is None:
            return ""
        before, after = self._scope.before(mention), self._scope.after(mention, 16)
        return neutral_words(event.neutral, mention.text, before, after)

    def _is_known_holiday(self, mention: Mention) -> bool:
        holiday = _read(mention.text, self._scope.locale)[2]
        return bool(holiday and holiday.rule)

    def _compound(self, pieces: Sequence[str | Holiday], mention: Mention) -> str:
        """Return what stands for a holiday with a date beside it, or for several holidays.

        Where a date stands beside it, a holiday becomes a neutral word, or the weekday of its name. Nothing
        is returned if a piece is neither.
        """
        made: list[str] = []
        start, dated = mention.start, any(_is_dated(piece) for piece in pieces)
        for piece in pieces:
            text = piece if isinstance(piece, str) else piece.text
            inner = mention._replace(start=start, end=start + len(text), text=text)
            start = inner.end
            if isinstance(piece, str):
                made.append(self._between(inner))
            elif dated:
                made.append(self._without_name(piece, inner))
            else:
                made.append(self._holiday(piece, inner))
        return "".join(made) if all(made) else ""

    def _between(self, piece: Mention) -> str:
        """Return a date beside a holiday, shifted, with the words that link it; nothing if it is none."""
        found = _LINKED.fullmatch(piece.text)
        if found is None or not found["date"]:
            return piece.text if found else ""
        first = piece.start + found.start("date")
        inner = piece._replace(start=first, end=first + len(found["date"]), text=found["date"])
        moved = self._shifted(inner)
        return f"{found['head']}{moved}{found['tail']}" if moved else ""

    def _without_name(self, holiday: Holiday, mention: Mention) -> str:
        """Return the weekday in the name of a holiday, moved; else a neutral word."""
        word = holiday.written.rpartition(" ")[2]
        weekday = self._calendar.weekday_of(word)
        if weekday is None:
            before, after = self._scope.before(mention), self._scope.after(mention, 16)
            return neutral_phrase(replace(holiday, year=""), self._calendar, before=before, after=after)
        return self._calendar.weekday_word(word, (weekday + self.offset) % 7) + holiday.tail

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
                for point in complete(conventions.values(written, dated.cue), written)[0]:
                    yield day_of(point, conventions.anchor or self._around)


def _age(born: date, at: date) -> int:
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


def _first_years(written: WrittenDate, points: int) -> WrittenDate:
    """Return a season of two years with one year only, if it has one point."""
    if points == written.points:
        return written
    last = next(place for place, part in enumerate(written.parts) if _is_year(part)) + 1
    end = [part for part in written.parts[-1:] if isinstance(part, str)]
    return WrittenDate(written.form, (*written.parts[:last], *end), written.joint, points)


def _is_year(part: str | Field) -> bool:
    return isinstance(part, Field) and part.role == "year"


def _is_dated(piece: str | Holiday) -> bool:
    """Whether a piece between holidays holds a date."""
    return isinstance(piece, str) and bool((found := _LINKED.fullmatch(piece)) and found["date"])


def _day_of_holiday(holiday: Holiday, around: date) -> date:
    """Return the day of a holiday in the year that is written, else the one nearest to its note."""
    if holiday.year:
        year = full_year(int(holiday.year.lstrip("'’‘")), around.year + 1)
        return holiday.day(year) or around.replace(year=year, day=1)
    years = range(max(2, around.year - 1), min(9998, around.year + 1) + 1)
    days = [when for year in years if (when := holiday.day(year))]
    return min(days, key=lambda when: abs(when - around + timedelta(days=60)), default=around)


@note_cache(16_384)
def _read(
    text: str, locale: str
) -> tuple[tuple[WrittenDate, ...], bool, Holiday | None, tuple[str | Holiday, ...]]:
    """Return the readings of a date, whether scanned digits had to be repaired for them, and its holidays.

    The last are the holiday that the text is, and its pieces if it holds one and more.
    """
    calendar, holidays = load_calendar(locale), load_holidays(locale)
    readings, repaired = parse_date(text, calendar), False
    if not readings:
        better = repair_ocr(text)
        if found := parse_date(better, calendar):
            readings, repaired = found, better != text
    pieces = () if readings or len(text) > _LONGEST else tuple(holidays.pieces(text))
    return readings, repaired, holidays.find(text), pieces if len(pieces) > 1 else ()
