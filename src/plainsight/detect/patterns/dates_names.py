"""Dates by name: months, weekdays, seasons, alone or with a day and a year.

A name with a number beside it (``May 5``) is a date; a name alone is one when nothing else is called so
(``Thursday``), or when its company says so (``in May``, never ``she may``).
"""

from __future__ import annotations

import re

from plainsight.detect.patterns.dates_context import (
    BEFORE_DATE,
    MEASURE_AFTER,
    after,
    before,
    is_event,
    is_measure,
    last_word,
    next_word,
    words,
)
from plainsight.detect.patterns.dates_pairs import is_day
from plainsight.detect.patterns.rule import Claim

__all__ = ["check_day_month", "check_may", "check_month", "check_season", "check_weekday"]

Claims = tuple[Claim, ...]

_NONE: Claims = ()


_BESIDE = BEFORE_DATE | words("in this late early mid end start q again past that following coming over til")
"""Words that make a month, weekday or season of the word after them."""
_BEFORE_MAY = _BESIDE - words("this that past again over following")
_BESIDE_WEEKDAY = BEFORE_DATE | words(
    "this q for early late only care shift again home out back tonight and & + or"
)
_PART_OF_DAY = words(
    "am a.m pm p.m night nite nights noon morning mornings afternoon eve evening evenings noc @ thru"
)
_SHORT_WEEKDAYS = words("mon tue tues wed weds thu thur thurs fri sat sun")
_NOT_SUN = words(
    "exposure protection precautions precaution screen sets rays city coast valley sensitive sensitivity"
    " damage damaged"
    " avoidance block burn pharma life on"
)
_RELATIVES = words(
    "wife husband daughter son mother father sister brother aunt uncle niece nephew granddaughter grandson"
    " grandmother"
    " grandma friend partner baby ms mrs mr miss dr nurse cousin roommate neighbor named name dear hi hello"
    " sr aide rn"
    " mom dad dtr girlfriend fiancee saw"
)
_NAME_VERBS = words("says said is was states stated called calls reports has will may can brought")
_TRICKY_MONTHS = words("may march mar dec sep sept jan april june oct")
_VERBS = words("may march")
_CALENDAR_NOUNS = words(
    "visit visits appt appointment labs lab clinic scan mri ct note admission surgery letter report exam echo"
    " study film"
    " a1c inr hearing meeting session"
)
_OWNERS = words("the her his my our your their last next this")
_EACH = words("last this next every each past")
_ALL_SEASON = words("seasonal all for until")
_COURSE = words("term semester quarter break field allergies classes training")
_INJURED = words(
    "injured injury injuries sustained suffered hurt fractured fracture broke broken hit struck pain"
)
_LAST_NUMBER = re.compile(rb"[ ,]*'?\d+(?:st|nd|rd|th)?$", re.I)
_MONTH_AT = re.compile(
    rb"(?!st|nd|rd|th|of|day|de\b)(?<![a-z])[a-z]{2,}|(?<=[0-9])(?!st|nd|rd|th)[a-z]{3,}", re.I
)
_PAIR = re.compile(rb"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})$")
_NUMBER = re.compile(rb"\d+")
_MONTH_NEAR = re.compile(
    rb" ?(?:[+&/-]|and|or) ?(?:jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)[a-z]*\b", re.I
)
_MONTH_BEFORE = re.compile(
    rb"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember"
    rb"|ober)?\.?"
    rb"(?:,|,? (?:and|or|&|to|thru|through|-|\+)|/|-) ?$",
    re.I,
)
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
            return (Claim(start, end, "DATE", 0.97),)
        first, second = int(pair.group(1)), int(pair.group(3))
        hours = pair.group(2) == b"-" and second <= 12  # Mon-Fri 8-5
        if not hours and not is_measure(text, end) and (is_day(first, second) or is_day(second, first)):
            return (Claim(start, end, "DATE", 0.96),)
    end = alone
    if word not in (b"sat", b"sun") and len(word) < 6:
        return (Claim(start, end, "DATE", 0.9),) if text[end : end + 1] != b"'" else _NONE
    right = next_word(text, end)
    if len(word) > 5:
        if right in (b"night", b"nite") and after(text, end)[1:2] in ([b"palsy"], [b"special"]):
            return _NONE
        titled = text[start - 4 : start - 1].strip(b".").lower() in (
            b"dr",
            b"mr",
            b"ms",
            b"mrs",
            b" dr",
            b" mr",
            b" ms",
        )
        return _NONE if titled else (Claim(start, end, "DATE", 0.96),)
    last = last_word(text, start)
    if (
        right in _PART_OF_DAY
        or right in _SHORT_WEEKDAYS
        or last in _SHORT_WEEKDAYS
        or _CLOCK.match(text, end)
    ):
        return (Claim(start, end, "DATE", 0.9),)
    if last in (b"o2", b"arctic") or (word == b"sun" and right in _NOT_SUN):
        return _NONE
    if last in _BESIDE_WEEKDAY and not right[:1].isdigit() and right not in (b"w/", b"in", b"down", b"with"):
        return (Claim(start, end, "DATE", 0.85),)
    if (
        text[start] < 97
        and _CLOSED.match(text, end)
        and text[end : end + 1] != b"/"
        and not right[:1].isdigit()
    ):
        return (Claim(start, end, "DATE", 0.7),)
    if is_event(last) and not right[:1].isdigit():
        return (Claim(start, end, "DATE", 0.65),)
    return _NONE


