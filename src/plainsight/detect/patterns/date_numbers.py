"""Dates in numbers: two and a slash, two and a hyphen, three, ranges, six or eight digits run together.

``12/28`` and ``9/6`` are hardly ever scores, ``4/5`` often is one. A pair has a base weight by its numbers.
An unsure pair is a date only if the words around speak for one; a sure pair, unless they speak against it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from plainsight.detect.patterns.date_cues import (
    BEFORE_DATE,
    CUES,
    NONE,
    Claims,
    before,
    begins_line,
    claim,
    is_event,
    is_measure,
    last_word,
    nearest,
    next_word,
)
from plainsight.detect.patterns.rule import Claim

_DAYS = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DENOMINATORS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 18, 20, 21, 24, 27, 28, 30))
_BASE = {2: 0, 3: 0, 4: 0, 5: -1, 6: 0, 7: 1, 8: 1, 9: 1, 10: -1}  # else 2: scores over 12 name themselves
_FRACTIONS = frozenset(
    ((1, 1), (2, 2), (3, 3), (4, 4), (1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 8), (3, 8), (5, 8), (7, 8))
)
_SLIPS = frozenset(((9, 31), (4, 31), (6, 31), (11, 31), (2, 30), (2, 31)))
_OWNERS = frozenset(b"the his her your our my their".split())
_PAGES = frozenset(b"page p pg pp".split())
_IN = frozenset(b"in early late mid".split())
_TURNS = frozenset(b"next last first prior prev previous".split())
_RATIO_OR_DOSE = CUES["ratio_before"] | CUES["dosed"]
_DOUBTED = _RATIO_OR_DOSE | (BEFORE_DATE - CUES["strong_before"] - _TURNS) | _PAGES

_BLANK = (b" ", b"\t")
_TAILS = tuple(bytes((byte,)) for byte in b"0123456789 \tMm.")
_TIME_AFTER = re.compile(
    rb"[ \t]{0,3},? ?(?:@ ?|at )?(?:(?:[01]?\d|2[0-3]):[0-5]\d|\d{1,2} ?[ap]\.?m?\b)"
    rb"|[ \t]{1,3}(?:@ ?|at )?(?:[01]\d|2[0-3])[0-5]\d\b",
    re.I,
)
_PAIR_BEFORE = re.compile(rb"\d/\d{1,2}[ \t]{1,2}$")
_PAIR = re.compile(rb"(?<![\d/.])(\d{1,2})/(\d{1,2})(?!/)")
_PAIR_AFTER = re.compile(rb"[ \t]+\d{1,2}/\d{1,2}\b(?!/)")
_PAIR_LINE = re.compile(rb"\n[ *-]*\d{1,2}/\d{1,2}\b[^/]")
_CLOCK_TAIL = re.compile(rb"(?:\b(?:[01]\d|2[0-3]):?[0-5]\d|\d [ap]\.?m\.?) $", re.I)


def is_day(month: int, day: int) -> bool:
    """Tell whether some year has that month and day."""
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month]


def is_joined(text: bytes, start: int) -> bool:
    """Tell whether the mark before an offset makes one token of its two sides: ``S-12/4``, ``#12``."""
    mark = text[start - 1 : start]
    if mark in (b"#", b"$"):
        return True
    if mark == b":":
        return text[start - 2 : start - 1].isdigit()
    return mark in (b"/", b"-", b".", b"~", b"+") and text[start - 2 : start - 1].isalnum()


class _Pair(NamedTuple):
    """What the numbers of a pair say by themselves."""

    base: int
    first: int
    second: int
    zeros: bool
    with_year: bool


def _read_pair(piece: bytes) -> _Pair | None:
    """Read a pair; None when it can be no date."""
    left, right = piece.split(b"/")
    a, b = int(left), int(right)
    if len(right) == 4:
        return _Pair(9, a, b, False, True) if 1 <= a <= 12 and 1880 <= b <= 2199 else None
    zeros = left[0] == 48 or right[0] == 48
    if is_day(a, b):
        sure = zeros or a > b or b not in _DENOMINATORS
        return _Pair(3 if sure else _BASE.get(b, 2) - ((a, b) in _FRACTIONS), a, b, zeros, False)
    if 1 <= a <= 12 and (b > 31 or right == b"00"):
        return _Pair(3, a, b, zeros, False)
    return _Pair(-1, a, b, zeros, False) if is_day(b, a) or (a, b) in _SLIPS else None


