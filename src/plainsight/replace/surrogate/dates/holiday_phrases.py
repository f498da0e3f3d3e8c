"""Choose what stands for a holiday that has moved, so that the sentence around it still reads well."""

from __future__ import annotations

import re
from datetime import date
from functools import partial

from plainsight.locale import default_locale
from plainsight.locale.calendar import Calendar, match_case
from plainsight.locale.holidays import Holiday, Holidays

_words = partial(default_locale().words, "holidays")
_ABOUT = re.compile(rf"\b(?:{'|'.join(_words('before_about'))})\s+$", re.IGNORECASE)
_LAST = re.compile(rf"\b(?:{'|'.join(_words('before_month'))})\s+$", re.IGNORECASE)
_DETERMINER = re.compile(
    rf"\b(?:{'|'.join(_words('before_month'))}|the|a|her|his|their|our|my|your|first)\s+$",
    re.IGNORECASE,
)
_NOUN = re.compile(rf"\s(?:{'|'.join(_words('nouns_after'))})", re.IGNORECASE)
_NEW_SENTENCE = re.compile(r"(?:^|[.!?]|\n\s*\n)\s*$")
_LONGEST_ACRONYM = 3
_APOSTROPHES = "'’‘"


def phrase_for_holiday(
    holiday: Holiday,
    day: date,
    calendar: Calendar,
    holidays: Holidays,
    *,
    before: str = "",
    after: str = "",
    same_kind: bool = False,
    exact: bool = True,
    beside: bool = False,
) -> str:
    """Return what stands for a holiday that has moved to a day.

    That is another common holiday of its calendar if one falls on that very day: one a day or two off would
    contradict the dates around. With ``same_kind`` it is the nearest one of its calendar. Else it is the day,
    as finely as the words around allow: "on March 14", "at mid-March", "last March"; no finer than the third
    of a month where the day is not ``exact``, or where it already stands ``beside`` the holiday.

    >>> from plainsight.locale.calendar import load_calendar
    >>> from plainsight.locale.holidays import load_holidays
    >>> calendar, holidays = load_calendar("en_US"), load_holidays("en_US")
    >>> labor_day = holidays.find("Labor Day 2019")
    >>> [phrase_for_holiday(labor_day, date(2019, 11, day), calendar, holidays) for day in (11, 12)]
    ['Veterans Day 2019', 'November 12, 2019']
    """
    month = calendar.month_names[calendar.language][day.month - 1]
    head, comma = holiday.head, ""
    exact = exact and holidays.is_exact(holiday)
    before_noun = _NOUN.match(after)
    near = holidays.near(day, other_than=holiday) if same_kind else None
    if near:
        words, day = near
    elif exact and (name := holidays.on(day, other_than=holiday)):
        words = name
    else:
        if not (holiday.tail or before_noun):
            head = ""  # over the holidays, over mid-March
        coarse = not exact or beside or holiday.tail or holiday.joint.strip(" ,") or len(holiday.year) == 2
        if _LAST.search(before):
            words = month
        elif coarse or before_noun or _ABOUT.search(before):
            words = ("early ", "mid-", "late ")[min((day.day - 1) // 10, 2)] + month
            if _NEW_SENTENCE.search(before) and (head or holiday.written)[0].isupper():
                words = words[0].upper() + words[1:]
        else:
            words = f"{month} {day.day}"
            comma = "," if len(holiday.year) == 4 and holiday.joint == " " else ""
    name = holiday.written + holiday.tail
    small = name.islower() and not name.startswith("holidays")  # most write "the holidays" in small letters
    if small or (name.isupper() and name not in holidays.acronyms):
        words = match_case(name, words)
    digits = holiday.year.lstrip(_APOSTROPHES)
    year = holiday.year[: -len(digits)] + f"{day.year:04d}"[-len(digits) :] if digits else ""
    return f"{head}{words}{comma}{holiday.tail}{holiday.joint}{year}{holiday.end}"


def neutral_phrase(
    holiday: Holiday, calendar: Calendar, year: int | None = None, *, before: str = "", after: str = ""
) -> str:
    """Return words for a holiday that do not say which; ``year`` takes the place of its year.

    >>> from plainsight.locale.calendar import load_calendar
    >>> from plainsight.locale.holidays import load_holidays
    >>> calendar, holidays = load_calendar("en_US"), load_holidays("en_US")
    >>> neutral_phrase(holidays.find("Christmas"), calendar, before="seen on ")
    'the holiday'
    >>> neutral_phrase(holidays.find("Easter 2019"), calendar, 2021, before="since last ")
    'holiday of 2021'
    """
    name = holiday.written + holiday.tail
    if holiday.written.lower().endswith("holidays"):
        words = holiday.head + holiday.written
    else:
        bare = holiday.tail or _NOUN.match(after) or _DETERMINER.search(before)
        words = f"{holiday.head}holiday" if holiday.head or bare else "the holiday"
    words += holiday.tail.lower()
    if name.isupper() and len(name) > _LONGEST_ACRONYM:
        words = words.upper()
    elif _NEW_SENTENCE.search(before):
        words = words[0].upper() + words[1:]
    digits = holiday.year.lstrip(_APOSTROPHES)
    if digits and year is not None:
        joint = holiday.joint if holiday.joint.strip(" ,") else " of "
        words += joint + holiday.year[: -len(digits)] + f"{year:04d}"[-len(digits) :]
    return words + holiday.end


def neutral_words(words: str, text: str, before: str, after: str) -> str:
    """Return neutral words in the case of a text; without an article beside a determiner, or before a noun.

    >>> [neutral_words("the game", "Super Bowl", *around) for around in (("at the ", ""), ("for ", " party"))]
    ['game', 'game']
    """
    article, _, rest = words.partition(" ")
    if article in ("the", "a", "that") and rest and (_DETERMINER.search(before) or _NOUN.match(after)):
        words = rest
    if text.isupper() and len(text) > _LONGEST_ACRONYM:
        return words.upper()
    return words[0].upper() + words[1:] if text[0].isupper() and _NEW_SENTENCE.search(before) else words
