"""Recovering date offsets from what the calendar tells."""

import math
import random
from datetime import date, timedelta

import pytest

from plainsight.document import Document, Span
from plainsight.evaluate.surrogates.pairs import exact
from plainsight.formats.inline import parse
from plainsight.lab.attack.offset import Clues, Setting, candidates, clues, plausibility, recover

EVEN = [1 / 7] * 7
WORKING = [0.199] * 5 + [0.0025] * 2


def note(marked, *surrogates):
    text, spans = parse(marked)
    return exact(Document("1", text, spans), surrogates)


def test_candidates():
    # 30 … 365 forwards and backwards: 336 each; 35, 42 … 364: 48 each.
    assert len(candidates(Setting())) == 672
    assert len(candidates(Setting(whole_weeks=True))) == 96
    assert 0 not in candidates(Setting(min_shift=1, max_shift=2))
    assert candidates(Setting(min_shift=1, max_shift=2)) == [-2, -1, 1, 2]


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
    read = Clues(visits=(), events=((date(2020, 6, 1), date(2020, 1, 15)),))
    assert plausibility(read, 100, EVEN) == 0.0
    assert plausibility(read, 200, EVEN) < -3


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
    assert [(month, day) for _, month, day, _ in told.seasons] == [(10, 15), (12, 25)]
    assert told.events == ((date(2022, 3, 14), date(2020, 1, 15)),)


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
    any_day = recover(visits(), keys=2, make=Shifted)
    weeks = recover(visits(), setting=Setting(whole_weeks=True), keys=2, make=Shifted)
    assert any_day["patients"] == weeks["patients"] == 48
    # One offset in seven fits: log2(7) = 2.8 bits, and the true one ranks in the first seventh.
    assert any_day["bits_gained"] > 1.5
    assert any_day["mean_percentile"] < 0.2
    assert abs(weeks["bits_gained"]) < 0.6
    assert 0.3 < weeks["mean_percentile"] < 0.7
    assert weeks["first_ten_random"] == pytest.approx(10 / 96)


def test_recovery_is_deterministic():
    assert recover(visits(6, 5), make=Shifted) == recover(visits(6, 5), make=Shifted)


def test_nobody_to_attack():
    told = recover([Document("1", "x"), Document("2", "y")], make=Shifted)
    assert (told["patients"], told["mean_percentile"], told["first"]) == (0, None, None)
