"""The inputs of a network: the vector of each token's word plus those of its gap and its claim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice, pairwise
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.convolution.features import WordRows
from plainsight.note_cache import forgets_with

_ROWS = 1 << 15
_CACHED_WORDS = _ROWS - 6000  # the new words of most batches fit into the other rows
_CHUNK = 256  # new words computed together
_ZERO = 128  # the byte for the number 0


class InputVectors:
    """Compute network inputs; those of a word without a claim are kept for each kind of gap.

    The vector of a word is a weighted sum of rows of ``table``, which holds 8-bit integers in units of
    ``row_steps``. ``added`` has a vector for each pair of a gap and a claim. Inputs are bytes if there is a
    ``step``, as quantised networks take them, and floats if not. Threads may share an instance.
    """

    def __init__(
        self, rows: WordRows, table: NDArray[np.int8], row_steps: Floats, added: Floats, step: float | None
    ) -> None:
        self._rows = rows
        self._table = table
        self._row_steps = row_steps
        self._added = added
        self._step = step
        self._lock = RLock()
        self.forget()
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        with self._lock:
            self._indices = _WordIndices()
            # Free the old arrays first and never let new ones grow in steps: the allocator puts arrays of one
            # size into the same place again. Memory is used only when rows are written.
            self.__dict__.pop("_vectors", None)
            self.__dict__.pop("_unclaimed", None)
            kind = np.float32 if self._step is None else np.uint8
            self._vectors: Floats = np.empty((_ROWS, self._table.shape[1]), np.float32)
            self._unclaimed: NDArray[Any] = np.empty((_ROWS, *self._added[:, 0].shape), kind)

    def __call__(self, words: Sequence[str], gaps: Ints, claims: Ints) -> NDArray[Any]:
        """Return the input for each token, by its word, the gap before it and its claim."""
        with self._lock:
            if len(self._indices) > _CACHED_WORDS:
                self.forget()
            known = len(self._indices)
            try:
                indices = np.fromiter(map(self._indices.__getitem__, words), np.intp, len(words))
                new = list(islice(reversed(self._indices), len(self._indices) - known))[::-1]
                for first in range(0, len(new), _CHUNK):
                    self._add(new[first : first + _CHUNK], known + first)
            except BaseException:
                self.forget()  # or words without a vector would count as known
                raise
            vectors, unclaimed = self._vectors, self._unclaimed
        inputs = unclaimed.reshape(-1, unclaimed.shape[-1]).take(indices * len(self._added) + gaps, axis=0)
        claimed = np.flatnonzero(claims)
        added = self._added[gaps[claimed], claims[claimed]]
        inputs[claimed] = self._rounded(vectors.take(indices[claimed], axis=0) + added)
        return inputs

    def _add(self, words: Sequence[str], first: int) -> None:
        """Compute the vectors of new words, whose indices begin at ``first``."""
        lookups = [rows for word in words for rows in self._rows.lookup(word)]  # features, pieces, features…
        counts = np.fromiter(map(len, lookups), np.intp, len(lookups))
        rows = np.fromiter(chain.from_iterable(lookups), np.intp, counts.sum())
        ends = [0, *counts.reshape(-1, 2).sum(axis=1).cumsum().tolist()]
        # A word with many parts must not outweigh the others.
        weights = self._row_steps.take(rows) / np.sqrt(np.repeat(counts, counts)).astype(np.float32)
        vectors = self._table.take(rows, axis=0).astype(np.float32)
        last = first + len(words)
        while last > len(self._vectors):
            self._vectors, self._unclaimed = map(_doubled, (self._vectors, self._unclaimed))
        for index, (start, end) in enumerate(pairwise(ends), start=first):
            self._vectors[index] = weights[start:end] @ vectors[start:end]
        self._unclaimed[first:last] = self._rounded(self._vectors[first:last, None] + self._added[:, 0])

    def _rounded(self, vectors: Floats) -> NDArray[Any]:
        return vectors if self._step is None else to_bytes(vectors, self._step)


class _WordIndices(dict[str, int]):
    """The index of each word; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        index = self[word] = len(self)
        return index


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array with room for as many rows again."""
    doubled = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    doubled[: len(array)] = array
    return doubled


def to_bytes(numbers: Floats, step: float) -> NDArray[np.uint8]:
    """Return numbers as bytes, in units of ``step`` from 128, rounded as onnxruntime does.

    >>> to_bytes(np.array([0.0, 0.25, 0.375, -99.0], np.float32), 0.25).tolist()
    [128, 129, 130, 0]
    """
    scaled: Floats = numbers / np.float32(step)
    np.rint(scaled, out=scaled)
    scaled += _ZERO
    np.clip(scaled, 0, 255, out=scaled)
    return scaled.astype(np.uint8)
