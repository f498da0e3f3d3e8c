"""A note cut at the edges of its marks, so that text can change while labels stay exact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from plainsight.document import Document, Span


class Piece(NamedTuple):
    """A stretch of text under one label, or under none."""

    text: str
    label: str = ""


Pieces = list[Piece]

_BLANK = re.compile(r"\n[ \t]*\n\s*")


def cut(document: Document) -> Pieces:
    """Return a note as pieces; their texts together are its text."""
    text, last = document.text, 0
    made: Pieces = []
    for span in document.spans:
        if last < span.start:
            made.append(Piece(text[last : span.start]))
        made.append(Piece(text[span.start : span.end], span.label))
        last = span.end
    if last < len(text):
        made.append(Piece(text[last:]))
    return made


def joined(pieces: Sequence[Piece], name: str) -> Document:
    """Return the note that pieces make."""
    spans: list[Span] = []
    length = 0
    for text, label in pieces:
        end = length + len(text)
        if label and text:
            spans.append(Span(length, end, label))
        length = end
    return Document(name, "".join([piece.text for piece in pieces]), tuple(spans))


def rewrite(document: Document, replacements: Iterable[tuple[Span, str]]) -> Document:
    """Return a note with other texts for some spans, which become its only spans, and without its record."""
    pieces: list[str] = []
    spans: list[Span] = []
    last = length = 0
    for span, text in replacements:
        pieces += document.text[last : span.start], text
        start = length + span.start - last
        length = start + len(text)
        if text:
            spans.append(replace(span, start=start, end=length))
        last = span.end
    text = "".join([*pieces, document.text[last:]])
    return replace(document, text=text, spans=tuple(spans), patient=None)


def paragraphs(pieces: Sequence[Piece]) -> list[Pieces]:
    """Split pieces at blank lines outside labels; each paragraph keeps the blank lines after it."""
    made: list[Pieces] = []
    current: Pieces = []
    for piece in pieces:
        if piece.label or "\n" not in piece.text:
            current.append(piece)
            continue
        last = 0
        for blank in _BLANK.finditer(piece.text):
            current.append(Piece(piece.text[last : blank.end()]))
            made.append(current)
            current, last = [], blank.end()
        if last < len(piece.text):
            current.append(Piece(piece.text[last:]))
    return [*made, current] if current else made
