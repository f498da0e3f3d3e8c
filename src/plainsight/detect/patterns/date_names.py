"""Dates by name: months, weekdays, seasons, alone or with a day and a year.

A name with a number beside it (``May 5``) is a date; a name alone is one when nothing else is called so
(``Thursday``), or when its company says so (``in May``, never ``she may``).
"""

from __future__ import annotations

import re

from plainsight.detect.patterns.date_cues import (
    BEFORE_DATE,
    CUES,
    NONE,
    Claims,
    after,
    before,
    claim,
    is_event,
    is_measure,
    last_word,
    next_word,
)
from plainsight.detect.patterns.date_numbers import is_day
from plainsight.detect.patterns.date_words import MONTH

_BESIDE = BEFORE_DATE | CUES["name_before"]
"""Words that make a month, weekday or season of the word after them."""
_BEFORE_MAY = _BESIDE - CUES["not_before_may"]
_BESIDE_WEEKDAY = BEFORE_DATE | CUES["weekday_before"]
_LAST_NUMBER = re.compile(rb"[ ,]*'?\d+(?:st|nd|rd|th)?$", re.I)
_MONTH_AT = re.compile(
    rb"(?!st|nd|rd|th|of|day|de\b)(?<![a-z])[a-z]{2,}|(?<=[0-9])(?!st|nd|rd|th)[a-z]{3,}", re.I
)
_PAIR = re.compile(rb"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})$")
_NUMBER = re.compile(rb"\d+")
_MONTH_NEAR = re.compile(rf" ?(?:[+&/-]|and|or) ?{MONTH}\b".encode(), re.I)
_MONTH_BEFORE = re.compile(rf"\b{MONTH}\.?(?:,|,? (?:and|or|&|to|thru|through|-|\+)|/|-) ?$".encode(), re.I)
_CLOCK = re.compile(rb" (?:at |@ ?)?(?:\d{1,2}:\d\d|\d{1,2} ?[ap]\.?m?\b|[012]\d[0-5]\d\b)", re.I)
_CLOSED = re.compile(rb" ?[.,;:)\"?!/]| -|[ \t]*(?:\r?\n|$)|[ \t]{2}| \d{1,2}:\d\d| [01]\d[0-5]\d\b| \(")


def _without_value(text: bytes, start: int, end: int) -> int:
    """Return the end of a date without a last number that belongs to what follows: ``Nov`` in ``Nov 6.1``."""
    while text[end - 1 : end].isdigit():
        mark = text[end : end + 1]
        if mark in (b" ", b"%"):
            year = text[end - 4 : end].isdigit()  # a year before a word that is also a unit
            valued = mark == b"%" or (not year and is_measure(text, end))
        else:
            valued = mark in (b":", b".", b"/") and text[end + 1 : end + 2].isdigit()
        cut = _LAST_NUMBER.search(text, max(start, end - 8), end) if valued else None
        if cut is None or cut.start() <= start:
            break
        end = cut.start()
    return end


def check_weekday(text: bytes, start: int, end: int, word: bytes) -> Claims:
    """Decide on a weekday, alone, joined to others, or with a date."""
    alone = start + len(word)
    if end > alone + 1:
        pair = _PAIR.search(text, alone, end)
        if pair is None:
            return claim(start, end, 0.97)
        first, second = int(pair.group(1)), int(pair.group(3))
        hours = pair.group(2) == b"-" and second <= 12  # Mon-Fri 8-5
        if not hours and not is_measure(text, end) and (is_day(first, second) or is_day(second, first)):
            return claim(start, end, 0.96)
    end = alone
    if word not in (b"sat", b"sun") and len(word) < 6:
        return claim(start, end, 0.95 if len(word) > 3 else 0.9) if text[end : end + 1] != b"'" else NONE
    right = next_word(text, end)
    if len(word) > 5:
        if right in (b"night", b"nite") and after(text, end)[1:2] in ([b"palsy"], [b"special"]):
            return NONE
        titled = text[start - 4 : start - 1].strip(b".").lower() in (
            b"dr",
            b"mr",
            b"ms",
            b"mrs",
            b" dr",
            b" mr",
            b" ms",
        )
        return NONE if titled else claim(start, end, 0.96)
    last = last_word(text, start)
    if (
        right in CUES["part_of_day"]
        or right in CUES["short_weekdays"]
        or last in CUES["short_weekdays"]
        or _CLOCK.match(text, end)
    ):
        return claim(start, end, 0.9)
    if last in (b"o2", b"arctic") or (word == b"sun" and right in CUES["not_sun_after"]):
        return NONE
    if last in _BESIDE_WEEKDAY and not right[:1].isdigit() and right not in (b"w/", b"in", b"down", b"with"):
        return claim(start, end, 0.85)
    if (
        text[start] < 97
        and _CLOSED.match(text, end)
        and text[end : end + 1] != b"/"
        and not right[:1].isdigit()
    ):
        return claim(start, end, 0.7)
    if is_event(last) and not right[:1].isdigit():
        return claim(start, end, 0.65)
    return NONE


def check_may(text: bytes, start: int, end: int) -> Claims:
    """Decide on ``may``, which is a month only after such words as ``in``."""
    if last_word(text, start) in _BEFORE_MAY and text[end : end + 1] != b"-":
        return claim(start, end, 0.9)
    return NONE


