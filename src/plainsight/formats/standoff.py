"""Marks of stand-off formats: check them against the text, and cut those that overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from plainsight.document import Document, Span

_MARKS = "_marks"
_WRITTEN = "_marks_as_written"

_ONE_LINE = str.maketrans("\t\n\r", "   ")


class WrittenMark(NamedTuple):
    """A mark as a file has it: its XML element, its label (``""`` where it has none), and an extent.

    The extent may be empty.
    """

    element: str
    label: str
    start: int
    end: int


def same(noted: str, marked: str) -> bool:
    """Whether the text noted for a mark is the one it marks; line ends and tabs may be noted as spaces."""
    return noted == marked or noted.translate(_ONE_LINE) == marked.translate(_ONE_LINE)


def arrange(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Order the marks of a note and cut those that overlap; equal ones become one.

    The longest mark stays whole, of equally long ones the first. Of the others stay the parts outside it, so
    that all marked text stays marked.
    """
    kept: list[Span] = []  # in order, without overlaps
    for span in sorted(set(spans), key=lambda span: (span.start - span.end, span)):
        first = bisect_right(kept, span.start, key=lambda other: other.end)
        last = bisect_left(kept, span.end, lo=first, key=lambda other: other.start)
        inner = [edge for other in kept[first:last] for edge in (other.start, other.end)]
        edges = [span.start, *inner, span.end]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if start < end:
                insort(kept, replace(span, start=start, end=end))
    return tuple(kept)


def annotated(
    id: str,  # noqa: A002 - the domain's word
    text: str,
    spans: Iterable[Span],
    meta: Mapping[str, Any] | None = None,
) -> Document:
    """Return a note with its marks as spans, cut where they overlap; `marks_of` returns them whole."""
    marks = tuple(dict.fromkeys(spans))
    meta = {key: value for key, value in (meta or {}).items() if key != _WRITTEN}  # these marks are new
    document = Document(id, text, arrange(marks), meta=meta)
    if set(marks) != set(document.spans):
        return replace(document, meta={**document.meta, _MARKS: marks})
    return document


def marks_of(document: Document) -> tuple[Span, ...]:
    """Return the marks of a note, overlapping ones whole.

    If the note's spans have changed since it was read, return its spans.
    """
    marks: tuple[Span, ...] = document.meta.get(_MARKS, ())
    return marks if marks and arrange(marks) == document.spans else document.spans


def with_written_marks(document: Document, marks: Iterable[WrittenMark]) -> Document:
    """Return a note that remembers the marks of its file, for scorers that compare their elements."""
    return replace(document, meta={**document.meta, _WRITTEN: tuple(marks)})


def written_marks(document: Document) -> tuple[WrittenMark, ...] | None:
    """Return the marks of a note's file; None for a format without elements, or if the spans have changed."""
    marks: tuple[WrittenMark, ...] | None = document.meta.get(_WRITTEN)
    if marks is None:
        return None
    extents = {(mark.start, mark.end, mark.label or mark.element) for mark in marks if mark.start < mark.end}
    unchanged = extents == {(span.start, span.end, span.label) for span in marks_of(document)}
    return marks if unchanged else None
