"""Ages of persons: ``67 y.o.``, ``86F``, ``age 4``, ``She is 49,``, ``3 week`` old.

Only the number is claimed when it counts years; months, weeks and days are claimed with their unit.
"""

from __future__ import annotations

import re

from plainsight.detect.patterns.rule import Rule, Shape, shape_rule
from plainsight.locale import default_locale

_words = default_locale().words

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD = rf"(?i:\b(?:(?:{_TENS})(?:[ -](?:{_ONES}))?|{_TEENS}|{_ONES})\b)"
_NUMBER = rf"(?P<AGE>\b(?:1[01][0-9]|0?[0-9]{{1,2}}(?:\.[0-9]|[ -]1/2)?)|{_WORD})"
_YEARS_OLD = (
    r"(?i:\+?[- ]{0,2}(?:y\.? ?/?-?o\b|yo[wbha]?[mf]?\b|yrs?\.?/o\b|(?:yr|year)s?\.?[- ]{0,2}(?:old|young)\b"
    r"|(?:years?|yrs?)\.? of age\b))"
)
_SMALL_AGE = (
    rf"(?:[0-9]{{1,2}}|{_WORD})(?i:[- ]{{0,2}}(?:months?|mos?\b\.?|weeks?|wks?\b\.?|days?|hours?|hrs?\b))"
)
_DECADES = "|".join(f"{ten[:-1]}ies" for ten in _TENS.split("|"))
_AGE_WORD = (
    r"(?i:\bages?d?(?: at [a-z]{2,10})?(?: ?/ ?sex)?(?: ?[:=|\t] ?|[:. \t|]{2,12}| (?:of |is |was )?))"
)
_SEX = r"(?:(?i:y(?:rs?|ears?)?\.?) ?)?(?:[MF]\b|[WBH][MF]\b|(?i:(?:fe)?male)\b)"
_PERSON = r"(?i:\b(?:he|she|who|patient|mother|father|brother|sister|wife|husband))"

# What makes a number part of something longer, an age of everybody, or no age at all.
_GLUED = r"\d[.,:]|[\w/$#<>=-]"
_POPULATION = rf"\b(?:{'|'.join(_words('ages', 'population'))})\b[^.;\n]{{0,16}}"
_NOT_AGES = rf"\b(?:{'|'.join(_words('ages', 'not_ages'))})[ -]"
_MEASURED = (
    rf"[.,/:'-]\d|[%/'-]|(?: to|-)? ?\d|\w| (?:or|of|and (?:up|older|above))\b"
    rf"| (?:{'|'.join(_words('ages', 'measure_after'))})\b"
)
_NOT_SEX = rf"[/.'-]\w| (?:[a-z]+ )?(?:{'|'.join(_words('ages', 'french_tools'))})\b"
_GOES_ON = re.compile(
    rb"[ \t]{2}|[ \t]*[,;|/)\n]|\t|\Z|(?i: (?:with|w|who|c|s|pod|from|pmh|hx|h|presents?|here|admitted)\b)"
)


def _is_person(match: re.Match[bytes]) -> bool:
    """Tell a sex from degrees and French sizes: after a small size, the text must go on as for a person."""
    years, text = int(match["AGE"]), match.string
    if match[0][-2:] == b" F" and text[match.end() : match.end() + 1] == b".":
        return False
    small = years <= 30 and match[0].endswith(b"F")
    return 12 < years < 112 and (not small or _GOES_ON.match(text, match.end()) is not None)


_SHAPES = (
    Shape(_NUMBER + _YEARS_OLD, rf"{_GLUED}|{_POPULATION}"),
    Shape(rf"(?P<AGE>\b{_SMALL_AGE})(?i:[- ]{{1,2}}(?:old|of age))\b", rf"{_GLUED}|{_POPULATION}"),
    Shape(r"(?P<AGE>\b\d{1,2} ?(?i:y(?:rs?|ears?)?\.?,? ?(?:and )?\d{1,2} ?(?:m|mos?|months?))\b)", _GLUED),
    Shape(rf"{_AGE_WORD}(?P<AGE>{_SMALL_AGE})\b", _NOT_AGES),
    Shape(rf"{_AGE_WORD}{_NUMBER}(?: ?[MF]\b)?", rf"{_NOT_AGES}|{_POPULATION}", _MEASURED),
    Shape(
        rf"(?P<AGE>\b\d{{1,3}}) ?/? ?{_SEX}",
        rf"{_GLUED}|\b(?:temp|fever|febrile|tmax|over|to) ",
        _NOT_SEX,
        _is_person,
    ),
    Shape(rf"{_PERSON}(?: is| was|'s)(?: now)? {_NUMBER}(?i:[,.;\n]| and\b)", "", r"\d"),
    Shape(rf"(?i:\b(?:his|her|their)(?: early| mid| late)?)[- ](?P<AGE>(?i:[1-9]0'?s|teens|{_DECADES})\b)"),
)

RULES: tuple[Rule, ...] = (shape_rule("age", _SHAPES),)
