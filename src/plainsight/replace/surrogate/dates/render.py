"""Write a moved date in the form of the original: same parts, padding, case, separators and languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainsight.replace.surrogate.dates.calendar_words import (
    in_case_of,
    month_word,
    roman,
    season_word,
    third_word,
    weekday_word,
)
from plainsight.replace.surrogate.dates.forms import Field, Form
from plainsight.replace.surrogate.dates.number_words import in_words, number_words
from plainsight.replace.surrogate.dates.shift import Point, odd_number

__all__ = ["render"]

_SUFFIXES = ("st", "nd", "rd", "th")
_DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")


def render(
    form: Form,
    points: Sequence[Point],
    *,
    lenders: Sequence[int | None],
    padded: bool,
    short: bool | None = None,
    offset: int = 0,
) -> str:
    """Return the form with its fields saying what the points say.

    ``lenders`` names for each point the one whose month it shares; where the two no longer have one month,
    it is written out. ``padded`` settles how one digit is written where the form itself does not show it,
    ``short`` whether a month called May is one cut short.
    """
    written: list[str] = []
    suffix_of = third = None
    for part in form.parts:
        if isinstance(part, str):
            if third is not None and part in (" ", "-"):
                part = "-" if third == 1 else " "  # early May, mid-May
                third = None
            if suffix_of is not None and part.lower() in _SUFFIXES:
                part = (
                    in_case_of(part, _suffix(suffix_of)) if part[0].islower() else _suffix(suffix_of).upper()
                )
            written.append(part)
            suffix_of = None
            continue
        point = points[part.point]
        third = point["third"] if part.role == "third" and point["third"] != part.value else None
        suffix_of = point.get(part.role) if part.role in ("day", "nth") else None
        lender = lenders[part.point]
        if part.role == "day" and lender is not None and points[lender]["month"] != point["month"]:
            written += [
                piece if isinstance(piece, str) else _field(piece, point, form, padded, short, offset)
                for piece in _month_and_day(form, lender)
            ]
        else:
            written.append(_field(part, point, form, padded, short, offset))
    return "".join(written)


def _month_and_day(form: Form, point: int) -> Sequence[str | Field]:
    """Return the stretch of a form from the month to the day of a point, or the other way round."""
    places = [
        place
        for place, part in enumerate(form.parts)
        if isinstance(part, Field) and part.point == point and part.role in ("month", "day")
    ]
    return form.parts[places[0] : places[-1] + 1]


def _field(field: Field, point: Point, form: Form, padded: bool, short: bool | None, offset: int) -> str:
    role, text, known, _ = field
    if role == "odd":
        return f"{odd_number(known, offset, len(text)):0{len(text)}d}"
    value = point[role]
    if role == "day" or role == "month":
        if text.isdigit():
            return f"{value:02d}" if _pads(text, form, padded) else str(value)
        if role == "month" and text.lower() not in number_words():
            if text.isupper() and set(text) <= set("IVX"):
                return roman(value)
            return month_word(text, value, short=short)
    elif role == "year" or role == "decade":
        return _year(field, value, form)
    elif role == "weekday":
        return weekday_word(text, value)
    elif role == "third":
        return third_word(text, value)
    elif role == "season":
        return season_word(text, value)
    elif role == "quarter":
        return re.sub(r"\d", str(value + 1), text)
    elif text.isdigit():
        return f"{value:02d}" if _pads(text, form, padded) else str(value)
    ordinal = number_words().get(re.split(r"[ -]", text.lower())[-1], (0, False))[1]
    return in_case_of(text.split()[0], in_words(value, ordinal=ordinal, hyphen=_hyphen(form)))


def _year(field: Field, year: int, form: Form) -> str:
    text = field.text
    if text[-1].isdigit():
        return f"{year:04d}" if len(text) == 4 else f"{text[:-2]}{year % 100:02d}"
    if field.role == "decade":
        return in_case_of(text, _DECADES[year % 100 // 10 - 2]) if year % 100 >= 20 else text
    words = in_words(year if field.value > 99 else year % 100, hyphen=_hyphen(form))
    if text.lower().startswith("twenty"):
        words = words.replace("two thousand", "twenty")
    if " and " in text.lower():
        words = words.replace("thousand ", "thousand and ")
    return in_case_of(text.split()[0], words if " " in text else words.replace(" ", "-"))


def _hyphen(form: Form) -> str:
    """Return what stands between the words of a number: a space only where the form has one there."""
    spelled = [part.text for part in form.parts if isinstance(part, Field) and part.text.lower() > "a"]
    return " " if any(" " in text for text in spelled) else "-"


def _pads(text: str, form: Form, padded: bool) -> bool:
    """Whether a number under ten gets a zero: as it shows itself, or its neighbours, or the note does."""
    if form.joint == "0":
        return True
    if len(text) == 1 or text[0] == "0":
        return len(text) > 1
    return form.zeros[0] if form.zeros else padded


def _suffix(day: int) -> str:
    if day % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
