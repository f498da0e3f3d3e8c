"""Restyle: the same date, phone or name written another way, under the same label."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from plainsight.lab.synth.noise import Noise
from plainsight.lab.synth.pieces import Piece, Pieces

_MONTHS = [
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
]  # fmt: skip
_FULL = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_WORDED = re.compile(rf"({'|'.join(_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})")
_SHORT = re.compile(r"(\d{1,2})/(\d{1,2})")

Date = tuple[int, int, int | None]
"""Month, day and year; a date may have no year."""


def _two(year: int) -> str:
    return f"{year % 100:02}"


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


_DATED: tuple[Callable[[int, int, int], str], ...] = (
    lambda m, d, y: f"{m}/{d}/{_two(y)}",
    lambda m, d, y: f"{m:02}/{d:02}/{y}",
    lambda m, d, y: f"{m}/{d}/{y}",
    lambda m, d, y: f"{m}-{d}-{_two(y)}",
    lambda m, d, y: f"{m:02}-{d:02}-{y}",
    lambda m, d, y: f"{y}-{m:02}-{d:02}",
    lambda m, d, y: f"{y}/{m:02}/{d:02}",
    lambda m, d, y: f"{y}{m:02}{d:02}",
    lambda m, d, y: f"{d:02}.{m:02}.{y}",
    lambda m, d, y: f"{d}/{m}/{y}",
    lambda m, d, y: f"{_MONTHS[m - 1]} {d}, {y}",
    lambda m, d, y: f"{_MONTHS[m - 1][:3]} {d}, {y}",
    lambda m, d, y: f"{_MONTHS[m - 1]} {_ordinal(d)}, {y}",
    lambda m, d, y: f"{d} {_MONTHS[m - 1]} {y}",
    lambda m, d, y: f"{d:02}-{_MONTHS[m - 1][:3]}-{y}",
    lambda m, d, y: f"{d:02}{_MONTHS[m - 1][:3].upper()}{_two(y)}",
    lambda m, d, y: f"{d:02} {_MONTHS[m - 1][:3].upper()} {y}",
    lambda m, d, y: f"{_MONTHS[m - 1][:3]} {d} '{_two(y)}",
)
_UNDATED: tuple[Callable[[int, int], str], ...] = (
    lambda m, d: f"{m}/{d}",
    lambda m, d: f"{m:02}/{d:02}",
    lambda m, d: f"{m}-{d}",
    lambda m, d: f"{_MONTHS[m - 1][:3]} {d}",
    lambda m, d: f"{_MONTHS[m - 1]} {_ordinal(d)}",
    lambda m, d: f"{d} {_MONTHS[m - 1][:3]}",
)
_PHONES: tuple[Callable[[str, str, str], str], ...] = (
    lambda a, b, c: f"({a}) {b}-{c}",
    lambda a, b, c: f"({a}){b}-{c}",
    lambda a, b, c: f"{a}-{b}-{c}",
    lambda a, b, c: f"{a}.{b}.{c}",
    lambda a, b, c: f"{a} {b} {c}",
    lambda a, b, c: f"{a}{b}{c}",
    lambda a, b, c: f"{a}/{b}-{c}",
    lambda a, b, c: f"+1 {a} {b} {c}",
    lambda a, b, c: f"1-{a}-{b}-{c}",
    lambda a, b, c: f"{b}-{c}",
)


def dates(pieces: Pieces, random: Random) -> Pieces:
    """Write the dates of a note in one other way, or each in its own."""
    full, short = random.choice(_DATED), random.choice(_UNDATED)
    each = random.random() < 0.2
    made: Pieces = []
    for piece in pieces:
        read = _date(piece.text) if piece.label == "DATE" else None
        if read is None:
            made.append(piece)
            continue
        month, day, year = read
        if each:
            full, short = random.choice(_DATED), random.choice(_UNDATED)
        made.append(Piece(short(month, day) if year is None else full(month, day, year), "DATE"))
    return made


def _date(text: str) -> Date | None:
    """Read the commonest forms; month first, unless only day first makes a date."""
    year: int | None
    if hit := _FULL.fullmatch(text):
        month, day, year = int(hit[1]), int(hit[3]), int(hit[4])
        year += (1900 if year > 30 else 2000) if len(hit[4]) == 2 else 0
    elif hit := _ISO.fullmatch(text):
        year, month, day = map(int, hit.groups())
    elif hit := _WORDED.fullmatch(text):
        month, day, year = _MONTHS.index(hit[1]) + 1, int(hit[2]), int(hit[3])
    elif hit := _SHORT.fullmatch(text):
        month, day, year = int(hit[1]), int(hit[2]), None
    else:
        return None
    if month > 12:
        month, day = day, month
    return (month, day, year) if 1 <= month <= 12 and 1 <= day <= 31 else None


_DIGIT = re.compile(r"\d")
_PLAIN_PHONE = re.compile(r"[\d() .+/-]+")


def phones(pieces: Pieces, random: Random) -> Pieces:
    """Write the phones of a note in one other way."""
    style = random.choice(_PHONES)
    made: Pieces = []
    for text, label in pieces:
        if label in ("PHONE", "FAX") and _PLAIN_PHONE.fullmatch(text):
            digits = "".join(_DIGIT.findall(text))
            if len(digits) == 10:
                text = style(digits[:3], digits[3:6], digits[6:])
        made.append(Piece(text, label))
    return made


_PLAIN_NAME = re.compile(r"([A-Z][\w'’-]+)(?: ([A-Z])\.?)? ([A-Z][\w'’-]+)")
_NAMES: tuple[Callable[[str, str, str], str], ...] = (
    lambda first, middle, last: f"{first} {last}",
    lambda first, middle, last: f"{first} {middle}. {last}",
    lambda first, middle, last: f"{first[0]}. {last}",
    lambda first, middle, last: f"{first[0]}.{middle}. {last}",
    lambda first, middle, last: f"{first} {last[0]}.",
    lambda first, middle, last: f"{first} {last}".upper(),
    lambda first, middle, last: f"{first[0]} {last}",
)
_LISTED: tuple[Callable[[str, str, str], str], ...] = (
    *_NAMES,
    lambda first, middle, last: f"{last}, {first}",
    lambda first, middle, last: f"{last}, {first} {middle}",
    lambda first, middle, last: f"{last}, {first}".upper(),
    lambda first, middle, last: f"{last},{first} {middle}".upper(),
    lambda first, middle, last: f"{last.upper()}, {first}",
    lambda first, middle, last: f"{last}^{first}^{middle}".upper(),
    lambda first, middle, last: f"{last} {first}".upper(),
)
_LIST_END = re.compile(r"(?:\A|[:\n\t|]|  )[ \t]*\Z")


def names(pieces: Pieces, random: Random) -> Pieces:
    """Write some full names another way; surname first only where a form or a list has them."""
    share = random.choice((0.3, 0.7, 1.0))
    running, listed = random.choice(_NAMES), random.choice(_LISTED)
    made: Pieces = []
    for text, label in pieces:
        if label in ("PATIENT", "DOCTOR") and random.random() < share:
            hit = _PLAIN_NAME.fullmatch(text)
            if hit:
                alone = not made or (not made[-1].label and _LIST_END.search(made[-1].text[-12:]))
                middle = hit[2] or random.choice("ABCDEFGHJKLMNPRSTW")
                text = (listed if alone else running)(hit[1], middle, hit[3])
        made.append(Piece(text, label))
    return made


STYLES: Mapping[str, Noise] = MappingProxyType(
    {"dates": Noise(dates, 2.0), "phones": Noise(phones, 2.0), "names": Noise(names)}
)
"""Every way of writing identifiers differently, by name."""
