"""Holidays: which one a date names, when it falls, and which one lies on or near a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from plainsight.replace.surrogate.dates.calendar_words import fold

__all__ = ["Holiday", "find_holiday", "holiday_near", "holiday_on"]

# kind | when | name | other names. A star: common enough to stand for another holiday.
# When: month-day; month-weekday-which (Monday is 0, L the last); or days from a moving feast. The lunar
# feasts come from mean moons and are right to a day or two, which is as near as their use here needs.
_TABLE = """
civic | 1-1 | New Year's Day* | new year, new years, new years day, new yr, nye day, shogatsu, nouvel an
civic | 12-31 | New Year's Eve* | new years eve, nye, watch night, hogmanay
civic | 1-0-3 | MLK Day* | martin luther king day, mlk, martin luther king jr day
civic | 2-2 | Groundhog Day |
civic | 2-6-1 | Super Bowl Sunday | superbowl sunday, super bowl, superbowl
civic | 2-14 | Valentine's Day* | valentines, st valentines day, valentine day
civic | 2-0-3 | Presidents' Day* | presidents day, washingtons birthday, president day
civic | 2-29 | Leap Day |
civic | 3-1-1 | Town Meeting Day |
civic | 3-17 | St. Patrick's Day* | st patricks, st paddys day, paddys day, st pattys day, st patricks day
civic | 3-31 | Cesar Chavez Day |
civic | 4-1 | April Fools' Day | april fools, april fools day
civic | 4-15 | Tax Day |
civic | 4-0-3 | Patriots' Day | marathon monday, patriots day
civic | 4-22 | Earth Day |
civic | 4-25 | Anzac Day | liberation day
civic | 5-1 | May Day | labour day, international workers day
civic | 5-5 | Cinco de Mayo* |
civic | 5-6-2 | Mother's Day* | mothers day, mothering sunday, dia de las madres
civic | 5-0-4 | Victoria Day |
civic | 5-0-L | Memorial Day* | decoration day, spring bank holiday
civic | 6-14 | Flag Day |
civic | 6-19 | Juneteenth* |
civic | 6-6-3 | Father's Day* | fathers day
civic | 6-24 | Midsummer | juhannus, midsommar, midsummers day, st johns day, saint jean baptiste day, litha
civic | 7-1 | Canada Day |
civic | 7-4 | Independence Day* | independence, the glorious fourth
civic | 7-14 | Bastille Day |
civic | 7-24 | Pioneer Day |
civic | 8-0-L | August bank holiday | summer bank holiday, bank holiday
civic | 9-0-1 | Labor Day* |
civic | 9-11 | Patriot Day |
civic | 9-16 | Mexican Independence Day |
civic | 10-0-2 | Columbus Day* | indigenous peoples day, canadian thanksgiving, indigenous day
civic | 10-31 | Halloween* | haloween, halloween night, all hallows eve, samhain
civic | 11-5 | Guy Fawkes Night | bonfire night, guy fawkes
civic | 11-1-1 | Election Day |
civic | 11-11 | Veterans Day* | armistice day, remembrance day, martinmas, vets day
civic | 12-7 | Pearl Harbor Day |
civic | 11-3-4 | Thanksgiving* | thanksgiving day, turkey day, t giving, tgiving
civic | 11-4-4 | Black Friday |
christian | 1-6 | Epiphany | three kings day, three kings, dia de reyes, twelfth night, los reyes
christian | 1-7 | Orthodox Christmas | russian christmas, russian xmas, orthodox xmas, serbian christmas
christian | 1-19 | Timket | theophany
christian | 2-2 | Candlemas | candelaria
christian | easter-47 | Mardi Gras | fat tuesday, shrove tuesday, carnival, carnaval, pancake day, fasching
christian | easter-46 | Ash Wednesday |
christian | easter-40 | Lent |
christian | 3-19 | St. Joseph's Day | st josephs
christian | easter-7 | Palm Sunday |
christian | easter-4 | Holy Week | semana santa, passion week
christian | easter-3 | Holy Thursday | maundy thursday
christian | easter-2 | Good Friday |
christian | easter-1 | Holy Saturday | easter vigil, easter eve
christian | easter+0 | Easter* | easter sunday, pascua, easter day, resurrection sunday
christian | easter+1 | Easter Monday | dyngus day
christian | orthodox+0 | Orthodox Easter | pascha, greek easter, russian easter, fasika
christian | 5-6 | St. George's Day | gergyovden, gergiovden, djurdjevdan
christian | easter+39 | Ascension | ascension day, ascension thursday
christian | easter+49 | Pentecost | whitsun, whit sunday
christian | easter+60 | Corpus Christi |
christian | 8-15 | Assumption | feast of the assumption, ferragosto, dormition
christian | 9-27 | Meskel |
christian | 9-29 | Michaelmas |
christian | 11-1 | All Saints' Day | all saints, all saints day
christian | 11-2 | All Souls' Day | all souls, dia de los muertos, day of the dead, dia de muertos
christian | 12-6 | St. Nicholas Day | st nicholas, sinterklaas, nikolaus
christian | 12-10 | Advent |
christian | 12-12 | Our Lady of Guadalupe | guadalupe, feast of guadalupe
christian | 12-13 | St. Lucia's Day | santa lucia, st lucy, st lucias day
christian | 12-19 | Las Posadas | posadas, simbang gabi
christian | 12-24 | Christmas Eve* | xmas eve, noche buena, nochebuena, x mas eve
christian | 12-25 | Christmas* | xmas, christmas day, xmas day, x mas, noel, navidad, yule, holidays
christian | 12-26 | Boxing Day | st stephens day, kwanzaa
jewish | passover-30 | Purim |
jewish | passover+0 | Passover | pesach, seder, pesah
jewish | passover+50 | Shavuot | shavuos
jewish | passover+112 | Tisha B'Av | tisha bav
jewish | passover+163 | Rosh Hashanah | rosh hashana, rosh hashona
jewish | passover+172 | Yom Kippur |
jewish | passover+177 | Sukkot | sukkos, succot
jewish | passover+185 | Simchat Torah | simchas torah
jewish | passover+246 | Hanukkah | chanukah, hanukah, chanukkah, channukah
muslim | eid-29 | Ramadan | ramadhan, ramzan, ramazan
muslim | eid+0 | Eid al-Fitr | eid, eid ul fitr, bayram, hari raya, eid al fitr, lebaran
muslim | eid+69 | Eid al-Adha | eid ul adha, bakrid, bakra eid, eid al adha, tabaski, kurban bayram
muslim | eid+97 | Muharram | ashura
muslim | eid+157 | Mawlid | milad un nabi, mawlid al nabi
persian | 3-20 | Nowruz | norooz, nauroz, navroz, persian new year, newroz
hindu | full-3-1 | Holi |
hindu | new-10-18-20 | Navratri | navaratri, durga puja
hindu | new-10-18-15 | Dussehra | dasara, vijayadashami
hindu | new-10-18 | Diwali | deepavali, divali, tihar, bandi chhor
hindu | 1-14 | Pongal | makar sankranti, lohri
hindu | 4-14 | Vaisakhi | baisakhi, songkran, thingyan, khmer new year, bengali new year, lao new year, pi mai
asian | new-1-21 | Lunar New Year | chinese new year, tet, seollal, losar, spring festival, cny
asian | 4-5 | Qingming | tomb sweeping day
asian | full-9-8 | Mid-Autumn Festival | moon festival, chuseok, mid autumn festival, trung thu
asian | 12-1 | Hmong New Year |
asian | 8-14 | Obon | bon festival
"""
_NEW_MOON = date(2000, 1, 6).toordinal() + 0.76
_EID = date(2019, 6, 4).toordinal()
_MOON, _LUNAR_YEAR = 29.530588, 354.36707
_LASTING = ("Lent", "Holy Week", "Advent", "Las Posadas")

_SHAPE = re.compile(
    r"(?P<head>(?:the\s+)?)(?P<name>[^\d]+?)(?P<tail>(?:\s+(?:weekend|wknd|wkend|week|season|time|break))?)"
    r"(?:(?P<joint>,?\s+(?:of\s+|in\s+)?|,)(?P<year>['’‘]?\d\d|\d{4}))?(?P<end>[\s.,;:)]*)",
    re.IGNORECASE,
)
_LIKE_ONE = re.compile(r"\b(?:day|days|eve|festival|feast|sunday|new year|powwow|holiday|holidays|fest)$")


@dataclass(frozen=True, slots=True, repr=False)
class Holiday:
    """A holiday as it is written: what it is, if it is known, and the words around its name."""

    name: str
    kind: str
    rule: str
    head: str
    written: str
    tail: str
    joint: str
    year: str
    end: str

    def day(self, year: int) -> date | None:
        """Return when it falls in a year; None for a holiday that is not known."""
        return _when(self.rule, year) if self.rule else None

    @property
    def is_fixed(self) -> bool:
        """Whether it falls on the same day of every year."""
        return self.rule.count("-") == 1 and self.rule[0].isdigit()

    @property
    def is_exact(self) -> bool:
        """Whether its day can be told: not of a feast by the moon, nor of one that lasts for weeks."""
        by_moon = self.rule.startswith(("passover", "eid", "new", "full"))
        return bool(self.rule) and not by_moon and self.name not in _LASTING


@cache
def _names() -> dict[str, tuple[str, str, str]]:
    table: dict[str, tuple[str, str, str]] = {}
    for line in _TABLE.strip().splitlines():
        kind, rule, name, others = (cell.strip() for cell in line.split("|"))
        for other in (name.rstrip("*"), *filter(None, map(str.strip, others.split(",")))):
            table.setdefault(_plain(other), (name.rstrip("*"), kind, rule))
    return table


def _plain(name: str) -> str:
    name = re.sub(r"\bsaint\b", "st", re.sub(r"['’.]", "", fold(name)))
    return " ".join(re.findall(r"[^\W_]+", name))


def find_holiday(text: str) -> Holiday | None:
    """Return the holiday that a date names, None if it names none.

    >>> found = find_holiday("xmas eve '14")
    >>> found.name, found.year, found.day(2014)
    ('Christmas Eve', "'14", datetime.date(2014, 12, 24))
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        return None
    written, tail = match["name"], match["tail"]
    name, kind, rule = _names().get(_plain(written + tail), ("", "", ""))
    if name:
        written, tail = written + tail, ""
    else:
        plain = _plain(written)
        name, kind, rule = _names().get(plain, ("", "", ""))
        if not name and not _LIKE_ONE.search(plain):
            return None
    return Holiday(
        name,
        kind,
        rule,
        match["head"],
        written,
        tail,
        match["joint"] or "",
        match["year"] or "",
        match["end"],
    )


