"""Recovering date offsets from what the calendar tells."""

import doctest
import math
import random
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from plainsight.document import Document, Span
from plainsight.evaluate.surrogates.pairs import exact
from plainsight.formats.inline import parse
from plainsight.lab.attack import offset as offset_attack
from plainsight.lab.attack.offset import Clues, Setting, candidates, clues, credible, plausibility, recover
from plainsight.lab.attack.release import MISSED

EVEN = [1 / 7] * 7
WORKING = [0.199] * 5 + [0.0025] * 2


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


ANY_DAY = Setting(whole_weeks=False, keep_seasons=False, max_shift=365)
WEEKS = Setting(keep_seasons=False, max_shift=365)


def test_candidates():
    # 30 … 365 forwards and backwards: 336 each; 35, 42 … 364: 48 each.
    assert len(candidates(ANY_DAY)) == 670
    assert len(candidates(WEEKS)) == 96
    assert candidates(Setting(whole_weeks=False, min_shift=1, max_shift=2)) == (-2, -1, 1, 2)
    assert len(candidates(Setting(offset="strict"))) > 4000


def test_visits_on_working_days_make_an_offset_plausible():
    # Released: a Saturday. Shifted by 1 it was a Friday, by 6 a Sunday.
    read = Clues(visits=(date(2021, 11, 13),))
    assert plausibility(read, 1, WORKING) == pytest.approx(math.log(0.199))
    assert plausibility(read, 6, WORKING) == pytest.approx(math.log(0.0025))


def test_clinics_close_at_christmas():
    read = Clues(visits=(date(2021, 12, 25),))
    assert plausibility(read, 1, EVEN) == plausibility(read, 0, EVEN)  # 24 and 25 December, both closed
    assert plausibility(read, 3, EVEN) > plausibility(read, 0, EVEN)


def test_a_weekday_that_was_not_shifted_gives_the_offset_away_modulo_seven():
    # 13 November 2021 is a Saturday, but the note says Monday: the date moved by 5, 12 … days.
    read = Clues(visits=(), weekdays=((date(2021, 11, 13), 0),))
    scores = {offset: plausibility(read, offset, EVEN) for offset in range(1, 15)}
    assert [offset for offset, score in scores.items() if score == max(scores.values())] == [5, 12]
    agreeing = Clues(visits=(), weekdays=((date(2021, 11, 13), 5),))
    assert plausibility(agreeing, 5, EVEN) == plausibility(agreeing, 6, EVEN) == 0.0


def test_events_cannot_come_before_their_time():
    read = Clues(visits=(), since=((date(2020, 6, 1), date(2020, 1, 15)),))
    assert plausibility(read, 100, EVEN) == 0.0
    assert plausibility(read, 200, EVEN) < -3


def test_nothing_was_written_after_the_last_note():
    read = Clues(visits=(date(2020, 6, 1),))
    late, early = plausibility(read, -7, EVEN, latest=date(2020, 6, 1)), plausibility(read, 7, EVEN)
    assert early - late == pytest.approx(-math.log(0.02))


def test_an_event_leaves_few_offsets():
    weeks = range(-52 * 7, 52 * 7 + 1, 7)
    read = clues([note("{{DATE|3/20/2024}} fasting for Ramadan", "3/20/2024")])
    scores = [plausibility(read, offset, EVEN) for offset in weeks]
    assert credible(scores) < 40
    leap = "{{DATE|3/20/2024}}, a leap-day baby, DOB {{DATE|2/29/1960}}"
    born = clues([note(leap, "4/3/2024", "3/14/1960")])
    scores = {offset: plausibility(born, offset, EVEN) for offset in range(-60, 60)}
    assert 14 in [offset for offset, score in scores.items() if score == max(scores.values())]


def test_credible():
    assert doctest.testmod(offset_attack).failed == 0


def test_holidays_and_seasons_are_said_near_their_time():
    read = Clues(visits=(), seasons=((date(2021, 6, 25), 12, 25, 75),))
    assert plausibility(read, 182, EVEN) > plausibility(read, 30, EVEN)


