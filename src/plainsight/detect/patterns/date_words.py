"""The calendar's words as pattern fragments: months, weekdays, seasons, holidays, number words.

Fragments are strings without capturing groups, in the common subset of RE2 and ``re``, to be used without
regard to case on the shadow of a text, which has no accents. Frequent misspellings and scanning errors
(``Febuary``, ``0ct``) stand beside the right forms.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain

from plainsight.locale import DEFAULT_LOCALE, load_locale
from plainsight.locale.calendar import fold, load_calendar

_NOTHING = r"\b\B"


@dataclass(frozen=True, slots=True)
class DateWords:
    """The fragments of one locale.

    ``age_word`` is a number from one to ninety-nine in words; ``year_words`` a year as it is spoken
    (``nineteen sixty one``, ``oh four``); ``ordinal_word`` a day of the month (``twenty second``);
    ``day_word`` a day or a month as it is spoken (``fourteen``, ``oh six``).
    """

    month: str
    foreign_month: str
    weekday: str
    foreign_weekday: str
    season: str
    holiday: str
    suffix: str
    age_word: str
    year_words: str
    ordinal_word: str
    day_word: str


def _any(words: Iterable[str]) -> str:
    """Return a fragment that matches any of these words, the longest first."""
    return f"(?:{'|'.join(sorted({*map(fold, words)}, key=lambda word: (-len(word), word))) or _NOTHING})"


@cache
def load_date_words(locale: str) -> DateWords:
    """Return the fragments of a locale, by its name or folder."""
    tables, calendar = load_locale(locale), load_calendar(locale)
    table: dict[str, list[str]] = {
        key: fold(value).split() for key, value in tables.table("calendar").items() if isinstance(value, str)
    }
    numbers = {key: str(value).split() for key, value in tables.table("languages")[calendar.language].items()}
    months, *other_months = ([*map(fold, names)] for names in calendar.month_names.values())
    weekdays = [fold(name) for name in calendar.weekday_names[calendar.language]]
    holidays = tables.table("holidays").get("patterns", "").strip().splitlines()
    cardinals, ordinals = numbers.get("cardinals", []), numbers.get("ordinals", [])
    unit, teen = _any(cardinals[1:10]), _any(cardinals[10:])
    tens = _any(numbers.get("tens", []) + numbers.get("misspelt_tens", []))
    tens_and_unit = rf"{tens}(?:[- ]{unit})?"
    age_word = rf"(?:{tens_and_unit}|{teen}|{unit})"
    return DateWords(
        month=_any(months + table["short_months"] + table["misspelt_months"]),
        foreign_month=_any(
            {*chain(*other_months), *table["other_months"]} - {*months, *table["unsure_months"]}
        ),
        weekday=_any(
            chain(
                weekdays,
                (f"{name}s" for name in weekdays),
                table["short_weekdays"],
                (name[:3] for name in table["short_weekdays"]),
                table["misspelt_weekdays"],
            )
        ),
        foreign_weekday=_any(
            fold(name)
            for language in tables.table("calendar")["weekday_languages"]
            for name in calendar.weekday_names.get(language, ())  # not one of the locale's languages
        ),
        season=_any(calendar.seasons),
        holiday=f"(?:{'|'.join(holidays) or _NOTHING})",
        suffix=_any(calendar.ordinal_suffixes),
        age_word=age_word,
        year_words=(
            rf"(?:(?:(?:nineteen|twenty)[- ])?(?:{tens_and_unit}|{teen}|oh[- ]{unit})"
            rf"|two thousand(?: (?:and )?{age_word})?)"
        ),
        ordinal_word=_any(
            [*ordinals[1:], "twentieth", "thirtieth", rf"(?:twenty|thirty)[- ]{_any(ordinals[1:10])}"]
        ),
        day_word=rf"(?:(?:twenty|thirty)[- ]{unit}|{teen}|twenty|thirty|(?:oh )?{unit})",
    )


MONTH = load_date_words(DEFAULT_LOCALE).month
AGE_WORD = load_date_words(DEFAULT_LOCALE).age_word
