"""Scores of tags at tokens: cut notes into windows, run these through a network, map the results to tokens.

If only some tokens of a note are wanted, their short windows run as one excerpt: a run has a fixed cost, and
windows of one note inform each other. Windows of different notes share a run only with a ``batch_size``
above 1, which pays on a GPU. Otherwise the scores of a note never depend on other notes, not even in the last
digit, although quantised networks scale the numbers of a batch together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.transformer.note_pieces import GAPS, NotePieces
from plainsight.detect.transformer.pieces import WordSplitter
from plainsight.detect.transformer.windows import Excerpt, around, excerpts, windows

Batch = tuple[NDArray[np.int64], ...]
"""Pieces, cases, gaps, claims, lists and mask of several excerpts, one row for each."""

Run = Callable[[Batch, Sequence[Ints]], Sequence[Floats]]
"""Run the network on a batch; return the scores of all tags at the given columns of each row."""

_EDGE_GAP = GAPS - 2  # an excerpt begins and ends like a paragraph


def token_scores(
    notes: Sequence[NotePieces],
    run: Run,
    splitter: WordSplitter,
    *,
    tags: int,
    size: int,
    margin: int,
    batch_size: int = 1,
    wanted: Sequence[Ints] | None = None,
) -> list[Floats]:
    """Return for each note the scores of all tags at each token; those of a token are its first piece's.

    ``wanted`` holds the indices of tokens of each note, in order; the scores of all other tokens are 0.
    """
    scores = [np.zeros((len(note.first), tags), np.float32) for note in notes]
    labelled = [np.arange(len(note.first)) for note in notes] if wanted is None else wanted
    cut = [
        (index, excerpt)
        for index, note in enumerate(notes)
        for excerpt in _cut(note, None if wanted is None else wanted[index], size=size, margin=margin)
    ]
    cut.sort(key=lambda entry: -_length(entry[1]))  # rows of similar length waste little on padding
    for first in range(0, len(cut), batch_size):
        rows = cut[first : first + batch_size]
        kept = [kept_tokens(notes[index], excerpt, labelled[index]) for index, excerpt in rows]
        batch = batch_of([(notes[index], excerpt) for index, excerpt in rows], splitter)
        found = run(batch, [columns for _, columns in kept])
        for (index, _), (tokens, _), row in zip(rows, kept, found, strict=True):
            scores[index][tokens] = row
    return scores


def _cut(note: NotePieces, wanted: Ints | None, *, size: int, margin: int) -> Iterator[Excerpt]:
    count, room = len(note.pieces), size - 2  # one piece each for the beginning and the end
    if wanted is None:
        return ([window] for window in windows(count, size=room, margin=margin) if window.stop)
    return excerpts(around(note.first[wanted].tolist(), count, size=room, margin=margin), size=size)


def _length(excerpt: Excerpt) -> int:
    """Return the length of an excerpt's row: a piece at the beginning, and one at the end of each window."""
    return sum(window.stop - window.start + 1 for window in excerpt) + 1


def kept_tokens(note: NotePieces, excerpt: Excerpt, tokens: Ints) -> tuple[Ints, Ints]:
    """Return which of the tokens an excerpt labels, and the columns of their first pieces in its row."""
    first = note.first[tokens].astype(np.int64)
    kept, columns = [], []
    column = 1
    for window in excerpt:
        inside = slice(*np.searchsorted(first, (window.keep, window.until)))
        kept.append(tokens[inside])
        columns.append(first[inside] - window.start + column)
        column += window.stop - window.start + 1
    return np.concatenate(kept), np.concatenate(columns)


def batch_of(cut: Sequence[tuple[NotePieces, Excerpt]], splitter: WordSplitter) -> Batch:
    """Return excerpts as rows: a piece that begins a text, then each window and a piece that ends one."""
    length = max(_length(excerpt) for _, excerpt in cut)
    pieces, case, gap, claim, lists, mask = (np.zeros((len(cut), length), np.int64) for _ in range(6))
    for row, (note, excerpt) in enumerate(cut):
        pieces[row, 0], gap[row, 0] = splitter.begin, _EDGE_GAP
        column = 1
        for start, stop, _, _ in excerpt:
            end = column + stop - start
            pieces[row, column:end] = note.pieces[start:stop]
            case[row, column:end] = note.case[start:stop]
            gap[row, column:end] = note.gap[start:stop]
            claim[row, column:end] = note.claim[start:stop]
            lists[row, column:end] = note.lists[start:stop]
            pieces[row, end], gap[row, end] = splitter.end, _EDGE_GAP
            column = end + 1
        mask[row, :column] = 1
    return pieces, case, gap, claim, lists, mask
