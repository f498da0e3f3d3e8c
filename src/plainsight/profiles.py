"""Label profiles: what a law or a corpus marks, where that is finer than a list of labels.

A profile has a group of labels (`plainsight.labels.GROUPS`) and rules for parts of them:

| profile | ages | dates |
|---|---|---|
| ``safe-harbor`` | over 89 | all but a lone year; ZIP codes but their first three digits (`hipaa`) |
| ``mimic`` | over 89 | all but a lone weekday |
| ``i2b2-2006`` | over 89 | month and day; the year of a date is left out of the mark |

All other groups have no such rules: every text of their labels counts. Every rule fails closed: a text that
cannot be read with certainty counts whole.

A scheme may also tell two kinds of one of our labels apart by the text: MIMIC's ward names are HOSPITAL here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from plainsight.document import Span
from plainsight.hipaa import identifying, over_89, year_only
from plainsight.label_maps import from_ours
from plainsight.labels import group
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.date_grammar import Field, WrittenDate, parse_date
from plainsight.locale.date_tokens import JOINTS, tokenise

Parts = Sequence[tuple[int, int]]
"""The parts of a span's text that count, as offsets into it."""

_CALENDAR = load_calendar(DEFAULT_LOCALE)
_NAMED_BEFORE_YEAR = re.compile(r"(.*[^\W\d_])[\s,]+(?:19|20)\d\d", re.DOTALL)
_WARD = re.compile(
    r"""(?ix)
    (?= .*\b(?: ward|unit|floor|wing|pod|bay|room|rm|dept|department|[a-z]{0,2}icu|ccu|pacu|stepdown|telemetry
           | \d{1,2}[ -]?(?:north|south|east|west|[nsew]) )\b )
    (?: \b(?: ward|unit|floor|wing|pod|bay|room|rm|dept|department|the|of|[a-z]{0,2}icu|ccu|pacu|stepdown
           | telemetry|intensive|care|coronary|step|down|burn|medical|surgical|cardiac|neuro|trauma|postpartum
           | labor|delivery|maternity|pediatric|paediatric|oncology|north|south|east|west
           | \d{1,4}[a-z]?|[a-z]\d{0,3} )\b
      | [\s/,.\#&-] )+"""
)


def _whole(text: str, counts: bool) -> Parts:
    return [(0, len(text))] if counts else []


def _safe_harbor(label: str, text: str) -> Parts:
    return _whole(text, identifying(label, text))


def _mimic(label: str, text: str) -> Parts:
    if label == "AGE":
        return _whole(text, over_89(text) is not False)
    return _whole(text, label != "DATE" or not _weekday_only(text))


def _i2b2_2006(label: str, text: str) -> Parts:
    if label == "AGE":
        return _whole(text, over_89(text) is not False)
    return without_years(text) if label == "DATE" else _whole(text, True)


_RULES: Mapping[str, Callable[[str, str], Parts]] = MappingProxyType(
    {"safe-harbor": _safe_harbor, "mimic": _mimic, "i2b2-2006": _i2b2_2006}
)

PROFILES: tuple[str, ...] = tuple(_RULES)
"""The groups with rules finer than their labels."""


def parts(profile: str, label: str, text: str) -> Parts:
    """Return the parts of a span's text that a profile or group marks.

    >>> parts("i2b2-2006", "DATE", "08/14/97"), parts("mimic", "AGE", "67"), parts("C", "AGE", "67")
    ([(0, 5)], [], [(0, 2)])
    """
    ours = label.replace("-", "_")  # i2b2-2014 writes LOCATION-OTHER
    if ours not in group(profile):
        return []
    rule = _RULES.get(profile)
    return rule(ours, text) if rule else _whole(text, True)


def in_profile(profile: str, text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans that a profile or group marks; a span with several such parts becomes several."""
    return [
        replace(span, start=span.start + start, end=span.start + end)
        for span in spans
        for start, end in parts(profile, span.label, text[span.start : span.end])
    ]


def written(scheme: str, text: str, spans: Iterable[Span]) -> list[Span]:
    """Return spans as another scheme marks them: its labels, and only what it marks.

    >>> written("i2b2-2006", "Seen 8/14/97", [Span(5, 12, "DATE")])
    [Span(start=5, end=9, label='DATE', score=1.0, source='')]
    """
    if scheme in PROFILES:
        spans = in_profile(scheme, text, spans)
    named = ((span, from_ours(scheme, span.label)) for span in spans)
    return [
        replace(span, label=_finer(scheme, label, text[span.start : span.end]))
        for span, label in named
        if label
    ]


def _finer(scheme: str, label: str, text: str) -> str:
    return "WARD" if scheme == "mimic" and label == "HOSPITAL" and _WARD.fullmatch(text) else label


def _weekday_only(text: str) -> bool:
    """Whether a date is only a weekday or several: ``Tuesday``, ``Mon-Fri``."""
    kinds = {token.kind for token in tokenise(text.strip(), _CALENDAR)} - set(JOINTS)
    return bool(kinds) and kinds <= {"W", "w", "p"}


def without_years(text: str) -> Parts:
    """Return the parts of a date outside its years; a date that cannot be read counts whole.

    >>> [[date[a:b] for a, b in without_years(date)] for date in ("May 3, 1997", "1997-05-03", "1997", "3/4")]
    [['May 3'], ['05-03'], [], ['3/4']]
    """
    if year_only(text):
        return []
    read = parse_date(text, _CALENDAR)
    if not read or "".join(map(_text, read[0].parts)) != text:
        named = _NAMED_BEFORE_YEAR.fullmatch(text)  # a holiday and its year
        return [(0, named.end(1))] if named else _whole(text, True)
    kept: list[tuple[int, int]] = []
    at = start = 0
    for part in read[0].parts:
        end = at + len(_text(part))
        if isinstance(part, Field) and part.role in ("year", "decade") and _sure(read[0], part):
            kept.append((start, at))
            start = end
        at = end
    kept.append((start, at))
    return [edges for one in kept if (edges := _trimmed(text, *one, whole=len(kept) == 1))]


def _text(part: str | Field) -> str:
    return part if isinstance(part, str) else part.text


def _sure(date: WrittenDate, year: Field) -> bool:
    """Whether a number is surely a year: it has more than two signs, or a month beside it."""
    return len(year.text) > 2 or date.grain in ("day", "month")


_JOINTS_OF_YEAR = re.compile(r"\A[\s,./'’()-]+|(?:[\s,./'’()-]|\b(?:of|in|the)\b)+\Z", re.IGNORECASE)


def _trimmed(text: str, start: int, end: int, *, whole: bool) -> tuple[int, int] | None:
    """Return a part of a date without what joined it to a year; None if nothing is left."""
    inside = text[start:end]
    if not any(char.isalnum() for char in inside):
        return None
    if whole:
        return start, end
    for joint in reversed(list(_JOINTS_OF_YEAR.finditer(inside))):
        if joint.start():
            end = start + joint.start()
        else:
            start += joint.end()
    return start, end
