"""Two numbers and a slash: a month and a day, a month and a year, or no date at all.

``12/28`` and ``9/6`` are hardly ever scores, ``4/5`` often is one. A pair has a base weight by its numbers;
a shy pair needs company that speaks for a date, a sure one only the absence of company against it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from plainsight.detect.patterns.dates_context import (
    BEFORE_DATE,
    DOSED,
    RATIO_AFTER,
    RATIO_BEFORE,
    STRONG_BEFORE,
    begins_line,
    is_event,
    is_measure,
    last_word,
    nearest,
    next_word,
)
from plainsight.detect.patterns.rule import Claim

__all__ = ["check_pair", "is_day", "is_joined"]

Claims = tuple[Claim, ...]

_NONE: Claims = ()
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
_DOUBTED = RATIO_BEFORE | DOSED | (BEFORE_DATE - STRONG_BEFORE - _TURNS) | _PAGES

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


@lru_cache(maxsize=4096)
def _read(piece: bytes) -> _Pair | None:
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
    pair = _read(piece)
    if pair is None or (glued and pair.base < 2) or is_measure(text, end):
        return _NONE
    mark = text[end : end + 1]
    if mark == b"/" or (mark in (b".", b"-", b":", b"~") and text[end + 1 : end + 2].isdigit()):
        return _NONE  # 3/80/-2, 5/7.5
    if not glued and is_joined(text, start):
        return _NONE
    if pair.with_year:
        return (Claim(start, end, "DATE", 0.95),)
    last = last_word(text, start)
    if last in STRONG_BEFORE:
        return (Claim(start, end, "DATE", 0.95),) if pair.base > -2 else _NONE
    if pair.base < 2 and (last in RATIO_BEFORE or last in DOSED) and not text[end + 1 : end + 2].isdigit():
        return _NONE  # pain 7/10, strength 4/5
    if pair.base > 1 and last not in _DOUBTED and (pair.base == 3 or _is_unscored(text, start, last)):
        return (Claim(start, end, "DATE", 0.9 if pair.zeros or is_event(last) else 0.75),)
    weight = pair.base + _weigh(text, start, end, pair, last)
    return (Claim(start, end, "DATE", min(0.95, 0.6 + 0.08 * (weight - 2))),) if weight >= 2 else _NONE


def _is_unscored(text: bytes, start: int, last: bytes) -> bool:
    """Tell whether nothing before a pair speaks of a score: ``glasses 11/18``."""
    return not last.isdigit() and RATIO_BEFORE.isdisjoint(nearest(text, start)[-3:-1])


def _weigh(text: bytes, start: int, end: int, pair: _Pair, last: bytes) -> int:
    """Weigh the words around a pair: positive for a date, negative for a ratio."""
    timed = _TIME_AFTER.match(text, end) is not None
    weight = 3 if timed else 0
    if pair.zeros:
        return weight - 4 if last in _PAGES else weight + 1
    left = nearest(text, start)
    shy = pair.base < 3
    if last in DOSED:
        weight -= 4 if pair.second <= 12 or not shy else 1
    elif last in RATIO_BEFORE:
        weight -= 4
    elif last in BEFORE_DATE:
        scored = last not in _TURNS and not RATIO_BEFORE.isdisjoint(left[-4:-1])
        weight += -4 if scored else 3
    elif last in _IN:
        weight += 1 if shy else 3
    elif is_event(last):
        return weight + 3
    elif shy and not RATIO_BEFORE.isdisjoint(left[-3:-1]):
        weight -= 2
    elif shy and not _TURNS.isdisjoint(left[-3:-1]):
        weight += 3
    elif shy and any(map(is_event, left[-4:-1])):
        weight += 1
    if not shy:
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
    elif right in RATIO_AFTER and not timed and b <= 10 and text[end + 1 : end + 2].isalpha():
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
