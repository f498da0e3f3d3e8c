"""A trained encoder made ready: how words are cut, and the network in onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.session import session_of
from plainsight.detect.transformer.labelling import Batch, token_scores
from plainsight.detect.transformer.note_pieces import read
from plainsight.detect.transformer.pieces import piece_maker
from plainsight.document import Document, Span
from plainsight.model import Model
from plainsight.text.tokens import Offsets

INPUTS = ("pieces", "case", "gap", "claim", "lists", "mask")
"""The parts of a batch, in this order; a network takes those that it has inputs for, and ``asked``."""


class Network:
    """Reads notes and scores their tokens."""

    def __init__(self, model: Model, threads: int) -> None:
        manifest = model.manifest
        self.tags: list[str] = manifest["tags"]
        self._size, self._margin = int(manifest["window"]), int(manifest["margin"])
        self._claims = {label: number for number, label in enumerate(manifest["claims"], start=1)}
        words = {
            name: parted(model.arrays[name]) for name in ("vocabulary", "merges") if name in model.arrays
        }
        self._make = piece_maker(manifest["pieces"], words)
        self._session = session_of(model, threads)
        self._wanted = [given.name for given in self._session.get_inputs()]

    def scores(
        self,
        document: Document,
        claims: Sequence[Span] = (),
        *,
        at: Ints | None = None,
        margin: int | None = None,
    ) -> tuple[Offsets, Floats]:
        """Return a note's tokens, and the logarithm of each tag's probability at each, or ``at`` some places.

        ``margin`` overrides how many pieces around them are looked at.
        """
        margin = self._margin if margin is None else margin
        lists = "lists" in self._wanted
        reading = read(
            document, self._make, claims=claims, labels=self._claims, lists=lists, at=at, margin=margin
        )
        [found] = token_scores(
            [reading],
            self._run,
            self._make,
            tags=len(self.tags),
            size=self._size,
            margin=margin,
            wanted=None if at is None else [at],
        )
        return reading.tokens, found

    def _run(self, batch: Batch, asked: Sequence[Ints]) -> list[Floats]:
        [places] = asked  # one excerpt goes through at a time
        given = {**dict(zip(INPUTS, batch, strict=True)), "asked": places}
        [scores] = self._session.run(["scores"], {name: given[name] for name in self._wanted})[0]
        scores -= scores.max(axis=-1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=-1, keepdims=True))
        return [scores]


def joined(words: Sequence[str]) -> NDArray[np.uint8]:
    """Return words as an array, as models hold them."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def parted(array: NDArray[np.uint8]) -> list[str]:
    """Return the words of an array."""
    return array.tobytes().decode().split("\n")
