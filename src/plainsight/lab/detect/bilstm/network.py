"""Run a trained network: scores of every tag at every token of a note."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainsight.arrays import Floats
from plainsight.detect.session import session_of
from plainsight.lab.detect.bilstm.inputs import NoteInputs, NoteReader, feed
from plainsight.lab.detect.bilstm.pieces import Piece
from plainsight.model import Model

_ROOM = 4096  # tokens of a batch, with what pads them


class Network:
    """Reads notes and scores their tokens.

    A note goes through the network by itself. So what is found in it never depends on the notes beside it,
    not even in the last digit, although quantised networks measure the numbers of a batch together.
    """

    def __init__(self, model: Model, threads: int) -> None:
        self.read = NoteReader(model.manifest["network"], model.arrays)
        self._tags = len(model.manifest["tags"])
        self._session = session_of(model, threads)
        self._wanted = {given.name for given in self._session.get_inputs()}

    def scores(self, reading: NoteInputs) -> Floats:
        """Return the score of every tag at every token."""
        made = np.zeros((len(reading.tokens), self._tags), np.float32)
        for batch in batches(reading.pieces):
            given = {name: array for name, array in feed(reading, batch).items() if name in self._wanted}
            found = self._session.run(["scores"], given)[0]
            for row, (start, _, keep, until) in enumerate(batch):
                made[keep:until] = found[keep - start : until - start, row]
        return made


def batches(cut: Sequence[Piece]) -> list[list[Piece]]:
    """Batch pieces of similar length, the longest first."""
    rest = sorted(cut, key=lambda piece: (piece.start - piece.stop, piece.start))
    made: list[list[Piece]] = []
    place = 0
    while place < len(rest):
        length = rest[place].stop - rest[place].start
        most = max(1, _ROOM // length)
        # what is much shorter waits for the next batch, rather than being padded to twice its length
        alike = sum(2 * (piece.stop - piece.start) >= length for piece in rest[place : place + most])
        made.append(rest[place : place + alike])
        place += alike
    return made
