"""Rules for ages of persons: ``67 y.o.``, ``86F``, ``age 4``, ``died at 59``, ``in her 50s``, ``3 week`` old.

The scan finds a number together with the words that may make it an age, on its left or on its right; the
checks find the number again, look right for a unit, a sex or a measure, and weigh the cue on the left.
Only the number is claimed when it counts years; months, weeks and days are claimed with their unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from plainsight.detect.patterns.age_numbers import COMPOSITE, DIGITS, NUMBER, UNIT, UNIT_OLD, YEARS_OLD, N
from plainsight.detect.patterns.age_prefixes import check_prefixed, check_tens
from plainsight.detect.patterns.age_suffixes import RACE, YEAR_PERSON, YOUNG, check_suffixed
from plainsight.detect.patterns.age_words import CHRONIC, EVENT, MILESTONE, PERSON, RELATIVE
from plainsight.detect.patterns.date_words import AGE_WORD
from plainsight.detect.patterns.rule import Claim, Rule

_SEX = (
    r"(?:\+? ?/? ?(?:y(?:rs?|ears?)?\.? ?)?(?-i:[MF]\b|[mf](?:[ ,;.\n])|[RL]H ?[MF]\b|[WBHwbh][MFmf]\b)"
    rf"| (?:{RACE} )?(?:fe)?male\b)"
)
_ABOUT = (
    r"(?:(?:now|about|only|almost|nearly|already|just|approx\.?|approximately|roughly|around|barely|himself"
    r"|herself|also|age|aged"
    r"|then|still) )?"
)
_TENS = r"(?:[1-9]0'?s\b|teens\b|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies\b)"
_NAME = r"(?-i:\b[A-Z][A-Za-z'\"-]+)"
_HEADER = (
    r"(?:pt|patient|name|candidate|client|ee|sm|child|subject|resident|member|examinee|recipient|veteran"
    r"|inmate)"
)

_FURTHER = "\x01"  # ends the head of an alternative, see `Rule`
_ALTERNATIVES = (
        rf"\b{NUMBER}(?:,? (?:and|or|to|&) (?:a )?{NUMBER})?(?:{YEARS_OLD}|{UNIT_OLD}|-?ish (?:wo)?man\b"
        rf"|-?ish (?:fe)?male\b)",
        rf"\bages?d?(?: at [a-z]{{2,10}})?(?: ?/ ?se?x)?(?: ?[:=|\t] ?|[:. \t|]{{2,12}}| (?:of |is |was "
        rf"|about |approx\.? )?){NUMBER}",
        rf"\b(?:y/o|c\.a\.): {{0,4}}{NUMBER}",
        rf"\b{DIGITS}{_SEX}",
        rf"\b(?:{COMPOSITE}|{N}{YOUNG}|{N}{YEAR_PERSON})",
        rf"\b{N} ?(?:y|yrs?|years?)(?:[ \t]{{2}}|\t| (?-i:[MF])\b|\)|,| ?/|\n)",
        rf"\b(?:dx|dx'd|diagnosed) {N} ?y?[,;)]",
        rf"(?-i:\bin (?:19|20)[0-9]{{2}},? at {N}[.,;])",
        rf"\b(?:both|they|{RELATIVE}) are {_ABOUT}{N}\b",
        rf"(?-i:\b[MF])/ ?{N}\b",
        rf"\b(?:now|currently|presently) {N}(?:[,.;)]| and\b| with\b)",
        rf"\bin (?:early|mid|late)[- ]?{_TENS}",
        rf"\b(?:at|since|by|until|till|also) {N}(?:[,.;)]| or {N}[,.;:)])",
        rf", is {N}[,.;]",
        rf"[a-z] / {N}(?: ?(?:mo|wk|y|d))? / ",
        r"(?-i:\b[FM] [0-9]{2}(?:[,;.]| [A-Z]))",
        rf"{_NAME}, (?:early |mid |late )?[2-9]0'?s[,.;]",
        rf"\bnow {N} (?:weeks?|wks?|days?|months?|mos?)\b",
        rf"\b(?:his|her|their|my|your)(?: early| mid| late| upper| lower)?[- ]?{_TENS}",
        rf"\b(?:early|mid|late)[- ]{_TENS}",
        rf"\b{N}(?:st|nd|rd|th) (?:birth|b-?)day",
        rf"\b(?:turn(?:s|ed|ing)|going on|gonna be|will be|(?:he|she|i)'ll be|lived? (?:to|until"
        rf"|till)) {_ABOUT}{NUMBER}\b",
        rf"\b(?:he|she|i|pt|patient|client|who|they|{RELATIVE})(?: is| was| am|'s|'m) {_ABOUT}{NUMBER}\b",
        rf"\b(?:you|he|she|him|her|who),? (?:now|at) {NUMBER},",
        rf"\b[a-z]{{3,}} is {_ABOUT}{NUMBER}\b",
        rf"\b{RELATIVE}\b{_FURTHER}[^\n.;0-9]{{0,40}}(?:{DIGITS}(?:[\s,.;)\"|!?+&\x00]|\z)|[3-9]0'?s\b)",
        rf"\b{EVENT}\b{_FURTHER}[^\n.;0-9]{{0,30}} (?:at|@) {NUMBER}\b",
        rf"\b(?:d\. ?|onset(?: of [a-z]{{3,16}})?:? ){N}\b",
        rf"\b{CHRONIC}\b{_FURTHER}[^\n.;0-9]{{0,16}} since {N}\b",
        rf"\b{MILESTONE}:?(?: at| @)? (?:about |age )?(?:{N}{UNIT}\b|(?:1[0-9]|[3-6][0-9])\b|{AGE_WORD}\b)",
        rf"\bat (?:about |age )?{N}{UNIT}\b",
        rf"\b{PERSON},? (?:of |approx\.? |about |around |\()?{DIGITS}\b",
        rf"{_NAME},? \(?{N}[- ]?(?:months?|mos?|weeks?|wks?)[,;)]",
        rf"(?:{_NAME}|(?-i:[A-Z][a-z]+ [A-Z]\.)), {DIGITS}(?:[,;.)]| -| and\b|[ \t]{{2}})",
        rf"\b(?:mr|mrs|ms|miss)\.? {_NAME}, {AGE_WORD}\b",
        rf"{_NAME}(?: (?-i:[JS]r)\.)? \({N}[),;]",
        rf"(?-i:\b[MFmf]),?[ \t]{{1,5}}{N}(?: ?(?:mo|wk|y|yrs?))?(?:[ \t]{{2}}|\t|\n)",
        rf"(?-i:\b[MF]), {N} y",
        rf"\b(?:pt|patient|infant|child|baby): {N} ?(?:mo|wk|weeks?|months?|days?)\b",
        rf"(?-i:\b[A-Z][a-z]+ \(\"[^\"\n]{{2,16}}\"\), {N}[,;.])",
        rf"\b(?:dob|birth|born|d\.o\.b\.?){_FURTHER}[^\n]{{0,24}}[0-9]{{2}}"
        rf"(?: {{0,4}}\(| {{1,4}}/ {{1,4}}){N}\b",
        rf"[,/-] ?(?:19|20)[0-9]{{2}} {{0,4}}\( ?{N} ?\)",
        rf"\n{_HEADER}[: ]{_FURTHER}[^\n0-9]{{4,48}}(?: {{2}}|\t){N} {{2}}",
)  # fmt: skip
_SCAN = rf"(?i)(?:{'|'.join(_ALTERNATIVES)})".replace(_FURTHER, "")
_HEADS = rf"(?i)(?:{'|'.join(alternative.partition(_FURTHER)[0] for alternative in _ALTERNATIVES)})"


def _check(text: bytes, start: int, end: int) -> Iterable[Claim]:
    """Hand a candidate to the check of its kind: a number with its cue after it, or before it."""
    if 48 <= text[start] <= 57:
        return check_suffixed(text, start, end)
    if _TENS_AT_END.search(text, max(start, end - 6), end):
        return check_tens(text, start, end)
    if text[end - 3 : end].lower() in (b"ies", b"ens"):
        return check_tens(text, start, end)
    return (
        check_suffixed(text, start, end) if _WORD_AT.match(text, start) else check_prefixed(text, start, end)
    )


_WORD_AT = re.compile(rf"{AGE_WORD}\b".encode(), re.I)
_TENS_AT_END = re.compile(rb"0'?s[,.;]?$", re.I)

RULES: tuple[Rule, ...] = (Rule("age", _SCAN, _check, _HEADS),)
