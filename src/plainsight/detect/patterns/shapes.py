"""Identifying numbers that their shape alone gives away.

Long runs of digits, specimen and file numbers, vehicle, provider and plan numbers with check digits, device
and study identifiers. `SHAPES` is their part of the scan of `numbers`, `check_shape` the check.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from plainsight.detect.patterns.context import (
    LETTERS,
    left_edge,
    next_word,
    second_before,
    word_before,
    words_before,
)
from plainsight.detect.patterns.rule import Claim
from plainsight.detect.patterns.values import is_day
from plainsight.locale import default_locale
from plainsight.locale.number_kinds import NumberKind

Kinds: TypeAlias = tuple[NumberKind, ...]

_CODE_BYTES = LETTERS + b"0123456789-_/"
_DIGITS = b"0123456789"
_JOINTS = b"-_/*"
_CODE_REST = re.compile(rb"[A-Za-z0-9]*(?:(?:[-_/*]|\*\*)[A-Za-z0-9]+)*")

# Shapes that are no identifiers, or not ours: dates, hours, telephones, billing, drug, test and gene codes.
_REFUSED = re.compile(
    rb"\d{1,2}([-/])\d{1,2}\1\d{2,4}(?:-.*)?|\d{4}([-/])\d{1,2}\2\d{1,2}|\d{1,2}-?[A-Za-z]{3}-?\d{2,4}"
    rb"|(?:[01]\d|2[0-3])[0-5]\d-(?:[01]\d|2[0-4])[0-5]\d|\d{1,3}-\d{1,4}|(?:1-)?\d{3}[-/]\d{3}-\d{4}"
    rb"|\d{5}-[A-Z0-9]{2}|\d{5}-\d{5}|[A-Z]\d{4}(?:-[A-Z0-9]{2})?|\d{4}-\d{4}-\d{2}|\d{5}-\d{3}-\d{2}"
    rb"|\d{5}-\d{4}-\d{1,2}|\d{3,5}-\d"
    rb"|[A-Z]\d{2,5}[A-Z]|NCT\d{8}|rs\d+|\d{3}[A-Z]{2}\d{4}[A-Z]|(?:N[CGMPRT]|X[MP])_?\d+|ENS[A-Z]+\d+"
    rb"|[A-Z]{1,4}\d{2,3}/\d{2,3}|(?:19|20)\d\d-(?:19|20)\d\d|[CTLS]\d{1,2}-[CTLS]?\d{1,2}"
    rb"|[GP]-?\d(?:-?\d){2,4}|G\d+P\d+.*|[pyc]*T\d[a-c]?N\d.*M\d|(?:RBC|WBC|PLT|BNP|CK)\d+"
    rb"|(?:POG|COG|SWOG|NSABP|ECOG|RTOG|CALGB|GOG|NRG|EORTC|ACOSOG|AALL)-?\d+.*"
    rb"|(?:ICD|COVID)-?\d+.*|\d+[-/]?[A-Za-z]{1,4}|\d+[xX]\d+.*|\d+_\d+[a-z]+.*"
)
_words = default_locale().word_sets("numbers")
_CODE_PREFIXES = _words["code_prefixes"]
_CODE_WORDS = _words["code_words"]
_MEASURES = _words["measures"]
_COUNTED = _words["counted"]
_PROVIDER_TITLES = _words["provider_titles"]
_SECURITY_WORDS = _words["security_words"]

_SSN = re.compile(rb"\d{3}-\d{2}-\d{4}P?")
_MASKED = re.compile(rb"[Xx*\x1a]{3}[- /]?[Xx*\x1a]{2}[- /]?\d{4}")
_HIC = re.compile(rb"\d{3}-?\d{2}-?\d{4}-?[A-Da-dTM]\d?")
_TAIL = re.compile(rb"N\d{2,4}[A-Z]{1,2}")
_SPECIMEN = re.compile(rb"[A-Z]{1,4}\d{2}-\d{2,7}|\d{2}-?[A-Z]{1,4}-?\d{2,7}|[A-Z]{1,3}-\d{2}-\d{3,7}")
_SURNAME = re.compile(rb"\b([A-Z])[A-Za-z'-]+, ?[A-Z][A-Za-z'. -]{1,24}[ \t(\[]{1,8}\Z")
_NAME_BEFORE = re.compile(rb"[A-Z][A-Za-z'-]+ ?,[ ]?[A-Z][A-Za-z'. -]{1,24}[ \t/|(\[#]{1,12}\Z")


def _code(text: bytes, start: int, end: int, kinds: Kinds) -> tuple[Claim, ...]:
    """Decide on a run of letters, digits and joints that holds several digits."""
    before = text[start - 1 : start]
    if (
        before == b"/"
        and _SSN.fullmatch(text, start, start + 11)
        and not text[start + 11 : start + 12].isalnum()
    ):
        return (Claim(start, start + 11, "SSN", 0.92),)  # a service member's family prefix stands before it
    if before and before in b"-_/":
        start = left_edge(text, start, _CODE_BYTES, 40)
        start += len(text[start:end]) - len(text[start:end].lstrip(_JOINTS))
        before = text[start - 1 : start]
    end = _CODE_REST.match(text, end, end + 60).end()  # type: ignore[union-attr]  # it may match nothing
    value = text[start:end]
    if value[11:12] == b"/" and _SSN.match(value):
        return (Claim(start, start + 11, "SSN", 0.92),)
    named = None if value.isdigit() else _known(value, kinds)
    if named:
        return (Claim(start, end, *named),)
    if len(value) == 5 and _is_last_four(text, start):
        return (Claim(start, end, "SSN", 0.75),)
    if _is_figure(text, start, end):
        return ()
    score = _score(value)
    if score is None or next_word(text, end) in _MEASURES or _is_listed(text, start, len(value)):
        return ()
    if value.isdigit() and (named := _of_kind(value, kinds)):
        return (Claim(start, end, *named),)
    window = text[max(0, start - 40) : start]
    if b"," in window and _NAME_BEFORE.search(window):
        return (Claim(start, end, "MEDICALRECORD", score),)
    return (Claim(start, end, "IDNUM", score),)


def _is_figure(text: bytes, start: int, end: int) -> bool:
    """Tell whether the signs around a number make it a sum, a bound, a share, a decimal or a coded term."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in b"$<>~.:,+@":
        beyond = second_before(text, start)
        if before in b"$<>@" or beyond.isdigit() or (before in b".~" and not beyond.strip(b"^")):
            return True
        if before == b"." and beyond.isalpha():
            return True
    if after and after in b".:,%^":
        beyond = text[end + 1 : end + 2]
        return after == b"%" or (beyond.isalpha() if after == b"^" else beyond.isdigit())
    return False


