"""Rules for dates: one scan that finds everything shaped like a date, and the checks that decide.

All shapes stand in one alternation, longest first, so that a date is met once and whole: ``Mon 12/4`` is
never also ``12/4``. The check looks at the first byte of a candidate and hands it to the file that knows
its kind: numbers, years, or names of the calendar. Where the scan needs to see what follows, it takes in
a little more than the date (RE2 has no look-ahead) and the check trims it.
"""

from __future__ import annotations

import re
from functools import cache

from plainsight.detect.patterns.date_cues import NONE, Claims, claim
from plainsight.detect.patterns.date_names import (
    check_day_month,
    check_may,
    check_month,
    check_season,
    check_weekday,
)
from plainsight.detect.patterns.date_numbers import check_compact, check_hyphened, check_numeric, check_pair
from plainsight.detect.patterns.date_phrases import (
    check_code,
    check_holiday,
    check_ordinal,
    check_some_day,
    check_spoken,
    check_year_after_in,
)
from plainsight.detect.patterns.date_words import DateWords, load_date_words
from plainsight.detect.patterns.date_years import check_decade, check_short_year, check_year
from plainsight.detect.patterns.rule import Rule

_Y4 = r"(?:19|20|21)[0-9]{2}"
_Y = rf"(?:{_Y4}|'[0-9]{{2}})"
_Y2 = rf"(?:{_Y4}|'?[0-9]{{2}})"
_X = r"(?-i:[0-9OolI])"  # a digit as a scanner may have read it
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


def _scan(words: DateWords) -> str:
    """Return the pattern of everything shaped like a date."""
    day = rf"(?:[0-9]{{1,2}}|(?-i:[OlI])[0-9]|[0-9](?-i:[OlI])){words.suffix}?"
    month_day = (
        rf"{words.month}\.?,? ?(?:the )?(?:{day}\b(?:[-/]{day}\b)?(?:(?: ?, {{0,2}}| {{1,2}}| of ){_Y}\b"
        rf"|,? [0-9]{{2}}\b)?"
        rf"|{words.ordinal_word}\b)"
    )
    month_year = rf"{words.month}(?:\.?,? (?:of )?|/|-|\.)?{_Y}\b"
    day_month = (
        rf"{day}(?:[ -]?|/|\. ?| of | day of ){words.month}(?:(?:[ -]?|/|,? | of ){_Y2}\b|-{_X}{{4}}\b|\b)"
    )
    foreign = (
        rf"(?:[0-9]{{1,2}}(?: de |\.? ){words.foreign_month}\b(?:(?: del? | ){_Y4}\b)?"
        rf"|{words.foreign_month} (?:del? )?{_Y4}\b)"
    )
    after_weekday = (
        rf"(?:{_YMD}|{_MDY}|{_MD}\b|{month_day}|{day_month}|[0-9]{{1,2}}{words.suffix}\b"
        r"|[0-9]{1,2}-[0-9]{1,2}\b)"
    )
    shapes = [
        rf"\bq?{words.weekday}\b\.?(?:(?:[/-]{words.weekday}\b)+|(?: ?,)? {{0,2}}(?:the )?{after_weekday})?",
        rf"\b(?:w|th|tu|sa|su) {_MD}(?:/[0-9]{{2,4}})?\b",
        rf"\b{words.foreign_weekday}\b(?:,? (?:{foreign}|[0-9]{{1,2}}\b))?",
        rf"\b(?:{month_year}|{month_day}|{words.month}\.?-{words.month}\b(?:\.? {_Y}\b)?|{words.month}\b)",
        rf"\b{words.holiday}(?:'|\b)(?:,? (?:of )?{_Y2}\b)?",
        rf"\b{words.season}\b(?:,? (?:of )?{_Y2}\b)?",
        rf"\bq[1-4],? ?(?:of )?{_Y}\b",
        rf"\b{_CODE}\b",
        rf"\b{_Y4}[- /]{words.month}[- /][0-9]{{1,2}}\b",
        rf"\b(?:the )?(?:{day_month}|{words.ordinal_word} (?:day )?of {words.month}\b"
        rf"(?:,? (?:{_Y4}|{words.year_words})\b)?)",
        rf"\b{foreign}",
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
        rf"\b{_BIRTH}:? (?:is )?{words.day_word} {words.day_word} {words.year_words}\b",
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
        rf"\b(?:(?:the|{_ON}) [0-9]{{1,2}}{words.suffix}|the fourth)\b",
        r"\b(?:in|class of|circa) [0-9]{2}(?:[,;)]|\.(?: |\n)|\n| when)",
    ]
    return rf"(?i)(?:{'|'.join(shapes)})"


