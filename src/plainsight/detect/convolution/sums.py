"""Rows of a table added up for many words at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats

Places = NDArray[np.intp]

_STEP = 8  # rows: words have so many, or twice, three times, … as many, with rows that count nothing
_TOGETHER = 64  # words: more take up memory that is new to the process, which costs more than to add up


def weighted_sums(table: NDArray[np.int8], rows: Places, weights: Floats, counts: Places) -> Floats:
    """Return the sum of each word's rows, of which each counts by its weight; each word has so many rows.

    A sum with weights is a product of matrices, and these are quick if there are many of one size. The size
    depends on the word alone, so a sum is the same to the last digit whatever words are beside it.
    """
    made = np.zeros((len(counts), table.shape[1]), np.float32)
    firsts = counts.cumsum() - counts
    sizes = -(-counts // _STEP) * _STEP
    for size in np.unique(sizes).tolist():
        alike, within = np.flatnonzero(sizes == size), np.arange(size)
        for start in range(0, len(alike), _TOGETHER):
            words = alike[start : start + _TOGETHER]
            own = within < counts[words, None]
            places = np.where(own, firsts[words, None] + within, 0)
            vectors = table.take(rows.take(places), axis=0).astype(np.float32)
            made[words] = np.matmul((weights.take(places) * own)[:, None], vectors)[:, 0]
    return made
