"""Windows: the whole of a note, however long, through an encoder that sees a few hundred pieces at a time.

Windows overlap. Each piece is labelled by the window in which it stands furthest from an edge, so every label
rests on context on both sides, and nothing is ever cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Window", "windows"]


class Window(NamedTuple):
    """Pieces ``start`` to ``stop`` are seen, those from ``keep`` to ``until`` labelled."""

    start: int
    stop: int
    keep: int
    until: int


def windows(pieces: int, *, size: int, margin: int) -> Iterator[Window]:
    """Yield windows of at most ``size`` pieces that share two margins with the next.

    >>> list(windows(10, size=6, margin=1))
    [Window(start=0, stop=6, keep=0, until=5), Window(start=4, stop=10, keep=5, until=10)]
    """
    keep = 0
    for start in range(0, max(1, pieces - 2 * margin), size - 2 * margin):
        stop = min(start + size, pieces)
        until = pieces if stop == pieces else stop - margin
        yield Window(start, stop, keep, until)
        keep = until
        if stop == pieces:
            break
