"""What stand-off formats share: marks checked against the text, and the XML layout of i2b2-2014 and MEDDOCAN.

A file of that layout holds one note: its text, then one element per identifier, named by category, with
``start``, ``end``, ``text`` and ``TYPE``. Offsets count the code points of the text as an XML parser gives it
(see `markup` for line ends).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from plainsight.document import Document, Span
from plainsight.errors import FormatError, SpanError
from plainsight.formats.markup import attribute, cdata, parse, refuse_characters

__all__ = ["Layout", "Overlaps", "annotated", "arrange", "marks_of", "parse_note", "render_note", "same"]

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


@dataclass(frozen=True, slots=True)
class Layout:
    """How one corpus writes the shared layout."""

    root: str
    """The root element."""
    categories: Mapping[str, str]
    """Label to the element that marks it; labels that are not in it are marked ``OTHER``."""
    prefix: str
    """What the marks' ids begin with."""
    first: int
    """The number of the first mark."""
    declaration: str
    indent: str
    close: str
    """How an empty element ends."""


def parse_note(layout: Layout, id: str, data: bytes, where: str, overlaps: Overlaps) -> Document:  # noqa: A002
    """Read one file of the layout."""
    root = parse(data, where)
    if root.name != layout.root:
        raise FormatError(f"the root element is not <{layout.root}>", f"{where}:{root.line}")
    holder, tags = root.child("TEXT"), root.child("TAGS")
    if holder is None:
        raise FormatError(f"<{layout.root}> has no <TEXT>", f"{where}:{root.line}")
    text = holder.text
    spans = []
    for tag in tags.children if tags else ():
        place = f"{where}:{tag.line}"
        label = tag.attributes.get("TYPE", "")
        try:
            span = Span(int(tag.attributes["start"]), int(tag.attributes["end"]), label)
        except (KeyError, ValueError):
            raise FormatError("a mark needs whole numbers as start and end", place) from None
        except SpanError as error:
            raise FormatError(str(error) if label else "a mark has no TYPE", place) from None
        if span.end > len(text):
            raise FormatError(f"a mark ends at {span.end}, the text at {len(text)}", place)
        noted = tag.attributes.get("text")
        if noted is not None and not same(noted, text[span.start : span.end]):
            raise FormatError(f"the text noted for the mark at {span.start} is not what stands there", place)
        spans.append(span)
    return annotated(id, text, spans, overlaps)


def render_note(layout: Layout, document: Document) -> bytes:
    """Write one file of the layout, in UTF-8."""
    refuse_characters(document.text, document.id)
    indent = layout.indent
    out = [
        layout.declaration,
        f"<{layout.root}>",
        f"{indent}<TEXT>{cdata(document.text)}</TEXT>",
        f"{indent}<TAGS>",
    ]
    for number, span in enumerate(document.spans, start=layout.first):
        refuse_characters(span.label, document.id)
        out.append(
            f"{indent}{indent}<{layout.categories.get(span.label, 'OTHER')}"
            f' id="{layout.prefix}{number}" start="{span.start}" end="{span.end}"'
            f" text={attribute(document.text[span.start : span.end])} TYPE={attribute(span.label)}"
            f' comment=""{layout.close}'
        )
    return "\n".join([*out, f"{indent}</TAGS>", f"</{layout.root}>", ""]).encode()
