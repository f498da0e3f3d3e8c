"""Offset recovery: find by how many days a patient's dates were shifted, from clues of the calendar.

Clinics see patients on weekdays and close on holidays; notes speak of Christmas around Christmas, of flu
shots in autumn, of COVID not before 2020. The attacker learns from notes of his own how visits fall on
weekdays, tries every offset that the policy allows, and ranks them by how plausible they make the
released notes. Weekday words and holidays that were not shifted with the dates would give the offset away:
they count, too.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from plainsight.document import Document
from plainsight.evaluate.surrogates.dates import shift_of
from plainsight.evaluate.surrogates.pairs import by_patient, exact
from plainsight.lab.attack.calendar_clues import Clues, clues
from plainsight.lab.attack.release import by_scope, key_of, scope_of
from plainsight.replace.base import Operation
from plainsight.replace.surrogate.operation import Surrogate

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
    return Surrogate(
        key=key,
        whole_weeks=setting.whole_weeks,
        holidays=setting.holidays,
        min_shift=setting.min_shift,
        max_shift=setting.max_shift,
    )


@dataclass(frozen=True, slots=True)
class Recovered:
    """How well the true offset was found, over all patients with a full date."""

    setting: Setting
    patients: int
    offsets: int
    first: int
    first_ten: int
    percentile: float | None
    bits: float | None

    def to_json(self) -> dict[str, object]:
        """Return plain data beside what guessing gives."""
        return {
            "setting": self.setting.name,
            "patients": self.patients,
            "offsets": self.offsets,
            "first": self.first / self.patients if self.patients else None,
            "first_random": 1 / self.offsets,
            "first_ten": self.first_ten / self.patients if self.patients else None,
            "first_ten_random": min(1.0, 10 / self.offsets),
            "mean_percentile": None if self.percentile is None else round(self.percentile, 4),
            "percentile_random": 0.5,
            "bits_gained": None if self.bits is None else round(self.bits, 3),
        }


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
) -> Recovered:
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
    return Recovered(
        setting,
        len(ranks),
        len(offsets),
        sum(rank == 0 for rank in ranks),
        sum(rank < 10 for rank in ranks),
        sum(ranks) / len(ranks) / max(1, len(offsets) - 1) if ranks else None,
        sum(gains) / len(gains) if gains else None,
    )


def _dates_only(document: Document) -> Document:
    return Document(
        document.id,
        document.text,
        tuple(span for span in document.spans if span.label == "DATE"),
        patient_id=scope_of(document),
    )


def _rank(scores: dict[int, float], true: int, chance: random.Random) -> int:
    """Return how many offsets stand before the true one; among equals the place is drawn."""
    best = scores[true]
    return sum(score > best for score in scores.values()) + chance.randrange(
        sum(score == best for score in scores.values())
    )


def _gain(scores: dict[int, float], true: int) -> float:
    """Return the bits by which the attacker is surer of the true offset than a guesser; below 0: misled."""
    top = max(scores.values())
    total = sum(math.exp(score - top) for score in scores.values())
    return (scores[true] - top - math.log(total)) / math.log(2) + math.log2(len(scores))