def check_pair(text: bytes, start: int, end: int, piece: bytes, *, glued: bool = False) -> Claims:
    """Decide on a pair; ``glued`` says that a word stands right before it."""
    pair = _read_pair(piece)
    if pair is None or (glued and pair.base < 2) or is_measure(text, end):
        return NONE
    mark = text[end : end + 1]
    if mark == b"/" or (mark in (b".", b"-", b":", b"~") and text[end + 1 : end + 2].isdigit()):
        return NONE  # 3/80/-2, 5/7.5
    if not glued and is_joined(text, start):
        return NONE
    if pair.with_year:
        return claim(start, end, 0.95)
    last = last_word(text, start)
    if last in CUES["strong_before"]:
        return claim(start, end, 0.95) if pair.base > -2 else NONE
    if pair.base < 2 and last in _RATIO_OR_DOSE and not text[end + 1 : end + 2].isdigit():
        return NONE  # pain 7/10, strength 4/5
    if pair.base > 1 and last not in _DOUBTED and (pair.base == 3 or _is_unscored(text, start, last)):
        return claim(start, end, 0.9 if pair.zeros or is_event(last) else 0.75)
    weight = pair.base + _weigh(text, start, end, pair, last)
    return (Claim(start, end, "DATE", min(0.95, 0.6 + 0.08 * (weight - 2))),) if weight >= 2 else NONE


def _is_unscored(text: bytes, start: int, last: bytes) -> bool:
    """Tell whether nothing before a pair speaks of a score: ``glasses 11/18``."""
    return not last.isdigit() and CUES["ratio_before"].isdisjoint(nearest(text, start)[-3:-1])


def _weigh(text: bytes, start: int, end: int, pair: _Pair, last: bytes) -> int:
    """Weigh the words around a pair: positive for a date, negative for a ratio."""
    timed = _TIME_AFTER.match(text, end) is not None
    weight = 3 if timed else 0
    if pair.zeros:
        return weight - 4 if last in _PAGES else weight + 1
    left = nearest(text, start)
    unsure = pair.base < 3
    if last in CUES["dosed"]:
        weight -= 4 if pair.second <= 12 or not unsure else 1
    elif last in CUES["ratio_before"]:
        weight -= 4
    elif last in BEFORE_DATE:
        scored = last not in _TURNS and not CUES["ratio_before"].isdisjoint(left[-4:-1])
        weight += -4 if scored else 3
    elif last in _IN:
        weight += 1 if unsure else 3
    elif is_event(last):
        return weight + 3
    elif unsure and not CUES["ratio_before"].isdisjoint(left[-3:-1]):
        weight -= 2
    elif unsure and not _TURNS.isdisjoint(left[-3:-1]):
        weight += 3
    elif unsure and any(map(is_event, left[-4:-1])):
        weight += 1
    if not unsure:
        return weight + 4 if text[end : end + 1] in _BLANK and _PAIR_AFTER.match(text, end) else weight
    weight += _weigh_place(text, start, end, pair, left, timed)
    if pair.base + weight >= 2 or pair.base + weight < -1:
        return weight
    return weight + _weigh_neighbours(text, start, end)


