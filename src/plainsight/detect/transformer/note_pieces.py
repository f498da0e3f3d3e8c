"""A note as an encoder reads it: word pieces, with the case of each word and the gap before it.

Pre-trained vocabularies drop capitals and line ends, which matter in clinical notes. So the network gets both
beside the pieces, and, if the model was trained with them, the claims of rules and the lists of each word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.transformer.pieces import WordSplitter
from plainsight.document import Document, Span
from plainsight.note_cache import note_cache
from plainsight.text.tokens import Offsets, tokenize
from plainsight.text.vocabulary import flags_of

Ints = NDArray[np.int32]

CASES = 8
"""How many kinds of case there are."""

GAPS = 6
"""How many kinds of gaps there are before a piece."""

_OTHER, _NUMBER, _LOWER, _UPPER, _ONE_CAPITAL, _TITLE, _MIXED, _SIGN = range(CASES)
_NONE, _SPACE, _WIDE, _LINE, _PARAGRAPH, _SAME_WORD = range(GAPS)


@dataclass(frozen=True, slots=True)
class NotePieces:
    """One note: its tokens, the index of each token's first piece, and five numbers for each piece."""

    tokens: Offsets
    first: Ints
    pieces: Ints
    case: Ints
    gap: Ints
    claim: Ints
    lists: Ints


def read(
    document: Document,
    splitter: WordSplitter,
    *,
    claims: Sequence[Span] = (),
    labels: Mapping[str, int] | None = None,
    lists: bool = False,
    at: NDArray[np.int64] | None = None,
    margin: int = 0,
) -> NotePieces:
    """Return the pieces of a note.

    ``labels`` numbers the labels of claims from 1 on; without it, claims are ignored. With ``lists``, every
    word is looked up in the vocabulary. With ``at``, the indices of tokens, only tokens up to ``margin`` from
    one of them are split; every other token is one empty piece.
    """
    text = document.text
    tokens = tokenize(text)
    near = np.ones(len(tokens), np.bool_) if at is None else _near(at, margin, len(tokens))
    indices = np.flatnonzero(near).tolist()
    words = [text[slice(*tokens[index])] for index in indices]
    gaps = [_gap(text[tokens[index - 1][1] : tokens[index][0]]) if index else _PARAGRAPH for index in indices]
    split = splitter.split_all(words, [gap != _NONE for gap in gaps])
    counts = np.fromiter(map(len, split), np.int64, len(split))
    sizes = np.ones(len(tokens), np.int64)
    sizes[indices] = counts
    first = np.append(0, np.cumsum(sizes))
    is_split = np.repeat(near, sizes)
    pieces, case, claim, flags = (np.zeros(first[-1], np.int32) for _ in range(4))
    pieces[is_split] = np.fromiter(chain.from_iterable(split), np.int32, counts.sum())
    case[is_split] = np.repeat(np.array([_case(word) for word in words], np.int32), counts)
    gap = np.full(first[-1], _SAME_WORD, np.int32)
    gap[first[indices]] = gaps
    if labels:
        _mark_claims(claim, claims, tokens, first, labels)
    if lists:
        flags[is_split] = np.repeat(np.array([flags_of(word) for word in words], np.int32), counts)
    return NotePieces(tokens, first[:-1].astype(np.int32), pieces, case, gap, claim, flags)


def _near(at: NDArray[np.int64], margin: int, tokens: int) -> NDArray[np.bool_]:
    """Return for each token whether it is up to ``margin`` from one of these indices.

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
        return _LOWER
    if word.isupper():
        return _UPPER if len(word) > 1 else _ONE_CAPITAL
    if word.istitle():
        return _TITLE
    return _MIXED if word.isalpha() else _OTHER if word.isalnum() else _SIGN


@note_cache(1 << 12)
def _gap(space: str) -> int:
    if len(space) <= 1:
        return (_LINE if space in "\r\n" else _WIDE if space == "\t" else _SPACE) if space else _NONE
    lines = len(space.splitlines()) - (space[-1] not in "\r\n")
    return (_WIDE, _LINE, _PARAGRAPH)[min(lines, 2)]


def _mark_claims(
    claim: Ints, spans: Sequence[Span], tokens: Offsets, first: NDArray[np.int64], labels: Mapping[str, int]
) -> None:
    """Write the label number of the surest claim on each token onto its pieces."""
    starts = [start for start, _ in tokens]
    for span in sorted(spans, key=lambda span: (span.score, -span.start, span.label)):
        number = labels.get(span.label, 0)
        token = max(0, bisect_right(starts, span.start) - 1)
        while token < len(tokens) and tokens[token][0] < span.end:
            if tokens[token][1] > span.start:
                claim[first[token] : first[token + 1]] = number
            token += 1
