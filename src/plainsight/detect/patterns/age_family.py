"""Ages of the people around a patient: ``Sibs 57, 55, and 48``, ``brother joey (24)``, ``mother CRC 38``."""

from __future__ import annotations

import re

from plainsight.detect.patterns.age_numbers import Number
from plainsight.detect.patterns.age_words import FAMILY, KIN, NOT_NAMES, PEOPLE, PLURAL
from plainsight.detect.patterns.date_words import MONTH
from plainsight.detect.patterns.rule import Claim

Claims = tuple[Claim, ...]

_NONE: Claims = ()


def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.I)


_TO_WORDS = bytes(
    byte | 32 if 65 <= byte & ~32 <= 90 and byte < 128 else 45 if byte == 45 else 32 for byte in range(256)
)
_CLOSED_AT = re.compile(rb" ?[,.;)\"?!|]|[ \t]*(?:\r?\n|$)|[ \t]{2}| - | \(| // | [+&] ")
_SMALL_WORD_AT = _compile(
    r" (?:and|in|of|from|with|w/|when|who|but|or|if|he|she|they|on|at|as|a&w|c|so|after|alive|well|healthy|is"
    r"|has|lives"
    r"|this|next|last|my|to)\b"
)
_PLAIN_AT = re.compile(rb" (?:(?!on\b|to\b|for\b|x\b|over\b|percent\b)[a-z]|[A-Z][A-Z&+]{1,5}\b)")
_MORE_AT = re.compile(
    rb"(?: ?,? (?:and|or) | ?, ?(?:and )?|/| ?[&+] ?)(\d{1,2}(?: ?(?:mo|mos|months|wk|wks|weeks)\b)?)"
    rb"(?= ?[,.;:)]| and \d| \(|\r?\n|$)(?![,.:]\d)"
)
_MORE_NAMED_AT = re.compile(
    rb"\)?(?:[,;]|,? and|,? ?[&+])? \(?[A-Z][a-z'-]+,? \(?(\d{1,2})(?=[,.;)]|\r?\n|$)"
)
STATE_AT = _compile(
    r" (?:out|s/p|sober|clean|status|along|into|overdue|behind|free|postpartum|pregnant|gestation|from"
    r"|delayed|ahead|post)\b"
)
_AND_NUMBER_AT = re.compile(rb" (?:and|or) \d")
_MONTH_BEFORE = _compile(rf"\b{MONTH}\.? $")
_CUE_BETWEEN = _compile(
    r"(?:(?:\b|(?<= ))(?:at|@|age|aged|died|d|dec|deceased|onset|is|was|now|living|alive|a&w|a\+w|well"
    r"|healthy|approx|about|dx|dx'd"
    r"|himself|herself|also|turned|turns|turning)[.,]?|[,(:]) ?\"?$"
)
_NAMES_BETWEEN = re.compile(
    rb"(?:,? (?:is|are|named|called))?[ ,(:]+(?:(?:\"?[A-Z][A-Za-z'-]*\"?[ ,(/]+){1,3}|[a-z]{3,} \("
    rb"|(?!(?:who|has|had|with|for|about|lives?|took|over|only)\b)[a-z]{3,},? )$"
)
_SICK_BETWEEN = re.compile(rb" (?:with|had|has) ")
_ILL_BETWEEN = re.compile(rb"(?: [A-Za-z'/+-]+){1,3} $")


def is_closed(text: bytes, end: int) -> bool:
    """Tell whether a phrase ends at an offset."""
    return _CLOSED_AT.match(text, end) is not None


def ends_well(text: bytes, end: int) -> bool:
    """Tell whether a bare number ends its phrase, so that it counts nothing."""
    return _CLOSED_AT.match(text, end) is not None or _SMALL_WORD_AT.match(text, end) is not None


def has_family(text: bytes, start: int, end: int) -> bool:
    """Tell whether a stretch of text speaks of the family."""
    return not FAMILY.isdisjoint(_words(text[start:end]))


def near_person(text: bytes, start: int, end: int) -> bool:
    """Tell whether a stretch of text names a relative, a patient or a title."""
    return not PEOPLE.isdisjoint(_words(text[start:end]))


def _words(window: bytes) -> list[bytes]:
    """Return the words of a stretch of text in lower case; a hyphen may join two, but not begin one."""
    window = window.translate(_TO_WORDS)
    words = window.split()
    return [word.lstrip(b"-") for word in words] if b"-" in window else words


def more_ages(text: bytes, end: int) -> Claims:
    """Return the ages that go on a list: ``57, 55, and 48``."""
    return _more(text, end, _MORE_AT, 0.8)


def _more(text: bytes, end: int, pattern: re.Pattern[bytes], score: float) -> Claims:
    claims: list[Claim] = []
    found = pattern.match(text, end)
    while found and len(claims) < 12:
        claims.append(Claim(found.start(1), found.end(1), "AGE", score))
        found = pattern.match(text, found.end())
    return tuple(claims)


def check_relative(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    """Decide on a number after a relative, by what stands between them."""
    relative, between = _split(cue)
    if between[:2] == b"'s" or STATE_AT.match(text, number.end) or _MONTH_BEFORE.search(between):
        return _NONE
    if text[max(0, start - 5) : start].lower() == b"well ":
        return _NONE  # a well child visit
    named = _NAMES_BETWEEN.match(between) is not None
    sure = number.kind in ("unit", "years")
    if sure and (b" for " in between or (len(between) > 23 and not named)):
        return _NONE
    stop = number.stop
    age = Claim(number.start, number.end, "AGE", 0.85)
    more = more_ages(text, number.end)
    if not between.strip(b' ,:("'):
        count = relative in PLURAL and number.years < 10 and not more and not sure  # sibs: 4
        count = count and not _AND_NUMBER_AT.match(text, stop)
        ok = sure or ends_well(text, stop) or text[stop + 1 : stop + 3].isupper()
        return (age, *more, *_more(text, number.end, _MORE_NAMED_AT, 0.75)) if ok and not count else _NONE
    if _CUE_BETWEEN.search(between):
        ok = sure or (
            not _is_clock(text, number, between)
            and (ends_well(text, stop) or between.strip(b" .").lower() in (b"d", b"died"))
        )
        return (age, *more, *_more(text, number.end, _MORE_NAMED_AT, 0.75)) if ok else _NONE
    closed = is_closed(text, stop)
    if named and NOT_NAMES.isdisjoint(word.strip(b' ,(:"') for word in between.lower().split()):
        capital = between.lstrip(b' ,(:"')[:1].isupper()
        if sure or closed or (capital and _PLAIN_AT.match(text, stop)):
            return (
                age._replace(score=0.8 if closed else 0.65),
                *_more(text, number.end, _MORE_NAMED_AT, 0.75),
            )
    if closed and number.years >= 15 and _ILL_BETWEEN.match(between):
        return (Claim(number.start, stop, "AGE", 0.6),)
    return _NONE


def _split(cue: bytes) -> tuple[bytes, bytes]:
    """Split a cue into the relative nearest to the number and what stands after it."""
    lower = cue.lower()
    for word in reversed(lower.split()):
        core = word.strip(b'.,:;()"').partition(b"'")[0]
        if core in KIN:
            return core, cue[lower.rfind(core) + len(core) :]
    return b"", cue


def _is_clock(text: bytes, number: Number, between: bytes) -> bool:
    """Tell whether a small number after ``at`` is rather a time of day: ``sister called at 9``."""
    at = between.rstrip()[-2:].lower() in (b"at", b" @") and not _SICK_BETWEEN.search(between)
    return at and 0 < number.years < 13 and b"/" not in text[number.start : number.stop]
