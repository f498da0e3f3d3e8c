"""Offset recovery: find by how many days a patient's dates were shifted, from clues of the calendar.

Clinics see patients on weekdays and close on holidays; notes speak of Christmas around Christmas, of flu
shots in autumn, of COVID not before 2020, and none was written after the last one of the collection. The
attacker learns from his own notes how visits fall on weekdays, tries every offset that the policy allows, and
weighs them by how plausible they make the released notes. The *candidates* of a patient are the fewest
offsets that hold the true one with a probability of 95 %.

Weekday words and events (`plainsight.locale.events`) that were not shifted with the dates count as well,
because they would reveal the offset.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from itertools import accumulate
from statistics import mean, median
from typing import Literal

from plainsight.document import Document, Span
from plainsight.errors import plural
from plainsight.evaluate.surrogates.dates import FullDate, full_dates, shift_of
from plainsight.evaluate.surrogates.pairs import Note, by_patient, exact
from plainsight.lab.attack.release import MISSED, by_scope, key_of, scope_of
from plainsight.lab.attack.statistics import Record, rounded
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.events import EventInNote, load_events
from plainsight.replace.base import MarkingOperation, Operation
from plainsight.replace.surrogate.dates.options import DateOptions
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
_SINCE = {r"covid|sars-cov-2|coronavirus": date(2020, 1, 15), r"paxlovid|covid booster": date(2021, 8, 1)}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY_BEFORE = re.compile(
    r"\b(mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:[a-z]*day)?\b\.?,? *\(?$", re.IGNORECASE
)
_CREDIBLE = 0.95
_FEW = 50
_UNLIKELY = math.log(0.02)
_CLOSED = {(12, 25), (1, 1), (7, 4), (12, 24), (12, 31)}

Shifter = Callable[[bytes, "Setting"], Operation]


@dataclass(frozen=True, slots=True)
class Setting:
    """How dates are shifted: some of the options of `plainsight.replace.surrogate.dates.options`."""

    offset: Literal["standard", "strict"] = "standard"
    whole_weeks: bool = True
    keep_seasons: bool | None = None
    holidays: Literal["shift", "neutral", "keep"] = "shift"
    min_shift: int = 30
    max_shift: int | None = None

    @property
    def name(self) -> str:
        """The setting in words."""
        options = DateOptions(**asdict(self))
        step = "whole weeks" if self.whole_weeks else "any day"
        seasons = ", seasons kept" if options.keeps_seasons else ""
        years = plural(round(options.farthest / 365.25), "year")
        return f"{self.offset}: {step}{seasons}, up to {years}, holidays {self.holidays}"


_USUAL = Setting()
SETTINGS = (
    _USUAL,
    Setting(offset="strict"),
    Setting(keep_seasons=False),
    Setting(keep_seasons=False, max_shift=365),
    Setting(whole_weeks=False, keep_seasons=False, max_shift=365),
)


def shifted(key: bytes, setting: Setting) -> Operation:
    """Return the operation that is attacked."""
    return Surrogate(key=key, **asdict(setting))


def candidates(setting: Setting) -> tuple[int, ...]:
    """Return every offset that the setting allows."""
    return DateOptions(**asdict(setting)).offsets


def habits(own: Sequence[Document]) -> list[float]:
    """Learn from the attacker's own notes how visits fall on the days of the week."""
    counts = Counter(day.weekday() for note in own for day in _true_visits(note))
    total = sum(counts.values()) + 7
    return [(counts[day] + 1) / total for day in range(7)]


def plausibility(
    read: Clues, offset: int, week: Sequence[float], *, latest: date = date.max, locale: str = DEFAULT_LOCALE
) -> float:
    """Return the log-likelihood of what was read if the dates were shifted by this offset.

    ``latest`` is the day of the last note of the collection, as far as the attacker knows.
    """
    back = timedelta(days=-offset)
    total = 0.0
    for day in set(read.visits):
        true = day + back
        total += math.log(week[true.weekday()] * (0.4 if (true.month, true.day) in _CLOSED else 1.0))
        total += 0.0 if true <= latest else _UNLIKELY
    for day, weekday in set(read.weekdays):  # a weekday word reveals the true day only if it was not shifted
        total += (
            math.log(0.5 if (day + back).weekday() == weekday else 0.5 / 6)
            if day.weekday() != weekday
            else 0.0
        )
    for day, month, of_month, width in set(read.seasons):
        total += math.log(0.35 + 0.65 * (_away(day + back, month, of_month) <= width) * 182 / width / 1.2)
    for day, since in set(read.since):
        total += 0.0 if day + back >= since else _UNLIKELY
    known = load_events(locale)
    for event in read.events:
        days = [event.day, *(event.others if event.event.name == "leap day" else ())]
        fits = any(known.fits(event.event, event.text, day + back) for day in days)
        total += 0.0 if fits else _UNLIKELY
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
    latest: date | None = None,
) -> Record:
    """Attack the dates of each half of the notes with the habits learnt on the other half.

    ``latest`` is the last day of the collection; by default that of its notes.
    """
    offsets = candidates(setting)
    ranks: list[float] = []
    gains: list[float] = []
    counts: list[int] = []
    halves = by_scope(gold, 2, seed)
    latest = latest or _last_day(gold)
    for own, theirs in (halves, halves[::-1]):
        week = habits(own)
        for key in range(keys):
            operation = make(key_of(seed + key, "offset"), setting)
            for patient, notes in by_patient(_released_notes(theirs, operation)).items():
                true = shift_of(notes)
                read = clues(notes)
                if true not in offsets or not read.visits:
                    continue
                scores = {offset: plausibility(read, offset, week, latest=latest) for offset in offsets}
                ranks.append(_rank(scores, true, random.Random(f"{seed} {key} {patient}")))
                gains.append(_gain(scores, true))
                counts.append(credible(scores.values()))

    def share(places: int) -> float | None:
        return sum(rank < places for rank in ranks) / len(ranks) if ranks else None

    return {
        "setting": setting.name,
        "patients": len(ranks),
        "offsets": len(offsets),
        "candidates_least": min(counts, default=None),
        "candidates_median": round(median(counts)) if counts else None,
        f"below_{_FEW}": sum(count < _FEW for count in counts),
        "first": share(1),
        "first_random": 1 / len(offsets),
        "first_ten": share(10),
        "first_ten_random": min(1.0, 10 / len(offsets)),
        "mean_percentile": rounded(mean(ranks) / max(1, len(offsets) - 1)) if ranks else None,
        "percentile_random": 0.5,
        "bits_gained": rounded(mean(gains), 3) if gains else None,
    }