def _weigh_place(text: bytes, start: int, end: int, pair: _Pair, left: list[bytes], timed: bool) -> int:
    """Weigh the marks and the layout around a pair that may well be a ratio."""
    a, b = pair.first, pair.second
    weight = 0
    right = next_word(text, end)
    last = left[-1] if left else b""
    blank = text[end : end + 1] in _BLANK
    if blank and _PAIR_AFTER.match(text, end):  # 7/13 2/2 grew: a date, then a ratio
        weight += 4
    elif right in CUES["ratio_after"] and not timed and b <= 10 and text[end + 1 : end + 2].isalpha():
        weight -= 2
    elif last in _OWNERS and is_event(right):  # your 10/30 sheet, the 1/9 visit
        weight += 3
    if last.isdigit() and len(last) < 3 and a < b and text[start - 1] == 32:
        weight += 3 if text[start - len(last) - 2] == 35 else -4  # LVM #1 1/4; but 1 1/2 tabs, 38 2/7 weeks
    if not any(left) and begins_line(text, start):
        own_line = b not in (5, 10) or text[end : end + 2] == b"  " or text[end : end + 3] == b" - "
        weight += 3 if own_line or _PAIR_LINE.search(text, max(0, start - 300), start - 1) else 0
    opening = text[start - 2 : start].strip()[-1:]
    following = text[end : end + 2].strip()[:1]
    if opening in (b"~", b"=") or (opening in (b"(", b"[") and following in (b")", b"]", b",", b":", b";")):
        weight += 3
    elif following == b")":
        weight += 2
    elif text[end : end + 1] in (b"\n", b""):
        weight += 1
    if text[start - 1 : start] in _BLANK and text[start - 2 : start - 1] in _TAILS:
        if _PAIR_BEFORE.search(text, max(0, start - 8), start):
            weight -= 3
        elif _CLOCK_TAIL.search(text, max(0, start - 8), start):
            weight += 3
    return weight + (text[end : end + 1] == b":")


def _weigh_neighbours(text: bytes, start: int, end: int) -> int:
    """Weigh other pairs near a pair: a row or a list of dates makes a date of each."""
    if text.count(b"/", start - 60 if start > 60 else 0, end + 36) == 1:
        return 0  # the usual case
    for found in islice(_PAIR.finditer(text, max(0, start - 60), end + 36), 6):
        if found.start() == start or text[found.end() : found.end() + 1].isdigit():
            continue
        month, day = int(found.group(1)), int(found.group(2))
        if is_day(month, day) and (month > day or day > 12):
            between = text[found.end() : start] if found.start() < start else text[end : found.start()]
            return 3 if len(between.split()) < 2 else 1
    return 0


# --- three numbers, hyphens, digits run together ------------------------------------------------------------


_READ = bytes.maketrans(b"OolI:", b"00110")  # letters a scanner saw for digits; the colon of an old printer
_SPLIT = re.compile(rb" ?[/.~-]+ ?")
_USUAL = re.compile(
    rb"(?<![\w./~#$+:-])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:(?:19|20)\d\d|\d\d)(?![\w/~]|[.:-]\d)"
)
_SEPARATORS = (b"/", b".", b"~", b"-", b":")
_CLOCK_AFTER = re.compile(rb" ?(?:@ ?|at )?(?:\d{1,2}:\d\d|\d{1,2} ?[ap]\.?m?\b|[012]\d[0-5]\d\b)", re.I)
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
        return claim(start, end, 0.98)
    piece = text[start:end]
    if _LONE_I.search(piece) or not _ANY_DIGIT.search(piece):
        return NONE
    piece = piece.translate(_READ)
    parts = _SPLIT.split(piece)
    if len(parts) == 1 or not all(parts):  # digits alone, as in `to351770`
        return NONE
    if len(parts) == 2 and b"/" in piece:
        return check_pair(text, start, end, piece, glued=glued)
    if not glued and is_joined(text, start):
        return NONE
    mark = text[end : end + 1]
    if mark.isdigit() or (mark in _SEPARATORS and text[end + 1 : end + 2].isdigit()):
        return NONE
    if len(parts) == 2:
        return _weigh_hyphened(text, start, end, parts, glued)
    if len(parts) == 3:
        return _check_three(text, start, end, piece, parts)
    numbers = [int(part) for part in parts]
    ok = is_day(numbers[0], numbers[1]) and (is_day(*numbers[-2:]) or is_day(*numbers[-3:-1]))
    return claim(start, end, 0.9) if ok and not is_measure(text, end) else NONE


