"""The inputs of a network: the vector of each token's word plus those of its gap and its claim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution.features import WordRows
from plainsight.detect.convolution.note_tokens import NoteTokens
from plainsight.note_cache import forgets_with

_CACHED_WORDS = 1 << 16
_CHUNK = 256  # new words computed together
_ZERO = 128  # the byte for the number 0


class WordVectors:
    """The vectors of words: weighted sums of rows of a model's table, computed once for each word.

    ``table`` holds 8-bit integers, ``steps`` the size of a unit in each row. Threads may share an instance.
    """

    def __init__(self, rows: WordRows, table: NDArray[np.int8], steps: Floats) -> None:
        self._rows = rows
        self._table = table
        self._steps = steps
        self._lock = RLock()
        self.forget()
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        with self._lock:
            self._indices = _WordIndices()
            self._vectors: Floats = np.zeros((1024, self._table.shape[1]), np.float32)

    def __call__(self, words: Sequence[str]) -> Floats:
        """Return a vector for each word."""
        with self._lock:
            if len(self._indices) > _CACHED_WORDS:
                self.forget()
            known = len(self._indices)
            try:
                indices = np.fromiter(map(self._indices.__getitem__, words), np.intp, len(words))
                new = list(islice(self._indices, known, None))
                for first in range(0, len(new), _CHUNK):
                    self._add(new[first : first + _CHUNK], known + first)
            except BaseException:
                self.forget()  # or words without a vector would count as known
                raise
            return self._vectors.take(indices, axis=0)

    def _add(self, words: Sequence[str], first: int) -> None:
        """Compute the vectors of new words, whose indices begin at ``first``."""
        while first + len(words) > len(self._vectors):
            self._vectors = np.concatenate((self._vectors, np.zeros_like(self._vectors)))
        rows: list[int] = []
        sizes: list[int] = []
        ends = [0]
        for word in words:
            for part in self._rows.lookup(word):
                rows += part
                sizes += [len(part)] * len(part)
            ends.append(len(rows))
        # A word with many parts must not outweigh the others.
        weights = self._steps.take(rows) / np.sqrt(sizes).astype(np.float32)
        vectors = self._table.take(rows, axis=0).astype(np.float32)
        for index, (start, end) in enumerate(pairwise(ends), start=first):
            self._vectors[index] = weights[start:end] @ vectors[start:end]


class _WordIndices(dict[str, int]):
    """The index of each word; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        index = self[word] = len(self)
        return index


class InputVectors(WordVectors):
    """Network inputs for tokens; ``added`` has a vector for each pair of a gap and a claim.

    Inputs are bytes if there is a ``step``, as quantised networks take them, and floats if not.
    """

    def __init__(
        self, rows: WordRows, table: NDArray[np.int8], steps: Floats, added: Floats, step: float | None
    ) -> None:
        super().__init__(rows, table, steps)
        self._added = added
        self._step = step

    def of_tokens(self, tokens: NoteTokens) -> NDArray[Any]:
        """Return the input for each token of a note."""
        inputs = self(tokens.words)
        inputs += self._added[tokens.gaps, tokens.claims]
        return inputs if self._step is None else to_bytes(inputs, self._step)


def to_bytes(numbers: Floats, step: float) -> NDArray[np.uint8]:
    """Return numbers as bytes, in units of ``step`` from 128, rounded as onnxruntime does.

    >>> to_bytes(np.array([0.0, 0.25, 0.375, -99.0], np.float32), 0.25).tolist()
    [128, 129, 130, 0]
    """
    scaled = numbers / np.float32(step)
    np.rint(scaled, out=scaled)
    scaled += _ZERO
    np.clip(scaled, 0, 255, out=scaled)
    return scaled.astype(np.uint8)
