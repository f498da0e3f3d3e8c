"""Shift date: move every date by a number of days and keep the form it is written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, get_args

from plainsight.document import Document
from plainsight.errors import PluginError, UsageError, suggest
from plainsight.locale import DEFAULT_LOCALE
from plainsight.locale.calendar import load_calendar
from plainsight.replace.surrogate.dates import Dates, HolidayStyle, check_shift
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.scope import Mention, Scope, by_owner


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftDate:
    """Move all dates of a patient by one number of days, so that the intervals between them stay.

    The number is a secret of the ``key``: between ``min_shift`` and ``max_shift`` days forwards or backwards,
    with ``whole_weeks`` in sevens; it is the one that ``surrogate`` uses with the same key and options. With
    ``days`` it is that number for everybody, and no key is needed; anybody who knows it can undo the shift.
    What cannot be read as a date is scrambled, or without a key becomes its label. ``locale`` names the
    country that dates are written in, or its folder. ``holidays`` and ``hide_over_89`` are explained at
    `plainsight.replace.surrogate.dates.Dates`.

    >>> from plainsight.document import Span
    >>> note = Document("1", "Seen 12/28/2019, back Thurs 1/2.", (Span(5, 15, "DATE"), Span(22, 31, "DATE")))
    >>> ShiftDate(days=10).replace([note])
    [['1/7/2020', 'Sun 1/12']]
    """

    name: ClassVar[str] = "shift-date"
    consistency: ClassVar[str] = "patient"
    labels: ClassVar[frozenset[str]] = frozenset({"DATE"})

    key: bytes | None = field(default=None, repr=False)
    min_shift: int = 30
    max_shift: int = 365
    whole_weeks: bool = False
    holidays: HolidayStyle = "shift"
    days: int | None = None
    hide_over_89: bool = True
    locale: str = DEFAULT_LOCALE

    def __post_init__(self) -> None:
        if self.holidays not in get_args(HolidayStyle):
            known = suggest(str(self.holidays), get_args(HolidayStyle))
            raise PluginError(f"shift-date: holidays cannot be {self.holidays!r}{known}")
        if self.days is not None and (type(self.days) is not int or not 0 < abs(self.days) <= 36_500):
            raise PluginError("shift-date: days is a whole number other than 0, a hundred years at most")
        check_shift(self.name, self.min_shift, self.max_shift, whole_weeks=self.whole_weeks)
        load_calendar(self.locale)  # refuse an unknown or broken one at once

    def with_key(self, key: bytes) -> Self:
        """Return the same operation with this key."""
        return replace(self, key=key)

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        """Return the shifted form of each span."""
        if not documents:
            return []
        if self.key is None and self.days is None:
            raise UsageError("shift-date needs a key, or a fixed number of days")
        keyed = Keyed.from_secret(self.key) if self.key is not None else Keyed(b"")
        made: list[list[str]] = [[] for _ in documents]
        for owner, positions in by_owner(documents).items():
            notes = [documents[position] for position in positions]
            for position, shifted in zip(positions, self._shifted(keyed.child(owner), notes), strict=True):
                made[position] = shifted
        return made

    def _shifted(self, keyed: Keyed, notes: Sequence[Document]) -> list[list[str]]:
        mentions = [
            Mention(number, span.start, span.end, "DATE", note.text[span.start : span.end])
            for number, note in enumerate(notes)
            for span in note.spans
        ]
        dates = Dates(
            Scope(keyed, notes, mentions, locale=self.locale),
            min_shift=self.min_shift,
            max_shift=self.max_shift,
            whole_weeks=self.whole_weeks,
            holidays=self.holidays,
            days=self.days,
            hide_over_89=self.hide_over_89,
        )
        read = dates.by_structure(mentions)
        shifted = iter(zip(dates.surrogates(mentions), read, strict=True))
        return [
            [
                # Without a key a scrambled text could be unscrambled.
                text if structured or self.key is not None else f"[{span.label}]"
                for span, (text, structured) in zip(note.spans, shifted, strict=False)
            ]
            for note in notes
        ]
