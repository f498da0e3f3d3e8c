"""Years and decades standing alone: 1962, '79, 1968-1971, the 1990s, the eighties."""

from __future__ import annotations

import re

from plainsight.detect.patterns.date_cues import (
    CUES,
    NONE,
    Claims,
    after,
    before,
    claim,
    clause_before,
    is_event,
    last_word,
    next_word,
)

_YEAR_BEFORE = CUES["year_before"] | CUES["year_often_before"]
_OTHER_BEFORE = CUES["id_before"] | CUES["edition_before"] | CUES["value_before"]
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
        return NONE
    if following in _JOINED_AFTER and (following in b"%@_" or text[end + 1 : end + 2].isdigit()):
        return NONE
    if following == b"-" and text[end + 1 : end + 2].isalpha() and not _ONGOING.match(text, end):
        return NONE
    last = last_word(text, start)
    if last in _OTHER_BEFORE:
        return NONE
    year = int(text[start : start + 4])
    if end - start > 4:
        return _check_span(text, start, end, year)
    if following == b" " and _is_quantity(text, end):
        return NONE
    score = _score_year(text, start, end, year, last)
    return claim(start, end, score) if score else NONE


def _is_quantity(text: bytes, end: int) -> bool:
    word = next_word(text, end)
    return word in CUES["measure_after"] and (len(word) > 1 or word in (b"g", b"h", b"u"))


def _check_span(text: bytes, start: int, end: int, year: int) -> Claims:
    tail = text[start + 4 : end]
    if tail[:1] != b"-":  # 1990s
        return claim(start, end, 0.95) if year % 10 == 0 else NONE
    second = int(tail[1:])
    short = 1 <= second <= 12 or year % 100 < second  # 2026-02, 1962-64
    ok = year <= second <= year + 100 if len(tail) == 5 else short
    return claim(start, end, 0.88) if ok else NONE


def _score_year(text: bytes, start: int, end: int, year: int, last: bytes) -> float:
    """Return how sure a bare number is a year and not a time of day, a street or a quantity; 0 refuses."""
    clock = year % 100 < 60  # 1900-1959 and 2000-2059 are also times of day
    if last in CUES["year_before"]:
        if last == b"of" and any(word in CUES["value_before"] for word in before(text, start)[-2:-1]):
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
    if not bracketed and (last in CUES["clock_before"] or not CUES["clock_near"].isdisjoint(left[-3:])):
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
        return NONE
    if text[end : end + 1] in (b"'", b"%", b'"') or (
        text[end : end + 1] in b"./-" and text[end + 1 : end + 2].isdigit()
    ):
        return NONE
    right = after(text, end)
    return NONE if right and right[0] in CUES["measure_after"] else claim(start, end, 0.85)


def check_decade(text: bytes, start: int, end: int) -> Claims:
    """Decide on ``the late 80's``, ``the eighties``, ``60's``: a decade, unless something is measured."""
    left = clause_before(text, start)
    if any(word in CUES["measured"] for word in left) or text[end : end + 1] in (b"%", b"/"):
        return NONE
    piece = text[start:end]
    if piece[:1].isdigit():
        owner = any(
            word in (b"his", b"her", b"their", b"my", b"your", b"mid", b"late", b"early")
            for word in left[-2:]
        )
        return NONE if owner or not left else claim(start, end, 0.6)
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
        return NONE
    decade = max(piece.rfind(b" "), piece.rfind(b"-")) + 1
    return claim(start + decade, end, 0.75)
