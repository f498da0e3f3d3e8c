"""Notes as sequences of tokens: a whole note is one, unless it is very long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Ints
from plainsight.lab.detect.charlm.symbols import gaps
from plainsight.text.tokens import tokenize

_LONGEST = 4_096  # tokens of a piece: few notes have more, and pieces side by side are faster
_TOGETHER = 16_384  # tokens worked on at one time


class Piece(NamedTuple):
    """A stretch of a note: its text and where in the note it begins, and its tokens.

    Tokens are the offsets of their starts and ends in that text, and a symbol for what lies before each.
    """

    text: str
    offset: int
    starts: Ints
    ends: Ints
    gaps: list[int]

    def words(self) -> list[tuple[int, str]]:
        """Return the tokens as models see them: what lies before each, and its text."""
        bounds = zip(self.gaps, self.starts.tolist(), self.ends.tolist(), strict=True)
        return [(gap, self.text[start:end]) for gap, start, end in bounds]


def pieces(text: str) -> list[Piece]:
    """Return a note's pieces; a note without tokens has none."""
    tokens = tokenize(text)
    before = gaps(text, tokens)
    bounds = np.array(tokens, dtype=np.int64).reshape(-1, 2)
    made = []
    for first in range(0, len(tokens), _LONGEST):
        last = min(first + _LONGEST, len(tokens))
        start = int(bounds[first, 0]) if first else 0
        stop = int(bounds[last, 0]) if last < len(tokens) else len(text)
        starts, ends = (bounds[first:last] - start).T
        made.append(Piece(text[start:stop], start, starts, ends, before[first:last]))
    return made


def groups(all_pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """Yield batches of neighbouring pieces."""
    first = tokens = 0
    for place, piece in enumerate(all_pieces):
        if tokens and tokens + len(piece.starts) > _TOGETHER:
            yield all_pieces[first:place]
            first, tokens = place, 0
        tokens += len(piece.starts)
    if tokens:
        yield all_pieces[first:]