def check_may(text: bytes, start: int, end: int) -> Claims:
    """Decide on ``may``, which is a month only after such words as ``in``."""
    if last_word(text, start) in _BEFORE_MAY and text[end : end + 1] != b"-":
        return (Claim(start, end, "DATE", 0.9),)
    return _NONE


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
                return _NONE
        return (Claim(start, end, "DATE", 0.97),)
    end = alone
    if text[start:end] in (b"may", b"MAY"):
        return check_may(text, start, end)
    last = last_word(text, start)
    if text[end : end + 1] in (b"'", b"-") and text[end + 1 : end + 2].isalpha():
        joined = text[end : end + 1] == b"-" and word not in _TRICKY_MONTHS
        return (Claim(start, end, "DATE", 0.8),) if joined else _NONE
    initials = (
        len(word) < 5 and text[start:end].isupper() and text[max(0, start - 4) : start].strip().islower()
    )
    if (
        word not in _TRICKY_MONTHS
        and not initials
        and text[max(0, start - 3) : start] not in (b"r. ", b"s. ")
    ):
        return (Claim(start, end, "DATE", 0.92),)
    closed = _CLOSED.match(text, end) is not None
    if initials:  # a chart, a scan, an operation, unless a date is awaited
        awaited = (is_event(last) and closed) or last in _BESIDE
        return (Claim(start, end, "DATE", 0.6),) if awaited else _NONE
    if last in _BESIDE:
        return (Claim(start, end, "DATE", 0.93),)
    right = after(text, end)
    owned = last in _OWNERS and text[start] < 97 and word in (b"may", b"march", b"april", b"june")
    owned = (
        owned and text[end + 1 : end + 2].islower() and right[:1] not in ([b"fracture"], [b"of"], [b"may"])
    )
    if owned or _MONTH_BEFORE.search(text, max(0, start - 18), start):
        return (Claim(start, end, "DATE", 0.8),)
    if text[start] < 97 and right and right[0] in _CALENDAR_NOUNS:
        return (Claim(start, end, "DATE", 0.75),)
    if word in _VERBS or last in _RELATIVES:
        bracket = (text[start - 1 : start] == b"(" or text[end : end + 1] == b")") and text[start] < 97
        return (Claim(start, end, "DATE", 0.7),) if bracket else _NONE
    if text[start:end] in (b"MAR", b"SEP"):
        return _NONE
    if is_event(last) and not (right and right[0] in _NAME_VERBS):
        return (Claim(start, end, "DATE", 0.8),)
    if _MONTH_NEAR.match(text, end) or ((text[start] < 97 or word in (b"oct", b"jan")) and last and closed):
        return (Claim(start, end, "DATE", 0.65),)
    return _NONE


def check_season(text: bytes, start: int, end: int, word: bytes) -> Claims:
    """Decide on a season: with a year always, alone only as a stretch of the calendar."""
    alone = start + len(word)
    if end > alone:
        year = _NUMBER.search(text, alone, end)
        assert year is not None
        sure = len(year.group()) == 4 or text[year.start() - 1] == 39
        if not sure:
            shown = year.group() >= b"40" or year.group() < b"10"
            sure = shown and next_word(text, end) not in MEASURE_AFTER
        if sure:
            return (Claim(start, end, "DATE", 0.95),)
    end = alone
    last = last_word(text, start)
    if text[start] < 97 and text[start:end] != text[start:end].upper() and last not in _EACH:
        return _NONE  # a capital makes a name of it: Spring Valley
    right = next_word(text, end)
    if right in _COURSE:
        return (Claim(start, end, "DATE", 0.7),)
    if last != b"the" and last not in _BESIDE and last not in _ALL_SEASON:
        return _NONE
    left = before(text, start)
    if word != b"fall":
        season = (
            last in _BESIDE
            or (last == b"the" and len(left) > 1 and left[-2] in _BESIDE)
            or last in _ALL_SEASON
        )
        return (Claim(start, end, "DATE", 0.75),) if season else _NONE
    if last in _EACH:
        told = right.isdigit() or right in (b"was", b"on", b"yesterday", b"at", b"risk")
        told = told or left[-2:-1] in ([b"to"], [b"with"], [b"from"], [b"after"], [b"of"], [b"since"])
        return _NONE if told or text[end : end + 1] == b":" else (Claim(start, end, "DATE", 0.7),)
    if last == b"in":
        return (Claim(start, end, "DATE", 0.6),) if _CLOSED.match(text, end) else _NONE
    if (
        last == b"the"
        and left[-2:-1] in ([b"in"], [b"by"], [b"until"])
        and not any(word in _INJURED for word in left)
    ):
        return (Claim(start, end, "DATE", 0.6),)
    return _NONE


def check_day_month(text: bytes, start: int, end: int) -> Claims:
    """Decide on a day before its month: ``14 April``, ``4th of July``, ``14MAR85``; not ``2 may repeat``."""
    name = _MONTH_AT.search(text, start, end)
    if name is None:
        return _NONE
    word, at = name.group().lower(), name.start()
    if word == b"ct":  # 0ct: a scanner's October
        return (Claim(start, end, "DATE", 0.85),)
    day = _NUMBER.search(text, start, at)
    value = int(day.group()) if day and len(day.group()) < 3 else 1
    joined = start > 0 and text[start - 1] in b"./-" and text[start - 2 : start - 1].isalnum()
    if joined or not 1 <= value <= 31:
        return check_month(text, at, _without_value(text, at, end), word)
    end = _without_value(text, start, end)
    if end <= at:
        return _NONE
    if (
        word in (b"may", b"march", b"mar", b"dec", b"sep")
        and text[at] >= 97
        and not text[end - 4 : end].isdigit()
    ):
        last = last_word(text, start)
        if last not in _BESIDE and not is_event(last) and text[start:at].strip(b"0123456789 ") == b"":
            return _NONE
    return (Claim(start, end, "DATE", 0.96),)
