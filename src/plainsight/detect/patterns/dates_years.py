"""Years and decades standing alone: 1962, '79, 1968-1971, the 1990s, the eighties."""

from __future__ import annotations

import re

from plainsight.detect.patterns.dates_context import (
    CLOCK_BEFORE,
    ID_BEFORE,
    MEASURE_AFTER,
    MEASURED,
    after,
    before,
    clause_before,
    is_event,
    last_word,
    next_word,
)
from plainsight.detect.patterns.rule import Claim

__all__ = ["check_decade", "check_short_year", "check_year"]

Claims = tuple[Claim, ...]

_NONE: Claims = ()
_SURE_BEFORE = frozenset(
    b"in since of circa ca year born b d died class during early late mid graduated est".split()
)
_YEAR_BEFORE = _SURE_BEFORE | frozenset(
    b"until till til from to through thru by before after between and or than maybe last back about"
    b" around".split()
)
_CLOCKED = frozenset(b"eta etd lkw time tone shift onset".split())
_NAMED_BEFORE = frozenset(
    b"ckd-epi acr eular who aha acc/aha dsm ada gold nice icd idsa nccn uspstf windows".split()
)
_COUNTED_BEFORE = frozenset(
    b"bnp probnp nt-probnp ck cpk ldh ferritin wbc plt platelets trop troponin alt ast lipase uop output"
    b" intake total volume tv vol net i/o anc cd4 vitamin d3 b12 calories kcal dose bolus lasix epogen"
    b" procrit heparin $ # psa ddimer d-dimer triglycerides tg count expenditure".split()
)
_OTHER_BEFORE = ID_BEFORE | _NAMED_BEFORE | _COUNTED_BEFORE
_JOINED_BEFORE = (b"#", b"$", b"/", b".", b":", b"@")
_JOINED_AFTER = (b"%", b"@", b"_", b"-", b"/", b".", b":", b",")
_CLOCK_AFTER = re.compile(rb" ?(?:h\b|hrs?\b|hours\b|(?:-|to) ?(?!19|20)[012]\d[0-5]\d\b|- ?\d{1,2}/)", re.I)
_ONGOING = re.compile(rb"-(?:present|current|now|ongoing|today)\b", re.I)
_STREET_AFTER = re.compile(
    rb" (?:[NSEW]\.? )?(?:[A-Z0-9][A-Za-z0-9']{0,20} ){1,3}(?:St|Street|Ave|Avenue|Av|Rd|Road|Blvd"
    rb"|Boulevard|Dr|Drive|Ln|Lane|Ct"
    rb"|Court|Way|Pl|Place|Hwy|Highway|Pkwy|Parkway|Ter|Terrace|Cir|Circle|Pike|Trail|Trl|Sq|Square|Loop)\b"
    rb"| (?:[NSEWnsew]\.? )[A-Za-z]{3,} (?:apt|st|ave|rd)\b"
)
_DATE_BEFORE = re.compile(
    rb"(?:\d[/-]\d{1,2}(?:[/-]\d{2,4})?|(?:19|20)\d\d|[a-z]{3}\.? \d{1,2}(?:st|nd|rd|th)?|day)"
    rb",?[ \t]{1,3}(?:@ ?|at )?$",
    re.I,
)
_CLOCK_NEAR = re.compile(rb"(?<![\d/.:-])(?:0\d|1[0-8]|2[1-3])[0-5]\d(?![\d/.:-])")
_CLOCK_LINE = re.compile(rb"\n[ \t]*(?:0\d|1[0-8]|2[1-3])[0-5]\d\b")
_ENTRY_AFTER = re.compile(rb"[:,)]|[ \t]{2}|\t| ?-|\n")
_YEARS_AFTER = re.compile(rb"(?: ?(?:-|to|and|through|until|or|,|;) ?)(?:19|20)\d\d\b(?![/:.-]\d)")
_YEARS_BEFORE = re.compile(
    rb"(?<![\d/:.#-])(?:19|20)\d\d(?: ?- ?|,? (?:to|and|through|until|or|&|\+) |[,;] )$"
)
_CLOSED = re.compile(rb" ?[.,;:)\"?!]| [(+&-]|[ \t]*(?:\r?\n|$)|[ \t]{2}|\t")
_FAR_YEAR = re.compile(rb"[/-](?:20[3-9]|21\d)\d\b|\b(?:20[3-9]|21\d)\d-")


def check_year(text: bytes, start: int, end: int) -> Claims:
    """Decide on a year, a range of years, a year and month, or a decade in four digits."""
    mark, following = text[start - 1 : start], text[end : end + 1]
    if mark in _JOINED_BEFORE or (mark == b"-" and text[start - 2 : start - 1].isalnum()):
        return _NONE
    if following in _JOINED_AFTER and (following in b"%@_" or text[end + 1 : end + 2].isdigit()):
        return _NONE
    if following == b"-" and text[end + 1 : end + 2].isalpha() and not _ONGOING.match(text, end):
        return _NONE
    last = last_word(text, start)
    if last in _OTHER_BEFORE:
        return _NONE
    year = int(text[start : start + 4])
    if end - start > 4:
        return _check_span(text, start, end, year)
    if following == b" " and _is_quantity(text, end):
        return _NONE
    score = _score_year(text, start, end, year, last)
    return (Claim(start, end, "DATE", score),) if score else _NONE


