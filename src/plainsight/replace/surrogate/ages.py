"""Surrogate ages: kept or made a decade up to 89, one bin above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainsight.note_cache import note_cache
from plainsight.replace.mask import AgeStyle, Mask
from plainsight.replace.surrogate.scope import Mention

_YEARS = re.compile(
    r"[\s-]*(?:(?:years?|yrs?|yoa?|y\.?\s?/?o\.?|y)(?:[\s-]*olds?)?)?[\s-]*(?:(?:fe)?males?|(?:wo)?m[ae]n|[mf])?\s*",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\s*\d+(?!\s*[-\d+])|\s*\d+(?=-\D)")
_MONTHS = re.compile(r"\d\s*-?\s*(?:mo|m|w|d|h)", re.IGNORECASE)


class Ages:
    """Surrogate ages.

    | age | ``keep`` | ``decade`` |
    |---|---|---|
    | ``67``, ``sixty-seven``, ``67-year-old`` | as it is written | ``60s`` |
    | ``7`` | as it is written | ``under 10`` |
    | ``14-month``, ``3 week`` | as it is written | as it is written |
    | ``92``, ``ninety-two``, ``90s``, ``88-92`` | ``90+`` | ``90+`` |
    | ``92-year-old``, ``92F`` | ``90+-year-old``, ``90+F`` | the same |
    | ``8l``, ``65+``, ``elderly``: not surely under 90 | ``[AGE]`` | ``[AGE]`` |

    An age that cannot be read is not guessed at: a wrong age would change the medicine of the note.
    """

    def __init__(self, style: AgeStyle = "keep") -> None:
        self._style: AgeStyle = style

    def surrogates(self, mentions: Sequence[Mention]) -> list[str]:
        """Return an age for each mention."""
        return [_age(mention.text, self._style) for mention in mentions]


@note_cache(4096)
def _age(text: str, style: AgeStyle) -> str:
    general = Mask(ages="keep" if _MONTHS.search(text) else style).general("AGE", text)
    number = _DIGITS.match(text)
    if general != "90+" or number is None:
        return general
    tail = text[number.end() :]
    return f"90+{tail}" if _YEARS.fullmatch(tail) else "90+"
