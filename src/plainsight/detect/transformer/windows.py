"""Windows: the whole of a note, however long, through an encoder that sees a few hundred pieces at a time.

Windows overlap. Each piece is labelled by the window in which it stands furthest from an edge, so every label
rests on context on both sides, and nothing is ever cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """Pieces ``start`` to ``stop`` are seen, those from ``keep`` to ``until`` labelled."""

    start: int
    stop: int
    keep: int
    until: int


Excerpt = Sequence[Window]
"""Windows of a note that are seen together, one behind the other."""


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


def around(wanted: Iterable[int], pieces: int, *, size: int, margin: int) -> Iterator[Window]:
    """Yield windows that see a margin on both sides of each wanted piece.

    Those that touch are one.

    >>> list(around([3, 8, 20], 40, size=16, margin=2))
    [Window(start=1, stop=11, keep=1, until=11), Window(start=18, stop=23, keep=18, until=23)]
    """
    stretches: list[list[int]] = []
    for place in wanted:
        start, stop = max(0, place - margin), min(pieces, place + margin + 1)
        if stretches and start <= stretches[-1][1]:
            stretches[-1][1] = stop
        else:
            stretches.append([start, stop])
    for start, stop in stretches:
        for window in windows(stop - start, size=size, margin=margin):
            yield Window(*(place + start for place in window))


def excerpts(cut: Iterable[Window], *, size: int) -> Iterator[Excerpt]:
    """Yield windows together, as many as there is room for with a piece before all and one behind each.

    >>> cut = [Window(0, 3, 0, 3), Window(5, 7, 5, 7), Window(8, 9, 8, 9)]
    >>> [len(several) for several in excerpts(cut, size=8)]
    [2, 1]
    """
    several: list[Window] = []
    room = size - 1
    for window in cut:
        needed = window.stop - window.start + 1
        if several and needed > room:
            yield several
            several, room = [], size - 1
        several.append(window)
        room -= needed
    if several:
        yield several