def check_month(text: bytes, start: int, end: int, word: bytes) -> Claims:
    """Decide on a month, alone, joined to another, or with a day or a year."""
    alone = start + len(word)
    if end > alone + 1:
        sentence_end = text[alone] == 46 and len(word) > 4  # in January. 3rd degree
        end = alone if sentence_end else _without_value(text, start, end)
    if end > alone + 1:
        if word == b"may" and text[start] >= 97 and not text[end - 4 : end].isdigit():
            last = last_word(text, start)
            if last not in _BESIDE and last not in (b"bday", b"birthday", b"born"):
                return NONE
        return claim(start, end, 0.97)
    end = alone
    if text[start:end] in (b"may", b"MAY"):
        return check_may(text, start, end)
    last = last_word(text, start)
    if text[end : end + 1] in (b"'", b"-") and text[end + 1 : end + 2].isalpha():
        joined = text[end : end + 1] == b"-" and word not in CUES["tricky_months"]
        return claim(start, end, 0.8) if joined else NONE
    initials = (
        len(word) < 5 and text[start:end].isupper() and text[max(0, start - 4) : start].strip().islower()
    )
    if (
        word not in CUES["tricky_months"]
        and not initials
        and text[max(0, start - 3) : start] not in (b"r. ", b"s. ")
    ):
        return claim(start, end, 0.95 if len(word) > 3 else 0.92)
    closed = _CLOSED.match(text, end) is not None
    if initials:  # a chart, a scan, an operation, unless a date is awaited
        awaited = (is_event(last) and closed) or last in _BESIDE
        return claim(start, end, 0.6) if awaited else NONE
    if last in _BESIDE:
        return claim(start, end, 0.93)
    right = after(text, end)
    owned = last in CUES["owners"] and text[start] < 97 and word in (b"may", b"march", b"april", b"june")
    owned = (
        owned and text[end + 1 : end + 2].islower() and right[:1] not in ([b"fracture"], [b"of"], [b"may"])
    )
    if owned or _MONTH_BEFORE.search(text, max(0, start - 18), start):
        return claim(start, end, 0.8)
    if text[start] < 97 and right and right[0] in CUES["dated_nouns"]:
        return claim(start, end, 0.75)
    if word in (b"may", b"march") or last in CUES["person_before"]:
        bracket = (text[start - 1 : start] == b"(" or text[end : end + 1] == b")") and text[start] < 97
        return claim(start, end, 0.7) if bracket else NONE
    if text[start:end] in (b"MAR", b"SEP"):
        return NONE
    if is_event(last) and not (right and right[0] in CUES["person_verbs"]):
        return claim(start, end, 0.8)
    if _MONTH_NEAR.match(text, end) or ((text[start] < 97 or word in (b"oct", b"jan")) and last and closed):
        return claim(start, end, 0.65)
    return NONE


def check_season(text: bytes, start: int, end: int, word: bytes) -> Claims:
    """Decide on a season: with a year always, alone only as a stretch of the calendar."""
    alone = start + len(word)
    if end > alone:
        year = _NUMBER.search(text, alone, end)
        assert year is not None
        sure = len(year.group()) == 4 or text[year.start() - 1] == 39
        if not sure:
            shown = year.group() >= b"40" or year.group() < b"10"
            sure = shown and next_word(text, end) not in CUES["measure_after"]
        if sure:
            return claim(start, end, 0.95)
    end = alone
    last = last_word(text, start)
    if text[start] < 97 and text[start:end] != text[start:end].upper() and last not in CUES["each"]:
        return NONE  # a capital makes a name of it: Spring Valley
    right = next_word(text, end)
    if right in CUES["season_nouns"]:
        return claim(start, end, 0.7)
    if last != b"the" and last not in _BESIDE and last not in CUES["all_season"]:
        return NONE
    left = before(text, start)
    if word != b"fall":
        season = (
            last in _BESIDE
            or (last == b"the" and len(left) > 1 and left[-2] in _BESIDE)
            or last in CUES["all_season"]
        )
        return claim(start, end, 0.75) if season else NONE
    if last in CUES["each"]:
        accident = right.isdigit() or right in (b"was", b"on", b"yesterday", b"at", b"risk")
        accident = accident or left[-2:-1] in ([b"to"], [b"with"], [b"from"], [b"after"], [b"of"], [b"since"])
        return NONE if accident or text[end : end + 1] == b":" else claim(start, end, 0.7)
    if last == b"in":
        return claim(start, end, 0.6) if _CLOSED.match(text, end) else NONE
    if (
        last == b"the"
        and left[-2:-1] in ([b"in"], [b"by"], [b"until"])
        and not any(word in CUES["injured"] for word in left)
    ):
        return claim(start, end, 0.6)
    return NONE


def check_day_month(text: bytes, start: int, end: int) -> Claims:
    """Decide on a day before its month: ``14 April``, ``4th of July``, ``14MAR85``; not ``2 may repeat``."""
    name = _MONTH_AT.search(text, start, end)
    if name is None:
        return NONE
    word, at = name.group().lower(), name.start()
    if word == b"ct":  # 0ct: a scanner's October
        return claim(start, end, 0.85)
    day = _NUMBER.search(text, start, at)
    value = int(day.group()) if day and len(day.group()) < 3 else 1
    joined = start > 0 and text[start - 1] in b"./-" and text[start - 2 : start - 1].isalnum()
    if joined or not 1 <= value <= 31:
        return check_month(text, at, _without_value(text, at, end), word)
    end = _without_value(text, start, end)
    if end <= at:
        return NONE
    if (
        word in (b"may", b"march", b"mar", b"dec", b"sep")
        and text[at] >= 97
        and not text[end - 4 : end].isdigit()
    ):
        last = last_word(text, start)
        if last not in _BESIDE and not is_event(last) and text[start:at].strip(b"0123456789 ") == b"":
            return NONE
    return claim(start, end, 0.96)
