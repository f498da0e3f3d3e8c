"""Rules for dates: one scan that finds everything shaped like a date, and the checks that decide.

All shapes stand in one alternation, longest first, so that a date is met once and whole: ``Mon 12/4`` is
never also ``12/4``. The check looks at the first byte of a candidate and hands it to the file that knows
its kind: numbers, years, or names of the calendar. Where the scan needs to see what follows, it takes in
a little more than the date (RE2 has no look-ahead) and the check trims it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from plainsight.detect.patterns.calendar_words import (
    DAY_WORD,
    FOREIGN_MONTH,
    FOREIGN_WEEKDAY,
    HOLIDAY,
    MONTH,
    ORDINAL_WORD,
    SEASON,
    WEEKDAY,
    YEAR_WORDS,
)
from plainsight.detect.patterns.dates_cued import (
    check_code,
    check_holiday,
    check_ordinal,
    check_some_day,
    check_spoken,
    check_year_after_in,
)
from plainsight.detect.patterns.dates_names import (
    check_day_month,
    check_may,
    check_month,
    check_season,
    check_weekday,
)
from plainsight.detect.patterns.dates_numeric import check_compact, check_hyphened, check_numeric
from plainsight.detect.patterns.dates_pairs import check_pair
from plainsight.detect.patterns.dates_years import check_decade, check_short_year, check_year
from plainsight.detect.patterns.rule import Claim, Rule

__all__ = ["RULES"]

_Y4 = r"(?:19|20|21)[0-9]{2}"
_Y = rf"(?:{_Y4}|'[0-9]{{2}})"
_Y2 = rf"(?:{_Y4}|'?[0-9]{{2}})"
_ST = r"(?:st|nd|rd|th)"
_X = r"(?-i:[0-9OolI])"  # a digit as a scanner may have read it
_DAY = rf"(?:[0-9]{{1,2}}|(?-i:[OlI])[0-9]|[0-9](?-i:[OlI])){_ST}?"
_MD = r"[0-9]{1,2}/[0-9]{1,2}"
_PAIR = (  # numbers that may be a month and a day, in either order, or a month and a year
    r"(?:(?:0?[1-9]|1[0-2])[/~][0-9]{1,2}|(?:1[3-9]|2[0-9]|3[01])[/~](?:0?[1-9]|1[0-2])"
    r"|(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01]|4[1-9]|[5-9][0-9]))"
)
_PAIR_AS_READ = (  # letters that a scanner saw for digits, beside at least one digit
    r"(?-i:(?:[OolI][0-9]|[0-3][OolI])[/~-][0-9OolI]{1,2}"
    r"|[OolI]{1,2}[/~-](?:[0-9][0-9OolI]?|[OolI][0-9])"
    r"|[0-3]?[0-9][/~-](?:[OolI][0-9OolI]?|[0-9][OolI]))"
)
_MDY = (  # 4/:1/02 and 10//22/96 are misprints of old printers
    r"[0-9]{1,2}(?:/{1,2}:?[0-9]{1,2}/{1,2}|-[0-9]{1,2}-|\.[0-9]{1,2}\.|~[0-9]{1,2}~| / [0-9]{1,2} / )"
    r"(?:[0-9]{4}|[0-9]{2}|:[0-9])"
)
_YMD = rf"{_Y4}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}"
_MONTH_DAY = (
    rf"{MONTH}\.?,? ?(?:the )?(?:{_DAY}\b(?:[-/]{_DAY}\b)?(?:(?: ?, {{0,2}}| {{1,2}}| of ){_Y}\b"
    rf"|,? [0-9]{{2}}\b)?"
    rf"|{ORDINAL_WORD}\b)"
)
_MONTH_YEAR = rf"{MONTH}(?:\.?,? (?:of )?|/|-|\.)?{_Y}\b"
_DAY_MONTH = rf"{_DAY}(?:[ -]?|/|\. ?| of | day of ){MONTH}(?:(?:[ -]?|/|,? | of ){_Y2}\b|-{_X}{{4}}\b|\b)"
_FOREIGN = (
    rf"(?:[0-9]{{1,2}}(?: de |\.? ){FOREIGN_MONTH}\b(?:(?: del? | ){_Y4}\b)?"
    rf"|{FOREIGN_MONTH} (?:del? )?{_Y4}\b)"
)
_AFTER_WEEKDAY = (
    rf"(?:{_YMD}|{_MDY}|{_MD}\b|{_MONTH_DAY}|{_DAY_MONTH}|[0-9]{{1,2}}{_ST}\b|[0-9]{{1,2}}-[0-9]{{1,2}}\b)"
)
_CODE = (
    r"(?:mwf|tts|ttha?s|tuth(?:sa)?|tth(?:sa)?|mwth|mtw(?:th|r)f|m[ /-]w[ /-]f|t[ /-]th[ /-]sa?"
    r"|tu/th(?:/sa?)?"
    r"|m/w|m/f|m/th|t/f|t/th|w/f|tu/fr?|m-(?:f|th|w|sa)|tu?-(?:th|sa))"
)
_BIRTH = r"(?:d[o0]b|d\.o\.b\.?|bday|b-day|birth ?day|birth ?date|date of birth|born(?: on)?)"
_DATED = (
    rf"(?:{_BIRTH}|date|dos|doa|doi|dod|soc|cert|adm(?:it(?:ted)?)?|disch?|surg(?: [0-9.]+)?|eff|exp|from"
    r"|thru|to)"
)
_ON = r"(?:on|of|off|since|until|till|til|by|through|thru|from|before|after|about|around)"

_SCAN = r"(?i)(?:" + "|".join(
    [
        rf"\bq?{WEEKDAY}\b\.?(?:(?:[/-]{WEEKDAY}\b)+|(?: ?,)? {{0,2}}(?:the )?{_AFTER_WEEKDAY})?",
        rf"\b(?:w|th|tu|sa|su) {_MD}(?:/[0-9]{{2,4}})?\b",
        rf"\b{FOREIGN_WEEKDAY}\b(?:,? (?:{_FOREIGN}|[0-9]{{1,2}}\b))?",
        rf"\b(?:{_MONTH_YEAR}|{_MONTH_DAY}|{MONTH}\.?-{MONTH}\b(?:\.? {_Y}\b)?|{MONTH}\b)",
        rf"\b{HOLIDAY}(?:'|\b)(?:,? (?:of )?{_Y2}\b)?",
        rf"\b{SEASON}\b(?:,? (?:of )?{_Y2}\b)?",
        rf"\bq[1-4],? ?(?:of )?{_Y}\b",
        rf"\b{_CODE}\b",
        rf"\b{_Y4}[- /]{MONTH}[- /][0-9]{{1,2}}\b",
        rf"\b(?:the )?(?:{_DAY_MONTH}|{ORDINAL_WORD} (?:day )?of {MONTH}\b(?:,? (?:{_Y4}|{YEAR_WORDS})\b)?)",
        rf"\b{_FOREIGN}",
        rf"\b[0-9]{{1,2}}\.[ivx]{{1,4}}\.{_Y4}\b",
        rf"(?:\b|_){_YMD}",
        rf"\b{_MD}(?:/[0-9]{{2,4}})?-{_MD}(?:/(?:[0-9]{{4}}|[0-9]{{2}}))?\b",
        rf"(?:\b|_|[a-z]{{2}}|/[a-z]){_MDY}",
        rf"\b(?-i:[0-3OolI])?{_X}(?:[/~-]{_X}{{1,2}}[/~-]{_X}{{2,4}}| / {_X}{{1,2}} / {_X}{{2,4}})\b",
        rf"\b(?:{_PAIR}|{_PAIR_AS_READ})\b",
        rf"\b[0-9]{{1,2}}-[0-9]{{1,2}}/{_Y4}\b",
        rf"\b[0-9]{{1,2}}[/-]{_Y4}\b",
        r"[a-z]{2}[0-9]{1,2}[/-][0-9]{1,2}\b",
        rf"\b{_BIRTH}:? {{1,3}}[0-9]{{1,2}} [0-9]{{1,2}} (?:[0-9]{{4}}|[0-9]{{2}})\b",
        rf"\b{_BIRTH}:? (?:is )?{DAY_WORD} {DAY_WORD} {YEAR_WORDS}\b",
        rf"\b{_DATED}:? {{0,3}}[0-9]{{6}}(?:[0-9]{{2}})?\b",
        r"(?:\b|_)(?:19|20|21)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:\b|_|t[0-9]|(?:[01][0-9]"
        r"|2[0-3])[0-5][0-9](?:[0-5][0-9])?\b)",
        r"\b[0-3][0-9][0-3][0-9](?:19|20)[0-9]{2}\b",
        rf"\b{_ON} (?-i:[A-Z][a-z]{{2,}}(?:'s|s')? (?:[A-Z][a-z]{{2,}}(?:'s|s')? )?Day)\b",
        r"\n[01][0-9][0-3][0-9]{3} {1,3}[a-z]",
        rf"\b{_Y4}(?:-(?:{_Y4}|[0-9]{{2}})|'?s)?\b",
        r"'[0-9O]{2}(?:'?s)?\b(?:-'[0-9]{2}\b)?",
        r"\bthe (?:early |mid[- ]?|late )?(?:'?[2-9]0'?s|(?:twent|thirt|fort|fift|sixt|sevent|eight"
        r"|ninet)ies)\b",
        r"\b[2-9]0's\b",
        rf"\b(?:(?:the|{_ON}) [0-9]{{1,2}}{_ST}|the fourth)\b",
        r"\b(?:in|class of|circa) [0-9]{2}(?:[,;)]|\.(?: |\n)|\n| when)",
    ]
) + ")"  # fmt: skip


def _check(text: bytes, start: int, end: int) -> Iterable[Claim]:
    """Hand a candidate to the check of its kind, told by its first bytes and its shape."""
    first = text[start]
    if first == 39:  # an apostrophe
        return check_short_year(text, start, end)
    if first == 10:
        return check_compact(text, start, end)
    piece = text[start:end]
    if piece == b"may":  # the commonest word of all
        return check_may(text, start, end)
    shape = piece.translate(None, b"0123456789")
    if 48 <= first <= 57:
        if shape == b"/":
            return check_pair(text, start, end, piece)
        if shape == b"//" or shape == b"--":
            return check_numeric(text, start, end)
        if not shape or shape in (b"t", b"T", b"_"):
            return check_year(text, start, end) if len(piece) == 4 else check_compact(text, start, end)
        if shape in (b"s", b"'s"):
            return check_year(text, start, end) if len(piece) > 4 else check_decade(text, start, end)
        if shape == b"-":
            return (
                check_year(text, start, end)
                if piece[4:5] == b"-"
                else check_hyphened(text, start, end, piece.split(b"-"))
            )
        if _ROMAN.match(shape):  # 12.III.2018
            return (Claim(start, end, "DATE", 0.95),)
        if shape.strip(b"/.~- :OolI") == b"":
            return check_numeric(text, start, end)
        return check_day_month(text, start, end)
    return _check_words(text, start, end, piece, shape)


def _check_words(text: bytes, start: int, end: int, piece: bytes, shape: bytes) -> Iterable[Claim]:
    """Hand a candidate that begins with a letter to its check."""
    if piece in _PLAIN_NAMES and text[end : end + 1] not in (b"'", b"-") and text[start - 2 : start] != b". ":
        return (Claim(start, end, "DATE", 0.95),)
    if piece[:1] == b"_":
        compact = shape.strip(b"_tT") == b""
        return check_compact(text, start + 1, end) if compact else check_numeric(text, start + 1, end)
    if (
        piece[2:3].isdigit()
        and (piece[:2].isalpha() or piece[:1] == b"/")
        and shape[2:].strip(b"/.~- :") == b""
    ):
        return check_numeric(text, start + 2, end, glued=True)
    found = _FIRST_WORD.match(piece)
    word = found.group().lower() if found else b""
    kind = _kind_of(word)
    if kind == "weekday":
        return check_weekday(text, start, end, word)
    if kind == "month":
        return check_month(text, start, end, word)
    if kind == "season":
        return check_season(text, start, end, word)
    if kind == "taken":  # qFri: taken every Friday
        return check_weekday(text, start + 1, end, word[1:])
    if word == b"the":
        return _check_the(text, start, end, piece)
    numbered = len(shape) != len(piece)
    if kind == "foreign":  # Domingo is a name, domingo a day
        return (Claim(start, end, "DATE", 0.9),) if numbered or text[start] >= 97 else ()
    if not numbered:
        if piece[-4:] == b" Day" and kind == "at":
            return check_some_day(text, start, end)
        if kind == "spoken":
            return check_spoken(text, start, end)
        if kind == "ordinal":
            return (Claim(start, end, "DATE", 0.9),)
        if _SCANNED.match(piece):  # I/O
            return ()
        return (
            check_code(text, start, end) if _CODE_ONLY.match(piece) else check_holiday(text, start, end, word)
        )
    if _SCANNED.match(piece):
        return check_numeric(text, start, end)
    if _SCANNED_DAY.match(piece):
        return check_day_month(text, start, end)
    if word in (b"in", b"class", b"circa"):
        return check_year_after_in(text, start, end)
    if piece[-1:].isalpha():  # on 15th
        return (
            check_ordinal(text, start, end)
            if kind == "at" or word == b"of"
            else check_holiday(text, start, end, word)
        )
    if _ENDS_COMPACT.search(piece):
        return check_compact(text, start, end)
    if kind == "spoken":
        return check_spoken(text, start, end)
    if word in (b"w", b"th", b"tu", b"sa", b"su") or kind == "ordinal" or _QUARTER.match(piece):
        return (Claim(start, end, "DATE", 0.9),)
    return check_holiday(text, start, end, word)


def _check_the(text: bytes, start: int, end: int, piece: bytes) -> Iterable[Claim]:
    """Decide on what begins with ``the``: an ordinal, a decade, a day and its month."""
    lower = piece.lower()
    if lower.endswith((b"s", b"s'")):
        return check_decade(text, start, end)
    if _ENDS_ORDINAL.search(lower):
        return check_ordinal(text, start, end)
    if lower[4:5].isdigit():
        return check_day_month(text, start + 4, end)
    return (Claim(start + 4, end, "DATE", 0.9),)


@lru_cache(maxsize=1024)
def _kind_of(word: bytes) -> str:
    """Return what a word of the scan begins: the scan's words are few, so this is a small table."""
    found = _KINDS.fullmatch(word)
    return found.lastgroup or "" if found else ""


