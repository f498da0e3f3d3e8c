"""Ages known by what stands left of the number: ``age 4``, ``she is 49``, ``turned 3``, ``died at 59``.

One pattern names the kind of a cue; one small function decides for each kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plainsight.detect.patterns.age_family import (
    STATE_AT,
    check_relative,
    ends_well,
    has_family,
    is_closed,
    more_ages,
    near_person,
)
from plainsight.detect.patterns.age_numbers import Number, find_number, is_population
from plainsight.detect.patterns.age_words import (
    CHRONIC,
    EVENT,
    MEASURED,
    MILESTONE,
    NOT_AGES,
    PERSON,
    RELATIVE,
    SMALL_NUMBERS,
    THINGS,
)
from plainsight.detect.patterns.rule import Claim
from plainsight.note_cache import note_cache

Claims = tuple[Claim, ...]

_NONE: Claims = ()


def _compile(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.I | re.S)


_CUE = _compile(
    r"(?P<age>(?:ages?d?\b|y/o|c\.a\.).*)"
    r"|(?P<turn>(?:turn(?:s|ed|ing)|going on|gonna be|will be|(?:he|she|i)'ll be|lived?\b) .*)"
    r"|(?P<header>\n.*)"
    r"|(?P<said>(?:you|he|she|him|her|who),? (?:now|at) |(?:dx|dx'd|diagnosed) |in [0-9]{4},? at "
    r"|\S+ \(\"[^\"]+\"\), )"
    r"|(?P<now>(?:now|currently|presently) )"
    rf"|(?P<is_>(?:he|she|i|pt|patient|client|who|they|both|{RELATIVE}|[a-z]{{3,}})(?: is| was| am| are|'s"
    rf"|'m) (?:[a-z.]+ )?)"
    r"|(?P<birth>(?:dob|birth|born|d\.o\.b).*|[,/-] ?[0-9]{4} *\( ?)"
    rf"|(?P<milestone>{MILESTONE}.*)"
    rf"|(?P<chronic>{CHRONIC}\b.* since )"
    r"|(?P<since>since )"
    r"|(?P<clause>, is )"
    r"|(?P<until>(?:at|by|until|till|also) (?:[0-9]+ or )?(?:about |age )?)"
    r"|(?P<slash>[a-z] / )"
    r"|(?P<pedigree>(?-i:[FM]) )"
    rf"|(?P<relative>{RELATIVE}\b.*)"
    rf"|(?P<ill>(?:{EVENT}\b|d\.).*)"
    rf"|(?P<person>{PERSON}\b.*)"
    r"|(?P<sex>[mf][ ,/\t]+)"
)
_USUAL_AGE = _compile(r"age[d:]? ([0-9]{1,2})(?=[,;](?!\d)|\n|\.[ \n]| {2})")
_JOINTS = (b"+", b"$", b"#", b"/", b".")
_JOINED = re.compile(rb"[+$#/]$|\d\.$")
_RANGE_AT = _compile(
    r" (?:to|-|and (?:older|over|up|above|under)|or (?:older|over|younger|above)) ?(?:\d|,|\.|$|[a-z(])|-\d"
    r"|\+"
)
_PRONOUN_NEAR = _compile(r"\b(?:who|whom|he|she|his|her)\b")
_SOMEBODY = re.compile(rb"(?:\b(?i:he|she|pt|patient|who)(?:,| is| was)?|\b[A-Z][a-z]+,?) $")
_NEWBORN = _compile(r"\b(?:born|infant|baby|twin|newborn|preemie|ex-\d)")
_CHRONIC_NEAR = _compile(rf"\b{CHRONIC}\b")
_PEDIGREE_NEAR = re.compile(
    rb"\b(?:PU|MU|PGM|PGF|MGM|MGF|[Ss]ibs?|FH|F|M)[ :x]{1,2}\d|\b(?:MI|CVA|CA|DM|FH): "
)
_BARE_MILESTONE = re.compile(rb"men|pub|first (?:child|baby)", re.I)
_YEARS_OPEN_AT = _compile(r"[- ]?(?:years?|yrs?|y)\b(?! ?[,.;)]|\r?\n| old)")
_PLAIN_AT = re.compile(rb" (?!on\b|to\b|for\b|x\b|over\b|percent\b)[a-z]")
_PERSONAL_AT = re.compile(
    rb"\.\s+(?:He|She|His|Her)\b|,? (?:and|but) (?:has|is|in|well|healthy|was|works|attends|lives|he|she"
    rb"|should|still)\b"
    rb"|, (?:a|an|who|going|still|from|retired|married|now|lives|you|and (?:he|she))\b"
)
_SENTENCE_START = re.compile(rb"(?:^|\n|[.!?\"] ) ?$")
_GIVEN_NAME = re.compile(rb"(?<!Dr)(?<!Dr\.)(?: |^|\n)[A-Z](?:[a-z'-]+|\.) $")
_TOLD_AT = re.compile(
    rb"\) (?:was|is|has|had|who|and|with|when|lives|came|says|said|attends|works)\b|\)?[,;] [a-z]"
)
_AND_NUMBER_AT = re.compile(rb" and \d")
_FATE = _compile(
    r"died|passed|death|deceased|expired|dx|diagnos|adopted|mi\b|cva|cabg|cancer|ca\b|scd|stroke|d\."
)
_SICK = _compile(
    r"\b(?:with|had|dx|diagnosed|died|d\.|leukemia|cancer|ca|surgery|onset|transplant|sids|wilms)\b"
)
_CHILD = _compile(
    r"\b(?:born|adopted|walk\w*|words|milestones?|sib|baby|son|daughter|infant|child|toddler|he had"
    r"|she had)\b"
)
_FOLLOWED = _compile(r"\b(?:f/u|follow|mirena|visit|recheck|postop|post-op|appt|return|rtc)\b")
_OWNED = re.compile(rb"\b(?:his|her|their|my|your)\b")
_PERSONS_AT = (b"male", b"female", b"man", b"woman", b"m ", b"f ", b"yo", b"y/o", b"gentleman", b"lady")
_RELATIVE_AT = _compile(rf"{RELATIVE}\b")
_PRONOUNS = frozenset(b"he she i pt patient client who they both".split())
_SPOKEN_OF = frozenset(b"he she i who".split())


def check_tens(text: bytes, start: int, end: int) -> Claims:
    """Decide on a decade of life: ``in her late 50s``, ``late 40s male``, ``father d. 70s``."""
    if text[end - 1] in b",.;":
        end -= 1
    piece = text[start:end].lower()
    at = start + max(piece.rfind(b" "), piece.rfind(b"-"), piece.rfind(b".")) + 1
    if _OWNED.search(piece):
        return (Claim(at, end, "AGE", 0.93),)
    words = text[max(0, start - 32) : at].lower().split()
    if any(word.strip(b".,:;()") in MEASURED for word in words[-6:]):
        return _NONE
    if _RELATIVE_AT.match(text, start) or b"," in piece or has_family(text, max(0, start - 60), start):
        return (Claim(at, end, "AGE", 0.75),)
    following = text[end : end + 12].lstrip(b"?, ").lower()
    return (Claim(at, end, "AGE", 0.8),) if following.startswith(_PERSONS_AT) else _NONE


def check_prefixed(text: bytes, start: int, end: int) -> Claims:
    """Decide on a number with its cue before it."""
    usual = _USUAL_AGE.match(text, start, end + 2)
    if usual and usual.end(1) == end:
        at, _ = usual.span(1)
        return _NONE if not int(usual[1]) or _is_no_age(text, start) else (Claim(at, end, "AGE", 0.95),)
    number = find_number(text, start, end)
    if number is None or number.kind == "measure" or number.years > 120 or number.years == 0:
        return _NONE
    at, stop, years = number.start, number.stop, number.years
    if text[stop : stop + 1] == b")":  # 3) of a list has no bracket before it
        opened = text[max(0, start - 30) : at]
        if opened.rfind(b"(") <= opened.rfind(b")"):
            return _NONE
    unborn = number.kind == "unit" and years > 19 and b"w" in text[stop : number.end].lower()
    decimal = number.kind != "old" and b"." in text[at:stop]
    cue = text[start:at]
    joined = cue[-1:] in _JOINTS and _JOINED.search(cue) is not None and cue not in (b"M/", b"F/")
    if unborn or decimal or joined:
        return _NONE
    group = _known_kind(cue) if len(cue) < 12 else _kind(cue)
    if group == "age":
        return _check_age(text, start, number, cue)
    if number.kind == "old":
        return _NONE if is_population(text, at) else (Claim(at, number.end, "AGE", 0.97),)
    return _CHECKS.get(group, _check_named)(text, start, number, cue)


def _kind(cue: bytes) -> str:
    """Return the name of a cue's kind, or nothing."""
    found = _CUE.fullmatch(cue)
    return (found.lastgroup or "") if found else ""


