"""The bilstm detector: a recurrent network over tokens, with learned transitions and a recall bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from plainsight.arrays import Floats
from plainsight.detect.session import session_of
from plainsight.document import Document, Span
from plainsight.lab.detect.bilstm.inputs import NoteInputs, NoteReader, Piece, feed
from plainsight.lab.detect.trained import ChainTagger, ScoredNote
from plainsight.model import Model


class Bilstm(ChainTagger):
    """Tag every token of a note by a bidirectional recurrent network."""

    name: ClassVar[str] = "bilstm"
    needs: ClassVar[tuple[str, ...]] = ("patterns",)

    def __init__(self, *, model: str = "", bias: float | None = None, threads: int = 1) -> None:
        super().__init__(model=model, bias=bias)
        self.threads = threads

    @property
    def uses_claims(self) -> bool:
        """Whether the claims of other detectors are an input of the network."""
        return "claim" in self.manifest["network"]["columns"]

    @cached_property
    def _network(self) -> Network:
        return Network(self._loaded, self.threads)

    def sequences(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> Iterator[ScoredNote]:
        """Yield each note's tokens and the scores of its sentences, or of the whole note as one sequence."""
        by_sentence = self.manifest["network"]["pieces"]["by"] == "sentence"
        arrays = self._loaded.arrays
        for document, spans in zip(documents, claims, strict=True):
            inputs = self._network.read(document, spans)
            scores = self._network.scores(inputs)
            edges = [piece.until for piece in inputs.pieces[:-1]] if by_sentence else []
            made = np.split(scores, edges)
            for sequence in made if len(scores) else ():
                # Published models also have weights for the first and the last tag of a sequence.
                if "first" in arrays:
                    sequence[0] += arrays["first"]
                    sequence[-1] += arrays["last"]
            yield ScoredNote(inputs.tokens, made)


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
