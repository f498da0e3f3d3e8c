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

_ROWS = 20_000
_CACHED_WORDS = _ROWS - 6000  # the new words of most batches fit into the other rows
_CACHED_CLAIMED = 1 << 11
_CHUNK = 256  # new words computed together
_ZERO = 128  # the byte for the number 0
_CLAIMED = "\n"  # stands for a claimed word; no word has a line end


class InputVectors:
    """Compute network inputs; those of a word without a claim are kept for each kind of gap.

    The vector of a word is a weighted sum of rows of ``table``, which holds 8-bit integers in units of
    ``row_steps``. ``added`` has a vector for each pair of a gap and a claim. Inputs are bytes if there is a
    ``step``, as quantised networks take them, and floats if not. Threads may share an instance.

    A full cache is put aside and a new one begun, into which words are copied when they come again. So
    frequent words are never computed twice. Of the few claimed words the vectors are kept.
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
            self.__dict__.pop("_inputs", None)
            self._claimed: dict[str, Floats] = {}
            self._begin(_WordIndices(), None)

    def _begin(self, earlier: _WordIndices, inputs: NDArray[Any] | None) -> None:
        """Begin a cache; put the one before aside.

        Arrays are freed before new ones of the same size are made, which the allocator puts into the same
        place. Memory is used only when rows are written.
        """
        self._earlier, self._earlier_inputs = earlier, inputs
        self._indices = _WordIndices({_CLAIMED: 0})
        kind = np.float32 if self._step is None else np.uint8
        self._inputs: NDArray[Any] = np.empty((_ROWS, *self._added[:, 0].shape), kind)

    def __call__(self, words: Sequence[str], gaps: Ints, claims: Ints) -> NDArray[Any]:
        """Return the input for each token, by its word, the gap before it and its claim."""
        claimed = np.flatnonzero(claims)
        unclaimed = list(words)
        for index in claimed.tolist():
            unclaimed[index] = _CLAIMED
        with self._lock:
            try:
                vectors = self._claimed_vectors([words[index] for index in claimed.tolist()])
                indices = self._unclaimed_indices(unclaimed)
            except BaseException:
                self.forget()  # or words without a vector would count as known
                raise
            known = self._inputs
        inputs = known.reshape(-1, known.shape[-1]).take(indices * len(self._added) + gaps, axis=0)
        inputs[claimed] = self._rounded(vectors + self._added[gaps[claimed], claims[claimed]])
        return inputs

    def _claimed_vectors(self, words: Sequence[str]) -> Floats:
        if len(self._claimed) > _CACHED_CLAIMED:
            self._claimed.clear()
        new = [word for word in dict.fromkeys(words) if word not in self._claimed]
        for first in range(0, len(new), _CHUNK):
            chunk = new[first : first + _CHUNK]
            self._claimed.update(zip(chunk, self._vectors(chunk), strict=True))
        return np.array([self._claimed[word] for word in words], np.float32).reshape(-1, self._table.shape[1])

    def _unclaimed_indices(self, words: Sequence[str]) -> Ints:
        """Return the row of each word in the cache, and write those of new words."""
        if len(self._indices) > _CACHED_WORDS:
            self._begin(self._indices, self._inputs)
        known = len(self._indices)
        indices = np.fromiter(map(self._indices.__getitem__, words), np.intp, len(words))
        new = list(islice(reversed(self._indices), len(self._indices) - known))[::-1]
        while len(self._indices) > len(self._inputs):
            self._inputs = _doubled(self._inputs)
        if self._earlier_inputs is not None:
            again = [
                (row, self._earlier[word]) for row, word in enumerate(new, known) if word in self._earlier
            ]
            rows = np.array(again, np.intp).reshape(-1, 2)
            self._inputs[rows[:, 0]] = self._earlier_inputs[rows[:, 1]]
        rest = [(row, word) for row, word in enumerate(new, known) if word not in self._earlier]
        for first in range(0, len(rest), _CHUNK):
            chunk = dict(rest[first : first + _CHUNK])
            vectors = self._vectors(list(chunk.values()))
            self._inputs[list(chunk)] = self._rounded(vectors[:, None] + self._added[:, 0])
        return indices

    def _vectors(self, words: Sequence[str]) -> Floats:
        """Compute the vectors of words, without gap and claim."""
        lookups = [rows for word in words for rows in self._rows.lookup(word)]  # features, pieces, features…
        counts = np.fromiter(map(len, lookups), np.intp, len(lookups))
        rows = np.fromiter(chain.from_iterable(lookups), np.intp, counts.sum())
        ends = [0, *counts.reshape(-1, 2).sum(axis=1).cumsum().tolist()]
        # A word with many parts must not outweigh the others.
        weights = self._row_steps.take(rows) / np.sqrt(np.repeat(counts, counts)).astype(np.float32)
        parts = self._table.take(rows, axis=0).astype(np.float32)
        vectors = np.empty((len(words), self._table.shape[1]), np.float32)
        for index, (start, end) in enumerate(pairwise(ends)):
            vectors[index] = weights[start:end] @ parts[start:end]
        return vectors

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
