"""Dates of three numbers, of two with a hyphen, ranges, and six or eight digits run together."""

from __future__ import annotations

import re

from plainsight.detect.patterns.dates_context import (
    BEFORE_DATE,
    ID_BEFORE,
    STRONG_BEFORE,
    before,
    is_event,
    is_measure,
    last_word,
)
from plainsight.detect.patterns.dates_pairs import check_pair, is_day, is_joined
from plainsight.detect.patterns.rule import Claim

__all__ = ["check_compact", "check_hyphened", "check_numeric"]

Claims = tuple[Claim, ...]

_NONE: Claims = ()
_READ = bytes.maketrans(b"OolI:", b"00110")  # letters a scanner saw for digits; the colon of an old printer
_SPLIT = re.compile(rb" ?[/.~-]+ ?")
_USUAL = re.compile(
    rb"(?<![\w./~#$+:-])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:(?:19|20)\d\d|\d\d)(?![\w/~]|[.:-]\d)"
)
_JOINTS = (b"/", b".", b"~", b"-", b":")
_TIME_AFTER = re.compile(rb" ?(?:@ ?|at )?(?:\d{1,2}:\d\d|\d{1,2} ?[ap]\.?m?\b|[012]\d[0-5]\d\b)", re.I)
_LIST_BEFORE = re.compile(rb"\d[/-]\d{1,4}[ ,;&+]{1,4}(?:and |to |or |thru |through |- )?$")
_COMPACT_LINE = re.compile(rb"\n(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d\d [ A-Za-z]")
_LONE_I = re.compile(rb"(?:^|[/~ -])I+(?:[/~ -]|$)")  # I-94 is a form or a road
_ANY_DIGIT = re.compile(rb"\d")
_NUMBER = re.compile(rb"\d+$")
_TO_NUMBER = re.compile(rb" ?(?:to|thru|-) ?(\d{6}(?:\d\d)?)\b", re.I)
_DATE_HEADERS = frozenset((b"date", b"dates", b"dob", b"birth"))


def check_numeric(text: bytes, start: int, end: int, *, glued: bool = False) -> Claims:
    """Decide on a date of digits and separators; ``glued`` says that a word stands right before it."""
    usual = _USUAL.match(text, start)
    if usual and usual.end() == end:
        return (Claim(start, end, "DATE", 0.98),)
    piece = text[start:end]
    if _LONE_I.search(piece) or not _ANY_DIGIT.search(piece):
        return _NONE
    piece = piece.translate(_READ)
    parts = _SPLIT.split(piece)
    if len(parts) == 1 or not all(parts):  # digits alone, as in `to351770`
        return _NONE
    if len(parts) == 2 and b"/" in piece:
        return check_pair(text, start, end, piece, glued=glued)
    if not glued and is_joined(text, start):
        return _NONE
    mark = text[end : end + 1]
    if mark.isdigit() or (mark in _JOINTS and text[end + 1 : end + 2].isdigit()):
        return _NONE
    if len(parts) == 2:
        return _weigh_hyphened(text, start, end, parts, glued)
    if len(parts) == 3:
        return _check_three(text, start, end, piece, parts)
    numbers = [int(part) for part in parts]
    ok = is_day(numbers[0], numbers[1]) and (is_day(*numbers[-2:]) or is_day(*numbers[-3:-1]))
    return (Claim(start, end, "DATE", 0.9),) if ok and not is_measure(text, end) else _NONE


def _check_three(text: bytes, start: int, end: int, piece: bytes, parts: list[bytes]) -> Claims:
    a, b, c = (int(part) for part in parts)
    separator = piece[len(parts[0]) : len(parts[0]) + 1]
    if len(parts[0]) == 4:  # 2019.10.02, but 2019.1.2 is a version
        version = separator == b"." and len(piece) < 10
        return (Claim(start, end, "DATE", 0.98),) if is_day(b, c) and not version else _NONE
    if b"/" in piece and b"-" in piece:  # 11-12/2009
        ok = len(parts[2]) == 4 and 1 <= a <= 12 and 1 <= b <= 12
        return (Claim(start, end, "DATE", 0.9),) if ok else _NONE
    if len(parts[2]) == 4:
        ok = 1880 <= c <= 2199 and (is_day(a, b) or is_day(b, a))
        return (Claim(start, end, "DATE", 0.98),) if ok else _NONE
    if is_day(a, b):
        score = 0.97
    elif is_day(b, a):
        score = 0.9
    elif is_day(b, c) and (separator == b"-" or _has_date_word(text, start)):  # 95-12-08, signed 33/04/12
        score = 0.75
    else:
        return _NONE
    if separator != b"/":
        if last_word(text, start) in ID_BEFORE or (is_measure(text, end) and text[end : end + 1] != b'"'):
            return _NONE
        score -= 0.05
    return (Claim(start, end, "DATE", score),)