_PLAIN_NAMES = frozenset(
    form
    for name in (
        b"monday tuesday wednesday thursday friday sunday mondays tuesdays wednesdays thursdays fridays"
        b" saturdays sundays"
        b" january february july august september october november december tues weds thurs"
    ).split()
    for form in (name, name.capitalize(), name.upper())
)
"""Weekdays and months that are nothing else, however they are written."""

_FIRST_WORD = re.compile(rb"[a-z0]+", re.I)
_KINDS = re.compile(
    (
        rf"(?P<weekday>{WEEKDAY})|(?P<month>{MONTH})|(?P<season>{SEASON})|(?P<taken>q{WEEKDAY})"
        rf"|(?P<spoken>dob|d0b|d|bday|b|birth|birthday|birthdate|born|date)|(?P<foreign>{FOREIGN_WEEKDAY})"
        rf"|(?P<ordinal>{ORDINAL_WORD})|(?P<at>{_ON})"
    ).encode()
)
_CODE_ONLY = re.compile(rf"{_CODE}$".encode(), re.I)
_SCANNED = re.compile(rb"[0-9OolI/~ -]+$")
_SCANNED_DAY = re.compile(rb"[OlI][0-9](?:st|nd|rd|th)?[ -]?[a-z]", re.I)
_ROMAN = re.compile(rb"\.[IVXivx]+\.$")
_ENDS_COMPACT = re.compile(rb"(?<![0-9])[0-9]{6}(?:[0-9]{2})?$")
_ENDS_ORDINAL = re.compile(rb"^the (?:[0-9]{1,2}(?:st|nd|rd|th)|fourth)$")
_QUARTER = re.compile(rb"q[1-4]", re.I)

RULES: tuple[Rule, ...] = (Rule("date", _SCAN, _check),)