def _is_last_four(text: bytes, start: int) -> bool:
    """Tell whether a letter and four digits are a veteran's short number: the surname's initial leads it."""
    name = _SURNAME.search(text[max(0, start - 48) : start])
    return name is not None and name[1] == text[start : start + 1]


def _is_listed(text: bytes, start: int, size: int) -> bool:
    """Tell whether the words before call this a code of a public list, or a count in a sentence."""
    word = word_before(text, start, gap=b" \t#:.=-(\"'")
    if not word:  # perhaps the second of two codes: SNOMED T-67400 M-81403
        return second_before(text, start).isdigit() and not _CODE_WORDS.isdisjoint(
            words_before(text, start, 20)[1:2]
        )
    if word in _CODE_WORDS or (word == b"code" and text[start - 1] in b"\"'"):
        return True
    return size == 6 and text[start : start + 6].isdigit() and second_before(text, start).islower()


def _known(value: bytes, kinds: Kinds) -> tuple[str, float] | None:
    """Return the label and score of a number whose shape names its kind."""
    size = len(value)
    if found := _of_kind(value, kinds):
        return found
    if 11 <= size <= 12 and _SSN.fullmatch(value):
        return "SSN", 0.92
    if 10 <= size <= 13 and _HIC.fullmatch(value):
        return "HEALTHPLAN", 0.85
    if 5 <= size <= 6 and _TAIL.fullmatch(value):
        return "VEHICLE", 0.7
    return None


def _of_kind(value: bytes, kinds: Kinds) -> tuple[str, float] | None:
    """Return the label and score of a number that is of one of the locale's kinds."""
    number = value.decode("ascii")
    for kind in kinds:
        if kind.score is not None and kind.pattern.fullmatch(number):
            score = kind.score if kind.is_valid(number) else kind.wrong_score
            if score is not None:
                return kind.label, score
    return None


_BY_LENGTH = {6: 0.55, 7: 0.7, 8: 0.7}


def _score(value: bytes) -> float | None:
    """Say how sure a run of letters and digits is an identifier by its make-up; None if it is none."""
    if value.isdigit():
        if len(value) == 8 and is_day(value):
            return None
        return _BY_LENGTH.get(len(value), 0.75 if len(value) > 8 else None)
    if _REFUSED.fullmatch(value):
        return None
    letters = value.translate(None, _DIGITS + _JOINTS)
    digits = len(value.translate(None, LETTERS + _JOINTS))
    if not letters:
        return 0.7 if digits > 5 and b"/" not in value else None
    if (
        len(letters) > 12
        or value.split(b"-", 1)[0] in _CODE_PREFIXES
        or (letters.islower() and len(letters) > 8)
    ):
        return None
    if digits >= 4 and _SPECIMEN.fullmatch(value):
        return 0.85
    if digits >= 5:
        return 0.75
    joints = len(value) - digits - len(letters)
    if digits == 4 and letters.isupper() and (joints or len(letters) > 1):
        return 0.65
    return 0.6 if digits == 3 and joints > 1 and letters.isupper() else None


