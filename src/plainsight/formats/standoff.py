"""What stand-off formats share: marks checked against the text, and what becomes of those that overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from plainsight.document import Document, Span

_MARKS = "_marks"

_ONE_LINE = str.maketrans("\t\n\r", "   ")


def same(noted: str, marked: str) -> bool:
    """Whether a mark's noted text is what it marks; line ends and tabs may be noted as spaces."""
    return noted == marked or noted.translate(_ONE_LINE) == marked.translate(_ONE_LINE)


def arrange(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Order the marks of a note and cut those that overlap; equal ones become one.

    The longest mark, and of equal ones the first, stays whole. Of the others only what sticks out stays, so
    that nothing marked becomes unmarked.
    """
    kept: list[Span] = []  # in order and disjoint at every step
    for span in sorted(set(spans), key=lambda span: (span.start - span.end, span)):
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
    meta: Mapping[str, Any] | None = None,
) -> Document:
    """Return a note with its marks: as spans that do not overlap, and whole for `marks_of`."""
    marks = tuple(dict.fromkeys(spans))
    document = Document(id, text, arrange(marks), meta=meta or {})
    if set(marks) != set(document.spans):
        return replace(document, meta={**document.meta, _MARKS: marks})
    return document


def marks_of(document: Document) -> tuple[Span, ...]:
    """Return the marks of a note as its file had them, overlapping ones whole; else its spans.

    A note that went through a pipeline since has other spans, and those are its marks.
    """
    marks: tuple[Span, ...] = document.meta.get(_MARKS, ())
    return marks if marks and arrange(marks) == document.spans else document.spans