def _is_quantity(text: bytes, end: int) -> bool:
    word = next_word(text, end)
    return word in MEASURE_AFTER and (len(word) > 1 or word in (b"g", b"h", b"u"))


def _check_span(text: bytes, start: int, end: int, year: int) -> Claims:
    tail = text[start + 4 : end]
    if tail[:1] != b"-":  # 1990s
        return (Claim(start, end, "DATE", 0.95),) if year % 10 == 0 else _NONE
    second = int(tail[1:])
    short = 1 <= second <= 12 or year % 100 < second  # 2026-02, 1962-64
    ok = year <= second <= year + 100 if len(tail) == 5 else short
    return (Claim(start, end, "DATE", 0.88),) if ok else _NONE


def _score_year(text: bytes, start: int, end: int, year: int, last: bytes) -> float:
    """Return how sure a bare number is a year and not a time of day, a street or a quantity; 0 refuses."""
    clock = year % 100 < 60  # 1900-1959 and 2000-2059 are also times of day
    if last in _SURE_BEFORE:
        if last == b"of" and any(word in _COUNTED_BEFORE for word in before(text, start)[-2:-1]):
            return 0
        if year < 2100:
            return 0 if clock and _CLOCK_AFTER.match(text, end) else 0.95
    elif text[end : end + 1] == b" " and _STREET_AFTER.match(text, end):
        return 0
    if year >= 2100:
        return 0.8 if last in _YEAR_BEFORE and _FAR_YEAR.search(text, max(0, start - 800), end + 800) else 0
    if not clock:
        return 0.92 if last in _YEAR_BEFORE else 0.85
    if _CLOCK_AFTER.match(text, end) or _DATE_BEFORE.search(text, max(0, start - 20), start):
        return 0
    return _score_clock(text, start, end, year, before(text, start))


def _score_clock(text: bytes, start: int, end: int, year: int, left: list[bytes]) -> float:
    """Return how sure a number that may be a time of day is a year."""
    last = left[-1] if left else b""
    if _YEARS_AFTER.match(text, end) or _YEARS_BEFORE.search(text, max(0, start - 16), start):
        return 0.85
    bracketed = text[start - 1 : start] == b"(" or text[end : end + 1] == b")"
    if not bracketed and (last in CLOCK_BEFORE or any(word in _CLOCKED for word in left[-3:])):
        return 0
    closed = _CLOSED.match(text, end) is not None
    if year < 1960:
        if bracketed:
            return 0.75
        return (
            0
            if not closed or not any(left) or _CLOCK_NEAR.search(text, max(0, start - 300), end + 300)
            else 0.6
        )
    if last in _YEAR_BEFORE or bracketed:
        return 0.9
    if not any(left):  # the nearest look first, the farthest last
        if not _ENTRY_AFTER.match(text, end) or _CLOCK_LINE.search(text, max(0, start - 400), end + 400):
            return 0
        score = 0.6
    else:
        if not (closed or is_event(last)):
            return 0
        if _CLOCK_NEAR.search(text, max(0, start - 60), start) or _CLOCK_NEAR.search(text, end, end + 40):
            return 0
        score = 0.75
    return 0 if year >= 2030 and not _FAR_YEAR.search(text, max(0, start - 800), end + 800) else score


def check_short_year(text: bytes, start: int, end: int) -> Claims:
    """Decide on a year of two digits after an apostrophe: '79, '88-'89, '50s."""
    if start and (text[start - 1 : start].isalnum() or text[start - 1] in b"'\""):
        return _NONE
    if text[end : end + 1] in (b"'", b"%", b'"') or (
        text[end : end + 1] in b"./-" and text[end + 1 : end + 2].isdigit()
    ):
        return _NONE
    right = after(text, end)
    return _NONE if right and right[0] in MEASURE_AFTER else (Claim(start, end, "DATE", 0.85),)


def check_decade(text: bytes, start: int, end: int) -> Claims:
    """Decide on ``the late 80's``, ``the eighties``, ``60's``: a decade, unless something is measured."""
    left = clause_before(text, start)
    if any(word in MEASURED for word in left) or text[end : end + 1] in (b"%", b"/"):
        return _NONE
    piece = text[start:end]
    if piece[:1].isdigit():
        owner = any(
            word in (b"his", b"her", b"their", b"my", b"your", b"mid", b"late", b"early")
            for word in left[-2:]
        )
        return _NONE if owner or not left else (Claim(start, end, "DATE", 0.6),)
    if not left or left[-1] not in (
        b"in",
        b"since",
        b"during",
        b"of",
        b"from",
        b"until",
        b"through",
        b"by",
        b"back",
    ):
        return _NONE
    decade = max(piece.rfind(b" "), piece.rfind(b"-")) + 1
    return (Claim(start + decade, end, "DATE", 0.75),)
