"""Run a trained encoder: notes in, scores of all tags at all tokens out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.learned import log_softmax
from plainsight.detect.session import session_of
from plainsight.detect.transformer.labelling import Batch, token_scores
from plainsight.detect.transformer.note_pieces import NotePieces, read
from plainsight.detect.transformer.pieces import WordSplitter, word_splitter
from plainsight.document import Document, Span
from plainsight.model import Model
from plainsight.text.tokens import Offsets
from plainsight.text.variants import in_variant

INPUTS = ("pieces", "case", "gap", "claim", "lists", "mask")
"""The arrays of a batch, in this order. A network takes those that it has inputs for, and ``asked``."""


class Network:
    """A trained encoder and the vocabulary that it splits words by."""

    def __init__(self, model: Model, threads: int) -> None:
        manifest = model.manifest
        self.tags: list[str] = manifest["tags"]
        self._text: str | None = manifest.get("text")
        self._size, self._margin = int(manifest["window"]), int(manifest["margin"])
        self._claims = {label: number for number, label in enumerate(manifest["claims"], start=1)}
        self._splitter = stored_splitter(model)
        self._session = session_of(model, threads)
        self._input_names = [node.name for node in self._session.get_inputs()]

    def scores(
        self,
        document: Document,
        claims: Sequence[Span] = (),
        *,
        at: Ints | None = None,
        margin: int | None = None,
    ) -> tuple[Offsets, Floats]:
        """Return a note's tokens and the log-probability of each tag at each.

        With ``at``, only tokens at these indices are scored, and the network sees only ``margin`` pieces on
        both sides of each.
        """
        margin = self._margin if margin is None else margin
        lists = "lists" in self._input_names
        [document] = in_variant([document], self._text)
        note = read(
            document, self._splitter, claims=claims, labels=self._claims, lists=lists, at=at, margin=margin
        )
        return note.tokens, self.scores_of(note, at=at, margin=margin)

    def scores_of(self, note: NotePieces, *, at: Ints | None = None, margin: int | None = None) -> Floats:
        """Return the log-probability of each tag at each token of a note in pieces."""
        [scores] = token_scores(
            [note],
            self._run,
            self._splitter,
            tags=len(self.tags),
            size=self._size,
            margin=self._margin if margin is None else margin,
            wanted=None if at is None else [at],
        )
        return scores

    def _run(self, batch: Batch, columns: Sequence[Ints]) -> list[Floats]:
        [asked] = columns  # one excerpt at a time
        inputs = {**dict(zip(INPUTS, batch, strict=True)), "asked": asked}
        [scores] = self._session.run(["scores"], {name: inputs[name] for name in self._input_names})[0]
        return [log_softmax(scores)]


def stored_splitter(model: Model) -> WordSplitter:
    """Return the splitter of a model's vocabulary."""
    names = [name for name in ("vocabulary", "merges") if name in model.arrays]
    words = {name: model.arrays[name].tobytes().decode().split("\n") for name in names}
    return word_splitter(model.manifest["pieces"], words)


def pack_words(words: Sequence[str]) -> NDArray[np.uint8]:
    """Return words as an array to store in a model; `stored_splitter` reads it."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)
