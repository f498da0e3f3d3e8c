"""A note as an encoder reads it: pieces, and for each how its word is written and what comes before it.

Pre-trained vocabularies drop what clinical notes live by: capitals and line ends. Both are given to the
network beside the pieces, and so are what the rules claim and which lists a word is in, if the model has
learnt to look at them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.lexicon.judged import judged
from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.document import Document, Span
from plainsight.text.tokens import Offsets, tokenize

__all__ = ["CASES", "GAPS", "LISTS", "Reading", "read"]

Ints = NDArray[np.int32]

CASES = 8
"""How a word is written: the number of ways told apart."""

GAPS = 6
"""What stands before a piece: the number of things told apart."""

LISTS = 30
"""The bits of what the vocabulary says of a word; models have learnt what each of them means."""

_OTHER, _NUMBER, _SMALL, _CAPITALS, _CAPITAL, _TITLE, _MIXED, _SIGN = range(CASES)
_GLUED, _SPACE, _WIDE, _LINE, _PARAGRAPH, _SAME_WORD = range(GAPS)


@dataclass(frozen=True, slots=True)
class Reading:
    """One note: its tokens, where each begins among the pieces, and five numbers for each piece."""

    tokens: Offsets
    first: Ints
    pieces: Ints
    case: Ints
    gap: Ints
    claim: Ints
    lists: Ints


def read(
    document: Document,
    make: PieceMaker,
    *,
    claims: Sequence[Span] = (),
    labels: Mapping[str, int] | None = None,
    lists: bool = False,
) -> Reading:
    """Read a note. ``labels`` numbers the labels of claims from 1 on; without it they are not looked at.

    With ``lists``, every word is looked up in the vocabulary.
    """
    text = document.text
    tokens = tokenize(text)
    words = [text[start:end] for start, end in tokens]
    spaces = [_PARAGRAPH] if tokens else []
    spaces += [_gap(text[before:start]) for (_, before), (start, _) in pairwise(tokens)]
    cut = make.each(words, [space != _GLUED for space in spaces])
    counts = list(map(len, cut))
    edges = [0, *accumulate(counts)]
    first = np.array(edges[:-1], np.int32)
    pieces = np.fromiter(chain.from_iterable(cut), np.int32, edges[-1])
    case = np.repeat(np.array([_case(word) for word in words], np.int32), counts)
    gap = np.full(len(pieces), _SAME_WORD, np.int32)
    gap[first] = spaces
    claim = np.zeros(len(pieces), np.int32)
    if labels:
        _mark(claim, claims, tokens, edges, labels)
    found = np.array([_listed(word) for word in words] if lists else [0] * len(words), np.int32)
    return Reading(tokens, first, pieces, case, gap, claim, np.repeat(found, counts))


@lru_cache(1 << 16)
def _case(word: str) -> int:
    if word.isdecimal():
        return _NUMBER
    if word.islower():
        return _SMALL
    if word.isupper():
        return _CAPITALS if len(word) > 1 else _CAPITAL
    if word.istitle():
        return _TITLE
    return _MIXED if word.isalpha() else _OTHER if word.isalnum() else _SIGN


@lru_cache(1 << 16)
def _listed(word: str) -> int:
    """Return what the vocabulary says of a word in whatever case: names are told from words by frequency."""
    return judged()[word.capitalize().encode()] if word.isalpha() and word.isascii() else 0


@lru_cache(1 << 12)
def _gap(space: str) -> int:
    if len(space) <= 1:
        return (_LINE if space in "\r\n" else _WIDE if space == "\t" else _SPACE) if space else _GLUED
    lines = len(space.splitlines()) - (space[-1] not in "\r\n")
    return (_WIDE, _LINE, _PARAGRAPH)[min(lines, 2)]


def _mark(
    claim: Ints, spans: Sequence[Span], tokens: Offsets, edges: Sequence[int], labels: Mapping[str, int]
) -> None:
    """Write the surest claim's label onto the pieces of each token."""
    starts = [start for start, _ in tokens]
    for span in sorted(spans, key=lambda span: (span.score, -span.start, span.label)):
        number = labels.get(span.label, 0)
        here = max(0, bisect_right(starts, span.start) - 1)
        while here < len(tokens) and tokens[here][0] < span.end:
            if tokens[here][1] > span.start:
                claim[edges[here] : edges[here + 1]] = number
            here += 1
