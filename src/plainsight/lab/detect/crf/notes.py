"""Notes as feature templates see them: tokens, words, and the claims of other detectors."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from plainsight.document import Document, Span
from plainsight.text.tokenizers import cut_sequences, tokenizer
from plainsight.text.tokens import Offsets


@dataclass(frozen=True, slots=True)
class Note:
    """A sequence of a note's tokens: the whole note, or a sentence of it. Features do not reach beyond it.

    ``claims`` says for each token which detectors claim it as what; ``proposed`` holds the claims themselves.
    ``owner`` is the place of the document among those that were read together.
    """

    document: Document
    tokens: Offsets
    words: Sequence[str]
    claims: Sequence[str]
    proposed: Sequence[Span] = ()
    owner: int = 0


def read_notes(
    documents: Sequence[Document],
    claims: Sequence[Sequence[Span]],
    *,
    tokens: str = "plainsight",
    sequences: str = "record",
) -> list[Note]:
    """Cut notes into tokens and sequences; ``claims`` holds the spans that others propose in each."""
    cut = tokenizer(tokens)
    made = []
    for owner, (document, spans) in enumerate(zip(documents, claims, strict=True)):
        for offsets in cut_sequences(document.text, cut(document.text), sequences):
            words = [document.text[start:end] for start, end in offsets]
            made.append(Note(document, offsets, words, _claims_on(offsets, spans), spans, owner))
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
