"""Mask: replace identifiers by a more general form that Safe Harbor allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from plainsight import hipaa
from plainsight.document import Document, Span
from plainsight.errors import PluginError, suggest
from plainsight.hipaa import NO_CONTEXT, DateContext, date_contexts

AgeStyle = Literal["decade", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """Replace every identifier by its general form.

    | label | form | examples |
    |---|---|---|
    | DATE | its year or years | ``2/26/2012`` -> ``2012``, ``26-Feb-85`` -> ``1985``, ``1990s`` stays |
    | | no year, or one that shows an age over 89 | ``March 5th`` -> ``[DATE]``, ``1/2/1921`` -> ``[DATE]`` |
    | AGE | its decade | ``67`` -> ``60s``, ``3 week`` -> ``under 10`` |
    | | over 89 | ``92``, ``90s``, ``ninety-one`` -> ``90+`` |
    | | more than one decade, no limit, not readable | ``58-63``, ``65+``, ``8l`` -> ``[AGE]`` |
    | ZIP | three digits by the population rule | ``38114-1702`` -> ``381**``, ``82190`` -> ``000**`` |
    | | no US ZIP code | ``WF14 9AB`` -> ``[ZIP]`` |
    | STATE, COUNTRY | kept, if it is words only | ``Ohio`` stays, ``OH 45402`` -> ``[STATE]`` |
    | all others | the label | ``Jane Roe`` -> ``[PATIENT]``, ``12 Elm St`` -> ``[STREET]`` |

    With ``ages="keep"`` an age up to 89 stays as it is written, as Safe Harbor allows. A two-digit year later
    than the note is of the last century. A birth whose two-digit year may show an age over 89 goes.
    """

    name: ClassVar[str] = "mask"

    ages: AgeStyle = "decade"

    def __post_init__(self) -> None:
        styles = get_args(AgeStyle)
        if self.ages not in styles:
            raise PluginError(f"mask: ages cannot be {self.ages!r}{suggest(str(self.ages), styles)}")

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the general form of each span."""
        return [
            [
                self.general(span.label, document.text[span.start : span.end], context)
                for span, context in with_contexts(document)
            ]
            for document in documents
        ]

    def general(self, label: str, text: str, context: DateContext = NO_CONTEXT) -> str:
        """Return the general form of one identifier; ``context`` is what the note says of a date."""
        general = ""
        if label == "DATE":
            general = _date(text, context)
        elif label == "AGE":
            general = self._age(text)
        elif label == "ZIP":
            prefix = hipaa.zip3(text)
            general = f"{prefix}**" if prefix else ""
        elif label in ("STATE", "COUNTRY"):
            general = text if _WORDS_ONLY.fullmatch(text) else ""
        return general or f"[{label}]"

    def _age(self, text: str) -> str:
        over = hipaa.over_89(text)
        if over:
            return "90+"
        ages = hipaa.age_range(text)
        if over is None or ages is None:
            return ""
        if self.ages == "keep":
            return text
        low, high = ages
        if high is None or low // 10 != high // 10:
            return ""
        return f"{low // 10}0s" if low >= 10 else "under 10"


# With digits in it, the span holds more than a state or country.
_WORDS_ONLY = re.compile(r"[^\W\d_]+\.?(?:(?:[ '’.-]| & )[^\W\d_]+\.?){0,5}")


def with_contexts(document: Document) -> Iterator[tuple[Span, DateContext]]:
    """Yield the spans of a note with what the note says of them, if they are dates."""
    dates = [span for span in document.spans if span.label == "DATE"]
    contexts = date_contexts(document.text, [(span.start, span.end) for span in dates])
    of_date = dict(zip(dates, contexts, strict=True))
    for span in document.spans:
        yield span, of_date.get(span, NO_CONTEXT)


def _date(text: str, context: DateContext) -> str:
    """Return the part of a date that may stay, or nothing."""
    named = hipaa.shown_years(text, context)
    if not named:
        return ""
    if hipaa.year_only(text):
        return text
    return "-".join(map(str, named)) if len(named) <= 2 else ""
