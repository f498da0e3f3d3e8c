"""Offset recovery: find by how many days a patient's dates were shifted, from clues of the calendar.

Clinics see patients on weekdays and close on holidays; notes speak of Christmas around Christmas, of flu
shots in autumn, of COVID not before 2020. The attacker learns from his own notes how visits fall on weekdays,
tries every offset that the policy allows, and ranks them by how plausible they make the released notes.
Weekday words and holidays that were not shifted with the dates count as well, because they would reveal the
offset.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from statistics import mean
from typing import Literal

from plainsight.document import Document
from plainsight.evaluate.surrogates.dates import FullDate, full_dates, shift_of
from plainsight.evaluate.surrogates.pairs import Note, by_patient, exact
from plainsight.lab.attack.release import by_scope, key_of, scope_of
from plainsight.lab.attack.statistics import Record, rounded
from plainsight.replace.base import Operation
from plainsight.replace.surrogate.operation import Surrogate

_SEASONAL = {
    r"flu shots?|flu vaccin\w+|influenza vaccin\w+": (10, 75),
    r"influenza|bronchiolitis|rsv": (1, 75),
    r"snow\w*|black ice|icy|frostbite|sledd\w+|shovell?ing": (1, 60),
    r"poison ivy|lawn ?mow\w*|mowing|tick bites?|lyme|beach|sunburn\w*|swimming pool": (7, 75),
    r"heat (?:stroke|exhaustion|wave)": (7, 60),
    r"pollen|hay ?fever": (5, 75),
    r"apple picking|harvest|deer season": (10, 60),
}  # words outside identifiers: the month that they belong to, and the width of that season in days
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
_CLOSED = {(12, 25), (1, 1), (7, 4), (12, 24), (12, 31)}

Shifter = Callable[[bytes, "Setting"], Operation]


@dataclass(frozen=True, slots=True)
class Setting:
    """How dates are shifted."""

    whole_weeks: bool = False
    holidays: Literal["shift", "keep"] = "shift"
    min_shift: int = 30
    max_shift: int = 365

    @property
    def name(self) -> str:
        """The setting in words."""
        return f"{'whole weeks' if self.whole_weeks else 'any day'}, holidays {self.holidays}"


_USUAL = Setting()
SETTINGS = (
    _USUAL,
    Setting(holidays="keep"),
    Setting(whole_weeks=True),
    Setting(whole_weeks=True, holidays="keep"),
)


def shifted(key: bytes, setting: Setting) -> Operation:
    """Return the operation that is attacked."""
    return Surrogate(key=key, **asdict(setting))


def candidates(setting: Setting) -> list[int]:
    """Return every offset that the setting allows."""
    days = range(setting.min_shift, setting.max_shift + 1)
    allowed = [day for day in days if not setting.whole_weeks or day % 7 == 0]
    return [-day for day in reversed(allowed)] + allowed


def habits(own: Sequence[Document]) -> list[float]:
    """Learn from the attacker's own notes how visits fall on the days of the week."""
    counts = Counter(
        day.weekday()
        for note in own
        for day in clues([exact(note, [note.text[s.start : s.end] for s in note.spans])]).visits
    )
    total = sum(counts.values()) + 7
    return [(counts[day] + 1) / total for day in range(7)]


def plausibility(read: Clues, offset: int, week: Sequence[float]) -> float:
    """Return the log-likelihood of what was read if the dates were shifted by this offset."""
    back = timedelta(days=-offset)
    total = 0.0
    for day in set(read.visits):
        true = day + back
        total += math.log(week[true.weekday()] * (0.4 if (true.month, true.day) in _CLOSED else 1.0))
    for day, weekday in set(read.weekdays):  # a weekday word reveals the true day only if it was not shifted
        total += (
            math.log(0.5 if (day + back).weekday() == weekday else 0.5 / 6)
            if day.weekday() != weekday
            else 0.0
        )
    for day, month, of_month, width in set(read.seasons):
        total += math.log(0.35 + 0.65 * (_away(day + back, month, of_month) <= width) * 182 / width / 1.2)
    for day, since in set(read.events):
        total += 0.0 if day + back >= since else math.log(0.02)
    return total


def _away(day: date, month: int, of_month: int) -> int:
    """Return how many days a day is from the nearest such day of any year."""
    return min(
        abs((day - date(year, month, of_month)).days) for year in (day.year - 1, day.year, day.year + 1)
    )


def recover(
    gold: Sequence[Document],
    *,
    setting: Setting = _USUAL,
    keys: int = 3,
    seed: int = 0,
    make: Shifter = shifted,
) -> Record:
    """Attack the dates of each half of the notes with the habits learnt on the other half."""
    offsets = candidates(setting)
    ranks: list[float] = []
    gains: list[float] = []
    halves = by_scope(gold, 2, seed)
    for own, theirs in (halves, halves[::-1]):
        week = habits(own)
        dates = [_dates_only(document) for document in theirs]
        for key in range(keys):
            texts = make(key_of(seed + key, "offset"), setting).replace(dates)
            for patient, notes in by_patient(map(exact, dates, texts)).items():
                true = shift_of(notes)
                read = clues(notes)
                if true not in offsets or not read.visits:
                    continue
                scores = {offset: plausibility(read, offset, week) for offset in offsets}
                ranks.append(_rank(scores, true, random.Random(f"{seed} {key} {patient}")))
                gains.append(_gain(scores, true))

    def share(places: int) -> float | None:
        return sum(rank < places for rank in ranks) / len(ranks) if ranks else None

    return {
        "setting": setting.name,
        "patients": len(ranks),
        "offsets": len(offsets),
        "first": share(1),
        "first_random": 1 / len(offsets),
        "first_ten": share(10),
        "first_ten_random": min(1.0, 10 / len(offsets)),
        "mean_percentile": rounded(mean(ranks) / max(1, len(offsets) - 1)) if ranks else None,
        "percentile_random": 0.5,
        "bits_gained": rounded(mean(gains), 3) if gains else None,
    }


def _dates_only(document: Document) -> Document:
    dates = tuple(span for span in document.spans if span.label == "DATE")
    return Document(document.id, document.text, dates, patient_id=scope_of(document))


def _rank(scores: dict[int, float], true: int, chance: random.Random) -> int:
    """Return how many offsets stand before the true one; among equals the place is drawn."""
    best = scores[true]
    return sum(score > best for score in scores.values()) + chance.randrange(
        sum(score == best for score in scores.values())
    )


def _gain(scores: dict[int, float], true: int) -> float:
    """Return the bits that the attacker gained about the true offset; below 0 he was misled."""
    top = max(scores.values())
    total = sum(math.exp(score - top) for score in scores.values())
    return (scores[true] - top - math.log(total)) / math.log(2) + math.log2(len(scores))


# --- clues ------------------------------------------------------------------------------------------------


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
