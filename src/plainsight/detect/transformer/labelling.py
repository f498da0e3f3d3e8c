"""From readings to scores of tags: windows through a network, and back onto tokens.

Of a note of which only some places are asked about, many short windows go through as one excerpt: a run
costs something before its first piece, and they tell of each other. Otherwise each window, and always
each note, goes through by itself. So what is found in a note never depends on the notes beside it, not even
in the last digit, although networks in bytes measure the numbers of a batch together; and on one core it is
no slower. Only who has a GPU gains by batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.transformer.note_pieces import GAPS, NotePieces
from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.detect.transformer.windows import Excerpt, around, excerpts, windows

Batch = tuple[NDArray[np.int64], ...]
"""Pieces, cases, gaps, claims, lists and the mask of several windows, side by side."""

Run = Callable[[Batch, Sequence[Ints]], Sequence[Floats]]
"""The network: a batch in, and which pieces of each window are asked about; their scores of all tags out."""

_EDGE = GAPS - 2  # a window begins and ends like a paragraph


def token_scores(
    readings: Sequence[NotePieces],
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
        (place, excerpt)
        for place, reading in enumerate(readings)
        for excerpt in _cut(reading, None if wanted is None else wanted[place], size=size, margin=margin)
    ]
    cut.sort(key=lambda entry: -_length(entry[1]))  # the longest first: little room is lost
    for several in _batches(cut, together):
        own = [kept(readings[place], excerpt, at[place]) for place, excerpt in several]
        batch = batch_of([(readings[place], excerpt) for place, excerpt in several], make)
        found = run(batch, [asked for _, asked in own])
        for (place, _), (tokens, _), scores in zip(several, own, found, strict=True):
            made[place][tokens] = scores
    return made


def _cut(reading: NotePieces, wanted: Ints | None, *, size: int, margin: int) -> Iterator[Excerpt]:
    count, most = len(reading.pieces), size - 2  # for a piece before and one behind
    if wanted is None:
        return ([window] for window in windows(count, size=most, margin=margin) if window.stop)
    near = around(reading.first[wanted].tolist(), count, size=most, margin=margin)
    return excerpts(near, size=size)


def _length(excerpt: Excerpt) -> int:
    """Return how many pieces there are with those between windows, at the beginning and at the end."""
    return sum(window.stop - window.start + 1 for window in excerpt) + 1


def kept(reading: NotePieces, excerpt: Excerpt, tokens: Ints) -> tuple[Ints, Ints]:
    """Return which of some tokens an excerpt labels, and where in it they begin."""
    first = reading.first[tokens].astype(np.int64)
    own, asked = [], []
    here = 1
    for window in excerpt:
        inside = slice(*np.searchsorted(first, (window.keep, window.until)))
        own.append(tokens[inside])
        asked.append(first[inside] - window.start + here)
        here += window.stop - window.start + 1
    return np.concatenate(own), np.concatenate(asked)


def batch_of(cut: Sequence[tuple[NotePieces, Excerpt]], make: PieceMaker) -> Batch:
    """Lay excerpts side by side: a piece that begins a text, then each window and a piece that ends one."""
    length = max(_length(excerpt) for _, excerpt in cut)
    pieces, case, gap, claim, lists, mask = (np.zeros((len(cut), length), np.int64) for _ in range(6))
    for row, (reading, excerpt) in enumerate(cut):
        pieces[row, 0], gap[row, 0] = make.begin, _EDGE
        here = 1
        for start, stop, _, _ in excerpt:
            end = here + stop - start
            pieces[row, here:end] = reading.pieces[start:stop]
            case[row, here:end] = reading.case[start:stop]
            gap[row, here:end] = reading.gap[start:stop]
            claim[row, here:end] = reading.claim[start:stop]
            lists[row, here:end] = reading.lists[start:stop]
            pieces[row, end], gap[row, end] = make.end, _EDGE
            here = end + 1
        mask[row, :here] = 1
    return pieces, case, gap, claim, lists, mask


def _batches(cut: Sequence[tuple[int, Excerpt]], together: int) -> Iterator[list[tuple[int, Excerpt]]]:
    rest = iter(cut)
    while several := list(islice(rest, together)):
        yield several
