"""Restyle: the same date, phone or name written another way, under the same label."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from plainsight.lab.synth.noise import Noise
from plainsight.lab.synth.pieces import Piece, Pieces
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import Values, parse_date

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_MONTHS = _CALENDAR.month_names[_CALENDAR.language]
_WITH_YEAR = (
    "{m}/{d}/{yy:02}", "{m:02}/{d:02}/{y}", "{m}/{d}/{y}", "{m}-{d}-{yy:02}", "{m:02}-{d:02}-{y}",
    "{y}-{m:02}-{d:02}", "{y}/{m:02}/{d:02}", "{y}{m:02}{d:02}", "{d:02}.{m:02}.{y}", "{d}/{m}/{y}",
    "{month} {d}, {y}", "{mon} {d}, {y}", "{month} {d}{th}, {y}", "{d} {month} {y}", "{d:02}-{mon}-{y}",
    "{d:02}{MON}{yy:02}", "{d:02} {MON} {y}", "{mon} {d} '{yy:02}",
)  # fmt: skip
_WITHOUT_YEAR = ("{m}/{d}", "{m:02}/{d:02}", "{m}-{d}", "{mon} {d}", "{month} {d}{th}", "{d} {mon}")
_PHONES = (
    "({a}) {b}-{c}", "({a}){b}-{c}", "{a}-{b}-{c}", "{a}.{b}.{c}", "{a} {b} {c}", "{a}{b}{c}", "{a}/{b}-{c}",
    "+1 {a} {b} {c}", "1-{a}-{b}-{c}", "{b}-{c}",
)  # fmt: skip


def dates(pieces: Pieces, random: Random) -> Pieces:
    """Write the dates of a note in one other way, or each in its own."""
    full, short = random.choice(_WITH_YEAR), random.choice(_WITHOUT_YEAR)
    each = random.random() < 0.2
    made: Pieces = []
    for piece in pieces:
        date = _read(piece.text) if piece.label == "DATE" else None
        if date is None:
            made.append(piece)
            continue
        if each:
            full, short = random.choice(_WITH_YEAR), random.choice(_WITHOUT_YEAR)
        made.append(Piece(_write(date, full if "year" in date else short), "DATE"))
    return made


def _read(text: str) -> Values | None:
    """Read a single date with a month and a day; the likeliest reading counts."""
    reading = next(iter(parse_date(text, _CALENDAR)), None)
    if reading is None or not {"month", "day"} <= reading.roles.keys() <= {"month", "day", "year"}:
        return None
    return reading.values(2030)[0] if reading.points == 1 else None


def _write(date: Values, style: str) -> str:
    month, day, year = _MONTHS[date["month"] - 1], date["day"], date.get("year", 0)
    return style.format(
        m=date["month"], d=day, y=year, yy=year % 100, month=month, mon=month[:3], MON=month[:3].upper(),
        th=_CALENDAR.ordinal_suffix(day),
    )  # fmt: skip


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
                text = style.format(a=digits[:3], b=digits[3:6], c=digits[6:])
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
