"""From readings to scores of tags: windows through a network, and back onto tokens.

Each window goes through by itself. So what is found in a note never depends on the notes beside it, not even
in the last digit, although networks in bytes measure the numbers of a batch together; and on one core it is
no slower. Only who has a GPU gains by batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.detect.transformer.reading import GAPS, Reading
from plainsight.detect.transformer.windows import Window, around, windows

__all__ = ["Batch", "Run", "batch_of", "token_scores"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Batch = tuple[NDArray[np.int64], ...]
"""Pieces, cases, gaps, claims, lists and the mask of several windows, side by side."""

Run = Callable[[Batch, Sequence[Ints]], Sequence[Floats]]
"""The network: a batch in, and which pieces of each window are asked about; their scores of all tags out."""

_EDGE = GAPS - 2  # a window begins and ends like a paragraph


def token_scores(
    readings: Sequence[Reading],
    run: Run,
    make: PieceMaker,
    *,
    tags: int,
    size: int,
    margin: int,
    together: int = 1,
    wanted: Sequence[Ints] | None = None,
) -> list[Floats]:
    """Return for each note the scores of all tags at each of its tokens, by its first piece.

    With ``wanted``, which holds for each note the places of some tokens in ascending order, only those have
    any; the others' are 0.
    """
    made = [np.zeros((len(reading.first), tags), np.float32) for reading in readings]
    at = [np.arange(len(reading.first)) for reading in readings] if wanted is None else wanted
    cut = [
        (place, window)
        for place, reading in enumerate(readings)
        for window in _cut(reading, None if wanted is None else wanted[place], size=size - 2, margin=margin)
        if window.stop
    ]
    cut.sort(key=lambda entry: entry[1].start - entry[1].stop)  # the longest first: little room is lost
    for several in _batches(cut, together):
        kept = [_kept(readings[place], window, at[place]) for place, window in several]
        batch = batch_of([(readings[place], window) for place, window in several], make)
        found = run(batch, [asked for _, asked in kept])
        for (place, _), (tokens, _), scores in zip(several, kept, found, strict=True):
            made[place][tokens] = scores
    return made


def _kept(reading: Reading, window: Window, tokens: Ints) -> tuple[Ints, Ints]:
    """Return which of some tokens a window labels, and where in it they begin."""
    first = reading.first[tokens].astype(np.int64)
    inside = slice(*np.searchsorted(first, (window.keep, window.until)))
    return tokens[inside], first[inside] - window.start + 1


def _cut(reading: Reading, wanted: Ints | None, *, size: int, margin: int) -> Iterator[Window]:
    count = len(reading.pieces)
    if wanted is None:
        return windows(count, size=size, margin=margin)
    return around(reading.first[wanted].tolist(), count, size=size, margin=margin)


def batch_of(cut: Sequence[tuple[Reading, Window]], make: PieceMaker) -> Batch:
    """Lay windows side by side, each between the pieces that begin and end a text."""
    length = max(window.stop - window.start for _, window in cut) + 2
    pieces, case, gap, claim, lists, mask = (np.zeros((len(cut), length), np.int64) for _ in range(6))
    for row, (reading, (start, stop, _, _)) in enumerate(cut):
        end = stop - start + 1
        pieces[row, 0], pieces[row, end] = make.begin, make.end
        gap[row, 0] = gap[row, end] = _EDGE
        mask[row, : end + 1] = 1
        pieces[row, 1:end] = reading.pieces[start:stop]
        case[row, 1:end] = reading.case[start:stop]
        gap[row, 1:end] = reading.gap[start:stop]
        claim[row, 1:end] = reading.claim[start:stop]
        lists[row, 1:end] = reading.lists[start:stop]
    return pieces, case, gap, claim, lists, mask


def _batches(cut: Sequence[tuple[int, Window]], together: int) -> Iterator[list[tuple[int, Window]]]:
    rest = iter(cut)
    while several := list(islice(rest, together)):
        yield several
