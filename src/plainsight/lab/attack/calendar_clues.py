"""Clues of the calendar for an attacker: dates, weekdays, holidays, seasons and events in the notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from plainsight.evaluate.surrogates.dates import FullDate, full_dates
from plainsight.evaluate.surrogates.pairs import Note

_SEASONAL = {
    r"flu shots?|flu vaccin\w+|influenza vaccin\w+": (10, 75),
    r"influenza|bronchiolitis|rsv": (1, 75),
    r"snow\w*|black ice|icy|frostbite|sledd\w+|shovell?ing": (1, 60),
    r"poison ivy|lawn ?mow\w*|mowing|tick bites?|lyme|beach|sunburn\w*|swimming pool": (7, 75),
    r"heat (?:stroke|exhaustion|wave)": (7, 60),
    r"pollen|hay ?fever": (5, 75),
    r"apple picking|harvest|deer season": (10, 60),
}  # words outside the marks: the month around which they are said, and how many days that is wide
_HOLIDAYS = {
    r"christmas|x-?mas|nochebuena|navidad|hanukk?ah?|kwanzaa": (12, 25),
    r"new year'?s?": (1, 1),
    r"thanksgiving|black friday": (11, 25),
    r"hallowe'?en": (10, 31),
    r"labor day": (9, 4),
    r"memorial day": (5, 28),
    r"(?:fourth|4th) of july|independence day": (7, 4),
    r"easter|good friday|palm sunday|passover": (4, 8),
    r"valentine'?s(?: day)?": (2, 14),
    r"juneteenth": (6, 19),
    r"columbus day": (10, 11),
    r"veterans? day": (11, 11),
}
_EVENTS = {r"covid|sars-cov-2|coronavirus": date(2020, 1, 15), r"paxlovid|covid booster": date(2021, 8, 1)}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY_BEFORE = re.compile(
    r"\b(mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:[a-z]*day)?\b\.?,? *\(?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Clues:
    """The clues in a patient's released notes."""

    visits: tuple[date, ...]
    weekdays: tuple[tuple[date, int], ...] = ()
    seasons: tuple[tuple[date, int, int, int], ...] = ()
    events: tuple[tuple[date, date], ...] = ()


def clues(notes: Sequence[Note]) -> Clues:
    """Read dates, weekday words, holidays, seasonal words and events from released notes alone."""
    visits: list[date] = []
    weekdays: list[tuple[date, int]] = []
    seasons: list[tuple[date, int, int, int]] = []
    events: list[tuple[date, date]] = []
    for note in notes:
        dated = [day for _, _, now in full_dates([note]) if (day := _released(now))]
        if not dated:
            continue
        written = Counter(dated).most_common(1)[0][0]
        # Dates far from the others are births and histories, which fall on any day.
        visits += [day for day in dated if abs((day - written).days) < 730]
        for pattern, (month, width) in _SEASONAL.items():
            if re.search(rf"\b(?:{pattern})\b", note.released, re.IGNORECASE):
                seasons.append((written, month, 15, width))
        for pattern, (month, of_month) in _HOLIDAYS.items():
            if re.search(rf"\b(?:{pattern})\b", note.released, re.IGNORECASE):
                seasons.append((written, month, of_month, 75))
        for pattern, since in _EVENTS.items():
            if re.search(pattern, note.released, re.IGNORECASE):
                events.append((max(dated), since))
        weekdays += _beside(note)
    return Clues(tuple(visits), tuple(weekdays), tuple(seasons), tuple(events))


def _released(full: FullDate | None) -> date | None:
    return (full.readings[0] or full.readings[1]) if full else None


def _beside(note: Note) -> list[tuple[date, int]]:
    """Return dates with the weekday that stands before them, inside the mark or outside."""
    found = []
    for place, pair in enumerate(note.pairs):
        if pair.label != "DATE":
            continue
        dated = [_released(now) for _, _, now in full_dates([Note(note.gold, "", (pair,))])]
        before = pair.before
        if place and note.pairs[place - 1].label == "DATE":
            before = note.pairs[place - 1].surrogate + note.gap(place - 1)
        inside = re.match(r"([a-z]{3})[a-z]*[.,]* +(?=\S*\d)", pair.surrogate, re.IGNORECASE)
        hit = _WEEKDAY_BEFORE.search(before)
        word = (inside[1] if inside else hit[1] if hit else "")[:3].casefold()
        if dated and dated[0] and word in _WEEKDAYS:
            found.append((dated[0], _WEEKDAYS.index(word)))
    return found
