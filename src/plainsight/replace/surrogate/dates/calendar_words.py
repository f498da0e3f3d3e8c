"""The words of the calendar: months, weekdays, seasons and thirds, read and written in a given style."""

# ruff: noqa: SIM905 - a list of words is read more easily as words
from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from plainsight.note_cache import note_cache

__all__ = [
    "FILLERS",
    "LONG_AND_SHORT",
    "UNTIL",
    "fold",
    "in_case_of",
    "month_of",
    "month_word",
    "roman",
    "season_of",
    "season_word",
    "third_of",
    "third_word",
    "weekday_of",
    "weekday_word",
]

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "cy": "Ionawr Chwefror Mawrth Ebrill Mai Mehefin Gorffennaf Awst Medi Hydref Tachwedd Rhagfyr",
}
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "pt": "segunda terça quarta quinta sexta sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "cy": "Llun Mawrth Mercher Iau Gwener Sadwrn Sul",
}
_NOT_ALONE = {"mawrth", "llun", "iau", "sul", "segunda", "quarta", "quinta", "sexta"}
"""Words that are a weekday only in company: other words are written the same."""

_LONG_WEEKDAYS = ("Mon", "Tues", "Weds", "Thurs", "Fri", "Sat", "Sun")
_SHORT_WEEKDAYS = {
    **{name.lower()[:3]: day for day, name in enumerate(_LONG_WEEKDAYS)},
    "tues": 1,
    "weds": 2,
    "thur": 3,
    "thurs": 3,
    "thr": 3,
}
_LETTER_WEEKDAYS = {"m": 0, "tu": 1, "t": 1, "w": 2, "th": 3, "f": 4, "sa": 5, "su": 6}

_SEASONS = ("winter", "spring", "summer", "fall")
_THIRDS = {
    "early": ("early", "mid", "late"),
    "mid": ("early", "mid", "late"),
    "late": ("early", "mid", "late"),
    "beginning": ("beginning", "middle", "end"),
    "middle": ("beginning", "middle", "end"),
    "end": ("beginning", "middle", "end"),
    "start": ("start", "middle", "end"),
}

LONG_AND_SHORT = ("may", "june", "july")
"""Months that stay whole where others are cut short."""

FILLERS = frozenset(
    (
        "the of de del in on at day dia año year years fy cy week wk weekend month since circa ca c about "
        "around approx abt by from am pm hrs hr est edt cst cdt mst mdt pst pdt utc gmt le il el em den der "
        "date dated every each last this next past coming following q night nite morning evening afternoon "
        "present now current ongoing break term semester"
    ).split()
)
"""Words inside a date that say nothing of it: they stay."""

UNTIL = frozenset("to thru through til till until and or al au bis e y".split())
"""Words between the two ends of a span of time."""


def fold(word: str) -> str:
    """Return a word in small letters without accents and full stops."""
    if word.isascii():
        return word.lower().rstrip(".")
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).rstrip(".")