def credible(scores: Iterable[float]) -> int:
    """Return how many offsets, the likeliest first, hold the true one with a probability of 95 %.

    >>> credible([0.0] * 100), credible([0.0] + [-20.0] * 99)
    (95, 1)
    """
    ordered = sorted(scores, reverse=True)
    weights = [math.exp(score - ordered[0]) for score in ordered]
    wanted = _CREDIBLE * sum(weights) * (1 - 1e-9)
    return next(count for count, total in enumerate(accumulate(weights), start=1) if total >= wanted)


def _true_visits(note: Document) -> tuple[date, ...]:
    return clues([exact(note, [note.text[span.start : span.end] for span in note.spans])]).visits


def _last_day(notes: Iterable[Document]) -> date:
    """Return the last day with a whole year in the collection."""
    true = (exact(note, [note.text[span.start : span.end] for span in note.spans]) for note in notes)
    days = (day for _, was, now in full_dates(true) if not was.short_year and (day := _released(now)))
    return max(days, default=date.max)


def _released_notes(documents: Sequence[Document], operation: Operation) -> Iterator[Note]:
    """Yield the notes with their dates replaced and labels for other identifiers; what was missed stays.

    What the operation itself marks is replaced, too.
    """
    notes: Sequence[Document] = documents
    if isinstance(operation, MarkingOperation):
        notes = [operation.marked(document) for document in documents]
    notes = [Document(note.id, note.text, note.spans, patient_id=scope_of(note)) for note in notes]
    dates = [replace(note, spans=tuple(filter(_is_shifted, note.spans))) for note in notes]
    for note, texts in zip(notes, operation.replace(dates), strict=True):
        made = iter(texts)
        yield exact(
            note,
            [
                next(made)
                if _is_shifted(span)
                else note.text[span.start : span.end]
                if span.source == MISSED
                else f"[{span.label}]"
                for span in note.spans
            ],
        )


def _is_shifted(span: Span) -> bool:
    return span.label == "DATE" and span.source != MISSED


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


@dataclass(frozen=True, slots=True, repr=False)
class EventClue:
    """An event in a released note, the day of the note, and all days in it."""

    event: EventInNote
    text: str
    day: date
    others: tuple[date, ...]

    def __repr__(self) -> str:
        return f"EventClue({self.event.name})"  # never the text


@dataclass(frozen=True, slots=True)
class Clues:
    """The clues in a patient's released notes."""

    visits: tuple[date, ...]
    weekdays: tuple[tuple[date, int], ...] = ()
    seasons: tuple[tuple[date, int, int, int], ...] = ()
    since: tuple[tuple[date, date], ...] = ()
    events: tuple[EventClue, ...] = ()


def clues(notes: Sequence[Note], locale: str = DEFAULT_LOCALE) -> Clues:
    """Read dates, weekday words, seasonal words and events from released notes alone."""
    visits: list[date] = []
    weekdays: list[tuple[date, int]] = []
    seasons: list[tuple[date, int, int, int]] = []
    since: list[tuple[date, date]] = []
    events: list[EventClue] = []
    for note in notes:
        read = [(now.short_year, day) for _, _, now in full_dates([note]) if now and (day := _released(now))]
        if not read:
            continue
        whole = [day for short_year, day in read if not short_year]
        written = Counter(whole or [day for _, day in read]).most_common(1)[0][0]
        dated = [_of_century(day, written) if short_year else day for short_year, day in read]
        # Dates far from the others are births and histories, which fall on any day.
        visits += [day for day in dated if abs((day - written).days) < 730]
        for pattern, (month, width) in _SEASONAL.items():
            if re.search(rf"\b(?:{pattern})\b", note.released, re.IGNORECASE):
                seasons.append((written, month, 15, width))
        for pattern, start in _SINCE.items():
            if re.search(pattern, note.released, re.IGNORECASE):
                since.append((max(dated), start))
        found = load_events(locale).find(note.released)
        events += [EventClue(event, note.released, written, tuple(dated)) for event in found]
        weekdays += _beside(note)
    return Clues(tuple(visits), tuple(weekdays), tuple(seasons), tuple(since), tuple(events))


def _of_century(day: date, near: date) -> date:
    """Return the day with its two last digits of a year, in the century that brings it near to another."""
    years = [day.year + century for century in (-100, 0, 100) if 1 < day.year + century < 9998]
    days = [date(year, day.month, 1) + timedelta(days=day.day - 1) for year in years]
    return min(days, key=lambda candidate: abs(candidate - near))


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