_known_kind = note_cache(2048)(_kind)  # short cues come again and again


def _claim(number: Number, score: float, *, when: bool) -> Claims:
    return (Claim(number.start, number.end, "AGE", score),) if when else _NONE


def _check_age(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    if cue.lower() == b"age. " or _is_no_age(text, start):
        return _NONE
    claims = _claim(number, 0.95, when=not _RANGE_AT.match(text, number.end))
    return claims + more_ages(text, number.end) if claims and cue[:4].lower() == b"ages" else claims


def _is_no_age(text: bytes, start: int) -> bool:
    """Tell whether the words before ``age`` make it no age of this person: ``bone age``, ``over age``."""
    before_it = text[max(0, start - 20) : start].lower().split()
    return (bool(before_it) and before_it[-1] in NOT_AGES) or is_population(text, start, words=2)


def _check_turn(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    subject = text[max(0, start - 16) : start].lower().split()[-1:]
    thing = bool(subject) and subject[0].strip(b"(") in THINGS
    counted = number.kind == "unit" or number.years == 1
    return _claim(number, 0.8, when=not thing and not counted and ends_well(text, number.stop))


def _check_header(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    return _claim(number, 0.65, when=0 < number.years <= 105)


def _check_said(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    return _claim(number, 0.7, when=number.kind != "unit")


def _check_now(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    if number.kind == "unit":
        return _claim(number, 0.65, when=_NEWBORN.search(text, max(0, start - 80), start) is not None)
    return _claim(number, 0.65, when=_SOMEBODY.search(text, max(0, start - 24), start) is not None)


def _check_is(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    """Decide on ``she is 49``, ``Mother is 50``, ``Micah is 8 and has``; labs and scores are no persons."""
    stop = number.stop
    subject = cue.lower().split(b"'")[0].split()[0]
    if subject in MEASURED or text[number.start : stop].lower() == b"one" or _YEARS_OPEN_AT.match(text, stop):
        return _NONE
    pronoun = subject in _PRONOUNS
    known = pronoun or _RELATIVE_AT.match(subject) is not None
    if number.kind == "unit":  # she is 11 mo, but not 20 weeks
        weeks = pronoun and text[stop : number.end].lower().strip(b"- ")[:1] in (b"w", b"d")
        return _claim(number, 0.75, when=known and not weeks and not STATE_AT.match(text, number.end))
    if text[start : start + 2] == b"PT" or (
        subject in (b"pt", b"patient") and text[stop : stop + 4] in (b" on ", b" at ")
    ):
        return _NONE
    if known:
        plain = subject in _SPOKEN_OF and number.years > 12 and _PLAIN_AT.match(text, stop) is not None
        return _claim(number, 0.9, when=plain or ends_well(text, stop))
    small = number.years < 0 and text[number.start : stop].lower() in SMALL_NUMBERS
    if small or subject in THINGS or text[start : start + 3].isupper() or not ends_well(text, stop):
        return _NONE
    titled = near_person(text, max(0, start - 16), start)
    given = None if titled else _GIVEN_NAME.search(text, max(0, start - 16), start)
    titled = titled or (given is not None and given.group().strip().lower() not in THINGS)
    if titled:
        return _claim(number, 0.75, when=True)
    halved = text[stop - 4 : stop] == b" 1/2" and number.years > 1
    told = halved or _PERSONAL_AT.match(text, stop) is not None
    return _claim(
        number, 0.7, when=told and _SENTENCE_START.search(text, max(0, start - 3), start) is not None
    )


def _check_birth(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    more = text[number.stop : number.stop + 2].strip() in (b"/", b"-")
    return _claim(number, 0.85, when=number.years > 0 and not more)


def _check_milestone(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    bare = _BARE_MILESTONE.match(cue) is not None and ends_well(text, number.stop)
    return _claim(number, 0.85, when=number.kind == "unit" or bare)


def _check_chronic(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    return _claim(number, 0.55, when=number.kind == "" and ends_well(text, number.stop))


def _check_since(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    left = max(0, start - 40)
    chronic = has_family(text, left, start) or _CHRONIC_NEAR.search(text, left, start) is not None
    return _claim(number, 0.55, when=chronic and number.years > 0)


def _check_clause(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    person = _PRONOUN_NEAR.search(text, max(0, start - 60), start) is not None
    return _claim(number, 0.65, when=person and number.years > 12)


def _check_until(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    """Decide on ``at 22 months`` of a child, ``at 62`` of a relative."""
    if number.kind == "unit":
        weeks = b"w" in text[number.stop : number.end].lower()
        seen = weeks and _FOLLOWED.search(text, max(0, start - 40), number.end + 20) is not None
        child = _CHILD.search(text, max(0, start - 48), start + 24) or has_family(
            text, max(0, start - 48), start
        )
        return _claim(number, 0.6, when=bool(child) and not seen)
    words = text[max(0, start - 80) : start].lower()
    left = max(0, start - 80) + max(words.rfind(b"\n"), words.rfind(b". "), words.rfind(b";")) + 1
    clause = text[left:start].lower()
    ok = (
        has_family(text, left, start)
        and (number.years > 12 or _SICK.search(clause) is not None)
        and not any(word.strip(b".,:(") in MEASURED for word in clause.split()[-3:])
    )
    return _claim(number, 0.6, when=ok)


def _check_slash(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    return _claim(number, 0.6, when=number.years > 0)


def _check_pedigree(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    near = _PEDIGREE_NEAR.search(text, max(0, start - 40), start) or _PEDIGREE_NEAR.search(
        text, number.stop, number.stop + 40
    )
    wide = (
        text[number.stop : number.stop + 2] in (b"  ", b"\t") or text[number.stop : number.stop + 1] == b"\n"
    )
    return _claim(number, 0.7, when=near is not None or wide)


def _check_ill(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    """Decide on ``died at 59``, ``d. 74``, ``onset 68``; a small number may be a time of day."""
    if (
        text[start - 1 : start] == b"."
        or is_population(text, number.start)
        or _AND_NUMBER_AT.match(text, number.end)
    ):
        return _NONE
    if number.kind in ("unit", "years"):
        return _claim(number, 0.75, when=True)
    if 0 < number.years < 13 and not _FATE.match(text, start):
        return _NONE
    family = has_family(text, max(0, start - 60), number.start)
    ok = ends_well(text, number.end) or (family and text[number.end : number.end + 1] == b" ")
    return _claim(number, 0.85 if family else 0.7, when=ok)


def _check_person(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    if b":" in cue:  # Infant: 6 wk
        return _claim(number, 0.75, when=number.kind == "unit")
    held = cue[:3].lower() != b"pt " or b"(" in cue  # PT 12, PTT 26
    ok = number.kind in ("years", "unit") or (number.years > 0 and held and is_closed(text, number.stop))
    return _claim(number, 0.75, when=ok)


def _check_sex(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    return _claim(
        number, 0.75, when=number.years > 12 or (number.years > 0 and b"/" not in cue)
    )  # F, 34   DOB


def _check_named(text: bytes, start: int, number: Number, cue: bytes) -> Claims:
    """Decide on a number after a name: ``Maeve (16)``, ``Mrs. Ahn, seventy-four,``."""
    at, stop = number.start, number.stop
    name = cue.strip(b' ,.("').lower()
    if number.years > 110 or name in THINGS or text[start - 1 : start] in (b"-", b"/"):
        return _NONE
    if number.years < 0:
        return _claim(number, 0.8, when=ends_well(text, stop))
    near = near_person(text, max(0, start - 40), start)
    if number.kind == "unit":
        return _claim(number, 0.7, when=near)
    if text[at - 1] == 40:
        return _claim(number, 0.8 if near else 0.65, when=near or _TOLD_AT.match(text, stop) is not None)
    tail = text[stop : stop + 3]
    opened = text[max(0, start - 30) : start]
    bracket = tail[:1] == b")" and opened.rfind(b"(") > opened.rfind(b")")
    told = tail[:2] == b", " and tail[2:].islower()
    full = _GIVEN_NAME.search(text, max(0, start - 16), start) is not None or text[at - 3 : at] == b"., "
    ended = tail[:1] in (b",", b";", b".") or tail[:2] == b"  " or tail[:1] == b"\t"
    return _claim(
        number, 0.75 if near else 0.6, when=near or told or bracket or tail == b" - " or (full and ended)
    )


_CHECKS: dict[str, Callable[[bytes, int, Number, bytes], Claims]] = {
    "turn": _check_turn,
    "header": _check_header,
    "said": _check_said,
    "now": _check_now,
    "is_": _check_is,
    "birth": _check_birth,
    "milestone": _check_milestone,
    "chronic": _check_chronic,
    "since": _check_since,
    "clause": _check_clause,
    "until": _check_until,
    "slash": _check_slash,
    "pedigree": _check_pedigree,
    "relative": check_relative,
    "ill": _check_ill,
    "person": _check_person,
    "sex": _check_sex,
}