def _numbered(text: bytes, start: int, end: int) -> tuple[Claim, ...]:
    """Decide on a number behind a number sign, by the words before it."""
    after, beyond = text[end : end + 1], text[end + 1 : end + 2]
    if after.isalnum() or (after in (b"-", b"/", b".") and beyond.isalnum()):
        return ()
    words = words_before(text, start, 24)[:3]
    if words and words[0] in _COUNTED:
        return ()
    if words and words[0] in _PROVIDER_TITLES:
        return (Claim(start + 1, end, "LICENSE", 0.75),)
    pager = any(word.startswith((b"pag", b"pg", b"beep")) for word in words)
    return (Claim(start + 1, end, "PHONE" if pager else "IDNUM", 0.7),)


def _spaced(text: bytes, start: int, end: int) -> tuple[Claim, ...]:
    """Decide on groups set apart by blanks: a blood unit, a social security number, a code behind M.D."""
    first = text[start]
    if first == 77 and text[start + 1] == 46:  # M.D.
        begin = end - len(text[start + 4 : end].lstrip(b" ("))
        return (Claim(begin, end, "IDNUM", 0.85),)
    if first > 57:
        return (Claim(start, end, "IDNUM", 0.9),)
    if 45 in text[start:end]:
        return (Claim(start, end, "SSN", 0.85),)
    return (
        () if _SECURITY_WORDS.isdisjoint(words_before(text, start, 80)) else (Claim(start, end, "SSN", 0.85),)
    )


def check_shape(text: bytes, start: int, end: int, kinds: Kinds) -> tuple[Claim, ...]:
    """Decide on what the scan `SHAPES` found; ``kinds`` are those of the locale."""
    first = text[start]
    if first == 35:  # a number sign
        return _numbered(text, start, end)
    if first == 40:  # an opening bracket: a device identifier
        return (Claim(start, end, "DEVICE", 0.98),)
    if first in b"Xx*\x1a" and _MASKED.fullmatch(text, start, end):
        return (Claim(start, end, "SSN", 0.95),)
    if 32 in text[start:end]:
        return _spaced(text, start, end)
    if text[start + 2] == 47 and end - start == 7:  # a family prefix and four digits, or the end of a date
        dated = text[start - 1 : start] in (b"/", b"-") or text[start + 3 : start + 5] in (
            b"19",
            b"20",
            b"21",
        )
        return () if dated else (Claim(start + 3, end, "SSN", 0.7),)
    if 46 in text[start:end] and end - start == 11 and text[start + 3] == 46 == text[start + 6]:
        return (Claim(start, end, "SSN", 0.85),)
    if 46 in text[start:end]:
        return (Claim(start, end, "IDNUM", 0.95),)
    return _code(text, start, end, kinds)


SHAPES = (
    r"#(?:\d{4,7}|[A-Z]{1,4}-?\d{3,7})\b"
    r"|\(01\)\d{14}(?:\(\d\d\)[A-Za-z0-9]{1,20}){0,4}"
    r"|(?:[Xx]{3}[- /][Xx]{2}[- /]|\*{3}[- /]\*{2}[- /]|\x1a{3}-\x1a{2}-|[Xx]{5}-?|\*{5}-?)\d{4}\b"
    r"|\b[23]0/[1-9]\d{3}\b|\b\d{3}(?: \d{2} |\.\d{2}\.| - \d{2} - )\d{4}\b"
    r"|M\.D\.(?: |  ?\( )[A-Z]{2}\d{1,3}\b"
    r"|\b1\.[23](?:\.\d{1,12}){4,20}\b"
    r"|\b[A-Z]\d{4} \d{2} \d{6}\b|\b[A-HJ-NPR-Z0-9]{17}\b"
    # digits alone, or with letters before them
    r"|\b[A-Za-z]{0,6}[-_]?\d{6}|\b[A-Za-z]{1,6}[-_]?\d{5}|\b[A-Z]{1,5}-\d{4}\b|\b[A-Z]{1,5}\d{4}\b"
    # groups of digits; three, three and four are a telephone's
    r"|\b\d{3}-\d{2}-\d{2,4}|\b\d{3}-\d{3}-\d{1,3}\b|\b\d{1,2}-\d{1,7}-\d{1,7}-\d|\b\d{1,2}-\d{3,7}-\d"
    r"|\b\d{4}-\d{3,5}|\b\d{4}-\d{2}-\d{3}|\b\d{5,7}-\d|\b\d{1,3}-\d{5}"
    # groups with letters among them
    r"|\b[A-Z]{1,6}-?\d{1,6}[A-Z]?[-/]\d{2}|\b[A-Z]{1,6}-[A-Z]{1,4}-?\d{2}|\b\d{1,6}-?[A-Z]{1,4}-?\d{3}"
    r"|\b\d[A-Z][A-Z0-9]\d-?[A-Z]|\bN\d{2,4}[A-Z]{1,2}\b"
)
