from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.errors import PluginError
from plainsight.locale import DEFAULT_LOCALE, load_locale, locale_names, one_of
from plainsight.locale.calendar import load_calendar


def test_shipped_locales_are_named() -> None:
    assert DEFAULT_LOCALE in locale_names()
    assert load_locale(DEFAULT_LOCALE).name == "en_US"


def test_a_locale_takes_what_it_does_not_say_from_the_one_it_extends(tmp_path: Path) -> None:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "calendar.toml").write_text('date_order = "dmy"\n')
    calendar = load_locale(str(tmp_path)).table("calendar")
    assert calendar["date_order"] == "dmy"
    assert calendar["languages"] == load_locale("en_US").table("calendar")["languages"]


def test_a_table_nobody_wrote_is_empty(tmp_path: Path) -> None:
    assert dict(load_locale(str(tmp_path)).table("holidays")) == {}


def test_a_key_that_is_missing_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "locale.toml").write_text('extends = "en_US"\n')
    (tmp_path / "calendar.toml").write_text('languages = ["sv"]\n')
    with pytest.raises(PluginError, match=r"languages\.toml has no 'sv'"):
        load_calendar(str(tmp_path))


def test_an_unknown_locale_is_refused_with_a_hint() -> None:
    with pytest.raises(PluginError, match="did you mean 'en_US'"):
        load_locale("en_us")


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "calendar.toml").write_text("date_order = \n")
    with pytest.raises(PluginError, match=r"calendar\.toml cannot be read"):
        load_locale(str(tmp_path)).table("calendar")


@given(st.lists(st.text(alphabet="abAB. '", min_size=1, max_size=6), min_size=1, max_size=12))
def test_one_of_matches_its_words_and_nothing_else(words: list[str]) -> None:
    pattern = re.compile(one_of(words))
    assert all(pattern.fullmatch(word) for word in words)
    assert not any(pattern.fullmatch(word + "z") for word in words)
