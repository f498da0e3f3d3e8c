"""Write a date in the form of the original: same parts, padding, case, separators and languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import decimal

from plainsight.locale.calendar import Calendar, match_case
from plainsight.locale.date_grammar import Field, Values, WrittenDate


@dataclass(slots=True)
class Style:
    """The habits of a note, for what a date itself does not show: leading zeros, short months."""

    padded: bool = False
    short_months: bool | None = None


def render_date(
    written: WrittenDate,
    points: Sequence[Values],
    calendar: Calendar,
    *,
    month_from: Sequence[int | None] = (None,),
    style: Style | None = None,
) -> str:
    """Return the written date with the values of these points.

    ``month_from`` gives for each point the point whose month it shares, as in June 3-7. If the two months
    now differ, the month is written out.
    """
    writer = _Writer(written, calendar, style or Style())
    texts: list[str] = []
    number = third = None  # the field before, if a suffix or a joint must agree with it
    for part in written.parts:
        if isinstance(part, str):
            if third is not None and part in (" ", "-"):
                part = "-" if third == 1 else " "  # early May, mid-May
            elif number is not None and part.lower() in calendar.ordinal_suffixes:
                suffix = calendar.ordinal_suffix(number)
                part = match_case(part, suffix) if part[0].islower() else suffix.upper()
            texts.append(part)
            number = third = None
            continue
        point = points[part.point]
        third = point["third"] if part.role == "third" and point["third"] != part.value else None
        number = point.get(part.role) if part.role in ("day", "nth", "week") else None
        lender = month_from[part.point]
        if part.role == "day" and lender is not None and points[lender]["month"] != point["month"]:
            stretch = _month_and_day(written, lender)
            texts += [piece if isinstance(piece, str) else writer.field(piece, point) for piece in stretch]
        else:
            texts.append(writer.field(part, point))
    return "".join(texts)


def _month_and_day(written: WrittenDate, point: int) -> Sequence[str | Field]:
    """Return the parts from the month to the day of a point, or from the day to the month."""
    places = [
        place
        for place, part in enumerate(written.parts)
        if isinstance(part, Field) and part.point == point and part.role in ("month", "day")
    ]
    return written.parts[places[0] : places[-1] + 1]


@dataclass(slots=True)
class _Writer:
    """Writes the fields of one date."""

    written: WrittenDate
    calendar: Calendar
    style: Style

    def field(self, field: Field, point: Values) -> str:
        role, text, _, _ = field
        value, calendar = point[role], self.calendar
        if role == "year" or role == "decade":
            return self._year(field, value)
        if role == "weekday":
            return calendar.weekday_word(text, value)
        if role == "third":
            return calendar.third_word(text, value)
        if role == "season":
            return calendar.season_word(text, value)
        if role == "quarter":
            return re.sub(r"\d", str(value + 1), text)
        if text.isdigit():
            return f"{value:02d}" if self._pads(text) else str(value)
        if role == "month" and text.lower() not in calendar.number_words:
            return calendar.month_word(text, value, short=self.style.short_months)
        ordinal = calendar.is_ordinal(re.split(r"[ -]", text.lower())[-1])
        return match_case(text.split()[0], calendar.in_words(value, ordinal=ordinal, hyphen=self._hyphen))

    def _year(self, field: Field, year: int) -> str:
        text, calendar = field.text, self.calendar
        if text[-1].isdigit():
            return f"{year:04d}" if len(text) == 4 else f"{text[:-2]}{year % 100:02d}"
        if field.role == "decade":
            decade = year % 100 // 10 - 2
            return match_case(text, calendar.decade_names[decade]) if decade >= 0 else text
        words = calendar.in_words(year if field.value > 99 else year % 100, hyphen=self._hyphen)
        if text.lower().startswith("twenty"):
            words = words.replace("two thousand", "twenty")
        if " and " in text.lower():
            words = words.replace("thousand ", "thousand and ")
        return match_case(text.split()[0], words if " " in text else words.replace(" ", "-"))

    @property
    def _hyphen(self) -> str:
        """The sign between the words of a number: a space if the date has one there, else a hyphen."""
        spelled = [field.text for field in self.written.fields if field.text.lower() > "a"]
        return " " if any(" " in text for text in spelled) else "-"

    def _pads(self, text: str) -> bool:
        """Whether a number under ten gets a zero: as in itself, in the rest of the date, or in the note."""
        if self.written.joint == "0":
            return True
        if len(text) == 1 or text[0] == "0":
            return len(text) > 1
        return self.written.zeros[0] if self.written.zeros else self.style.padded


# --- several weekdays -------------------------------------------------------------------------------------


def render_week(written: WrittenDate, days: Sequence[int], calendar: Calendar) -> str:
    """Return several weekdays in the style of the written ones: letters (MWF) or names."""
    models = [field.text for field in written.fields]
    if any(len(model.rstrip(".")) > 2 for model in models):
        words = [calendar.weekday_word(model, day) for model, day in zip(models, days, strict=True)]
    else:
        words = _weekday_letters(models, days, joined=bool(written.joint))
    left = iter(words)
    return "".join(part if isinstance(part, str) else next(left) for part in written.parts)


def _weekday_letters(models: list[str], days: Sequence[int], *, joined: bool) -> list[str]:
    small = [model.lower() for model in models]
    two = joined or any(model in ("tu", "sa", "su") for model in small) or {5, 6} <= set(days)
    names = (
        "M",
        "Tu" if "tu" in small or (two and not joined and "t" not in small) else "T",
        "W",
        "R" if "r" in small else "Th",
        "F",
        "Sa" if two and "s" not in small else "S",
        "Su",
    )
    words = [names[day] for day in days]
    if small == models:
        return [word.lower() for word in words]
    return [word.upper() for word in words] if any(len(m) > 1 and m.isupper() for m in models) else words


# --- scanned digits ---------------------------------------------------------------------------------------

_DIGITS = str.maketrans("OolI|", "00111")
_NUMBER = re.compile(r"[0-9OolI|]*[0-9][0-9OolI|]*|(?<![^\W_])[OolI|]{1,2}(?![^\W_])")
_OCTOBER = re.compile(r"(?<![^\W_])0(?=ct)", re.IGNORECASE)
_COLON = re.compile(r"(?<=[/.-]):(?=[0-9])")
_FOREIGN = re.compile(r"[^\W0-9](?<=\d)")


def repair_ocr(text: str) -> str:
    """Return a date with digits for letters that a scanner misread and for the digits of other scripts.

    >>> repair_ocr("O9/l5/2O19"), repair_ocr("0ct l2"), repair_ocr("4/:1/02"), repair_ocr("٣/٤")
    ('09/15/2019', 'Oct 12', '4/01/02', '3/4')
    """
    text = _FOREIGN.sub(lambda digit: str(decimal(digit[0])), text)
    text = _COLON.sub("0", _OCTOBER.sub("O", text))
    return (
        _NUMBER.sub(lambda number: number[0].translate(_DIGITS), text) if re.search("[0-9]", text) else text
    )


def restore_ocr(scanned: str, text: str) -> str:
    """Undo `repair_ocr` in a new text: write its digits with the letters or in the script of the scanned one.

    >>> restore_ocr("l9/O9/l99l", "10/01/1990"), restore_ocr("٣/٤", "4/18")
    ('lO/Ol/l99O', '٤/١٨')
    """
    if foreign := _FOREIGN.search(scanned):
        zero = ord(foreign[0]) - decimal(foreign[0])
        return re.sub("[0-9]", lambda digit: chr(zero + int(digit[0])), text)
    for digit, letters in (("0", "Oo"), ("1", "lI|")):
        if digit not in scanned and (letter := next((letter for letter in scanned if letter in letters), "")):
            text = text.replace(digit, letter)
    return text
