"""Tell a day in the place of a holiday, so that the sentence around it still reads well."""

from __future__ import annotations

import re
from datetime import date

from plainsight.replace.surrogate.dates.calendar_words import in_case_of, month_word
from plainsight.replace.surrogate.dates.holidays import Holiday, holiday_near, holiday_on

__all__ = ["told"]

_ABOUT = re.compile(
    r"\b(?:at|over|around|about|during|for|of|re|near|the|her|his|their|our|through|thru|in)\s+$",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:last|this|next|past|every|each|that|alternate)\s+$", re.IGNORECASE)
_NOUN = re.compile(
    r"\s(?:week|wk|dinner|lunch|meal|party|trip|travel|holiday|break|vacation|visit|time|period|service|"
    r"candy|presents|rush|tracing|parade|concert|fete)",
    re.IGNORECASE,
)
_NEW_SENTENCE = re.compile(r"(?:^|[.!?]|\n\s*\n)\s*$")
_ACRONYMS = frozenset(("NYE", "MLK", "CNY"))  # in capitals wherever they stand


def told(
    holiday: Holiday,
    day: date,
    *,
    before: str = "",
    after: str = "",
    same_kind: bool = False,
    exact: bool = True,
    beside: bool = False,
) -> str:
    """Return what stands for a holiday that has moved to a day.

    That is another common holiday of its kind if one falls on that very day, for a day or two beside it
    would contradict the dates around; with ``same_kind`` the nearest one of its kind. Else it is the day,
    told as finely as the words around allow: "on March 14", "at mid-March", "last March"; no finer than the
    third of a month where the day is not ``exact``, or where it already stands ``beside`` the holiday.

    >>> from plainsight.replace.surrogate.dates.holidays import find_holiday
    >>> labor_day = find_holiday("Labor Day 2019")
    >>> told(labor_day, date(2019, 11, 11)), told(labor_day, date(2019, 11, 12))
    ('Veterans Day 2019', 'November 12, 2019')
    """
    month = month_word("January", day.month)
    head, comma = holiday.head, ""
    exact = exact and holiday.is_exact
    near = holiday_near(day, other_than=holiday.name, kind=holiday.kind) if same_kind else None
    if near:
        words, day = near
    elif exact and (name := holiday_on(day, other_than=holiday.name, kind=holiday.kind)):
        words = name
    else:
        if not (holiday.tail or _NOUN.match(after)):
            head = ""  # over the holidays, over mid-March
        if _LAST.search(before):
            words = month
        elif (
            not exact
            or beside
            or holiday.tail
            or holiday.joint.strip(" ,")
            or len(holiday.year) == 2
            or _ABOUT.search(before)
            or _NOUN.match(after)
        ):
            words = ("early ", "mid-", "late ")[min((day.day - 1) // 10, 2)] + month
            if _NEW_SENTENCE.search(before) and (head or holiday.written)[0].isupper():
                words = words[0].upper() + words[1:]
        else:
            words = f"{month} {day.day}"
            comma = "," if len(holiday.year) == 4 and holiday.joint == " " else ""
    name = holiday.written + holiday.tail
    small = name.islower() and not name.startswith("holidays")  # small in any hand
    if small or (name.isupper() and name not in _ACRONYMS):
        words = in_case_of(name, words)
    year = f"{day.year:04d}"[-len(holiday.year.lstrip("'’‘")) :] if holiday.year else ""
    sign = holiday.year[:1] if holiday.year[:1] in ("'", "’", "‘") else ""
    return f"{head}{words}{comma}{holiday.tail}{holiday.joint}{sign}{year}{holiday.end}"
