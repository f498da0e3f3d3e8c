"""Patterns that find dates in a text: everything of the calendar that is shaped like a date.

`date_grammar` reads what they find. The pattern is for RE2 (it has no look-around, and is to match a shadow,
see `plainsight.text.shadow`), so a candidate may be a part of something longer; look at its edges.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from plainsight.locale import load_locale, one_of
from plainsight.locale.calendar import fold, load_calendar

_M, _D = "(?:1[0-2]|0?[1-9])", "(?:3[01]|[12][0-9]|0?[1-9])"
_MM, _DD = "(?:1[0-2]|0[1-9])", "(?:3[01]|[12][0-9]|0[1-9])"
_Y4 = "(?:19|20|21)[0-9]{2}"
_Y = rf"(?:{_Y4}|'?[0-9]{{2}})\b"
_SURE_Y = rf"(?:{_Y4}|'[0-9]{{2}})\b"
_MD = rf"(?:{_M}/{_D}|{_D}/{_M})"
_MDY = "|".join(rf"(?:{_M}{s}{_D}|{_D}{s}{_M}){s}(?:{_Y4}|[0-9]{{2}})" for s in ("/", "-", r"\.", "~"))
_YMD = rf"{_Y4}(?:-{_M}-{_D}|/{_M}/{_D}|\.{_MM}\.{_DD})"
_NUMERIC = rf"(?:{_YMD}|{_MDY})"
_WEEKDAY_LETTERS = "(?-i:MWF|M/W/F|M-W-F|TThS|TTHS|T/Th/Sa?|T-Th-Sa?|TuThSa?|Tu/Th/Sa?)"
_NOTHING = r"\b\B"


def _any(words: Iterable[str]) -> str:
    """Return a pattern that matches any of these words as they stand in a shadow, which has no accents."""
    return one_of(map(fold, words))


@cache
def date_shapes(locale: str) -> str:
    """Return the pattern of everything shaped like a date in a locale, given by its name or folder.

    The longest shapes come first, so that a date is met once and whole: ``Mon 12/4`` is never also ``12/4``.
    """
    calendar, table = load_calendar(locale), load_locale(locale).table("calendar")
    cues = load_locale(locale).table("date_cues")
    names, *foreign_names = calendar.month_names.values()
    foreign_names.append(table["other_months"].split())
    month = _any(chain(names, table["short_months"].split(), table["misspelt_months"].split()))
    foreign_month = _any(
        {*map(fold, chain(*foreign_names))} - {*map(fold, names), *table["unsure_months"].split()}
    )
    weekdays, short = calendar.weekday_names[calendar.language], calendar.short_weekdays
    plurals, shortest = [f"{name}s" for name in weekdays], [name[:3] for name in short]
    weekday = _any([*weekdays, *plurals, *short, *shortest, *table["misspelt_weekdays"].split()])
    holiday = "|".join(load_locale(locale).table("holidays").get("patterns", "").strip().splitlines())
    suffix = _any(calendar.ordinal_suffixes)

    until = rf"(?: ?[-/] ?| {_any(calendar.until)} )"
    has_dotted_pairs = bool(cues["dotted_before"])  # elsewhere 6.3. is a number that ends a sentence
    dotted_pair = rf"{_D}\.{_M}\." if has_dotted_pairs else _NOTHING
    dotted_end = rf"{_D}\.{_M}\.(?:(?:{_Y4}|[0-9]{{2}})\b){'?' if has_dotted_pairs else ''}"
    dotted_start = rf"(?:{_D}\.(?:{_M}\.)?{until}|{_D}\.{_M}\.(?:{_Y4}|[0-9]{{2}})-)"

    day = rf"{_D}{suffix}?\b"
    month_day = rf"{month}(?:\. ?| )(?:the )?{day}(?:[-/]{day})?(?:(?: ?, {{0,2}}| {{1,2}}| of ){_SURE_Y})?"
    month_year = rf"{month}(?:\.?,? (?:of )?|[/.-])?{_SURE_Y}"
    day_month = rf"{_D}{suffix}?(?:[ -]?|/|\. ?| of | day of ){month}(?:(?:[ -]?|/|,? | of ){_Y}|\b)"
    foreign = (
        rf"(?:{_D}(?: de |\.? ){foreign_month}(?: del? | ){_Y4}\b"
        rf"|{_D}(?: de | ){foreign_month}\b|{foreign_month} (?:del? )?{_Y4}\b)"
    )
    dated = rf"(?:{_NUMERIC}|{dotted_pair}|{_MD}\b|{month_day}|{day_month}|{foreign}|{_D}{suffix}\b)"
    shapes = (
        rf"\b{weekday}\b(?:(?:[/-]{weekday}\b)+|\.?(?: ?,)? {{0,2}}(?:the )?{dated})?",
        rf"\b(?:{month_year}|{month_day}|{month}\.?-{month}\.? {_SURE_Y}|{month}\b)",
        rf"\b(?:{holiday or _NOTHING})(?:'|\b)(?:,? (?:of )?{_SURE_Y})?",
        rf"\b(?:{_any(calendar.seasons)}|q[1-4]),? ?(?:of )?{_SURE_Y}",
        rf"\b{_WEEKDAY_LETTERS}\b",
        rf"\b(?:{_Y4}[- /]{month}[- /]{_D}\b|{day_month}|{foreign})",
        rf"\b{dotted_start}{dotted_end}",  # 4.-6.3.2019, 6.3.-8.3.2019
        rf"\b{_MD}(?:/[0-9]{{2,4}})?-{_MD}(?:/(?:[0-9]{{4}}|[0-9]{{2}}))?\b",
        rf"(?:\b|_|[a-z]{{2}}){_NUMERIC}",
        rf"\b(?:{dotted_pair}|(?:{_M}/{_Y4}|{_MD})\b)",
        rf"\b(?:{_Y4}{_MM}{_DD}|(?:{_MM}{_DD}|{_DD}{_MM})(?:{_Y4}|[0-9]{{2}}))(?:\b|t[0-9])",
        rf"\b(?:19[6-9][0-9]-{_Y4}|{_Y4}(?:'?s)?)\b",  # 1930-2015 may be hours
    )
    return rf"(?i)(?:{'|'.join(shapes)})"
