"""Notes prepared for feature templates: tokens, words, and what other detectors claim of each token."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from plainsight.document import Document, Span
from plainsight.text.tokens import Offsets, tokenize


@dataclass(frozen=True, slots=True)
class Note:
    """A note as feature templates see it.

    ``claims`` says for each token which detectors claim it as what; ``proposed`` holds the claims themselves.
    """

    document: Document
    tokens: Offsets
    words: Sequence[str]
    claims: Sequence[str]
    proposed: Sequence[Span] = ()


def read_notes(documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> list[Note]:
    """Tokenize notes; ``claims`` holds the spans that other detectors propose in each."""
    made = []
    for document, spans in zip(documents, claims, strict=True):
        tokens = tokenize(document.text)
        words = [document.text[start:end] for start, end in tokens]
        made.append(Note(document, tokens, words, _claims_on(tokens, spans), spans))
    return made


def _claims_on(tokens: Offsets, spans: Sequence[Span]) -> list[str]:
    """Return the best claim of each detector on each token, such as ``patterns B-DATE date|…``."""
    best: dict[int, dict[str, str]] = defaultdict(dict)
    for span in sorted(spans, key=lambda span: (-span.score, span.start, -span.end, span.label)):
        detector, _, rule = span.source.partition(".")
        first = place = _first(tokens, span.start)
        while place < len(tokens) and tokens[place][0] < span.end:
            prefix = "B" if place == first else "I"
            best[place].setdefault(detector, f"{detector} {prefix}-{span.label} {rule}")
            place += 1
    claims = [""] * len(tokens)
    for place, claim in best.items():
        claims[place] = "|".join(claim[name] for name in sorted(claim))
    return claims


def _first(tokens: Offsets, offset: int) -> int:
    """Return the first token that ends after an offset."""
    place = max(0, bisect_right(tokens, offset, key=itemgetter(0)) - 1)
    return place if place < len(tokens) and tokens[place][1] > offset else place + 1
