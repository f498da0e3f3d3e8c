"""The options of operations that shift dates, and the offsets they allow."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from plainsight.document import Document
from plainsight.errors import PluginError, suggest
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.replace.surrogate.dates.marks import mark_events
from plainsight.replace.surrogate.failure import FailureStyle
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.with_key import WithKey

OffsetStyle = Literal["standard", "strict"]
HolidayStyle = Literal["shift", "neutral", "keep"]
GenericStyle = Literal["keep", "shift"]
Precision = Literal["day", "month", "year"]

_FARTHEST = 36_525
_USUAL_SHIFT, _STRICT_SHIFT = 1_890, 14_673  # days: 5 and 40 years, and nine weeks
_SEASON = 63
"""How many days a date may move within the year if seasons are kept."""
_YEAR = 365.25
_IN_YEAR = 329
"""The farthest move inside a year: five weeks less than its 52."""
_LEAST_STRICT = 50
_STYLES = {
    "offset": get_args(OffsetStyle),
    "holidays": get_args(HolidayStyle),
    "generic": get_args(GenericStyle),
    "precision": get_args(Precision),
    "on_failure": get_args(FailureStyle),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DateOptions(WithKey):
    """The options of operations that shift dates.

    | option | meaning |
    |---|---|
    | ``min_shift``, ``max_shift`` | the least and the most days that dates move, forwards or backwards |
    | ``whole_weeks`` | move by whole weeks: weekdays stay |
    | ``keep_seasons`` | move within nine weeks of whole years: seasons fit their notes; not if strict |
    | ``offset`` | ``strict`` also rewrites what would betray the offset, and moves farther |
    | ``keep_year`` | move inside the year; an interval that would leave it changes |
    | ``precision`` | write shifted dates to the ``day``, the ``month`` or the ``year`` |
    | ``holidays`` | ``shift`` them to their day, make them ``neutral``, or ``keep`` their kind |
    | ``generic`` | ``keep`` or ``shift`` seasons without a year and recurring weekdays |
    | ``hide_over_89`` | take out dates of birth that show an age over 89 |
    | ``on_failure`` | what stands for a text that is no date |
    | ``locale`` | the country whose calendar notes use, or its folder |
    """

    name = "dates"

    min_shift: int = 30
    max_shift: int | None = None
    whole_weeks: bool = True
    keep_seasons: bool | None = None
    offset: OffsetStyle = "standard"
    keep_year: bool = False
    precision: Precision = "day"
    holidays: HolidayStyle = "shift"
    generic: GenericStyle = "keep"
    hide_over_89: bool = True
    on_failure: FailureStyle = "tag"
    locale: str = DEFAULT_LOCALE

    def __post_init__(self) -> None:
        for option, styles in _STYLES.items():
            given = getattr(self, option)
            if given not in styles:
                raise PluginError(f"{self.name}: {option} cannot be {given!r}{suggest(str(given), styles)}")
        least, most = self.min_shift, self.farthest
        if type(least) is not int or type(most) is not int:
            raise PluginError(f"{self.name}: min_shift and max_shift are whole numbers of days")
        if not 0 < least <= most <= _FARTHEST:
            limits = f"min_shift is at least 1 and at most max_shift, max_shift at most {_FARTHEST} days"
            raise PluginError(f"{self.name}: {limits}")
        if not self.offsets:
            near = " within nine weeks of whole years" if self.keeps_seasons else ""
            week = "whole week" if self.whole_weeks else "day"
            hint = "; widen them, or say keep_seasons = false" if self.keeps_seasons else ""
            raise PluginError(f"{self.name}: no {week}{near} lies between min_shift and max_shift{hint}")
        if self.offset == "strict" and (self.keep_year or not self.whole_weeks):
            raise PluginError(f'{self.name}: offset = "strict" needs whole weeks and cannot keep the year')
        if self.offset == "strict" and len(self.offsets) < _LEAST_STRICT:
            raise PluginError(
                f'{self.name}: offset = "strict" needs {_LEAST_STRICT} possible offsets or more, '
                f"not {len(self.offsets)}: widen min_shift and max_shift"
            )
        load_calendar(self.locale)  # refuse an unknown or broken one at once

    def marked(self, document: Document) -> Document:
        """Return the document with events that betray the offset marked as dates, if that is wanted."""
        return mark_events(document, self.locale) if self.offset == "strict" else document

    @property
    def farthest(self) -> int:
        """The most days that dates move."""
        usual = _STRICT_SHIFT if self.offset == "strict" else _USUAL_SHIFT
        return usual if self.max_shift is None else self.max_shift

    @property
    def keeps_seasons(self) -> bool:
        """Whether dates stay within nine weeks of their place in the year."""
        return self.offset != "strict" if self.keep_seasons is None else self.keep_seasons

    @property
    def offsets(self) -> tuple[int, ...]:
        """All offsets that a patient may get, in days."""
        return self._drawn_from if self.keep_year else _no_whole_years(self._drawn_from)

    @property
    def _drawn_from(self) -> tuple[int, ...]:
        step = 7 if self.whole_weeks else 1
        if self.keep_year:
            return _between(self.min_shift, max(_IN_YEAR, self.min_shift), step)
        days = _between(self.min_shift, self.farthest, step)
        if self.keeps_seasons:
            days = _in_season(days)
        return _both_ways(days)

    def drawn_offset(self, keyed: Keyed) -> int:
        """Return the offset of a patient: it depends on nothing but the patient's key and the options.

        Where whole years are drawn, the next offset is taken.
        """
        drawn_from, offsets = self._drawn_from, self.offsets
        drawn = drawn_from[keyed.child("dates").number("offset", len(drawn_from))]
        return offsets[min(bisect_left(offsets, drawn), len(offsets) - 1)]


@cache
def _between(least: int, most: int, step: int) -> tuple[int, ...]:
    return tuple(range(-(-least // step) * step, most + 1, step))


@cache
def _no_whole_years(days: tuple[int, ...]) -> tuple[int, ...]:
    """Leave out whole years, such as 1,827 days: they would leave the day and month as they are."""
    return tuple(day for day in days if abs(day - round(day / _YEAR) * _YEAR) >= 1)


@cache
def _in_season(days: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(day for day in days if abs(day - round(day / _YEAR) * _YEAR) <= _SEASON)


@cache
def _both_ways(days: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-day for day in reversed(days)) + days
