"""Ages known by what stands right of the number: ``67 y.o.``, ``86F``, ``6 mo F``, ``40th birthday``."""

from __future__ import annotations

import re

from plainsight.detect.patterns.age_numbers import NUMBER, YEARS_OLD, is_population, read_number
from plainsight.detect.patterns.age_words import FRENCH_TOOLS
from plainsight.detect.patterns.rule import Claim

Claims = tuple[Claim, ...]

RACE = r"(?:white|black|hispanic|latin[oa]|asian|caucasian|african[ -]american|native|elderly)"
_YOUNG_UNIT = r"[- ]{0,2}(?:months?|mos?|weeks?|wks?|days?)"
_YOUNG_PERSON = r"\.?[- ](?:(?-i:[MF])\b|(?:fe)?male\b|boy\b|girl\b|infant\b|baby\b|newborn\b|ex-)"
YOUNG = _YOUNG_UNIT + _YOUNG_PERSON
"""6 mo F, 3 week female."""

YEAR_PERSON = (
    rf"[- ](?:year|yr)s?\.?,? (?:{RACE}|(?:fe)?male\b|(?:wo)?man\b|boy\b|girl\b|lady\b|gentleman\b"
    rf"|right[- ]hand|left[- ]hand"
    r"|(?-i:G[0-9])|gravida|widow|veteran)"
)
"""52 yr white woman."""

_NONE: Claims = ()


def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.I)


_USUAL = _compile(rf"([0-9]{{1,2}}){YEARS_OLD}")
_YEARS_OLD_AT = _compile(YEARS_OLD)
_NUMBER_AT = _compile(NUMBER)
_AFTER_AT = _compile(
    r"(?P<birthday>(?:st|nd|rd|th)\b)"
    rf"|(?P<young>{_YOUNG_UNIT})(?={_YOUNG_PERSON})"
    rf"|(?P<person>{YEAR_PERSON})"
    r"|(?P<ish>-?ish\b)"
    r"|(?P<bare> ?(?:y|yrs?|years?)(?:[ \t]{2}|\t| (?-i:[MF])\b|\)|,| ?/|\r?\n|$))"
)
_SEX_AT = _compile(
    r"\+? ?/? ?(?:y(?:rs?|ears?)?\.? ?)?(?:(?P<upper>(?-i:[MF]))\b|(?P<lower>(?-i:[mf]))(?=[ ,;.\n])"
    r"|(?P<hand>(?-i:[RL]H ?[MF]|[WBHwbh][MFmf]))\b)"
    rf"|(?P<word> (?:{RACE} )?(?:fe)?male\b)"
)
_PAIRED_AT = _compile(r",? (?:and|or|to|&) (?:a )?")
_NEXT_WORD = re.compile(rb" {1,2}([A-Za-z%./&+'-]+)")
_SPENT_BEFORE = _compile(
    r"\b(?:for|x|over|past|last|every|after|within|of|next|about|approximately|another|than|bone age:?) ?$"
)
_SPENT_AFTER = _compile(r" (?:ago|history|hx|of|duration|later|apart|prior|since|in)\b")
_OLDER_AT = _compile(r" ?(?:and|or) (?:older|over|above|up|younger|under)| ?\+")
_COUNTED_BEFORE = _compile(r"\b(?:to|para|gravida|apgar|[gp]\d?|has|have|had|with|w/) ?,? ?$")
_HEADED = re.compile(
    rb"(?:[ \t]{2}|\t|^|\n|\(|[|/] ?|\), |[A-Z][a-z]+, "
    rb"|\b(?i:hpi|hx|history|indications?|pt|patient|cc|id|reason|clinical|child|infant) ?: ?)$"
)
_OPENED = re.compile(rb"(?:^|[\n,:;|(]|- ) ?$")
_HOT = _compile(r"\b(?:t|temp|temps|tmax|temperature|fever|febrile|of|at|to|is|was|than) ?[:=<>]? ?$")
_PRESENTED = frozenset(
    b"with w/ c/o p/w s/p here who presents presenting presented seen brought hx h/o from in pod adm "
    b"admitted".split()
)
_METRES = frozenset(b"walk away dash run x of sprint from apart long wide".split())
_OTHERS = frozenset(b"children siblings sibling partners partner infants cousins".split())


