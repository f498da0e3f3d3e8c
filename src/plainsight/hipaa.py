"""The rules of HIPAA Safe Harbor that are finer than a label (45 CFR 164.514(b)(2)(i)).

- **Dates** (C): every element but the year goes, so a date that is only a year or a decade stays.
- **Ages** (C): ages over 89 go, and so do years that show such an age; other ages stay.
- **ZIP codes** (B): the first three digits stay where more than 20,000 people live, else they become 000.

Every rule fails closed: a text that cannot be read with certainty counts as identifying.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from plainsight.labels import CATEGORY_OF, group
from plainsight.locale import DEFAULT_LOCALE, load_locale
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import full_year, parse_date
from plainsight.locale.date_tokens import JOINTS, tokenise
from plainsight.shipped import read_shipped
from plainsight.text.shadow import shadow

LATEST_YEAR = 2035
"""The year assumed for a note of unknown year. It is late, so that no year of birth passes as harmless.

It is also the pivot of two-digit years: ``'35`` is 2035, ``'36`` is 1936.
"""


class DateContext(NamedTuple):
    """What a note says of one of its dates: whether it is a birth, and the last year it can mean.

    A birth whose year has two digits may be in either century. ``latest`` is the pivot of two-digit years.
    """

    birth: bool = False
    latest: int = LATEST_YEAR


NO_CONTEXT = DateContext()


def identifying(
    label: str, text: str, *, note_year: int | None = None, context: DateContext = NO_CONTEXT
) -> bool:
    """Whether a span must go under Safe Harbor.

    With ``note_year``, years that show an age over 89 are known exactly. An unknown label counts as
    identifying.

    >>> identifying("DATE", "2012"), identifying("DATE", "May 2012"), identifying("AGE", "67")
    (False, True, False)
    """
    if label not in CATEGORY_OF:
        return True
    if label not in group("safe-harbor"):
        return False
    if label == "DATE":
        return not year_only(text) or shows_over_89(_may_be(text, context), note_year=note_year)
    if label == "AGE":
        return over_89(text) is not False
    if label == "ZIP":
        return not _is_zip3(text)
    return True


# --- dates ------------------------------------------------------------------------------------------------

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_ONE_YEAR = "(?:[YA]p?|Np|D)"
_YEARS_ONLY = re.compile(rf"[{JOINTS}q]*{_ONE_YEAR}(?:[-=&/](?:[q_]*{_ONE_YEAR}|N))?[{JOINTS}]*")
"""Years and decades as the signature of a date shows them, see `plainsight.locale.date_tokens`."""
_NO_YEAR = re.compile(r"(?<!\d)(?!1[89]|2[01])\d{4}(?!\d)")
_FULL_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_BIRTH = re.compile(
    r"\b(?:d\.?o\.?b|date of birth|born|birth ?(?:date|day|year)?|b ?day|b)\b[.:#]?"
    r"(?: (?:on|in|is|was|year|c|circa))?[\s:(=-]*\Z",
    re.IGNORECASE,
)
_RECENT = 2025
"""The year of a note that has no year with four digits: a later one with two is of the last century."""
_LAST_CENTURY = 1999
_YEAR_INSIDE = re.compile(r"(?<!\d)(?:1[89]|2[01])\d\d(?!\d)|(?<!\w)'\d\d(?!\d)")


def _plain_date(text: str) -> str:
    return shadow(text).decode("ascii").strip(" .,;:()")


def year_only(text: str) -> bool:
    """Whether a date is just a year, a decade, or a span of them: such a date stays under Safe Harbor.

    >>> [year_only(date) for date in ("2012", "'08", "1990s", "2018-19", "winter of 2010", "08")]
    [True, True, True, True, False, False]
    """
    tokens = tokenise(_plain_date(text), _CALENDAR)
    if not _YEARS_ONLY.fullmatch("".join(token.kind for token in tokens)):
        return False
    if any(token.kind in JOINTS and re.search(r"\d", token.text) for token in tokens):
        return False  # a time of day
    numbers = [token for token in tokens if token.kind in "YANpD"]
    if numbers[-1].kind == "N":
        # '2012-03' may be a month: only a later year that can be no month is surely the end of a span.
        return numbers[-1].value > max(numbers[0].value % 100, 12)
    return all(re.fullmatch(r"\d0", token.text) for token in numbers if token.kind == "N")


def years(text: str, *, latest: int = LATEST_YEAR) -> tuple[int, ...]:
    """Return the years that a date names, in order and each once; a decade gives its first year.

    Two digits count where they must be a year (``'08``, ``2/26/85``, ``26-Feb-85``, ``3/85``), with
    ``latest`` as the pivot. Empty when no year can be read, or when the other digits fit no date.

    >>> years("2/26/85"), years("Mon 12/4"), years("12/30/2011-1/2/2012")
    ((1985,), (), (2011, 2012))
    """
    date = _plain_date(text)
    if _NO_YEAR.search(date):
        return ()
    readings = parse_date(date, _CALENDAR)
    fields = [field for field in readings[0].fields if field.role in ("year", "decade")] if readings else []
    if not fields:  # the form is unknown, such as a holiday and its year
        other_numbers = re.findall(r"\d+", _YEAR_INSIDE.sub("", date))
        found = _YEAR_INSIDE.findall(date) if all(1 <= int(n) <= 31 for n in other_numbers) else []
        return tuple(dict.fromkeys(full_year(int(year.strip("'")), latest) for year in found))
    unsure = readings[0].grain == "year" or readings[0].joint == "0"  # 98 alone, 022698
    return tuple(
        dict.fromkeys(
            # The thirties may be those of the last century: a decade is the older one from the twenties on.
            full_year(field.value, min(latest, 2019) if field.role == "decade" else latest)
            for field in fields
            if field.role == "decade" or field.value > 99 or field.text[0] == "'" or not unsure
        )
    )


def shown_years(text: str, context: DateContext = NO_CONTEXT) -> tuple[int, ...]:
    """Return the years of a date that may stay; none if one of them may show an age over 89.

    >>> shown_years("4/12/85"), shown_years("4/12/31"), shown_years("4/12/31", DateContext(latest=2024))
    ((1985,), (2031,), ())
    >>> shown_years("4/12/19", DateContext(birth=True))  # 2019 or 1919
    ()
    """
    return () if shows_over_89(_may_be(text, context)) else years(text, latest=context.latest)


def _may_be(text: str, context: DateContext) -> tuple[int, ...]:
    """Return the years that a date may mean, the oldest ones for a birth."""
    return years(text, latest=_LAST_CENTURY if context.birth else context.latest)


def date_contexts(text: str, dates: Sequence[tuple[int, int]]) -> list[DateContext]:
    """Return the context of each date of a note, by the words before it and the years of the others."""
    full = [int(year) for start, end in dates for year in _FULL_YEAR.findall(text[start:end])]
    latest = min(max([year for year in full if year <= LATEST_YEAR], default=_RECENT) + 2, LATEST_YEAR)
    return [
        DateContext(_BIRTH.search(text, max(0, start - 24), start) is not None, latest) for start, _ in dates
    ]


def shows_over_89(named: Sequence[int], *, note_year: int | None = None) -> bool:
    """Whether a year is so far back that, as a year of birth, it shows an age over 89."""
    latest = LATEST_YEAR if note_year is None else note_year
    return any(latest - year > 89 for year in named)


# --- ages -------------------------------------------------------------------------------------------------

_NUMBERS = load_locale(DEFAULT_LOCALE).table("languages")["en"]
_ONES, _TENS = _NUMBERS["cardinals"].split(), _NUMBERS["tens"].split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, start=2)
}
_NUMBER_WORD = "|".join(sorted((*_VALUES, "hundred"), key=len, reverse=True))
_IN_WORDS = re.compile(rf"\b(?:a (?=hundred))?(?:{_NUMBER_WORD})(?:[ -](?:and )?(?:{_NUMBER_WORD}))*\b")

_AGE_WORDS = load_locale(DEFAULT_LOCALE).table("ages")
_SHORT_FORMS = {word: short for short, words in _AGE_WORDS["short_forms"].items() for word in words.split()}
_SHORT_FORMS |= {name: f"{tens}0s" for tens, name in enumerate(_CALENDAR.decade_names, start=2)}
_DAYS = {"y": 365.25, "mo": 30.4375, "m": 30.4375, "wk": 7, "w": 7, "dy": 1, "d": 1, "hr": 0, "h": 0}
_UNIT = "(?:y|mo|wk|dy|hr|m|w|d|h)"
_SEX = "(?: f| sex| m)?"

_DECADE = re.compile(
    r"(?:in (?:his|her|their|the) )?(?:(?:early|mid|middle|late|to) (?:- )?)*"
    r"(?P<decade>\d0) (?:- )?(?:' )?(?:s|something)"
)
_NO_LIMIT = re.compile(
    r"(?:> =|>|over|above|at least|(?:older|more|greater) than) (?P<low>\d+)(?: y)?"
    r"|(?P<from>\d+)(?: y)? (?:\+|plus|(?:or|and) (?:older|over|above|up|more))(?: y)?"
)
_AT_MOST = re.compile(rf"(?:< =|<|under|below|(?:younger|less) than) (?P<number>\d+)(?: (?P<unit>{_UNIT}))?")
_SPAN = re.compile(
    rf"(?:between )?(?P<low>\d+)(?: (?P<unit>{_UNIT}))? (?:-|to|or|and) "
    rf"(?P<high>\d+)(?: (?P<last>{_UNIT}))?{_SEX}"
)
_PARTS = re.compile(rf"\d+(?: {_UNIT}(?:(?: ,)?(?: and)? \d+ {_UNIT})*)?{_SEX}")
_SIGNS = {"≥": ">=", "≤": "<=", "½": " 1/2", "¼": " 1/4", "¾": " 3/4"}
_OLDEST = 130


def over_89(text: str) -> bool | None:
    """Whether an age is over 89; None when it cannot be read, so that callers take it as identifying.

    >>> [over_89(age) for age in ("67", "ninety-one", "4y 2m", "80s", "90+", "elderly")]
    [False, True, False, False, True, None]
    """
    ages = age_range(text)
    if ages is None:
        # A damaged digit ('9l') is never surely under 90, but may show an age over 89.
        repaired = age_range(re.sub(r"(?<=\d)[lI|]", "1", re.sub(r"(?<=\d)[Oo]", "0", text)))
        return True if repaired and repaired[0] > 89 else None
    low, high = ages
    if high is None:
        return True if low > 89 else None
    return high > 89


def age_range(text: str) -> tuple[int, int | None] | None:
    """Return the lowest and highest age in whole years that a text can mean.

    The highest is None where there is no limit (``90+``). The result is None if the text cannot be read as an
    age. A lone ``m``, ``w``, ``d`` or ``h`` may be a unit or the person's sex or race; the range then covers
    both readings.

    >>> age_range("60s"), age_range("14-month"), age_range("92M"), age_range("sixty to sixty-five")
    ((60, 69), (1, 1), (7, 92), (60, 65))
    """
    age = _plain_age(text)
    if age in _AGE_WORDS["age_groups"]:
        low, *high = _AGE_WORDS["age_groups"][age]
        return low, high[0] if high else None
    if match := _DECADE.fullmatch(age):
        return int(match["decade"]), int(match["decade"]) + 9
    if match := _NO_LIMIT.fullmatch(age):
        return int(match["low"] or match["from"]), None
    if match := _AT_MOST.fullmatch(age):
        return _checked(0, _in_years([(match["number"], match["unit"] or "y")]))
    if (match := _SPAN.fullmatch(age)) and match["unit"] in (None, match["last"]):
        unit = match["last"] or "y"
        return _checked(_in_years([(match["low"], unit)]), _in_years([(match["high"], unit)]))
    if _PARTS.fullmatch(age):
        parts = re.findall(rf"(\d+)(?: ({_UNIT}))?", age)
        low = high = _in_years([(number, unit or "y") for number, unit in parts])
        if len(parts) == 1 and parts[0][1] in ("m", "w", "d", "h"):
            high = int(parts[0][0])
        return _checked(low, high)
    return None


def _checked(low: int, high: int) -> tuple[int, int] | None:
    return (low, high) if low <= high <= _OLDEST else None


def _in_years(parts: Sequence[tuple[str, str]]) -> int:
    return int(sum(int(number) * _DAYS[unit] for number, unit in parts) / _DAYS["y"])


def _plain_age(text: str) -> str:
    """Return an age as small tokens with one space between: digits for words, short units, no fractions."""
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    age = shadow(text).decode("ascii").lower().strip(" .,()")
    age = re.sub(r"(?<![a-z])y\.? ?/?o\b\.?", "y", age)
    age = _IN_WORDS.sub(lambda words: _in_digits(words[0]), age)
    age = re.sub(r"[a-z]+", lambda word: _SHORT_FORMS.get(word[0], word[0]), age)
    age = " ".join(re.findall(r"\d+|[a-z]+|[^\s\w]", age))
    age = re.sub(
        r"(?<=\d) (?:- )?(?:1 / 2|[13] / 4|(?:[1-9]|1[01]) / 12)(?! /|\d)|(?<=\d) [.;] \d\d?(?!\d)", "", age
    )
    age = age.replace(" and a half", "")
    age = re.sub(rf"(?<=\d) - (?={_UNIT}\b)", " ", age)
    return re.sub(r"(?: [.-])+$", "", age.strip())


def _in_digits(words: str) -> str:
    """Return a number below 200 in digits; words that make no such number stay as they are."""
    rest = [word for word in re.split(r"[ -]", words) if word not in ("a", "and")]
    total = 0
    if "hundred" in rest[:2]:
        if rest[0] not in ("hundred", "one"):
            return words
        total, rest = 100, rest[rest.index("hundred") + 1 :]
    if rest and rest[0] in _TENS:
        total, rest = total + _VALUES[rest[0]], rest[1:]
        if rest and 0 < _VALUES.get(rest[0], 0) < 10:
            total, rest = total + _VALUES[rest[0]], rest[1:]
    elif rest and rest[0] in _ONES:
        total, rest = total + _VALUES[rest[0]], rest[1:]
    return words if rest else str(total)


# --- ZIP codes --------------------------------------------------------------------------------------------

_PEOPLE = 20_000
_HHS_2000 = frozenset(
    "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()  # noqa: SIM905
)
"""The restricted prefixes that the HHS guidance of 2012 lists from the 2000 Census: still honoured."""


def zip3(text: str) -> str:
    """Return the three digits of a US ZIP code that may stay, ``000`` by the population rule, '' for no ZIP.

    >>> zip3("38114-1702"), zip3("82190"), zip3("WF14 9AB")
    ('381', '000', '')
    """
    code = shadow(text).decode("ascii").strip(" .,")
    if not re.fullmatch(r"\d{5}(?:[- ]\d{4})?|\d{3}(?:\*\*|[xX]{2})?", code):
        return ""
    return code[:3] if code[:3] in _populous() else "000"


def _is_zip3(text: str) -> bool:
    """Whether a text holds no more of a ZIP code than may stay."""
    return len(re.findall(r"\d", text)) == 3 and zip3(text) == text.strip(" .,")[:3]


@cache
def _populous() -> frozenset[str]:
    """Return the prefixes with more than 20,000 people by every count; an unknown prefix is not in it."""
    table = read_shipped("data/zip3/zip3.csv").decode("ascii")
    counts = csv.DictReader(table.splitlines())
    return (
        frozenset(
            row["zip3"]
            for row in counts
            # A count of adults is a lower bound of the people; see source.toml.
            if int(row["people_2010"]) > _PEOPLE and int(row["adults_2020"]) > _PEOPLE
        )
        - _HHS_2000
    )
