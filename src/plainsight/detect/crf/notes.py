"""Notes made ready for channels: tokens, words, and what other detectors claim of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from plainsight.detect.crf.channels import Note
from plainsight.document import Document, Span
from plainsight.text.tokens import Offsets, tokenize

__all__ = ["read_notes"]


def read_notes(documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> list[Note]:
    """Return the notes as channels see them; ``claims`` holds the spans of other detectors for each."""
    made = []
    for document, spans in zip(documents, claims, strict=True):
        tokens = tokenize(document.text)
        words = [document.text[start:end] for start, end in tokens]
        made.append(Note(document, tokens, words, _claims_on(tokens, spans)))
    return made


def _claims_on(tokens: Offsets, spans: Sequence[Span]) -> list[str]:
    """Return for each token who claims it as what, ``patterns B-DATE date|…``: each detector's surest."""
    said: list[dict[str, str]] = [{} for _ in tokens]
    ordered = sorted(spans, key=lambda span: (-span.score, span.start, -span.end, span.label))
    starts = [start for start, _ in tokens]
    for span in ordered:
        detector, _, rule = span.source.partition(".")
        begun = False
        for place in range(_first(tokens, starts, span.start), len(tokens)):
            if tokens[place][0] >= span.end:
                break
            said[place].setdefault(detector, f"{detector} {'I' if begun else 'B'}-{span.label} {rule}")
            begun = True
    return ["|".join(claim[name] for name in sorted(claim)) for claim in said]


def _first(tokens: Offsets, starts: Sequence[int], offset: int) -> int:
    """Return the first token that reaches beyond an offset."""
    place = max(0, bisect_right(starts, offset) - 1)
    return place if place < len(tokens) and tokens[place][1] > offset else place + 1
