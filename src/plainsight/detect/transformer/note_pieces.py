"""A note as an encoder reads it: pieces, and for each how its word is written and what comes before it.

Pre-trained vocabularies drop what clinical notes live by: capitals and line ends. Both are given to the
network beside the pieces, and so are what the rules claim and which lists a word is in, if the model has
learnt to look at them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.document import Document, Span
from plainsight.note_cache import note_cache
from plainsight.text.tokens import Offsets, tokenize
from plainsight.text.vocabulary import flags_of

Ints = NDArray[np.int32]

CASES = 8
"""How a word is written: the number of ways told apart."""

GAPS = 6
"""What stands before a piece: the number of things told apart."""

_OTHER, _NUMBER, _SMALL, _CAPITALS, _CAPITAL, _TITLE, _MIXED, _SIGN = range(CASES)
_GLUED, _SPACE, _WIDE, _LINE, _PARAGRAPH, _SAME_WORD = range(GAPS)


@dataclass(frozen=True, slots=True)
class NotePieces:
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
    at: NDArray[np.int64] | None = None,
    margin: int = 0,
) -> NotePieces:
    """Read a note. ``labels`` numbers the labels of claims from 1 on; without it they are not looked at.

    With ``lists``, every word is looked up in the vocabulary. With ``at``, the places of some tokens, only
    what windows with such a ``margin`` around them may see is read; every other token is one blank piece.
    """
    text = document.text
    tokens = tokenize(text)
    near = np.ones(len(tokens), np.bool_) if at is None else _near(at, margin, len(tokens))
    places = np.flatnonzero(near).tolist()
    words = [text[slice(*tokens[place])] for place in places]
    spaces = [
        _gap(text[tokens[place - 1][1] : tokens[place][0]]) if place else _PARAGRAPH for place in places
    ]
    cut = make.each(words, [space != _GLUED for space in spaces])
    counts = np.fromiter(map(len, cut), np.int64, len(cut))
    sizes = np.ones(len(tokens), np.int64)
    sizes[places] = counts
    edges = np.append(0, np.cumsum(sizes))
    here = np.repeat(near, sizes)
    pieces, case, claim, found = (np.zeros(edges[-1], np.int32) for _ in range(4))
    pieces[here] = np.fromiter(chain.from_iterable(cut), np.int32, counts.sum())
    case[here] = np.repeat(np.array([_case(word) for word in words], np.int32), counts)
    gap = np.full(edges[-1], _SAME_WORD, np.int32)
    gap[edges[places]] = spaces
    if labels:
        _mark(claim, claims, tokens, edges, labels)
    if lists:
        found[here] = np.repeat(np.array([flags_of(word) for word in words], np.int32), counts)
    return NotePieces(tokens, edges[:-1].astype(np.int32), pieces, case, gap, claim, found)


def _near(at: NDArray[np.int64], margin: int, tokens: int) -> NDArray[np.bool_]:
    """Return a mark for each token that is up to ``margin`` from one of those places.

    >>> np.flatnonzero(_near(np.array([1, 7]), 2, 9)).tolist()
    [0, 1, 2, 3, 5, 6, 7, 8]
    """
    marks = np.zeros(tokens + 2 * margin, np.bool_)
    marks[(at[:, None] + np.arange(2 * margin + 1)).ravel()] = True
    return marks[margin : tokens + margin]


@note_cache(1 << 16)
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


@note_cache(1 << 12)
def _gap(space: str) -> int:
    if len(space) <= 1:
        return (_LINE if space in "\r\n" else _WIDE if space == "\t" else _SPACE) if space else _GLUED
    lines = len(space.splitlines()) - (space[-1] not in "\r\n")
    return (_WIDE, _LINE, _PARAGRAPH)[min(lines, 2)]


def _mark(
    claim: Ints, spans: Sequence[Span], tokens: Offsets, edges: NDArray[np.int64], labels: Mapping[str, int]
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
