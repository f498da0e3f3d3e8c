"""Cut a note into the sequences that a network reads: sentences, or windows that overlap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, NamedTuple

from plainsight.text.lines import sentences
from plainsight.text.tokens import Offsets


class Piece(NamedTuple):
    """Tokens ``start`` to ``stop`` are read, those from ``keep`` to ``until`` are labelled."""

    start: int
    stop: int
    keep: int
    until: int


def pieces(text: str, tokens: Offsets, cut: Mapping[str, Any]) -> list[Piece]:
    """Return the pieces of a note; together they label each token once."""
    if cut["by"] == "sentence":
        return _sentences(text, tokens)
    return windows(len(tokens), size=cut["size"], margin=cut["margin"])


_LONGEST, _MARGIN = 400, 40  # no sentence, but a table or a list of thousands of tokens on one line


def _sentences(text: str, tokens: Offsets) -> list[Piece]:
    starts = [start for start, _ in tokens]
    edges = [bisect_left(starts, end) for _, end in sentences(text)]
    made, last = [], 0
    for edge in edges:
        if edge > last:
            cut = windows(edge - last, size=_LONGEST, margin=_MARGIN)
            made += [Piece(*(place + last for place in piece)) for piece in cut]
            last = edge
    return made


def windows(count: int, *, size: int, margin: int) -> list[Piece]:
    """Return windows of at most ``size`` tokens; each labels all but its margins, which its neighbours label.

    >>> windows(10, size=6, margin=1)
    [Piece(start=0, stop=6, keep=0, until=5), Piece(start=4, stop=10, keep=5, until=10)]
    """
    made, start, keep = [], 0, 0
    while keep < count:
        stop = min(start + size, count)
        until = count if stop == count else stop - margin
        made.append(Piece(start, stop, keep, until))
        start, keep = until - margin, until
    return made
