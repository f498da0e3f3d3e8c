"""Shift date: move every date by a number of days and keep the form it is written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from plainsight.document import Document
from plainsight.errors import PluginError, UsageError
from plainsight.replace.surrogate.dates.options import DateOptions
from plainsight.replace.surrogate.dates.shifter import Dates
from plainsight.replace.surrogate.failure import stand_in
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Scope, by_owner, mentions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftDate(DateOptions):
    """Move all dates of a patient by one number of days, so that the intervals between them stay.

    The number is a secret of the ``key``: between ``min_shift`` and ``max_shift`` days forwards or backwards,
    with ``whole_weeks`` in sevens; it is the one that ``surrogate`` uses with the same key and options. With
    ``days`` it is that number for everybody, and no key is needed; anybody who knows it can undo the shift.
    What cannot be read as a date becomes what ``on_failure`` says, by default its label. ``locale`` names
    the country that dates are written in, or its folder. ``holidays`` and ``hide_over_89`` are explained at
    `plainsight.replace.surrogate.dates.shifter.Dates`.

    >>> from plainsight.document import Span
    >>> note = Document("1", "Seen 12/28/2019, back Thurs 1/2.", (Span(5, 15, "DATE"), Span(22, 31, "DATE")))
    >>> ShiftDate(days=10).replace([note])
    [['1/7/2020', 'Sun 1/12']]
    """

    name: ClassVar[str] = "shift-date"
    consistency: ClassVar[str] = "patient"
    labels: ClassVar[frozenset[str]] = frozenset({"DATE"})

    days: int | None = None

    def __post_init__(self) -> None:
        DateOptions.__post_init__(self)
        if self.days is not None and (type(self.days) is not int or not 0 < abs(self.days) <= 36_500):
            raise PluginError("shift-date: days is a whole number other than 0, a hundred years at most")

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the shifted form of each span."""
        if not documents:
            return []
        if self.key is None and self.days is None:
            raise UsageError("shift-date needs a key, or a fixed number of days")
        keyed = self.keyed() if self.key is not None else Keyed(b"")
        made: list[list[str]] = [[] for _ in documents]
        for owner, positions in by_owner(documents).items():
            notes = [documents[position] for position in positions]
            scope = Scope(keyed.child(owner), notes, mentions_of(notes), locale=self.locale)
            dates = Dates(scope, self, days=self.days).surrogates(scope.mentions)
            secret = scope.keyed if self.key is not None else None
            for mention, text in zip(scope.mentions, dates, strict=True):
                safe = text or stand_in(self.on_failure, mention.label, mention.text, secret)
                made[positions[mention.note]].append(safe)
        return made