def _has_date_word(text: bytes, start: int) -> bool:
    return any(word in BEFORE_DATE or is_event(word) for word in before(text, start)[-3:])


def check_hyphened(text: bytes, start: int, end: int, parts: list[bytes]) -> Claims:
    """Decide on two numbers and a hyphen between them."""
    mark = text[end : end + 1]
    if mark in _JOINTS and text[end + 1 : end + 2].isdigit():
        return _NONE
    return _NONE if is_joined(text, start) else _weigh_hyphened(text, start, end, parts, glued=False)


def _weigh_hyphened(text: bytes, start: int, end: int, parts: list[bytes], glued: bool) -> Claims:
    """Decide on ``LMP 08-24``, ``flu 10-95``; a range of anything else is far more common."""
    a, b = int(parts[0]), int(parts[1])
    with_year = len(parts[1]) == 4
    if not (1900 <= b <= 2099 and 1 <= a <= 12 if with_year else is_day(a, b) or (1 <= a <= 12 and b > 40)):
        return _NONE
    last = last_word(text, start)
    if last in ID_BEFORE:
        return _NONE
    if with_year:
        return (Claim(start, end, "DATE", 0.8),)
    if glued and text[start - 1 : start].isupper():
        return _NONE
    weight = 2 if parts[0][0] == 48 else 0
    if last in STRONG_BEFORE:
        weight += 3
    elif is_event(last) or (glued and len(last) > 5):
        weight += 2 + (b > 12)
    if text[end : end + 1] == b":":
        weight += 1
    if weight < 3 and (_TIME_AFTER.match(text, end) or _ends_list(text, start)):
        weight += 3
    if weight < 3 and b > 40 and any(word in _DATE_HEADERS for word in before(text, start)):
        weight += 3
    ok = weight >= 3 and not is_measure(text, end)
    return (Claim(start, end, "DATE", min(0.9, 0.4 + 0.1 * weight)),) if ok else _NONE


def _ends_list(text: bytes, start: int) -> bool:
    """Tell whether another date stands before an offset: ``10-4, 10-11 and``."""
    window = text[max(0, start - 24) : start]
    return (b"-" in window or b"/" in window) and _LIST_BEFORE.search(window) is not None


def check_compact(text: bytes, start: int, end: int) -> Claims:
    """Decide on digits run together: ``DOB 051729``, ``20110804``, a log whose lines begin with 060214."""
    if text[start] == 10:
        lines = _COMPACT_LINE.findall(text, max(0, start - 400), end + 400)
        ok = len(lines) > 1 and _compact_order(text[start + 1 : start + 7]) is not None
        return (Claim(start + 1, start + 7, "DATE", 0.8),) if ok else _NONE
    if end - start > 10 and text[start:end].isdigit():  # 202403051422, a stamp of day and time
        end = start + 8
    elif text[end - 2] in b"Tt":  # 20240305T1422
        end -= 2
    elif text[end - 1] == 95:
        end -= 1
    match = _NUMBER.search(text, max(start, end - 8), end)
    assert match is not None
    if match.start() == start:  # no cue: only year, month, day
        order = _compact_order(match.group())
        joined = text[start - 1 : start] in (b"-", b"#", b"/") or text[end : end + 1] == b"-"
        if joined or last_word(text, start) in ID_BEFORE:
            return _NONE
        return (Claim(start, end, "DATE", 0.85 if order == "ymd" else 0.65),) if order else _NONE
    if _compact_order(match.group()) is None or text[end : end + 1] in (b"-", b"/"):
        return _NONE
    claims = [Claim(match.start(), end, "DATE", 0.9)]
    more = _TO_NUMBER.match(text, end)
    if more and _compact_order(more.group(1)) is not None:
        claims.append(Claim(more.start(1), more.end(1), "DATE", 0.9))
    return tuple(claims)


def _compact_order(digits: bytes) -> str | None:
    """Return the order in which six or eight digits make a date, if they do."""
    if len(digits) == 8:
        if 1900 <= int(digits[:4]) <= 2199 and is_day(int(digits[4:6]), int(digits[6:])):
            return "ymd"
        if not 1900 <= int(digits[4:]) <= 2099:
            return None
    a, b = int(digits[:2]), int(digits[2:4])
    return "mdy" if is_day(a, b) else "dmy" if is_day(b, a) else None
