"""A second locale is a folder: its dates are found, read and shifted without a change of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainsight.config import load_policy
from plainsight.detect.patterns import Patterns
from plainsight.document import Document
from plainsight.errors import PolicyError
from plainsight.locale.calendar import load_calendar
from plainsight.pipeline import Pipeline
from plainsight.replace.shift_date import ShiftDate

CALENDAR = """
date_order = "dmy"
languages = ["eo", "en"]
short_months = "jan feb mar apr maj jun jul aŭg sep okt nov dec"
misspelt_months = "aŭgsto"
other_months = ""
unsure_months = ""
uncut_months = "majo"
not_months = ""
short_weekdays = "Lun Mar Mer Ĵaŭ Ven Sab Dim"
misspelt_weekdays = ""
not_weekdays = ""
weekday_letters = {}
other_weekdays = {}
seasons = "vintro printempo somero aŭtuno"
other_seasons = {}
ordinal_suffixes = "a"
fillers = "la de en"
until = "ĝis"
"""
LANGUAGES = """
[eo]
months = "januaro februaro marto aprilo majo junio julio aŭgusto septembro oktobro novembro decembro"
weekdays = "lundo mardo merkredo ĵaŭdo vendredo sabato dimanĉo"
"""
HOLIDAYS = """
patterns = "zamenhofa tago"
lasting = []
acronyms = []
[days]
civic = [["12-15", "Zamenhofa Tago", ""]]
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "calendar.toml").write_text(CALENDAR)
    (tmp_path / "languages.toml").write_text(LANGUAGES)
    (tmp_path / "holidays.toml").write_text(HOLIDAYS)
    return str(tmp_path)


def shifted(text: str, folder: str, days: int) -> list[tuple[str, str]]:
    note = Document("1", text)
    spans = sorted(span for span in Patterns(locale=folder).detect([note])[0] if span.label == "DATE")
    marked = Document("1", text, tuple(spans))
    new = ShiftDate(days=days, locale=folder).replace([marked])[0]
    return [(text[span.start : span.end], shift) for span, shift in zip(spans, new, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vidita 14 marto 2019.", [("14 marto 2019", "24 marto 2019")]),
        ("Vidita 28-aŭg-2019, do.", [("28-aŭg-2019", "07-sep-2019")]),
        ("Vidita 3/4/2019.", [("3/4/2019", "13/4/2019")]),
        ("Vidita 25.4.2019.", [("25.4.2019", "5.5.2019")]),
        ("Naskita majo 1950.", [("majo 1950", "majo 1950")]),
        ("Revenu ĵaŭdo.", [("ĵaŭdo", "dimanĉo")]),
    ],
)
def test_dates_are_found_and_shifted(folder: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert shifted(text, folder, 10) == expected


def test_months_of_the_shipped_locale_are_read_if_the_second_one_names_the_language(folder: str) -> None:
    assert load_calendar(folder).month_of("August") == 8
    assert load_calendar(folder).month_of("luglio") is None


def test_a_policy_chooses_the_locale(folder: str, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        f"""
name = "esperanto"
description = "Dates only."
labels = ["DATE"]
detectors = ["patterns"]
[detector.patterns]
locale = {folder!r}
[replace]
DATE = {{ operation = "shift-date", days = 10, locale = {folder!r} }}
"""
    )
    done = list(Pipeline(load_policy(policy)).deidentify([Document("1", "Vidita 3/4/2019, 14 marto 2019.")]))
    assert isinstance(done[0], Document)
    assert done[0].text == "Vidita 13/4/2019, 24 marto 2019."


def test_an_unknown_locale_is_refused_before_any_note_is_read(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('extends = "fast"\n[detector.patterns]\nlocale = "en_UK"\n')
    with pytest.raises(PolicyError, match="unknown locale"):
        load_policy(policy)


def test_a_policy_with_a_broken_locale_is_refused(tmp_path: Path) -> None:
    (tmp_path / "calendar.toml").write_text('languages = ["sv"]\n')
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    policy = tmp_path / "policy.toml"
    for line in (f"[detector.patterns]\nlocale = {str(tmp_path)!r}", _surrogates_of(tmp_path)):
        policy.write_text(f'extends = "fast"\n{line}\n')
        with pytest.raises(PolicyError, match=r"languages\.toml has no 'sv'"):
            load_policy(policy)


def _surrogates_of(folder: Path) -> str:
    return f'[replace]\ndefault = {{ operation = "surrogate", locale = {str(folder)!r} }}'


def test_fewer_languages_than_the_locale_that_is_extended(tmp_path: Path) -> None:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "calendar.toml").write_text('date_order = "dmy"\nlanguages = ["de", "en"]\n')
    assert shifted("am 3. Mai 2019", str(tmp_path), 30) == [("3. Mai 2019", "2. Juni 2019")]
