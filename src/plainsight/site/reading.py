"""How long a reader needs for a note: an estimate, so that choices can be compared by time, not by notes.

A reader reads every word, looks at every mark, and changes some marks. The defaults are assumptions: 200
words a minute, which is slow reading for meaning; one second to accept a mark; five to add, move or delete
one. Measure your own readers and give other `Pace`s where that matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainsight.document import Document, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a reader is, in seconds."""

    word: float = 0.3
    mark: float = 1.0
    change: float = 5.0

    def seconds(self, text: str, marks: int, changes: float = 0.0) -> float:
        """Return the time for a text with so many marks, of which so many are changed.

        >>> Pace().seconds("Seen by Dr. Okafor today.", marks=1, changes=0)
        2.5
        """
        return self.word * len(text.split()) + self.mark * marks + self.change * changes


def changes(found: Sequence[Span], right: Sequence[Span]) -> int:
    """Return how many marks a reader adds, moves, relabels or deletes.

    A mark that is moved or relabelled counts once.

    >>> changes([Span(0, 4, "DATE"), Span(9, 12, "AGE")], [Span(0, 4, "DOCTOR"), Span(20, 23, "AGE")])
    3
    """
    before, after = ({(s.start, s.end, s.label) for s in spans} for spans in (found, right))
    wrong, missing = before - after, after - before
    moved = sum(any(start < other[1] and other[0] < end for other in missing) for start, end, _ in wrong)
    return len(wrong) + len(missing) - min(moved, len(missing))


def reading_seconds(note: Document, right: Sequence[Span]) -> float:
    """Return the time for a note with the marks found in it; ``right`` are those after the corrections."""
    return Pace().seconds(note.text, len(note.spans), changes(note.spans, right))