# --- when -------------------------------------------------------------------------------------------------


@cache
def _when(rule: str, year: int) -> date:
    if match := re.fullmatch(r"(easter|orthodox|passover|eid)([+-]\d+)", rule):
        feast = {"easter": _easter, "orthodox": _orthodox, "passover": _passover, "eid": _eid}[match[1]]
        return feast(year) + timedelta(days=int(match[2]))
    if match := re.fullmatch(r"(new|full)-(\d+)-(\d+)(?:-(\d+))?", rule):
        moon = _moon(date(year, int(match[2]), int(match[3])), 0.5 if match[1] == "full" else 0.0)
        return moon - timedelta(days=int(match[4] or 0))
    month, *rest = rule.split("-")
    if len(rest) == 1:
        return date(year, int(month), 1) + timedelta(days=int(rest[0]) - 1)
    weekday, which = int(rest[0]), rest[1]
    if which == "L":
        last = date(year, int(month) + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, int(month), 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (int(which) - 1))


def _easter(year: int) -> date:
    """Return Easter by the anonymous Gregorian rule."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def _orthodox(year: int) -> date:
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


# --- what stands for a day --------------------------------------------------------------------------------


@cache
def _calendar(year: int, kind: str) -> list[tuple[date, str]]:
    """Return the holidays of a kind in a year; of civic ones, the common ones."""
    days = []
    for line in _TABLE.strip().splitlines():
        its_kind, rule, name, _ = (cell.strip() for cell in line.split("|"))
        if kind == its_kind and (name.endswith("*") or kind != "civic"):
            days.append((_when(rule, year), name))
    return days


def holiday_on(day: date, *, other_than: str, kind: str) -> str:
    """Return the common holiday of a kind that falls on this very day; empty if there is none."""
    names = (name[:-1] for when, name in _calendar(day.year, kind) if when == day and name.endswith("*"))
    return next((name for name in names if name != other_than), "")


def holiday_near(day: date, *, other_than: str, kind: str) -> tuple[str, date] | None:
    """Return the holiday of a kind that is nearest to a day."""
    known = [
        (abs(when - day), name.rstrip("*"), when)
        for year in (day.year - 1, day.year, day.year + 1)
        if 1 < year < 9998
        for when, name in _calendar(year, kind)
        if name.rstrip("*") != other_than
    ]
    return min(known)[1:] if known else None
