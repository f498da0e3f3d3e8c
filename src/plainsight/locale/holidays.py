"""Holidays: find the one that a text names, its day in a year, and others near a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property

from plainsight.locale import load_locale
from plainsight.locale.calendar import fold

_NEW_MOON = date(2000, 1, 6).toordinal() + 0.76
_EID = date(2019, 6, 4).toordinal()
_MOON, _LUNAR_YEAR = 29.530588, 354.36707

_SHAPE = re.compile(
    r"(?P<head>(?:the\s+)?)(?P<name>[^\d]+?)(?P<tail>(?:\s+(?:weekend|wknd|wkend|week|season|time|break))?)"
    r"(?:(?P<joint>,?\s+(?:of\s+|in\s+)?|,)(?P<year>['’‘]?\d\d|\d{4}))?(?P<end>[\s.,;:)]*)",
    re.IGNORECASE,
)
_NOTHING = r"\b\B"
_LIKE_ONE = re.compile(r"\b(?:day|days|eve|festival|feast|sunday|new year|powwow|holiday|holidays|fest)$")


@dataclass(frozen=True, slots=True, repr=False)
class Holiday:
    """A holiday in a text: its name and rule, empty if it is unknown, and the words around it."""

    name: str
    kind: str
    rule: str
    head: str
    written: str
    tail: str
    joint: str
    year: str
    end: str

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{self.head}{self.written}{self.tail}{self.joint}{self.year}{self.end}"

    def day(self, year: int) -> date | None:
        """Return its day in a year; None for an unknown holiday."""
        return day_by_rule(self.rule, year) if self.rule else None

    @property
    def is_fixed(self) -> bool:
        """Whether it falls on the same day of every year."""
        return self.rule.count("-") == 1 and self.rule[0].isdigit()


@cache
def load_holidays(locale: str) -> Holidays:
    """Return the holidays of a locale, by its name or folder."""
    return Holidays(locale)


class Holidays:
    """The holidays of a locale, by calendar (civic, Christian, Jewish, Muslim and so on)."""

    def __init__(self, locale: str) -> None:
        table = load_locale(locale).table("holidays")
        self.acronyms = frozenset(table.get("acronyms", ()))
        self._lasting = frozenset(table.get("lasting", ()))
        self._days: dict[str, list[list[str]]] = table.get("days", {})
        self._patterns: list[str] = table.get("patterns", "").strip().splitlines()
        self._names: dict[str, tuple[str, str, str]] = {}
        for kind, days in self._days.items():
            for rule, name, others in days:
                for other in (name.rstrip("*"), *filter(None, others.split(", "))):
                    self._names.setdefault(_plain(other), (name.rstrip("*"), kind, rule))

    def find(self, text: str) -> Holiday | None:
        """Return the holiday that a text names, or None.

        >>> found = load_holidays("en_US").find("xmas eve '14")
        >>> found.name, found.year, found.day(2014)
        ('Christmas Eve', "'14", datetime.date(2014, 12, 24))
        """
        match = _SHAPE.fullmatch(text)
        if match is None:
            return None
        written, tail = match["name"], match["tail"]
        known = self._names.get(_plain(written + tail))
        if known:
            written, tail = written + tail, ""
        else:
            known = self._names.get(_plain(written))
            if not known and not _LIKE_ONE.search(_plain(written)):
                return None
        name, kind, rule = known or ("", "", "")
        joint, year = match["joint"] or "", match["year"] or ""
        return Holiday(name, kind, rule, match["head"], written, tail, joint, year, match["end"])

    @cached_property
    def _inside(self) -> re.Pattern[str]:
        """What a holiday inside a longer text looks like, with its year."""
        spellings = (
            other
            for days in self._days.values()
            for _, name, others in days
            for other in (name.rstrip("*"), *filter(None, others.split(", ")))
        )
        names = [*map(re.escape, sorted(spellings, key=len, reverse=True)), *self._patterns]
        return re.compile(
            rf"(?<![^\W_])(?:the\s+)?(?:{'|'.join(names) or _NOTHING})(?:['’]s?)?(?![^\W_])"
            rf"(?:\s+(?:weekend|wknd|week)\b)?(?:,?\s+(?:of\s+)?(?:['’]\d\d|\d{{4}})(?![^\W_]|[-/.]\d))?",
            re.IGNORECASE,
        )

    def pieces(self, text: str) -> list[str | Holiday]:
        """Cut a text into known holidays and what stands between them; one piece if there is none.

        >>> pieces = load_holidays("en_US").pieces("Easter Sunday 3/31/24")
        >>> [piece if isinstance(piece, str) else piece.name for piece in pieces]
        ['Easter', ' 3/31/24']
        """
        made: list[str | Holiday] = []
        end = 0
        for match in self._inside.finditer(text):
            if (found := self.find(match[0])) and found.rule:
                made += [text[end : match.start()], found]
                end = match.end()
        return [piece for piece in (*made, text[end:]) if piece]

    def is_exact(self, holiday: Holiday) -> bool:
        """Whether its day is exact. Lunar feasts are computed roughly, and some last for weeks."""
        by_moon = holiday.rule.startswith(("passover", "eid", "new", "full"))
        return bool(holiday.rule) and not by_moon and holiday.name not in self._lasting

    def on(self, day: date, *, other_than: Holiday) -> str:
        """Return another common holiday of the same calendar on this day, or nothing."""
        names = (
            name[:-1]
            for rule, name, _ in self._common(other_than)
            if name[-1] == "*" and day_by_rule(rule, day.year) == day
        )
        return next((name for name in names if name != other_than.name), "")

    def near(self, day: date, *, other_than: Holiday) -> tuple[str, date] | None:
        """Return the nearest other holiday of the same calendar, and its day."""
        known = [
            (abs(when - day), name.rstrip("*"), when)
            for year in (day.year - 1, day.year, day.year + 1)
            if 1 < year < 9998
            for rule, name, _ in self._common(other_than)
            if name.rstrip("*") != other_than.name and (when := day_by_rule(rule, year))
        ]
        return min(known)[1:] if known else None

    def _common(self, holiday: Holiday) -> list[list[str]]:
        """Return the holidays of the same calendar; of the civic calendar, the common ones."""
        days = self._days.get(holiday.kind, [])
        return [day for day in days if day[1].endswith("*") or holiday.kind != "civic"]


def _plain(name: str) -> str:
    name = re.sub(r"\bsaint\b", "st", re.sub(r"['’.]", "", fold(name)))
    return " ".join(re.findall(r"[^\W_]+", name))


@cache
def day_by_rule(rule: str, year: int) -> date:
    """Return the day of a year by a rule of ``holidays.toml``, such as ``11-3-4``."""
    if match := re.fullmatch(r"(easter|orthodox|passover|eid)([+-]\d+)", rule):
        feast = {"easter": _easter, "orthodox": _orthodox_easter, "passover": _passover, "eid": _eid}[
            match[1]
        ]
        return feast(year) + timedelta(days=int(match[2]))
    if match := re.fullmatch(r"(new|full)-(\d+)-(\d+)(?:-(\d+))?", rule):
        moon = _moon(date(year, int(match[2]), int(match[3])), 0.5 if match[1] == "full" else 0.0)
        return moon - timedelta(days=int(match[4] or 0))
    month, *rest = rule.split("-")
    first = date(year, int(month), 1)
    if len(rest) == 1:
        return first + timedelta(days=int(rest[0]) - 1)
    weekday, which = int(rest[0]), rest[1]
    if which == "L":
        last = date(year, int(month) + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (int(which) - 1))


def _easter(year: int) -> date:
    """Return Easter by the anonymous Gregorian rule."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def _orthodox_easter(year: int) -> date:
    """Return Easter by the Julian rule, as a day of our calendar."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(days=year // 100 - year // 400 - 2)


def _moon(start: date, phase: float) -> date:
    """Return the first mean new (0) or full (0.5) moon from a day on."""
    first = _NEW_MOON + phase * _MOON
    turns = -((first - start.toordinal()) // _MOON)
    return date.fromordinal(int(first + turns * _MOON))


def _passover(year: int) -> date:
    return _moon(date(year, 3, 26), 0.5)


def _eid(year: int) -> date:
    turns = -((_EID - date(year, 1, 1).toordinal()) // _LUNAR_YEAR)
    return date.fromordinal(int(_EID + turns * _LUNAR_YEAR))