def _check_three(text: bytes, start: int, end: int, piece: bytes, parts: list[bytes]) -> Claims:
    a, b, c = (int(part) for part in parts)
    separator = piece[len(parts[0]) : len(parts[0]) + 1]
    if len(parts[0]) == 4:  # 2019.10.02, but 2019.1.2 is a version
        version = separator == b"." and len(piece) < 10
        return claim(start, end, 0.98) if is_day(b, c) and not version else NONE
    if b"/" in piece and b"-" in piece:  # 11-12/2009
        ok = len(parts[2]) == 4 and 1 <= a <= 12 and 1 <= b <= 12
        return claim(start, end, 0.9) if ok else NONE
    if len(parts[2]) == 4:
        ok = 1880 <= c <= 2199 and (is_day(a, b) or is_day(b, a))
        return claim(start, end, 0.98) if ok else NONE
    if is_day(a, b):
        score = 0.97
    elif is_day(b, a):
        score = 0.9
    elif is_day(b, c) and (separator == b"-" or _has_date_word(text, start)):  # 95-12-08, signed 33/04/12
        score = 0.75
    else:
        return NONE
    if separator != b"/":
        measured = is_measure(text, end) and text[end : end + 1] != b'"'
        if measured or last_word(text, start) in CUES["id_before"]:
            return NONE
        score -= 0.05
    return claim(start, end, score)


def _has_date_word(text: bytes, start: int) -> bool:
    return any(word in BEFORE_DATE or is_event(word) for word in before(text, start)[-3:])


def check_hyphened(text: bytes, start: int, end: int, parts: list[bytes]) -> Claims:
    """Decide on two numbers and a hyphen between them."""
    mark = text[end : end + 1]
    if mark in _SEPARATORS and text[end + 1 : end + 2].isdigit():
        return NONE
    return NONE if is_joined(text, start) else _weigh_hyphened(text, start, end, parts, glued=False)


def _weigh_hyphened(text: bytes, start: int, end: int, parts: list[bytes], glued: bool) -> Claims:
    """Decide on ``LMP 08-24``, ``flu 10-95``; a range of anything else is far more common."""
    a, b = int(parts[0]), int(parts[1])
    with_year = len(parts[1]) == 4
    if not (1900 <= b <= 2099 and 1 <= a <= 12 if with_year else is_day(a, b) or (1 <= a <= 12 and b > 40)):
        return NONE
    last = last_word(text, start)
    if last in CUES["id_before"]:
        return NONE
    if with_year:
        return claim(start, end, 0.8)
    if glued and text[start - 1 : start].isupper():
        return NONE
    weight = 2 if parts[0][0] == 48 else 0
    if last in CUES["strong_before"]:
        weight += 3
    elif is_event(last) or (glued and len(last) > 5):
        weight += 2 + (b > 12)
    if text[end : end + 1] == b":":
        weight += 1
    if weight < 3 and (_CLOCK_AFTER.match(text, end) or _ends_list(text, start)):
        weight += 3
    if weight < 3 and b > 40 and any(word in _DATE_HEADERS for word in before(text, start)):
        weight += 3
    ok = weight >= 3 and not is_measure(text, end)
    return claim(start, end, min(0.9, 0.4 + 0.1 * weight)) if ok else NONE


def _ends_list(text: bytes, start: int) -> bool:
    """Tell whether another date stands before an offset: ``10-4, 10-11 and``."""
    window = text[max(0, start - 24) : start]
    return (b"-" in window or b"/" in window) and _LIST_BEFORE.search(window) is not None


def check_compact(text: bytes, start: int, end: int) -> Claims:
    """Decide on digits run together: ``DOB 051729``, ``20110804``, a log whose lines begin with 060214."""
    if text[start] == 10:
        lines = _COMPACT_LINE.findall(text, max(0, start - 400), end + 400)
        ok = len(lines) > 1 and _compact_order(text[start + 1 : start + 7]) is not None
        return claim(start + 1, start + 7, 0.8) if ok else NONE
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
        if joined or last_word(text, start) in CUES["id_before"]:
            return NONE
        return claim(start, end, 0.85 if order == "ymd" else 0.65) if order else NONE
    if _compact_order(match.group()) is None or text[end : end + 1] in (b"-", b"/"):
        return NONE
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
