"""Numbers that may be ages: how they are written, and what stands right of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from plainsight.detect.patterns.age_words import MEASURE_AFTER, POPULATION
from plainsight.detect.patterns.date_words import AGE_WORD

N = r"(?:[0-9](?-i:[OlI])|[0-9]{1,3})"  # 8l: a scanner's 81
DIGITS = rf"{N}(?:[ -][0-9]{{1,2}}/[0-9]{{1,2}}|\.[0-9])?"
NUMBER = rf"(?:{DIGITS}|{AGE_WORD})"
YEARS_OLD = (
    r"\+?[- ]{0,2}(?:y\.? ?/?-?o\b|yo(?:a|[wbha]?[mf])?\b|yrs?\.?/o\b|(?:yr|year)s?\.?[- ]{0,2}(?:old|young)"
    r"|(?:years?|yrs?)\.? of age)"
)
UNIT = r"[- ]{0,2}(?:months?|mos?\b\.?|weeks?|wks?\b\.?|days?)"
UNIT_OLD = rf"(?:{UNIT}|[- ]{{0,2}}(?:hours?|hrs?))[- ]{{1,2}}(?:old|of age)"
COMPOSITE = (
    r"[0-9]{1,2} ?(?:(?:y|yrs?|years?)\.?,? ?(?:and )?[0-9]{1,2} ?(?:m|mos?|months?)"
    r"|(?:mos?|months?),? (?:and )?[0-9]{1,2} ?(?:d|days?|wks?|weeks?))\b"
)
"""4y 2m, 9 years 5 months, 3 months 11 days."""

_SPENT = (
    r"(?!'? (?:ago|later|prior|before|after|hx|history|x|pregnant|gest|of(?! age)|since|pp|post|f/u|apart"
    r"|supply|in|with))"
)
"""Not followed by a word that makes a duration of it."""


def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.I)


_DIGITS_AT = re.compile(rb"(?<![\da-zA-Z])(?:\d{1,2}[ -]\d{1,2}/\d{1,2}|\d[OlI]\b|\d{1,3}(?:\.\d)?)(?!\d)")
_WORDS = _compile(rf"(?<![a-z]){AGE_WORD}(?![a-z])")
_COMPOSITE_AT = _compile(
    rf"{COMPOSITE}|[0-9]{{1,2}};[0-9]{{1,2}}\b|[0-9]{{1,2}} ?(?:wks?|weeks?),? (?:and )?[0-9] ?(?:d|days?)\b"
)
_RIGHT = re.compile(
    (
        rf"(?P<old>{YEARS_OLD})"
        rf"|(?P<young>{UNIT}|[- ]{{0,2}}(?:hours?|hrs?))(?=[- ]{{1,2}}(?:old|of age))"
        r"|(?P<sex>/[MF]\b)"
        r"|(?P<measure>[%'\"]|[/:.,-][0-9]| ?[x/] ?[0-9]| (?:of|to) [0-9]|(?:th|st|nd|rd)\b|[+-] )"
        rf"|(?P<unit>{UNIT})\b{_SPENT}"
        r"|(?P<person> ?(?:y(?:rs?|ears?)?\.? ?)?(?:(?-i:[MF]|[RL]H ?[MF]|[WBHwbh][MFmf])|(?:fe)?male)\b)"
        rf"|(?P<years>[- ]?(?:y|yrs?|years?)\b{_SPENT})"
        r"|(?P<word> {1,2}[a-z%./&+'-]+)(?![0-9])"
    ).encode(),
    re.I,
)
_KINDS = {
    "old": "old",
    "young": "old",
    "sex": "old",
    "person": "old",
    "measure": "measure",
    "unit": "unit",
    "years": "years",
}
_NO_FIGURES = bytes(byte for byte in range(128) if not 48 <= byte <= 57)
_ENDINGS = (b",", b".", b";", b")", b"\n", b"")
_COMPOSITE_MARKS = (b"y", b"m", b"w", b";", b"Y", b"M")
_READ = bytes.maketrans(b"OlI", b"011")
_MARKS = b",:;()\"'="


class Number(NamedTuple):
    """A number that may be an age.

    ``stop`` is where its figures end, ``end`` where the age ends (a month or a week is part of it);
    ``years`` is -1 for a number in words; ``kind`` says what stands right of it: ``old`` (or a sex),
    ``unit``, ``years``, ``measure`` or nothing.
    """

    start: int
    stop: int
    end: int
    years: int
    kind: str


def find_number(text: bytes, start: int, end: int) -> Number | None:
    """Find the last number in a stretch of text and read it."""
    piece = text[start:end]
    figures = piece.rstrip(_NO_FIGURES)
    if not figures:
        found = None
        for found in _WORDS.finditer(text, start, end):  # noqa: B007 - the last one is wanted
            pass
        return read_number(text, found.start(), found.end()) if found else None
    head = figures.rstrip(b"0123456789")
    if head[-1:] in (b"/", b".") or piece[len(figures) : len(figures) + 1] in (b"O", b"l", b"I"):
        found = None
        for found in _DIGITS_AT.finditer(text, start, end):  # noqa: B007 - 5 1/2, 8l
            pass
        return read_number(text, found.start(), found.end()) if found else None
    if len(figures) - len(head) > 3 or head[-1:].isalpha():
        return None
    return read_number(text, start + len(head), start + len(figures))


def read_number(text: bytes, start: int, stop: int) -> Number:
    """Read a number and what stands right of it."""
    years = -1
    if 48 <= text[start] <= 57:
        figures = text[start:stop].translate(_READ)
        length = 3 if figures[:3].isdigit() else 2 if figures[:2].isdigit() else 1
        years = int(figures[:length])
    mark, beyond = text[stop : stop + 1], text[stop + 1 : stop + 2]
    if mark in _ENDINGS and not beyond.isdigit():
        return Number(start, stop, stop, years, "")
    if (beyond if mark == b" " else mark) in _COMPOSITE_MARKS:
        composite = _COMPOSITE_AT.match(text, start)
        if composite:
            return Number(start, stop, composite.end(), years, "old")
    right = _RIGHT.match(text, stop)
    if right is None:
        return Number(start, stop, stop, years, "")
    group = right.lastgroup or ""
    if group == "word":
        measure = right.group().strip().lower().strip(b".") in MEASURE_AFTER
        return Number(start, stop, stop, years, "measure" if measure else "")
    return Number(start, stop, right.end() if group in ("young", "unit") else stop, years, _KINDS[group])


def is_population(text: bytes, start: int, *, words: int = 4) -> bool:
    """Tell whether the last words before a number speak of everybody: ``adults over 50``."""
    window = text[start - 36 if start > 36 else 0 : start].rpartition(b"\n")[2].rpartition(b". ")[2].lower()
    return not POPULATION.isdisjoint([word.strip(_MARKS) for word in window.rsplit(None, words)[-words:]])
