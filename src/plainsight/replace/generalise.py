"""Generalise: replace identifiers by broader ones that are still of use for research."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, get_args

from plainsight import hipaa
from plainsight.document import Document, Span
from plainsight.errors import PluginError, suggest
from plainsight.lists import load
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import DAY_FIRST, parse_date
from plainsight.locale.date_render import repair_ocr
from plainsight.replace.mask import Mask, with_contexts
from plainsight.replace.surrogate.professions import sector_of

DateForm = Literal["year", "month", "quarter", "decade"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalise:
    """Replace every identifier by a broader one.

    | label | form | examples |
    |---|---|---|
    | PROFESSION | its sector | ``glazier`` -> ``construction worker`` |
    | AGE | a bin of ``age_bin`` years, ending at 89 | ``67`` -> ``60-69``, ``14-month`` -> ``0-9`` |
    | | over 89 | ``92`` -> ``90+`` |
    | DATE | by ``date``: ``year`` | ``2/26/2012`` -> ``2012`` |
    | | ``month``, ``quarter``, if one month is named | ``2/26/2012`` -> ``2012-02``, ``2012-Q1`` |
    | | ``decade`` | ``2/26/2012`` -> ``2010s`` |
    | CITY | its size: over 500,000 people, 100,000, 10,000, fewer | ``[large city]``, ``[city]``, ``[town]``, ``[small town]`` |
    | all others | as `plainsight.replace.mask.Mask` has it | ``38114`` -> ``381**``, ``Jane Roe`` -> ``[PATIENT]`` |

    What cannot be read, or fits no single bin, becomes its label: ``[AGE]``. Months are finer than Safe Harbor
    allows. A numeric date is read month first, as in the US, unless that is no date or its signs are full
    stops (6.3.2019).
    """  # noqa: E501

    name: ClassVar[str] = "generalise"

    age_bin: int = 10
    date: DateForm = "year"

    def __post_init__(self) -> None:
        if type(self.age_bin) is not int or not 1 <= self.age_bin <= 90:
            raise PluginError("generalise: age_bin is a whole number of years from 1 to 90")
        if self.date not in get_args(DateForm):
            hint = suggest(str(self.date), get_args(DateForm))
            raise PluginError(f"generalise: date cannot be {self.date!r}{hint}")

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the broader form of each span."""
        return [
            [self._broader(document, span, context) for span, context in with_contexts(document)]
            for document in documents
        ]

    def _broader(self, document: Document, span: Span, context: hipaa.DateContext) -> str:
        text = document.text[span.start : span.end]
        mask = Mask().general(span.label, text, context)
        if span.label == "PROFESSION":
            sector = sector_of(text)
            return sector.name if sector else mask
        if span.label == "AGE":
            return mask if mask == "90+" else self._age(text) or "[AGE]"
        if span.label == "DATE":
            return mask if mask == "[DATE]" else self._date(text, mask, context)
        if span.label == "CITY":
            return _city(text, document.text[span.end : span.end + 20]) or mask
        return mask

    def _age(self, text: str) -> str:
        ages = hipaa.age_range(text)
        if ages is None or ages[1] is None or ages[0] // self.age_bin != ages[1] // self.age_bin:
            return ""
        low = ages[0] // self.age_bin * self.age_bin
        high = min(low + self.age_bin - 1, 89)
        return f"{low}-{high}" if low < high else str(low)

    def _date(self, text: str, year: str, context: hipaa.DateContext) -> str:
        """Return a date in the form asked for; ``year`` is its year or years, which Safe Harbor lets stay."""
        named = hipaa.shown_years(text, context)
        if self.date == "decade":
            decades = dict.fromkeys(f"{year // 10}0s" for year in named)
            return "-".join(decades)
        month = _month(text) if len(named) == 1 else 0
        if self.date == "year" or not month:
            return year
        return f"{named[0]}-{month:02}" if self.date == "month" else f"{named[0]}-Q{(month + 2) // 3}"


def _month(text: str) -> int:
    """Return the one month that a date names, or 0."""
    calendar = load_calendar(DEFAULT_LOCALE)
    readings = parse_date(text, calendar) or parse_date(repair_ocr(text), calendar)
    day_first = [reading for reading in readings if reading.shape == "N.4" and reading.form in DAY_FIRST]
    chosen = (day_first or readings)[:1]
    months = {field.value for reading in chosen for field in reading.fields if field.role == "month"}
    return months.pop() if len(months) == 1 else 0


# --- cities -----------------------------------------------------------------------------------------------

_SIZES = ((500_000, "[large city]"), (100_000, "[city]"), (10_000, "[town]"), (0, "[small town]"))
_STATE_AFTER = re.compile(r",?\s+([A-Z]{2})\b")


def _city(text: str, after: str) -> str:
    """Return the class of size of a US city: in the state that follows, else of the largest of that name."""
    known = _cities().get(" ".join(text.casefold().split()))
    if not known:
        return ""
    state = _STATE_AFTER.match(after)
    people = known.get(state[1], 0) if state else 0
    return next(size for least, size in _SIZES if (people or max(known.values())) >= least)


@cache
def _cities() -> dict[str, dict[str, int]]:
    """Return for each city's name the people it has in each state."""
    table, known = load("us_cities"), dict[str, dict[str, int]]()
    for name, state, people in zip(table["name"], table["state"], table["population"], strict=True):
        for form in {name.casefold(), name.casefold().removesuffix(" city")}:
            known.setdefault(form, {}).setdefault(state, int(people))
    return known
