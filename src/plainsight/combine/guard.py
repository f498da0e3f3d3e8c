"""The guard of medicine: refuse spans that are clinical forms, before anything is replaced.

``1/2 rate``, ``G4P2012``, ``L breast`` and ``another fall`` look like dates, codes, initials and seasons.
Where a detector takes one for an identifier, a dose or a finding would change. The guard looks at each span
and a few characters around it. `plainsight.locale.clinical_forms` says what a clinical form is, the eponyms
of `plainsight.text.word_lists` which names are medical terms. It runs on combined spans, whatever detector
found them.

What the patient's record holds is never refused.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from plainsight.document import Document, Span
from plainsight.locale import DEFAULT_LOCALE, default_locale
from plainsight.locale.clinical_forms import clinical_forms
from plainsight.text.word_lists import eponyms

_NAMES = frozenset({"PATIENT", "DOCTOR"})
_RECORD = "patient"
_REACH = 24
_CUES = default_locale().patterns("record_cues")
_MEDICAL_NOUN = re.compile(
    rf"(?:['’]?s(?![ \t-](?:{_CUES['owned']})\b))?[ \t-](?!neg|pos|cell)(?:{_CUES['after_eponym']})\b",
    re.IGNORECASE,
)

_NO_YEAR = r"((?:0\d|1[0-8]|2[1-3])[0-5]\d)(?!\d|[/.-]\d)"
_CLOCK = re.compile(rf"^[ \t]*[\[(]?{_NO_YEAR}", re.MULTILINE)
_CLOCKS = re.compile(rf"(?<![^ \t\n(]){_NO_YEAR}")
_YEAR_OR_TIME = re.compile(r"(?:19|20)[0-5]\d")
_YEAR_OF_DATE = re.compile(
    r"(?<![\d/.-])(?:\d{1,2}[/.-]\d{1,2}[/.-](20\d\d|[0-4]\d)|(20\d\d)-\d\d-\d\d|"
    r"[A-Z][a-z]{2,8}\.? \d{1,2}, (20\d\d))(?![\d/])"
)
_NUMBER_OF_A_YEAR = re.compile(r"(?<![\w/.:-])20[0-5]\d(?![\w/:-])")
_CLAUSE_END = re.compile(r"[.;] ")
_CLOCK_REACH, _ROW_REACH = 400, 48

EPONYM = "eponym"
"""The form of a name in a medical term: ``Baker cyst``."""

TIME = "time of day"
"""The form of a time that looks like a year, in a column of times: ``1935 turned, 2010 meds given``."""


class Refused(NamedTuple):
    """A span that was refused, and the name of the clinical form that it is."""

    span: Span
    form: str


class Guard:
    """Refuse spans that are clinical forms of a locale."""

    def __init__(self, locale: str = DEFAULT_LOCALE) -> None:
        self._forms = clinical_forms(locale)

    def refuse(self, document: Document) -> tuple[Document, list[Refused]]:
        """Return a document without the spans that are clinical forms, and those spans."""
        refused = [Refused(span, form) for span in document.spans if (form := self.form(document.text, span))]
        if not refused:
            return document, refused
        spans = {one.span for one in refused}
        return replace(document, spans=tuple(span for span in document.spans if span not in spans)), refused

    def form(self, text: str, span: Span) -> str:
        """Return the name of the clinical form that a span is, or nothing.

        >>> Guard().form("Diet and 1/2 rate.", Span(9, 12, "DATE"))
        'ratio'
        """
        form = self._forms.find(text, span.start, span.end, span.label)
        if not form and span.label in _NAMES and _is_eponym(text, span.start, span.end):
            form = EPONYM
        elif not form and span.label == "DATE" and _is_time(text, span.start, span.end):
            form = TIME
        return "" if form and _of_record(span) else form


def _is_eponym(text: str, start: int, end: int) -> bool:
    """Whether a name means a sign, a disease or a device here."""
    if not _MEDICAL_NOUN.match(text, end, end + _REACH):
        return False
    known = eponyms()
    return all(word.encode() in known for word in text[start:end].lower().replace("-", " ").split())


def _is_time(text: str, start: int, end: int) -> bool:
    """Whether a number that may be a year is one of several times, of which two are no years or yet to come.

    It begins a line as they do, or stands with them in one clause.
    """
    if not _YEAR_OR_TIME.fullmatch(text, start, end):
        return False
    line = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    before = _CLAUSE_END.split(text[max(line, start - _ROW_REACH) : start])[-1]
    behind = _CLAUSE_END.split(text[start : min(end + _ROW_REACH, after if after > 0 else len(text))])[0]
    if len({*_CLOCKS.findall(before + behind), *_years_to_come(before + behind, text)}) > 1:
        return True
    if text[line:start].strip(" \t[("):
        return False
    near = text.rfind("\n", 0, max(0, start - _CLOCK_REACH)) + 1
    return len(set(_CLOCK.findall(text, near, end + _CLOCK_REACH))) > 1


def _years_to_come(part: str, text: str) -> list[str]:
    """Return the numbers in a part of a note that would be years after the next one."""
    found: list[str] = _NUMBER_OF_A_YEAR.findall(part)
    if not found:
        return found
    years = [int(year[-2:]) for groups in _YEAR_OF_DATE.findall(text) for year in groups if year]
    return [number for number in found if years and int(number[-2:]) > max(years) + 1]


def _of_record(span: Span) -> bool:
    """Whether the patient's record is behind a span, at first or second hand."""
    return any(_RECORD in claim.source.split(".")[:2] for claim in (span, *span.claims))
