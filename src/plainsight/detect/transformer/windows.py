"""Cut notes of any length into windows, for encoders that see a few hundred pieces at a time.

Windows overlap. Each piece is labelled by the window in which it is furthest from an edge, so every label has
context on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """The encoder sees pieces ``start`` to ``stop`` and labels those from ``keep`` to ``until``."""

    start: int
    stop: int
    keep: int
    until: int


Excerpt = Sequence[Window]
"""Windows of one note that the encoder sees together."""


def windows(pieces: int, *, size: int, margin: int) -> Iterator[Window]:
    """Yield windows of at most ``size`` pieces; each shares two margins with the next.

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
    """Yield windows with a margin on both sides of each wanted piece; windows that touch are merged.

    >>> list(around([3, 8, 20], 40, size=16, margin=2))
    [Window(start=1, stop=11, keep=1, until=11), Window(start=18, stop=23, keep=18, until=23)]
    """
    stretches: list[list[int]] = []
    for piece in wanted:
        start, stop = max(0, piece - margin), min(pieces, piece + margin + 1)
        if stretches and start <= stretches[-1][1]:
            stretches[-1][1] = stop
        else:
            stretches.append([start, stop])
    for start, stop in stretches:
        for window in windows(stop - start, size=size, margin=margin):
            yield Window(*(piece + start for piece in window))


def excerpts(cut: Iterable[Window], *, size: int) -> Iterator[Excerpt]:
    """Group windows into excerpts of at most ``size`` pieces: one at the start and one behind each window.

    >>> cut = [Window(0, 3, 0, 3), Window(5, 7, 5, 7), Window(8, 9, 8, 9)]
    >>> [len(excerpt) for excerpt in excerpts(cut, size=8)]
    [2, 1]
    """
    excerpt: list[Window] = []
    room = size - 1
    for window in cut:
        needed = window.stop - window.start + 1
        if excerpt and needed > room:
            yield excerpt
            excerpt, room = [], size - 1
        excerpt.append(window)
        room -= needed
    if excerpt:
        yield excerpt
