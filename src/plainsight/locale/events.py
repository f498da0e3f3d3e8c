"""Events that betray when a note was written: Ramadan, a named storm, the Super Bowl, a leap day.

Dates move by a secret offset. An event with a known day, beside a shifted date, gives the offset away. The
events of a locale are the table ``events`` and the patterns of its holidays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import Any, NamedTuple

import re2

from plainsight.locale import load_locale
from plainsight.locale.calendar import load_calendar
from plainsight.locale.holidays import day_by_rule, load_holidays
from plainsight.text.shadow import shadow

HOLIDAY = "holiday"
_NEUTRAL_HOLIDAY = "the holiday"
_BEFORE = 14
_HOLIDAY_WITHIN = 30
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORD = re.compile(rb"[A-Za-z0-9_]")
_NOTHING = r"\b\B"
_NEXT_WORD = re.compile(rb"[ '-]*([a-z]+)", re.IGNORECASE)


class EventInNote(NamedTuple):
    """An event in a text: its name, where it stands, and the neutral words for it."""

    name: str
    start: int
    end: int
    neutral: str

    def __repr__(self) -> str:
        return f"EventInNote({self.name}, {self.start}, {self.end})"  # never the text


@dataclass(frozen=True, slots=True)
class _Event:
    name: str
    neutral: str


@cache
def load_events(locale: str) -> Events:
    """Return the events of a locale, by its name or folder."""
    return Events(locale)


class Events:
    """The events of a locale."""

    def __init__(self, locale: str) -> None:
        self._locale = locale
        self._table: dict[str, dict[str, Any]] = dict(load_locale(locale).table("events"))
        self._cues = load_locale(locale).word_sets("date_cues")

    @cached_property
    def _patterns(self) -> list[tuple[_Event, re.Pattern[bytes]]]:
        """The words of each event; those of holidays come last."""
        holidays = load_locale(self._locale).table("holidays").get("patterns", "").strip().splitlines()
        words = [
            (_Event(name, neutral), pattern)
            for name, event in self._table.items()
            for pattern, neutral in event["words"]
        ]
        words.append((_Event(HOLIDAY, _NEUTRAL_HOLIDAY), "|".join(holidays) or _NOTHING))
        return [(event, re.compile(f"(?i:{pattern})".encode("ascii"))) for event, pattern in words]

    @cached_property
    def _scanner(self) -> Any:
        """A quick scan for all of them; `re` then says which it is."""
        options = re2.Options()
        options.max_mem = 64 << 20  # a large automaton must not fall back to the slow engine
        options.encoding = re2.Options.Encoding.LATIN1
        return re2.compile(b"|".join(pattern.pattern for _, pattern in self._patterns), options)

    def find(self, text: str) -> list[EventInNote]:
        """Return the events that a text names, in order.

        >>> [event.name for event in load_events("en_US").find("Fell at the Super Bowl, a leap-day baby.")]
        ['sports event', 'leap day']
        """
        plain, found, last = shadow(text), [], 0
        for match in self._scanner.finditer(plain):
            start = match.start()
            if start < last or _WORD.match(plain, start - 1 if start else len(plain)):
                continue
            for event, pattern in self._patterns:
                words = pattern.match(plain, start)
                if words is None or _WORD.match(plain, words.end()):
                    continue
                last = words.end()
                if event.name != HOLIDAY or self._is_holiday(plain, start, last):
                    found.append(EventInNote(event.name, start, last, event.neutral))
                break
        return found

    def _is_holiday(self, plain: bytes, start: int, end: int) -> bool:
        """Whether the name of a holiday is meant for one: not "lent him", nor "Christmas disease"."""
        words, after = plain[start:end], _NEXT_WORD.match(plain, end)
        small = words.lower()
        if load_calendar(self._locale).weekday_of(small.decode()) is not None:
            return False  # Shabbat
        few = len(small.split()) < 3  # new year, but not new year's eve
        unsure = few and small.split()[0] in self._cues["unsure_holidays"] and words in (small, words.upper())
        return not unsure and not (after and after[1].lower() in self._cues["not_holiday_after"])

    def fits(self, event: EventInNote, text: str, day: date) -> bool:
        """Whether a note of this day may well speak of an event in its text.

        >>> events, text = load_events("en_US"), "Fell at the Super Bowl."
        >>> [events.fits(events.find(text)[0], text, date(2023, month, 15)) for month in (2, 7)]
        [True, False]
        """
        if event.name == HOLIDAY:
            holiday = load_holidays(self._locale).find(text[event.start : event.end])
            return not (holiday and holiday.rule) or _is_near(day, [holiday.rule], _HOLIDAY_WITHIN)
        table = self._table[event.name]
        return _is_near(day, table["when"], table["within"])


def _is_near(day: date, rules: Iterable[str], within: int) -> bool:
    """Whether a day lies shortly before, or within so many days after, one of these."""
    return any(-_BEFORE <= (day - when).days <= within for rule in rules for when in _days(rule, day.year))


@cache
def _days(rule: str, year: int) -> tuple[date, ...]:
    if _DAY.fullmatch(rule):
        return (date.fromisoformat(rule),)
    years = [y for y in (year - 1, year) if rule != "2-29" or (y % 4 == 0 and (y % 100 or y % 400 == 0))]
    return tuple(day_by_rule(rule, y) for y in years)
