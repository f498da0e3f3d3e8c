"""Tell a day in the place of a holiday, so that the sentence around it still reads well."""

from __future__ import annotations

import re
from datetime import date

from plainsight.replace.surrogate.dates.calendar_words import in_case_of, month_word
from plainsight.replace.surrogate.dates.holidays import Holiday, holiday_near

__all__ = ["told"]

_ABOUT = re.compile(
    r"\b(?:at|over|around|about|during|for|of|re|near|the|her|his|their|our|through|thru|in)\s+$",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:last|this|next|past|every|each|that|alternate)\s+$", re.IGNORECASE)
_NOUN = re.compile(
    r"\s(?:week|wk|night|nite|morning|dinner|lunch|meal|party|trip|travel|holiday|break|vacation|visit|time)",
    re.IGNORECASE,
)
_ACRONYM = 4


def told(holiday: Holiday, day: date, *, before: str = "", after: str = "", same_kind: bool = False) -> str:
    """Return what stands for a holiday that has moved to a day.

    That is another common holiday a few days from it, or the nearest one of the same kind; else the day,
    told as finely as the words around allow: "on March 14", "at mid-March", "last March".

    >>> from plainsight.replace.surrogate.dates.holidays import find_holiday
    >>> christmas = find_holiday("Christmas 2019")
    >>> told(christmas, date(2020, 3, 14)), told(christmas, date(2020, 4, 24))
    ("St. Patrick's Day 2020", 'April 24, 2020')
    """
    month = month_word("January", day.month)
    comma = ""
    if near := holiday_near(day, other_than=holiday.name, kind=holiday.kind if same_kind else ""):
        words, day = near
    elif _LAST.search(before):
        words = month
    elif (
        holiday.tail
        or not holiday.rule
        or _ABOUT.search(before)
        or _NOUN.match(after)
        or len(holiday.year) == 2
    ):
        words = ("early ", "mid-", "late ")[min((day.day - 1) // 10, 2)] + month
    else:
        words = f"{month} {day.day}"
        comma = "," if len(holiday.year) == 4 and holiday.joint == " " else ""
    name = holiday.written + holiday.tail
    if name.islower() or (name.isupper() and len(name) > _ACRONYM):
        words = in_case_of(name, words)
    year = f"{day.year:04d}"[-len(holiday.year.lstrip("'’‘")) :] if holiday.year else ""
    sign = holiday.year[:1] if holiday.year[:1] in ("'", "’", "‘") else ""
    return f"{holiday.head}{words}{comma}{holiday.tail}{holiday.joint}{sign}{year}{holiday.end}"
