"""What a network is given: the vectors of words, with those of the gap before each and of a claim on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution.note_tokens import NoteTokens
from plainsight.detect.convolution.words import WordRows, WordVectors, with_room

Bytes = NDArray[np.uint8]

_ZERO = 128  # the byte for the number 0


class Inputs(WordVectors):
    """Vectors of words, to which those of gaps and claims are added; ``added`` has one for each pair."""

    def __init__(self, rows: WordRows, table: NDArray[np.int8], steps: Floats, added: Floats) -> None:
        super().__init__(rows, table, steps)
        self._added = added

    def of(self, reading: NoteTokens) -> NDArray[Any]:
        """Return what the network is given for each token."""
        vectors, places = self.places_in(reading.text, reading.edges, reading.view)
        made: Floats = vectors.take(places, axis=0)
        made += self._added[reading.gaps, reading.claims]
        return made


class ByteInputs(Inputs):
    """The same in bytes, as a network in bytes would round them: to so many of a ``step`` each.

    They are remembered for each word and each gap before it. There are few claims: these are added as they
    come.
    """

    def __init__(
        self, rows: WordRows, table: NDArray[np.int8], steps: Floats, added: Floats, step: float
    ) -> None:
        self._step = step
        self._unclaimed = added[:, 0]
        super().__init__(rows, table, steps, added)

    def of(self, reading: NoteTokens) -> NDArray[Any]:
        """Return what the network is given for each token."""
        with self._learning:
            vectors, places = self.places_in(reading.text, reading.edges, reading.view)
            remembered = self._bytes
        numbers = places * len(self._unclaimed) + reading.gaps
        made: Bytes = remembered.reshape(-1, remembered.shape[-1]).take(numbers, axis=0)
        claimed = np.flatnonzero(reading.claims)
        added = self._added[reading.gaps[claimed], reading.claims[claimed]]
        made[claimed] = to_bytes(vectors.take(places[claimed], axis=0) + added, self._step)
        return made

    def _forget(self) -> None:
        super()._forget()
        self._bytes: Bytes = np.empty((0, *self._unclaimed.shape), np.uint8)

    def _learn(self, words: list[str], first: int) -> None:
        super()._learn(words, first)
        if len(self._vectors) > len(self._bytes):
            self._bytes = with_room(self._bytes, len(self._vectors))
        last = first + len(words)
        self._bytes[first:last] = to_bytes(self._vectors[first:last, None] + self._unclaimed, self._step)


def to_bytes(numbers: Floats, step: float) -> Bytes:
    """Return numbers as bytes, rounded as onnxruntime does: each is so many steps from 128.

    >>> to_bytes(np.array([0.0, 0.25, 0.375, -99.0], np.float32), 0.25).tolist()
    [128, 129, 130, 0]
    """
    made: Bytes = np.clip(np.rint(numbers / np.float32(step)) + _ZERO, 0, 255).astype(np.uint8)
    return made
