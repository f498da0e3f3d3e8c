"""Dates that need a word to be one: days of the month, holidays, weekday codes, birthdays, short years."""

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
    next_word,
)
from plainsight.detect.patterns.rule import Claim
from plainsight.locale import default_locale

_ORDINAL = re.compile(rb"(?:\d{1,2}(?:st|nd|rd|th)|fourth)$", re.I)
_NEXT_ORDINAL = re.compile(
    rb"(?:, ?|,? (?:and|or|&) )(?:the )?(\d{1,2}(?:st|nd|rd|th))\b(?! (?:of|day))", re.I
)
_CLOSED = re.compile(rb" ?[.,;:)\"?!]|[ \t]*(?:\r?\n|$)|[ \t]{2}| \d{1,2}:\d\d| [0-2]\d[0-5]\d\b| -")
_NOT_HOLIDAY_AFTER = {
    holiday.encode(): words.encode().split()
    for holiday, words in default_locale().table("date_cues")["not_holiday_after"].items()
}
_PATCH = re.compile(rb"clonidine|catapres|patch|balloon|\bmm\b|[1-3]\b|i{1,3}\b", re.I)
_PAIRS = frozenset(
    b"M/W M/Th T/Th Tu/Th Tu/F Tu/Fr M-F M-Th M-W M-Sa T-Th Tu-Th Tu-Sa T-Sa m-f T/TH M/TH M-TH TU/TH".split()
)


def check_ordinal(text: bytes, start: int, end: int) -> Claims:
    """Decide on a day of the month after a small word: ``on the 29th``, ``night of 17th``, ``the Fourth``."""
    found = _ORDINAL.search(text, start, end)
    assert found is not None
    at, ordinal = found.start(), found.group()
    if ordinal.isalpha():
        if ordinal == b"Fourth" and _CLOSED.match(text, end) and text[start : start + 3].lower() == b"the":
            return claim(at, end, 0.7)
        return NONE
    if not 1 <= int(ordinal[:-2]) <= 31:
        return NONE
    listed, last_end = _list_after(text, end)
    word = next_word(text, last_end)
    if listed and word in CUES["ranked"]:
        return NONE  # the 4th and 5th fingers
    closed = bool(listed) or _CLOSED.match(text, end) is not None or word in CUES["after_ordinal"]
    if text[start : start + 3].lower() == b"the":
        left = before(text, start)
        last = left[-1] if left else b""
        awaited = last in CUES["ordinal_before"]
        if not closed and (not awaited or word in CUES["ranked"] or text[end + 1 : end + 2].isupper()):
            return NONE
        if last in (b"in", b"at", b"to", b"with", b"below", b"above"):
            return NONE  # in the 5th, at the 10th: a rank
        if not awaited and last in BEFORE_DATE and not listed and not _CLOSED.match(text, end):
            return NONE  # of the 6th and
        sure = (
            last in BEFORE_DATE or is_event(last) or last in (b"about", b"not", b"and", b"or", b"day", b"the")
        )
        return (Claim(at, end, "DATE", 0.9 if sure else 0.65), *listed)
    return claim(at, end, 0.7) if _CLOSED.match(text, end) else NONE


def _list_after(text: bytes, end: int) -> tuple[Claims, int]:
    """Return the days that go on a list and where it ends: ``on the 12th, 14th and 19th``."""
    claims: list[Claim] = []
    found = _NEXT_ORDINAL.match(text, end)
    while found and len(claims) < 12:
        claims.append(Claim(found.start(1), found.end(1), "DATE", 0.7))
        end = found.end()
        found = _NEXT_ORDINAL.match(text, end)
    return tuple(claims), end


def check_some_day(text: bytes, start: int, end: int) -> Claims:
    """Decide on a day that only its capitals name: ``on Pulaski Day``, but not ``on Hospital Day 3``."""
    at = text.index(b" ", start) + 1
    names = text[at:end].lower().split()
    following = text[end : end + 2].strip(b" #")[:1]
    if any(word in CUES["counted_days"] for word in names) or following.isdigit() or following.isupper():
        return NONE
    return claim(at, end, 0.6)


def check_holiday(text: bytes, start: int, end: int, word: bytes) -> Claims:
    """Decide on a holiday, with or without its year."""
    right = after(text, end)
    if right and right[0] in _NOT_HOLIDAY_AFTER.get(word, ()):
        return NONE
    if word in CUES["unsure_holidays"] and text[start] >= 97:
        return NONE
    if text[start:end] == b"new year":
        return NONE
    if word in (b"labor", b"labour") and text[start] >= 97 and right and right[0].isdigit():
        return NONE
    if text[end - 1 : end].isdigit() and not text[end - 4 : end].isdigit():
        year = text[end - 2 : end]
        if text[end - 3] != 39 and (b"10" <= year < b"40" or (right and right[0] in CUES["measure_after"])):
            end = text.rfind(b" ", start, end)
    elif text[end - 1] == 39 and text[end - 2 : end - 1] != b"s":
        end -= 1
    return claim(start, end, 0.93)


def check_code(text: bytes, start: int, end: int) -> Claims:
    """Decide on weekday letters: MWF, TTS, T/Th, M-F."""
    piece = text[start:end]
    if text[start - 1 : start] in (b"/", b"-") or text[end : end + 1] in (b"/", b"-"):
        return NONE
    if piece in (b"TTS", b"tts") and (
        _PATCH.search(text, max(0, start - 24), start) or _PATCH.match(text, end + 1, end + 12)
    ):
        return NONE
    letters = piece.replace(b"/", b"").replace(b"-", b"").replace(b" ", b"")
    if len(letters) >= 3 and letters.lower() not in (b"mth", b"tth", b"tuf", b"msa", b"tsa"):
        mixed = piece.islower() and piece not in (
            b"mwf",
            b"tths",
            b"tts",
            b"m w f",
            b"m/w/f",
            b"m-w-f",
            b"tth",
            b"tuth",
            b"t/th/s",
        )
        return NONE if mixed else claim(start, end, 0.9)
    if piece in _PAIRS:
        return claim(start, end, 0.8)
    left = before(text, start)
    scheduled = any(word in CUES["scheduled"] for word in left[-2:]) or left[-1:] == [b"on"]
    return claim(start, end, 0.7) if scheduled and piece[:1].isupper() else NONE


def check_spoken(text: bytes, start: int, end: int) -> Claims:
    """Decide on a birth date after its cue: ``dob 7 4 63``, ``birthday one fourteen seventy two``."""
    at = _BIRTH_VALUE.match(text, start, end)
    return claim(at.end(), end, 0.85) if at else NONE


_BIRTH_VALUE = re.compile(
    rb"(?:d[o0]b|d\.o\.b\.?|bday|b-day|birth ?day|birth ?date|date of birth|born(?: on)?):? (?:is )?\s{0,2}",
    re.I,
)


def check_year_after_in(text: bytes, start: int, end: int) -> Claims:
    """Decide on a year of two digits after ``in`` or ``class of``: ``quit in 08 when``."""
    found = _TWO.search(text, start, end)
    assert found is not None
    year = found.group()
    if b"10" <= year < b"40" or any(word in CUES["measured"] for word in before(text, start)):
        return NONE
    return claim(found.start(), found.end(), 0.6)


_TWO = re.compile(rb"\d\d")
