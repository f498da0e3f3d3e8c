"""Read the value that follows a cue: how far it reaches, and whether it is one.

A reader takes the text, where the value should begin, the family of the cue, and how strongly the cue
asks for a number (0 a bare word, 1 a colon after it, 2 "no." or "#"). It returns the values it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from plainsight.detect.patterns.context import LETTERS, next_word, words_before
from plainsight.detect.patterns.cues import Family
from plainsight.locale import default_locale

Reach: TypeAlias = tuple[int, int]
Reader: TypeAlias = Callable[[bytes, int, Family, int], list[Reach]]

CODE_BYTES = LETTERS + b"0123456789-_/"
_words = default_locale().word_sets("numbers")
_UNITS = _words["units"]
_FIELDS = _words["fields"]
_NOT_PREFIXES = _words["not_prefixes"]
_RESPONDERS = _words["responders"]
_DIGIT_WORDS = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|dash)"

# What a value of each kind begins with, for the scan (RE2).
STARTS: Mapping[str, str] = MappingProxyType(
    {
        "id": (
            r"(?:(?-i:[A-Z]{1,5} )?=?[A-Z]{0,6}(?:[-_/.:*]{1,2}[A-Z]{0,5}){0,3}"
            r"(?:\d[A-Z0-9._/*:-]|\d \d{2,3} \d)"
            rf"|{_DIGIT_WORDS}(?:[ ,-]{{1,2}}{_DIGIT_WORDS}){{3}})"
        ),
        "ssn": r"(?:[X*#]{0,3}[- /]?[X*#]{0,2}[- /]?|(?-i:[A-Z]))(?-i:[\dOlI])[\dOlI/-]",
        "group": r"(?-i:[A-Z]{0,6}-?)\d",
        "plate": r"(?-i:[A-Z]{2,4}[ -])?(?-i:[A-Z]{0,3})\d",
        "callsign": r"\d",
        "unit": r"(?-i:[A-Z]{0,2}[- ]?)\d",
    }
)

_NOT_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
_ID = re.compile(
    rb"(?:([A-Z]{1,5}) (?=[A-Z]?\d))?"
    rb"(=?[A-Za-z0-9]+(?:(?:[-_/*]|\*\*)[A-Za-z0-9]+|[.:](?=[A-Za-z]*\d)[A-Za-z0-9]+)*)"
)
_UDI = re.compile(rb"\(01\)\d{14}(?:\(\d\d\)[A-Za-z0-9]{1,20}){0,4}")
_SPOKEN = re.compile(rf"(?i){_DIGIT_WORDS}(?:[ ,-]{{1,2}}{_DIGIT_WORDS}){{3,}}\b".encode())
_MORE = re.compile(rb" (\d{2,7}(?:-\d{1,4})?|[A-Z]\d{3,6})(?:-?[A-Z]\b)?(?![\w%/-]|[.,:]\d)")
_SUFFIX = re.compile(rb" (?:0\d|\d[A-Z]?)(?![\w%/:.-])")
_LETTER = re.compile(rb" [A-Z](?=[,;.)|\n]|  | \||\Z)")
_CHAIN = re.compile(
    rb"(?:[ ]?\([^()\n]{1,30}\))?(?:[,;/&]|[ ](?:and|to|thru|through|&)\b)[ \t]{0,2}(?:#|no\.? )?"
    rb"(?=[A-Za-z]{0,6}[-_]?\d)"
)
_LINKS = (b",", b";", b"/", b"&", b"(", b"a", b"t")
_SSN = re.compile(
    rb"(?:\d\d/)?(?P<value>[Xx*#]{3}[- ]?[Xx*#]{2}[- ]?\d{4}\b"
    rb"|[\dOlI]{3}([- ./]?|[ ]-[ ])[\dOlI]{2}\2[\dOlI]{4}\b|\d{3}[- ]\d{3}[- ]\d{3}\b|\d{7}[A-W][A-IW]?\b"
    rb"|[Xx]{4}[- ][Xx]{4}[- ]\d{4}\b|\d{4} \d{4} \d{4}\b|(?:[Xx*]{0,5}-?|[A-Z])\d{4}\b(?![-/]\d))"
)
_PLATE = re.compile(rb"[A-HJ-NPR-Z0-9]{17}\b|[A-Z0-9]{1,8}(?:[ -][A-Z0-9]{2,6}){0,2}(?![A-Za-z0-9])")
_GROUP = re.compile(rb"[A-Z]{0,6}-?\d[A-Z0-9]*(?:-[A-Z0-9]+)*(?![\w%/:]|[.,]\d)")
_CALLSIGN = re.compile(rb"[ -]?\d{1,3}(?:-\d{1,2})?(?![\w%]|[.,/:-]\d)")
_UNIT = re.compile(rb"[A-Z]{0,2}[- ]?\d{1,4}(?:-\d{1,2})?(?![\w%]|[.,/:-]\d)")

_DATE = re.compile(
    rb"(\d{1,2})([-/.])(\d{1,2})\2(\d{2}|(?:19|20|21)\d\d)|(?:19|20)\d\d([-/])\d{1,2}\5\d{1,2}|\d{1,2}/\d{1,4}"
    rb"|\d{1,2}-[A-Za-z]{3}-\d{2,4}"
)
_CLOCK_OR_YEAR = re.compile(rb"(?:[01]\d|2[0-3])[0-5]\d|(?:19|20)\d\d")
_MEASUREMENT = re.compile(
    rb"[A-Z]?\d+\.\d{1,3}|[\d.]+[/-][\d.]*\.\d{1,3}|\d+\.\d{1,3}[/-]\d+|\d{1,3}[/-]\d{1,3}"
    rb"|[CTLS]\d{1,2}-[CTLS]?\d{1,2}|\d{1,2}:\d\d.*|[A-Z]\d{2}(?:\.\d.*)?"
    rb"|\d+(?:st|nd|rd|th|s|x|mg|ml|mL|kg|cm|mm|h|hrs?|wks?|d|[ymwMF]|yo)"
)


def is_date(value: bytes) -> bool:
    """Tell whether a value may be a day of the calendar."""
    match = _DATE.fullmatch(value)
    if match is None:
        return False
    first, second = match[1], match[3]
    return first is None or (
        1 <= int(first) <= 31 and 1 <= int(second) <= 31 and (int(first) <= 12 or int(second) <= 12)
    )


def is_day(value: bytes) -> bool:
    """Tell whether eight digits may be a day, written 20190731 or 07312019."""
    year_first = value[:2] in (b"19", b"20") and 1 <= int(value[4:6]) <= 12 and 1 <= int(value[6:]) <= 31
    return year_first or (
        value[4:6] in (b"19", b"20") and 1 <= int(value[:2]) <= 12 and 1 <= int(value[2:4]) <= 31
    )


def _count_digits(value: bytes) -> int:
    return len(value.translate(None, _NOT_DIGITS))


def _read_id(text: bytes, start: int, family: Family) -> int | None:
    """Find how far a record-like number reaches: one chunk, or groups of digits with single blanks."""
    match = _ID.match(text, start, start + 80)
    if match is None:
        return None
    prefix, first = match.groups()
    digits = _count_digits(first)
    if not digits or (prefix and not _may_prefix(prefix, first, digits)):
        return None
    end = match.end()
    if digits == len(first):
        size = digits
    else:
        if not first.isalnum():
            end = _trim(text, match.start(2), end)
            first = text[match.start(2) : end]
        size = len(first) - first.rfind(b"-") - 1
    if text[end : end + 1] != b" ":
        return end
    if size <= 5 and not is_date(first):
        while size <= 5 and (more := _MORE.match(text, end)) and next_word(text, more.end()) not in _UNITS:
            end, size = more.end(), len(more[1])
        if (end > match.end() or prefix) and (letter := _LETTER.match(text, end)):
            end = letter.end()
    elif (
        family.suffix and (suffix := _SUFFIX.match(text, end)) and next_word(text, suffix.end()) not in _UNITS
    ):
        end = suffix.end()
    return end


def _may_prefix(prefix: bytes, value: bytes, digits: int) -> bool:
    """Tell whether letters set apart belong to the value behind them."""
    if prefix in _FIELDS or (digits < 6 and prefix in _NOT_PREFIXES):
        return False
    return not (_MEASUREMENT.fullmatch(value) or is_date(value))


def _trim(text: bytes, start: int, end: int) -> int:
    """Drop pieces of a chunk that are words (`6620418-and`), or a second number (`881203/881204`)."""
    one, slash, other = text[start:end].partition(b"/")
    if slash and one.isdigit() and other.isdigit() and len(one) == len(other) > 4:
        return start + len(one)
    while not text[end - 1 : end].isdigit():
        cut = max(text.rfind(b"-", start, end), text.rfind(b"/", start, end), text.rfind(b"_", start, end))
        piece = text[cut + 1 : end]
        if cut < start or len(piece) == 1 or (piece.isupper() and len(piece) <= 4) or _count_digits(piece):
            break
        end = cut
    return end


def _is_id(text: bytes, start: int, end: int, family: Family, force: int, fewest: int) -> bool:
    value = text[start:end]
    if value.isdigit():
        digits = end - start
        if digits < (3 if force == 2 else max(4, fewest)):
            return False
        timed = (digits == 4 and _CLOCK_OR_YEAR.fullmatch(value)) or (digits == 8 and is_day(value))
        if timed and force < 2 and not family.sure:
            return False
    else:
        digits = _count_digits(value)
        if digits < (
            min(2, fewest) if family.codes and end - start > 3 else min(3, fewest) if force == 2 else fewest
        ):
            return False
        if family.sure:
            return b"-" in value or not is_date(value)
        if is_date(value) or value.count(b".") > 3:
            return False
        if force < 2 and (_MEASUREMENT.fullmatch(value) or (digits < 4 and value[:1].islower())):
            return False
    after = text[end : end + 1]
    if after == b" ":
        return family.sure or next_word(text, end) not in _UNITS
    if after == b"/" and digits > 4:
        return True  # another number may follow
    return not (after and after in b"%/:" and (after == b"%" or text[end + 1 : end + 2].isdigit()))


def _ids(text: bytes, start: int, family: Family, force: int) -> list[Reach]:
    """Read a record-like number and those chained to it: `SN 1880412 (L), 1880437 (R)`."""
    end = _read_id(text, start, family)
    if end is None:
        other = _UDI.match(text, start - 1) or _SPOKEN.match(text, start)
        return [other.span()] if other else []
    if not _is_id(text, start, end, family, force, family.digits):
        udi = _UDI.match(text, start - 1)
        return [udi.span()] if udi else []
    found = [(start, end)]
    while (
        text[end : end + 2].lstrip(b" ")[:1] in _LINKS
        and (chain := _CHAIN.match(text, end, end + 48))
        and len(found) < 12
    ):
        last, (start, next_end) = text[start:end], (chain.end(), _read_id(text, chain.end(), family))
        if (
            next_end is None
            or not _is_id(text, start, next_end, family, force, 3)
            or not _alike(last, text[start:next_end])
        ):
            break
        end = next_end
        found.append((start, end))
    return found


def _alike(one: bytes, other: bytes) -> bool:
    """Tell whether a chained value looks like the one before it, or counts on from its last digits."""
    if one[:1].isalpha() == other[:1].isalpha():
        return abs(len(one) - len(other)) <= 2
    return other.isdigit() and len(other) > 3


def _ssns(text: bytes, start: int, family: Family, force: int) -> list[Reach]:
    match = _SSN.match(text, start)
    return [match.span("value")] if match else []


def _single(pattern: re.Pattern[bytes], refuses: Callable[[bytes, re.Match[bytes], int], bool]) -> Reader:
    """Return a reader of one value of that pattern, unless a unit follows it or it is refused."""

    def read(text: bytes, start: int, family: Family, force: int) -> list[Reach]:
        match = pattern.match(text, start)
        if match is None or next_word(text, match.end()) in _UNITS or refuses(text, match, force):
            return []
        return [match.span()]

    return read


def _is_no_plate(text: bytes, match: re.Match[bytes], force: int) -> bool:
    bare = match[0].translate(None, b" -")
    digits = _count_digits(bare)
    if not digits or len(bare) < 4 or is_date(match[0]) or _MEASUREMENT.fullmatch(match[0]):
        return True
    return bare.isdigit() and (digits < 5 or force < 2)


def _is_no_group(text: bytes, match: re.Match[bytes], force: int) -> bool:
    return len(match[0]) < (3 if force else 4) or is_date(match[0])


def _is_no_crew(text: bytes, match: re.Match[bytes], force: int) -> bool:
    """Tell whether no word before speaks of a crew or a vehicle, as in `EMS unit A-317`."""
    return _RESPONDERS.isdisjoint(words_before(text, match.start(), 48))


# How to read a value of each kind.
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "id": _ids,
        "ssn": _ssns,
        "group": _single(_GROUP, _is_no_group),
        "plate": _single(_PLATE, _is_no_plate),
        "callsign": _single(_CALLSIGN, lambda text, match, force: False),
        "unit": _single(_UNIT, _is_no_crew),
    }
)