def test_clues_are_read_from_the_released_notes_alone():
    told = clues(
        [
            note(
                "{{DATE|Sat 11/13/2021}} flu shot given, COVID negative; born {{DATE|9/14/1928}}."
                " Rum at {{DATE|Christmas}}.",
                "Mon 3/14/2022",
                "1/13/1929",
                "Christmas",
            )
        ]
    )
    assert told.visits == (date(2022, 3, 14),)  # the birth is far from the visit
    assert told.weekdays == ((date(2022, 3, 14), 0),)
    assert [(month, day) for _, month, day, _ in told.seasons] == [(10, 15)]
    assert told.since == ((date(2022, 3, 14), date(2020, 1, 15)),)
    assert [(clue.event.name, clue.day) for clue in told.events] == [("holiday", date(2022, 3, 14))]
    assert "Christmas" not in repr(told)


def test_a_weekday_may_stand_in_a_mark_of_its_own():
    told = clues([note("{{DATE|Saturday}} {{DATE|11/13/2021}}", "Monday", "3/14/2022")])
    assert told.weekdays == ((date(2022, 3, 14), 0),)


def test_no_date_no_clue():
    assert clues([note("flu shot {{DATE|Monday}}", "Friday")]) == Clues(visits=())


class Shifted:
    """A stand-in engine: shifts by a drawn offset, one for each patient."""

    def __init__(self, key, setting):
        self.key, self.setting = key, setting

    def replace(self, documents):
        made = []
        for d in documents:
            offset = random.Random(f"{self.key.hex()} {d.patient_id}").choice(candidates(self.setting))
            days = [date.fromisoformat(d.text[s.start : s.end]) for s in d.spans]
            made.append([str(day + timedelta(days=offset)) for day in days])
        return made


def visits(patients=24, each=40):
    """Make patients who are seen on working days alone."""
    chance = random.Random(5)
    made = []
    for patient in range(patients):
        days = [
            date(2015, 1, 5) + timedelta(days=7 * chance.randrange(100) + chance.randrange(5))
            for _ in range(each)
        ]
        text = " ".join(map(str, days))
        spans = tuple(Span(11 * n, 11 * n + 10, "DATE") for n in range(each))
        made.append(Document(f"n{patient}", text, spans, patient_id=f"p{patient}"))
    return made


def test_many_visits_give_the_offset_away_modulo_seven_unless_it_is_whole_weeks():
    any_day = recover(visits(), setting=ANY_DAY, keys=2, make=Shifted, latest=date.max)
    weeks = recover(visits(), setting=WEEKS, keys=2, make=Shifted, latest=date.max)
    assert any_day["patients"] == weeks["patients"] == 48
    # One offset in seven fits: log2(7) = 2.8 bits, and the true one ranks in the first seventh.
    assert any_day["bits_gained"] > 1.5
    assert any_day["mean_percentile"] < 0.2
    assert abs(weeks["bits_gained"]) < 0.6
    assert 0.3 < weeks["mean_percentile"] < 0.7
    assert weeks["candidates_least"] > any_day["candidates_least"] / 7
    assert weeks["first_ten_random"] == pytest.approx(10 / 96)


def test_recovery_is_deterministic():
    assert recover(visits(6, 5), make=Shifted) == recover(visits(6, 5), make=Shifted)


def test_nobody_to_attack():
    told = recover([Document("1", "x"), Document("2", "y")], make=Shifted)
    assert (told["patients"], told["mean_percentile"], told["first"]) == (0, None, None)


def test_a_date_that_a_policy_missed_stays():
    days = visits(2, 4)
    missed = [replace(n, spans=(*n.spans[:3], replace(n.spans[3], source=MISSED))) for n in days]
    made = list(offset_attack._released_notes(missed, Shifted(b"k", WEEKS)))
    assert all(note.pairs[3].surrogate == note.pairs[3].original for note in made)
    assert all(note.pairs[0].surrogate != note.pairs[0].original for note in made)


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("folder", "patients"), [("corpus/longitudinal", 6), ("benchmarks/longitudinal", 15)]
)
def test_strict_leaves_every_patient_fifty_candidates(folder, patients):
    gold = []
    for path in sorted((ROOT / folder).rglob("*.txt")):
        text, spans = parse(path.read_text(encoding="utf-8"))
        patient = path.parent.name if patients == 15 else path.stem.split("-")[0]
        gold.append(Document(str(path), text, spans, patient_id=patient))
    made = recover(gold, setting=Setting(offset="strict"), keys=1)
    assert made["patients"] == patients
    assert made["candidates_least"] >= 50
    assert made["below_50"] == 0
