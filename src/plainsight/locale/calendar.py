"""The words of a calendar: months, weekdays, seasons, thirds of a time (early, mid, late) and numbers.

A calendar reads words and writes them. It writes a word in the style of its *model*, the word that it
replaces: ``Sept.`` becomes ``Jan.``, ``SUNDAYS`` becomes ``WEDNESDAYS``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from plainsight.errors import PluginError
from plainsight.locale import load_locale
from plainsight.note_cache import note_cache

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def fold(word: str) -> str:
    """Return a word in small letters without accents and final full stops."""
    if word.isascii():
        return word.lower().rstrip(".")
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).rstrip(".")


def match_case(model: str, word: str) -> str:
    """Return a word in the case of its model."""
    letters = [letter for letter in model if letter.isalpha()]
    if len(letters) > 1 and all(letter.isupper() for letter in letters):
        return word.upper()
    if all(letter.islower() for letter in letters):
        return word.lower()
    return word[:1].upper() + word[1:]


class _Month(NamedTuple):
    language: str
    number: int
    is_full: bool


class _Weekday(NamedTuple):
    style: str
    """A language, ``short`` or ``letter``."""
    number: int


@cache
def load_calendar(locale: str) -> Calendar:
    """Return the calendar of a locale, by its name or folder."""
    return Calendar(locale)


class Calendar:
    """The words of a locale's calendar. Its sets and dictionaries hold folded words."""

    def __init__(self, locale: str) -> None:
        load_locale(locale).refuse_unknown_keys("calendar")
        load_locale(locale).refuse_unknown_keys("date_cues")
        table = load_locale(locale).table("calendar")
        if table["date_order"] not in ("dmy", "mdy"):
            where = f"locale {load_locale(locale).name}: calendar.toml"
            raise PluginError(f'{where}: date_order is "dmy" or "mdy", not {table["date_order"]!r}')
        known = load_locale(locale).table("languages")
        languages = {name: known[name] for name in table["languages"]}
        self.date_order: str = table["date_order"]
        self.language: str = table["languages"][0]
        self.month_names = {name: words["months"].split() for name, words in languages.items()}
        self.weekday_names = {name: words["weekdays"].split() for name, words in languages.items()}
        self.uncut_months = frozenset(table["uncut_months"].split())
        self.season_names: list[str] = table["seasons"].split()
        self.fillers = frozenset(map(fold, table["fillers"].split()))
        self._relative = frozenset(map(fold, table["relative"].split()))
        self._units = frozenset(map(fold, table["units"].split()))
        self._ago = frozenset(map(fold, table["ago"].split()))
        self.until = frozenset(map(fold, table["until"].split()))
        self.ordinal_suffixes: list[str] = table["ordinal_suffixes"].split()
        self.decade_names: list[str] = table["decades"].split()
        self.weekday_letters: dict[str, int] = table["weekday_letters"]
        self.seasons = {fold(name): number for number, name in enumerate(self.season_names)}
        self.seasons |= {fold(name): number for name, number in table["other_seasons"].items()}
        self._thirds = {word: row.split() for row in reversed(table["thirds"]) for word in row.split()}
        self.short_weekdays: list[str] = table["short_weekdays"].split()

        self._months: dict[str, _Month] = {}
        for language, names in self.month_names.items():
            for number, name in enumerate(map(fold, names), start=1):
                self._months.setdefault(name, _Month(language, number, True))
        for language, names in self.month_names.items():
            for number, name in enumerate(map(fold, names), start=1):
                shorter = range(3, len(name) if language == self.language else 5)
                for length in shorter if languages[language].get("abbreviated", True) else ():
                    self._months.setdefault(name[:length], _Month(language, number, False))
        for word in table["not_months"].split():
            self._months.pop(word, None)

        self._weekdays: dict[str, _Weekday] = {}
        for language, names in self.weekday_names.items():
            for number, name in enumerate(map(fold, names)):
                self._weekdays.setdefault(name, _Weekday(language, number))
        for word in table["not_weekdays"].split():
            self._weekdays.pop(word, None)
        for number, name in enumerate(map(fold, self.short_weekdays)):
            self._weekdays |= dict.fromkeys((name, name[:3]), _Weekday("short", number))
        for name, number in table["other_weekdays"].items():
            self._weekdays[fold(name)] = _Weekday("short" if len(name) < 6 else self.language, number)
        self._weekdays |= {name: _Weekday("letter", number) for name, number in self.weekday_letters.items()}

        written = languages[self.language]
        self._cardinals: list[str] = written.get("cardinals", "").split()
        self._ordinals: list[str] = written.get("ordinals", "").split()
        self._tens: list[str] = written.get("tens", "").split()
        self._ordinal_tens: list[str] = written.get("ordinal_tens", "").split()
        self.number_words: dict[str, int] = {word: n for n, word in enumerate(self._cardinals)}
        self.number_words |= {word: n for n, word in enumerate(self._ordinals)}
        self.number_words |= {word: 10 * n for n, word in enumerate(self._tens, start=2)}
        self.number_words |= {word: 10 * n for n, word in enumerate(self._ordinal_tens, start=2)}
        self.number_words |= written.get("other_numbers", {})

    @note_cache(4096)
    def _spelling(self, word: str) -> str:
        """Return the month or weekday that a word misspells, in the locale's first language; else nothing."""
        if len(word) < 4:
            return ""
        names = map(fold, self.month_names[self.language] + self.weekday_names[self.language])
        slips = {name: OSA.distance(word, name) for name in names if name[0] == word[0]}
        near = [name for name, slip in slips.items() if slip <= (1 if len(name) < 6 else 2)]
        return min(near, key=lambda name: slips[name], default="")

    # --- months -----------------------------------------------------------------------------------------

    def month_of(self, word: str) -> int | None:
        """Return the month that a word names.

        >>> calendar = load_calendar("en_US")
        >>> [calendar.month_of(word) for word in ("Sept.", "Febuary", "mayo", "Monday")]
        [9, 2, 5, None]
        """
        folded = fold(word)
        known = self._months.get(folded)
        if known is None and folded not in self._weekdays:
            known = self._months.get(self._spelling(folded))
        return known.number if known else None

    def month_word(self, model: str, month: int, *, short: bool | None = None) -> str:
        """Return a month's name in the language, length and case of its model, with its full stop.

        ``short`` says whether to cut the name where the model is ``May``, ``June`` or ``July``: these are
        often written in full beside short months.

        >>> calendar = load_calendar("en_US")
        >>> calendar.month_word("Sept.", 1), calendar.month_word("JAN", 6), calendar.month_word("febuary", 3)
        ('Jan.', 'JUN', 'march')
        """
        if self.month_of(model) == month:
            return model
        if model.isupper() and model in _ROMAN:
            return _ROMAN[month - 1]
        language, _, full = self._months.get(fold(model), _Month(self.language, 0, True))
        if fold(model) in self.uncut_months and short is not None:
            full = not short
        name = self.month_names[language][month - 1]
        name = name if full else name[:3]
        stop = "." if model.endswith(".") and (full or name.lower() not in self.uncut_months) else ""
        return match_case(model, name) + stop

    def is_short_month(self, word: str) -> bool | None:
        """Whether a month is cut short; None where the word does not show it: a number, or ``May``."""
        name = fold(word)
        return len(name) <= 4 if name.isalpha() and name not in self.uncut_months else None

    def is_full_month(self, word: str) -> bool:
        """Whether a word is the full name of a month in any language, or a misspelling."""
        return fold(word) not in self._months or self._months[fold(word)].is_full

    # --- weekdays ---------------------------------------------------------------------------------------

    def weekday_of(self, word: str) -> int | None:
        """Return the weekday that a word names, Monday being 0.

        >>> calendar = load_calendar("en_US")
        >>> [calendar.weekday_of(word) for word in ("Sundays", "thrusday", "Tu", "May")]
        [6, 3, 1, None]
        """
        folded = self._singular(word)
        known = self._weekdays.get(folded)
        if known is None and folded not in self._months:
            known = self._weekdays.get(self._spelling(folded))
        return known.number if known else None

    def _singular(self, word: str) -> str:
        folded = re.sub(r"['’]s?$", "", fold(word))
        plural = len(folded) > 3 and folded.endswith("s") and folded not in self._weekdays
        return folded[:-1] if plural and folded[:-1] in self._weekdays else folded

    def weekday_word(self, model: str, weekday: int) -> str:
        """Return a weekday's name in the length, case and number of its model, with its full stop.

        >>> calendar = load_calendar("en_US")
        >>> calendar.weekday_word("Thurs.", 0), calendar.weekday_word("SUNDAYS", 2)
        ('Mon.', 'WEDNESDAYS')
        """
        if self.weekday_of(model) == weekday:
            return model
        folded = self._singular(model)
        style = self._weekdays.get(folded, _Weekday(self.language, 0)).style
        if style == "letter":
            name = ("M", "Tu" if folded in ("tu", "sa", "su") else "T", "W", "Th", "F", "Sa", "Su")[weekday]
        elif style == "short":
            name = self.short_weekdays[weekday] if len(folded) > 3 else self.short_weekdays[weekday][:3]
        else:
            name = self.weekday_names[style][weekday]
        ending = re.search(r"['’]?[sS]?\.?$", model[len(folded) :]) if folded in self._weekdays else None
        return match_case(model, name) + (ending[0] if ending else "")

    def is_short_weekday(self, word: str) -> bool:
        """Whether a weekday is cut short."""
        return self._weekdays.get(self._singular(word), _Weekday("", 0)).style in ("short", "letter")

    # --- words that name no day ----------------------------------------------------------------------------

    def is_relative(self, text: str) -> bool:
        """Whether a text only counts from the day of its note, such as "today" or "two weeks ago".

        >>> calendar = load_calendar("en_US")
        >>> [calendar.is_relative(text) for text in ("last night", "2 weeks ago", "2 weeks", "Tuesday")]
        [True, True, False, False]
        """
        words = [fold(word) for word in re.findall(r"[^\W_]+", text)]
        if not words:
            return False
        if words[-1] in self._ago and len(words) > 1 and words[-2] in self._units:
            count = words[:-2]
            return all(word.isdigit() or word in self.number_words or word in ("a", "an") for word in count)
        return all(word in self._relative or word in self.fillers for word in words)

    # --- seasons, thirds, ordinals ----------------------------------------------------------------------

    def season_of(self, word: str) -> int | None:
        """Return the season that a word names, winter being 0; ``summers``, too."""
        folded = fold(word)
        return self.seasons.get(folded, self.seasons.get(folded.removesuffix("s")))

    def season_word(self, model: str, season: int) -> str:
        """Return a season's name in the case and number of its model."""
        if self.season_of(model) == season:
            return model
        plural = "" if fold(model) in self.seasons else "s"
        return match_case(model, self.season_names[season] + plural)

    def third_of(self, word: str) -> int | None:
        """Return the third of a month or year that a word means: early 0, mid 1, late 2."""
        folded = fold(word)
        return self._thirds[folded].index(folded) if folded in self._thirds else None

    def third_word(self, model: str, third: int) -> str:
        """Return the word for a third from the same row as its model: early and mid, beginning and middle."""
        return match_case(model, self._thirds[fold(model)][third])

    def ordinal_suffix(self, number: int) -> str:
        """Return the suffix of an ordinal in digits: the ``st`` of 21st."""
        ones = 0 if number % 100 in (11, 12, 13) else number % 10
        return self.ordinal_suffixes[min(ones or 10, len(self.ordinal_suffixes)) - 1]

    # --- numbers in words, in English -------------------------------------------------------------------

    def is_ordinal(self, word: str) -> bool:
        """Whether a number word is an ordinal, such as ``third``."""
        return word in self._ordinals or word in self._ordinal_tens

    def in_words(self, number: int, *, ordinal: bool = False, hyphen: str = "-") -> str:
        """Return a number under 100, or a year, in words.

        >>> calendar = load_calendar("en_US")
        >>> calendar.in_words(22, ordinal=True, hyphen=" "), calendar.in_words(1950), calendar.in_words(2009)
        ('twenty second', 'nineteen fifty', 'two thousand nine')
        """
        if number < 20:
            return (self._ordinals if ordinal else self._cardinals)[number]
        if number < 100:
            tens, ones = divmod(number, 10)
            if ones:
                return f"{self._tens[tens - 2]}{hyphen}{self.in_words(ones, ordinal=ordinal)}"
            return (self._ordinal_tens if ordinal else self._tens)[tens - 2]
        century, rest = divmod(number, 100)
        if century % 10 == 0:
            thousand = f"{self.in_words(century // 10)} thousand"
            return f"{thousand} {self.in_words(rest, hyphen=hyphen)}" if rest else thousand
        if rest == 0:
            return f"{self.in_words(century)} hundred"
        return f"{self.in_words(century)} {'oh ' if rest < 10 else ''}{self.in_words(rest, hyphen=hyphen)}"
