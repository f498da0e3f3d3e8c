"""Possible identifiers: the tokens of a note that a network does not mark, but finds somewhat probable."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from plainsight.arrays import Floats, Ints
from plainsight.document import Span
from plainsight.text.tags import OUTSIDE

if TYPE_CHECKING:
    from plainsight.detect.learned import Margins

Found = list[list[Span]]
"""The spans of each note."""

LEAST_POSSIBLE = 0.01
"""Tokens less probable than this are no possible identifiers."""

_LEAST_MARGIN = -6.0  # of the best tag over O, at a token of that probability that could have four labels
_SURE_MARGIN = 5.0  # such a token is marked, whatever the bias


def with_possible(
    decode: Callable[[Iterable[Margins]], Found],
    notes: Iterable[Margins],
    tags: Sequence[str],
    *,
    source: str,
) -> tuple[Found, Found]:
    """Decode notes to spans; also return the possible identifiers of each note that no span covers."""
    kept: list[_Tokens] = []

    def watched() -> Iterator[Margins]:
        for note in notes:
            kept.append(_possible(note, tags))
            yield note

    found = decode(watched())
    pairs = zip(kept, found, strict=True)
    return found, [_unmarked(tokens, spans, tags, source) for tokens, spans in pairs]


class _Tokens(NamedTuple):
    """Tokens that may be identifiers: their edges, likeliest tags and probabilities."""

    edges: Ints
    tags: Ints
    probabilities: Floats


def _possible(note: Margins, tags: Sequence[str]) -> _Tokens:
    at = ((note.margins > _LEAST_MARGIN) & (note.margins < _SURE_MARGIN)).nonzero()[0]
    scores = note.scores[at]
    odds = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    outside = tags.index(OUTSIDE)
    probabilities = 1.0 - odds[:, outside] / odds.sum(axis=1)
    odds[:, outside] = 0.0
    chosen = (probabilities >= LEAST_POSSIBLE).nonzero()[0]
    edges = np.asarray(note.tokens, np.int64).reshape(-1, 2)[at[chosen]]
    return _Tokens(edges, odds[chosen].argmax(axis=1), probabilities[chosen])


def _unmarked(tokens: _Tokens, spans: Sequence[Span], tags: Sequence[str], source: str) -> list[Span]:
    """Return the tokens that are not inside a span; the spans are in order."""
    starts = [span.start for span in spans]
    columns = (*tokens.edges.T, tokens.tags, tokens.probabilities)
    unmarked = []
    for start, end, tag, probability in zip(*(column.tolist() for column in columns), strict=True):
        before = bisect_right(starts, start)
        if not before or spans[before - 1].end < end:
            unmarked.append(Span(start, end, tags[tag][2:], round(probability, 6), source))
    return unmarked