def in_case_of(model: str, word: str) -> str:
    """Return a word in the case of another one."""
    letters = [letter for letter in model if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return word.upper()
    if all(letter.islower() for letter in letters):
        return word.lower()
    return word[:1].upper() + word[1:]


# --- months -----------------------------------------------------------------------------------------------


@cache
def _month_table() -> dict[str, tuple[str, int, bool]]:
    """Return for every way to write a month its language, number and whether it is the full name."""
    table: dict[str, tuple[str, int, bool]] = {}
    for language, names in _MONTHS.items():
        for number, name in enumerate(map(fold, names.split()), start=1):
            table.setdefault(name, (language, number, True))
    for language in ("en", "es", "pt", "it", "de", "nl", "fr"):
        for number, name in enumerate(map(fold, _MONTHS[language].split()), start=1):
            for length in range(3, len(name) if language == "en" else 5):
                table.setdefault(name[:length], (language, number, False))
    del table["set"]
    return table


@lru_cache(maxsize=4096)
def _misspelt(word: str) -> str | None:
    """Return the English month or weekday that a word is a slip of."""
    if len(word) < 4:
        return None
    names = [fold(name) for name in f"{_MONTHS['en']} {_WEEKDAYS['en']}".split()]
    near = [
        name for name in names if name[0] == word[0] and _slips(word, name) <= (1 if len(name) < 6 else 2)
    ]
    return min(near, key=lambda name: _slips(word, name)) if near else None


def _slips(one: str, two: str) -> int:
    """Return how many slips lie between two words: a letter lost, added or changed, or two swapped."""
    if abs(len(one) - len(two)) > 2:
        return 9
    rows = [list(range(len(two) + 1))]
    for i, left in enumerate(one, start=1):
        row = [i]
        for j, right in enumerate(two, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
            if i > 1 and j > 1 and left == two[j - 2] and one[i - 2] == right:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def month_of(word: str) -> int | None:
    """Return the month that a word names.

    >>> month_of("Sept."), month_of("Febuary"), month_of("mayo"), month_of("Monday")
    (9, 2, 5, None)
    """
    folded = fold(word)
    known = _month_table().get(folded)
    if known is None and folded not in _weekday_table() and (slip := _misspelt(folded)):
        known = _month_table().get(slip)
    return known[1] if known else None


@note_cache(16_384)
def month_word(model: str, month: int, *, short: bool | None = None) -> str:
    """Return the name of a month in the manner of another one: its language, length, case and full stop.

    ``short`` settles what ``May``, ``June`` and ``July`` do not show.

    >>> month_word("Sept.", 1), month_word("JAN", 6), month_word("febuary", 2), month_word("febuary", 3)
    ('Jan.', 'JUN', 'febuary', 'march')
    """
    if month_of(model) == month:
        return model
    language, _, full = _month_table().get(fold(model), ("en", 0, True))
    name = _MONTHS[language].split()[month - 1]
    if fold(model) in LONG_AND_SHORT and short is not None:
        full = not short
    if full:
        return in_case_of(model, name) + ("." if model.endswith(".") else "")
    name = "Sept" if month == 9 and fold(model) not in _month_table() else name[:3]
    stop = "." if model.endswith(".") and name.lower() != "may" else ""
    return in_case_of(model, name) + stop


_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def roman(month: int) -> str:
    """Return a month in Roman numerals."""
    return _ROMAN[month - 1]


# --- weekdays ---------------------------------------------------------------------------------------------


@cache
def _weekday_table() -> dict[str, tuple[str, int]]:
    table: dict[str, tuple[str, int]] = {}
    for language, names in _WEEKDAYS.items():
        for number, name in enumerate(map(fold, names.split())):
            if name not in _NOT_ALONE:
                table.setdefault(name, (language, number))
    table.update({word: ("short", number) for word, number in _SHORT_WEEKDAYS.items()})
    table |= dict.fromkeys(("shabbat", "shabbos", "sabbath"), ("en", 5))
    table.update({word: ("letter", number) for word, number in _LETTER_WEEKDAYS.items()})
    return table


def weekday_of(word: str) -> int | None:
    """Return the weekday that a word names, Monday being 0.

    >>> weekday_of("Sundays"), weekday_of("thrusday"), weekday_of("Tu"), weekday_of("May")
    (6, 3, 1, None)
    """
    folded = _singular(fold(word))
    known = _weekday_table().get(folded)
    if known is None and folded not in _month_table() and (slip := _misspelt(folded)):
        known = _weekday_table().get(slip)
    return known[1] if known else None


def _singular(folded: str) -> str:
    folded = re.sub(r"['’]s?$", "", folded)
    known = _weekday_table()
    return folded[:-1] if folded not in known and folded[:-1] in known and folded.endswith("s") else folded


@note_cache(16_384)
def weekday_word(model: str, weekday: int) -> str:
    """Return the name of a weekday in the manner of another one: length, case, plural and full stop.

    >>> weekday_word("Thurs.", 0), weekday_word("SUNDAYS", 2), weekday_word("Mon", 1), weekday_word("tues", 3)
    ('Mon.', 'WEDNESDAYS', 'Tue', 'thurs')
    """
    if weekday_of(model) == weekday:
        return model
    folded = _singular(fold(model))
    manner = _weekday_table().get(folded, ("en", 0))[0]
    if manner == "letter":
        name = ("M", "Tu" if folded in ("tu", "sa", "su") else "T", "W", "Th", "F", "Sa", "Su")[weekday]
    elif manner == "short":
        name = _LONG_WEEKDAYS[weekday] if len(folded) > 3 else _LONG_WEEKDAYS[weekday][:3]
    else:
        name = _WEEKDAYS[manner].split()[weekday]
    tail = re.search(r"['’]?[sS]?\.?$", model[len(folded) :]) if len(model) > len(folded) else None
    return in_case_of(model, name) + (tail[0] if tail and folded in _weekday_table() else "")


# --- seasons and thirds -----------------------------------------------------------------------------------


def season_of(word: str) -> int | None:
    """Return the season that a word names, winter being 0."""
    folded = fold(word)
    return 3 if folded == "autumn" else _SEASONS.index(folded) if folded in _SEASONS else None


def season_word(model: str, season: int) -> str:
    """Return the name of a season in the manner of another one."""
    return model if season_of(model) == season else in_case_of(model, _SEASONS[season])


def third_of(word: str) -> int | None:
    """Return which third of a time a word means: early, mid, late."""
    folded = fold(word)
    return _THIRDS[folded].index(folded) if folded in _THIRDS else None


def third_word(model: str, third: int) -> str:
    """Return the word for a third in the manner of another one."""
    return in_case_of(model, _THIRDS[fold(model)][third])
