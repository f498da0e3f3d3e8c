"""The patterns detector: deterministic rules for identifiers that have a shape."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import ClassVar

from plainsight.detect.patterns import addresses, ages, contacts, dates, numbers
from plainsight.detect.patterns.rule import Rule
from plainsight.document import Document, Span
from plainsight.text.shadow import shadow

__all__ = ["Patterns"]

RULES: tuple[Rule, ...] = dates.RULES + ages.RULES + contacts.RULES + numbers.RULES + addresses.RULES

# Notes are scanned as one text: a call of the scanner costs more than reading a short note. A scan takes NUL
# for the end of a text, and none reaches across so many of them.
_BETWEEN = bytes(64)


class Patterns:
    """Find dates, ages, contacts, numbers and addresses by shape, context cues and validity checks."""

    name: ClassVar[str] = "patterns"
    labels: ClassVar[frozenset[str]] = frozenset(
        {
            "ACCOUNT", "AGE", "BIOID", "DATE", "DEVICE", "EMAIL", "FAX", "HEALTHPLAN", "HOSPITAL", "IDNUM",
            "IPADDR", "LICENSE", "MEDICALRECORD", "PHONE", "SSN", "STATE", "STREET", "URL", "USERNAME",
            "VEHICLE", "ZIP",
        }
    )  # fmt: skip

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what the rules claim in each document."""
        views = [shadow(document.text) for document in documents]
        starts = [0, *accumulate(len(view) + len(_BETWEEN) for view in views)]
        text = _BETWEEN.join(views)
        found: list[list[Span]] = [[] for _ in documents]
        for rule in RULES:
            source = f"patterns.{rule.name}"
            for number, hits in _by_note(rule.candidates(text), starts):
                found[number] += [Span(*claim, source) for claim in rule.decide(views[number], hits)]
        return found


def _by_note(
    candidates: Iterable[tuple[int, int]], starts: Sequence[int]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield the number of each note that holds candidates, and where in it they stand."""
    number, begin, end, hits = -1, 0, 0, list[tuple[int, int]]()
    for first, last in candidates:
        if first >= end:
            if hits:
                yield number, hits
            number = bisect_right(starts, first, number + 1) - 1
            begin, end, hits = starts[number], starts[number + 1] - len(_BETWEEN), []
        hits.append((first - begin, min(last, end) - begin))
    if hits:
        yield number, hits
