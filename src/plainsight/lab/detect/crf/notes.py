"""Notes made ready for channels: tokens, words, and what other detectors claim of each."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

from plainsight.document import Document, Span
from plainsight.lab.detect.crf.channels import Note
from plainsight.text.tokens import Offsets, tokenize

__all__ = ["read_notes"]


def read_notes(documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> list[Note]:
    """Return the notes as channels see them; ``claims`` holds the spans of other detectors for each."""
    made = []
    for document, spans in zip(documents, claims, strict=True):
        tokens = tokenize(document.text)
        words = [document.text[start:end] for start, end in tokens]
        made.append(Note(document, tokens, words, _claims_on(tokens, spans), spans))
    return made


def _claims_on(tokens: Offsets, spans: Sequence[Span]) -> list[str]:
    """Return for each token who claims it as what, ``patterns B-DATE date|…``: each detector's surest."""
    said: dict[int, dict[str, str]] = defaultdict(dict)
    for span in sorted(spans, key=lambda span: (-span.score, span.start, -span.end, span.label)):
        detector, _, rule = span.source.partition(".")
        first = place = _first(tokens, span.start)
        while place < len(tokens) and tokens[place][0] < span.end:
            said[place].setdefault(
                detector, f"{detector} {'B' if place == first else 'I'}-{span.label} {rule}"
            )
            place += 1
    claims = [""] * len(tokens)
    for place, claim in said.items():
        claims[place] = "|".join(claim[name] for name in sorted(claim))
    return claims


def _first(tokens: Offsets, offset: int) -> int:
    """Return the first token that reaches beyond an offset."""
    place = max(0, bisect_right(tokens, offset, key=itemgetter(0)) - 1)
    return place if place < len(tokens) and tokens[place][1] > offset else place + 1