def check_suffixed(text: bytes, start: int, end: int) -> Claims:
    """Decide on a number with its cue after it."""
    mark, before_it = text[start - 1 : start], text[start - 2 : start - 1]
    minus = mark == b"-" and (before_it.isalnum() or text[end - 1 : end] in b"fF")
    if minus or mark in (b"/", b".", b"$", b"#", b"+") or (mark == b":" and before_it.isdigit()):
        return _NONE
    usual = _USUAL.match(text, start)
    if usual and not _OLDER_AT.match(text, usual.end()):
        return _NONE if is_population(text, start, words=2) else (Claim(start, usual.end(1), "AGE", 0.98),)
    first = _NUMBER_AT.match(text, start, end)
    if first is None:
        return _NONE
    stop = first.end()
    paired = _PAIRED_AT.match(text, stop)
    second = _NUMBER_AT.match(text, paired.end(), end) if paired else None
    if second:  # 8 and 10 year old
        number = read_number(text, second.start(), second.end())
        if number.kind == "old":
            return (Claim(start, stop, "AGE", 0.85), Claim(number.start, number.end, "AGE", 0.95))
    number = read_number(text, start, stop)
    if number.years > 120 or number.years == 0:
        return _NONE
    following = _AFTER_AT.match(text, stop)
    group = following.lastgroup if following else ""
    if number.kind == "old" and number.end > stop and group != "young":
        spent = _SPENT_BEFORE.search(text, max(0, start - 16), start) or _SPENT_AFTER.match(text, number.end)
        return _NONE if spent or is_population(text, start) else (Claim(start, number.end, "AGE", 0.9),)
    if group == "birthday":
        return (Claim(start, stop, "AGE", 0.95),)
    if group == "young" and following:
        return (Claim(start, following.end("young"), "AGE", 0.85),)
    if group in ("person", "ish"):
        return (Claim(start, stop, "AGE", 0.85),)
    if group == "bare" and number.kind != "old":  # 31Y   G3P1
        headed = _HEADED.search(text, max(0, start - 20), start) is not None
        return (Claim(start, stop, "AGE", 0.75),) if headed and number.years > 0 else _NONE
    if number.years < 0 or _YEARS_OLD_AT.match(text, stop):
        old = number.kind == "old" and not is_population(text, start) and not _OLDER_AT.match(text, end)
        return (Claim(start, number.end, "AGE", 0.95),) if old else _NONE
    if b"." in text[start : stop + 1] and number.kind != "old":
        return _NONE
    return _check_sex(text, start, stop, number.years)


def _check_sex(text: bytes, start: int, stop: int, years: int) -> Claims:
    """Decide on a number before a sex; the F may be degrees or a catheter's size, the m metres."""
    sex = _SEX_AT.match(text, stop)
    if sex is None or years > 112:
        return _NONE
    word = _NEXT_WORD.match(text, sex.end())
    following = word.group(1).lower() if word else b""
    if sex.group("hand"):
        return (Claim(start, stop, "AGE", 0.95),)
    if sex.group("word"):
        counted = years < 2 or following in _OTHERS or _COUNTED_BEFORE.search(text, max(0, start - 10), start)
        return _NONE if counted else (Claim(start, stop, "AGE", 0.85),)
    glued = sex.end() - stop == 1
    tail = text[sex.end() : sex.end() + 2]
    if text[sex.end() - 1] in b"Ff":
        presented = following in _PRESENTED or tail.strip()[:1] in (b",", b"|", b"/", b")", b"")
        if following in FRENCH_TOOLS or (years < 25 and glued and not presented):
            return _NONE
        if not glued and (tail[:1] == b"." or _HOT.search(text, max(0, start - 12), start)):
            return _NONE
    if sex.group("upper"):
        return (Claim(start, stop, "AGE", 0.92 if glued or years > 12 else 0.8),)
    if glued:
        named = tail[:1] == b" " and text[max(0, start - 4) : start].rstrip()[-1:].isalpha()
        opened = named or _OPENED.search(text, max(0, start - 3), start) is not None
        ok = opened and 12 < years < 99 and following not in _METRES
        return (Claim(start, stop, "AGE", 0.75),) if ok else _NONE
    ok = (years > 12 and tail[:1] in (b",", b";", b"\n")) or tail == b"  "
    return (Claim(start, stop, "AGE", 0.7),) if ok else _NONE
