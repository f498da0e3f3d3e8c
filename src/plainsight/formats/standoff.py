"""What stand-off formats share: marks checked against the text, and what becomes of those that overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from plainsight.document import Document, Span
from plainsight.errors import FormatError

__all__ = ["Overlaps", "annotated", "arrange", "marks_of", "same"]

Overlaps = Literal["refuse", "cut", "keep"]
"""What becomes of marks that overlap.

``refuse`` sets the note aside, ``cut`` lets the longest mark keep its place; ``keep`` cuts as well, and holds
the marks as they were in the note's ``_marks``, where `marks_of` finds them: scorers compare those.
"""

_MARKS = "_marks"

_ONE_LINE = str.maketrans("\t\n\r", "   ")


def same(noted: str, marked: str) -> bool:
    """Whether a mark's noted text is what it marks; line ends and tabs may be noted as spaces."""
    return noted == marked or noted.translate(_ONE_LINE) == marked.translate(_ONE_LINE)


def arrange(spans: Iterable[Span], overlaps: Overlaps) -> tuple[Span, ...]:
    """Order the marks of a note; equal ones become one.

    Overlapping marks are refused, or cut: the longest one, and of equals the first, stays whole; of the
    others only what sticks out stays, so that nothing marked becomes unmarked.
    """
    ordered = sorted(set(spans))
    if overlaps != "refuse":
        return _cut(ordered)
    for before, after in pairwise(ordered):
        if after.start < before.end:
            raise FormatError(f"marks overlap at character {after.start}")
    return tuple(ordered)


def _cut(spans: list[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []  # in order and disjoint at every step
    for span in sorted(spans, key=lambda span: (span.start - span.end, span)):
        first = bisect_right(kept, span.start, key=lambda other: other.end)
        last = bisect_left(kept, span.end, lo=first, key=lambda other: other.start)
        edges = [
            span.start,
            *(edge for other in kept[first:last] for edge in (other.start, other.end)),
            span.end,
        ]
        gaps = zip(edges[::2], edges[1::2], strict=True)
        for part in [replace(span, start=start, end=end) for start, end in gaps if start < end]:
            insort(kept, part)
    return tuple(kept)


def annotated(
    id: str,  # noqa: A002 - the domain's word
    text: str,
    spans: Iterable[Span],
    overlaps: Overlaps,
    meta: Mapping[str, Any] | None = None,
) -> Document:
    """Return a note with its marks, which may overlap as far as ``overlaps`` allows."""
    marks = tuple(dict.fromkeys(spans))
    document = Document(id, text, arrange(marks, overlaps), meta=meta or {})
    if overlaps == "keep" and set(marks) != set(document.spans):
        return replace(document, meta={**document.meta, _MARKS: marks})
    return document


def marks_of(document: Document) -> tuple[Span, ...]:
    """Return the marks of a note as its file had them, overlapping ones whole; else its spans.

    A note that went through a pipeline since has other spans, and those are its marks.
    """
    marks: tuple[Span, ...] = document.meta.get(_MARKS, ())
    return marks if marks and arrange(marks, "cut") == document.spans else document.spans
