"""Events that betray when a note was written: which are found, and which days they fit."""

import doctest
from datetime import date

import pytest

from plainsight.locale import events
from plainsight.locale.events import load_events

EVENTS = load_events("en_US")


def test_examples_in_docstrings():
    assert doctest.testmod(events).failed == 0


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("She is a leap-day baby.", "leap day", "leap-day baby"),
        ("born on leap day", "leap day", "leap day"),
        ("in a Leap Year", "leap day", "a Leap Year"),
        ("Fasting for Ramadan", "moving feast", "Ramadan"),
        ("after Eid al-Fitr", "moving feast", "Eid al-Fitr"),
        ("at the Super Bowl", "sports event", "the Super Bowl"),
        ("watched July 4th fireworks", "fireworks", "July 4th fireworks"),
        ("a fireworks injury", "fireworks", "fireworks"),
        ("since daylight savings time", "clock change", "daylight savings time"),
        ("when the clocks went back", "clock change", "the clocks went back"),
        ("in Hurricane Ian", "named storm", "Hurricane Ian"),
        ("voted on Election Day", "election", "Election Day"),
        ("looked at the solar eclipse", "eclipse", "the solar eclipse"),
        ("alone in the lockdown of 2020", "lockdown", "the lockdown of 2020"),
        ("at the start of the pandemic", "lockdown", "the start of the pandemic"),
        ("ate much on Thanksgiving", "holiday", "Thanksgiving"),
        ("new year's eve", "holiday", "new year's eve"),
    ],
)
def test_events_are_found(text, name, words):
    (found,) = EVENTS.find(text)
    assert (found.name, text[found.start : found.end]) == (name, words)


@pytest.mark.parametrize(
    "text",
    ["lent him money", "Christmas disease", "the Eclipse stent", "weid", "Shabbat", "a new year of life",
     "COVID-19 positive", "snow", "the fall", "LABOR DAY 2"],
)  # fmt: skip
def test_other_words_are_no_events(text):
    assert EVENTS.find(text) == []


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("Ramadan", date(2024, 3, 20), date(2024, 8, 1)),
        ("Super Bowl", date(2024, 2, 20), date(2024, 6, 1)),
        ("fireworks", date(2023, 7, 5), date(2023, 4, 1)),
        ("leap day", date(2024, 3, 10), date(2023, 3, 10)),
        ("Hurricane Ian", date(2022, 10, 10), date(2023, 10, 10)),
        ("lockdown", date(2020, 5, 1), date(2022, 5, 1)),
        ("Christmas", date(2023, 1, 5), date(2023, 6, 1)),
    ],
)
def test_events_fit_their_days(text, near, far):
    (found,) = EVENTS.find(text)
    assert EVENTS.fits(found, text, near)
    assert not EVENTS.fits(found, text, far)


def test_a_locale_without_events_has_none(tmp_path):
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "holidays.toml").write_text('patterns = ""\n')
    assert [event.name for event in load_events(str(tmp_path)).find("Christmas and Ramadan")] == [
        "moving feast"
    ]
