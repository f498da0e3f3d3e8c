"""The patterns detector: deterministic rules for identifiers that have a shape."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from plainsight.detect.patterns import addresses, ages, contacts, numbers
from plainsight.detect.patterns.dates import date_rules
from plainsight.detect.patterns.rule import Rule
from plainsight.document import Document, Span
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.locale.number_kinds import number_kinds
from plainsight.text.shadow import shadow


def rules(locale: str) -> tuple[Rule, ...]:
    """Return the rules of a locale, by its name or folder."""
    return date_rules(locale) + ages.RULES + contacts.RULES + numbers.rules(locale) + addresses.RULES


# Notes are scanned as one text: a call of the scanner costs more than reading a short note. A scan takes NUL
# for the end of a text, and none reaches across so many of them.
_BETWEEN = bytes(64)


class Patterns:
    """Find dates, ages, contacts, numbers and addresses by shape, context cues and validity checks.

    ``locale`` is the name of a shipped locale, or the path of a folder, see `plainsight.locale`.
    """

    name: ClassVar[str] = "patterns"
    local: ClassVar[bool] = True
    labels: ClassVar[frozenset[str]] = frozenset(
        {
            "ACCOUNT", "AGE", "BIOID", "DATE", "DEVICE", "EMAIL", "FAX", "HEALTHPLAN", "IDNUM", "IPADDR",
            "LICENSE", "MEDICALRECORD", "PHONE", "SSN", "STATE", "STREET", "URL", "USERNAME",
            "VEHICLE", "ZIP",
        }
    )  # fmt: skip

    def __init__(self, *, locale: str = DEFAULT_LOCALE) -> None:
        self.locale = locale
        load_calendar(locale), number_kinds(locale)  # refuse an unknown or broken one at once

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the rules claim in each document."""
        views = [shadow(document.text) for document in documents]
        starts = [0, *accumulate(len(view) + len(_BETWEEN) for view in views)]
        text = _BETWEEN.join(views)
        found: list[list[Span]] = [[] for _ in documents]
        for rule in rules(self.locale):
            source, check = f"patterns.{rule.name}", rule.check
            number = begin = end = 0
            for first, last in rule.candidates(text):
                if first >= end:
                    number = bisect_right(starts, first, number) - 1
                    begin, end = starts[number], starts[number + 1] - len(_BETWEEN)
                for claim in check(views[number], first - begin, min(last, end) - begin):
                    found[number].append(Span(*claim, source))
        return found