class _Check:
    """Hands a candidate to the check of its kind, which its first bytes and its shape show."""

    def __init__(self, words: DateWords) -> None:
        self._kinds = re.compile(
            (
                rf"(?P<weekday>{words.weekday})|(?P<month>{words.month})|(?P<season>{words.season})"
                rf"|(?P<every>q{words.weekday})|(?P<foreign>{words.foreign_weekday})"
                r"|(?P<spoken>dob|d0b|d|bday|b|birth|birthday|birthdate|born|date)"
                rf"|(?P<ordinal>{words.ordinal_word})|(?P<at>{_ON})"
            ).encode()
        )

    def __call__(self, text: bytes, start: int, end: int) -> Claims:
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
            return _check_digits(text, start, end, piece, shape)
        return self._check_words(text, start, end, piece, shape)

    def _check_words(self, text: bytes, start: int, end: int, piece: bytes, shape: bytes) -> Claims:
        """Decide on a candidate that begins with a letter."""
        if piece[:1] == b"_":
            check = check_compact if shape.strip(b"_tT") == b"" else check_numeric
            return check(text, start + 1, end)
        glued = piece[:2].isalpha() or piece[:1] == b"/"
        if glued and piece[2:3].isdigit() and shape[2:].strip(b"/.~- :") == b"":
            return check_numeric(text, start + 2, end, glued=True)
        found = _FIRST_WORD.match(piece)
        word = found.group().lower() if found else b""
        known = self._kinds.fullmatch(word)
        kind = known.lastgroup if known else ""
        if kind == "weekday":
            return check_weekday(text, start, end, word)
        if kind == "month":
            return check_month(text, start, end, word)
        if kind == "season":
            return check_season(text, start, end, word)
        if kind == "every":  # qFri
            return check_weekday(text, start + 1, end, word[1:])
        if word == b"the":
            return _check_the(text, start, end, piece)
        numbered = len(shape) != len(piece)
        if kind == "foreign":  # Domingo is a name, domingo a day
            return claim(start, end, 0.9) if numbered or text[start] >= 97 else NONE
        if _SCANNED.match(piece):
            return check_numeric(text, start, end) if numbered else NONE  # I/O
        if numbered and _SCANNED_DAY.match(piece):
            return check_day_month(text, start, end)
        if numbered and word in (b"in", b"class", b"circa"):
            return check_year_after_in(text, start, end)
        if kind == "at" and piece[-4:] == b" Day":
            return check_some_day(text, start, end)
        if kind == "at" and numbered and piece[-1:].isalpha():  # on 15th
            return check_ordinal(text, start, end)
        if _ENDS_COMPACT.search(piece):
            return check_compact(text, start, end)
        if kind == "spoken":
            return check_spoken(text, start, end)
        if kind == "ordinal" or (numbered and (word in _WEEKDAY_LETTERS or _QUARTER.match(piece))):
            return claim(start, end, 0.9)
        if not numbered and _CODE_ONLY.match(piece):
            return check_code(text, start, end)
        return check_holiday(text, start, end, word)


def _check_digits(text: bytes, start: int, end: int, piece: bytes, shape: bytes) -> Claims:
    """Decide on a candidate that begins with a digit."""
    if shape == b"/":
        return check_pair(text, start, end, piece)
    if shape == b"//" or shape == b"--":
        return check_numeric(text, start, end)
    if shape in (b"", b"t", b"T", b"_"):
        return check_year(text, start, end) if len(piece) == 4 else check_compact(text, start, end)
    if shape in (b"s", b"'s"):
        return check_year(text, start, end) if len(piece) > 4 else check_decade(text, start, end)
    if shape == b"-" and piece[4:5] == b"-":
        return check_year(text, start, end)
    if shape == b"-":
        return check_hyphened(text, start, end, piece.split(b"-"))
    if _ROMAN.match(shape):  # 12.III.2018
        return claim(start, end, 0.95)
    if shape.strip(b"/.~- :OolI") == b"":
        return check_numeric(text, start, end)
    return check_day_month(text, start, end)


def _check_the(text: bytes, start: int, end: int, piece: bytes) -> Claims:
    """Decide on what begins with ``the``: an ordinal, a decade, a day and its month."""
    lower = piece.lower()
    if lower.endswith((b"s", b"s'")):
        return check_decade(text, start, end)
    if _ENDS_ORDINAL.search(lower):
        return check_ordinal(text, start, end)
    if lower[4:5].isdigit():
        return check_day_month(text, start + 4, end)
    return claim(start + 4, end, 0.9)


_FIRST_WORD = re.compile(rb"[a-z0]+", re.I)
_CODE_ONLY = re.compile(rf"{_CODE}$".encode(), re.I)
_SCANNED = re.compile(rb"[0-9OolI/~ -]+$")
_SCANNED_DAY = re.compile(rb"[OlI][0-9](?:st|nd|rd|th)?[ -]?[a-z]", re.I)
_ROMAN = re.compile(rb"\.[IVXivx]+\.$")
_ENDS_COMPACT = re.compile(rb"(?<![0-9])[0-9]{6}(?:[0-9]{2})?$")
_ENDS_ORDINAL = re.compile(rb"^the (?:[0-9]{1,2}(?:st|nd|rd|th)|fourth)$")
_QUARTER = re.compile(rb"q[1-4]", re.I)
_WEEKDAY_LETTERS = (b"w", b"th", b"tu", b"sa", b"su")


@cache
def date_rules(locale: str) -> tuple[Rule, ...]:
    """Return the rules for dates of a locale, by its name or folder."""
    words = load_date_words(locale)
    return (Rule("date", _scan(words), _Check(words)),)
