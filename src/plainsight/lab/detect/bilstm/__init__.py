"""The bilstm detector: a recurrent network over tokens, with learned transitions and a recall bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats
from plainsight.detect.learned import ModelLabels, claims_of, scored_spans
from plainsight.document import Document, Span
from plainsight.lab.detect.bilstm.inputs import NoteInputs
from plainsight.lab.detect.bilstm.network import Network
from plainsight.lab.detect.chain import Chain, Marginals
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, load_model, read_manifest
from plainsight.text.tags import OUTSIDE

_Chained = list[tuple[Floats, Marginals, NDArray[np.int64]]]


class Bilstm:
    """Label every token of a note by a bidirectional recurrent network.

    ``bias`` is added to the score of ``O`` at every token: below 0 more is found, above 0 less. A model may
    use the claims of other detectors; a pipeline that has run them passes them on.
    """

    name: ClassVar[str] = "bilstm"
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns",)

    def __init__(self, *, model: str = "", bias: float | None = None, threads: int = 1) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The model's manifest."""
        return read_manifest(require_model(self.name, self.model))

    @cached_property
    def _labelling(self) -> _Labelling:
        return _Labelling(load_model(require_model(self.name, self.model), kind=self.name), self.threads)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        return self._labelling.spans(self._readings(documents, claims), self.bias)

    def probabilities(self, documents: Sequence[Document]) -> list[Doubles]:
        """Return for each note the probability of every tag (``tags``) at every token."""
        readings = self._readings(documents, self._claims(documents))
        return self._labelling.probabilities(readings, self.bias)

    def scores(self, documents: Sequence[Document]) -> list[Floats]:
        """Return the network's score of every tag at every token of each note, without transitions."""
        readings = self._readings(documents, self._claims(documents))
        return [self._labelling.network.scores(reading) for reading in readings]

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return the log-probability of each note's best labelling."""
        readings = self._readings(documents, self._claims(documents))
        return self._labelling.confidence(readings, self.bias)

    @property
    def tags(self) -> tuple[str, ...]:
        """The model's tags, in the order of the probabilities."""
        return tuple(self.manifest["tags"])

    def _readings(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> list[NoteInputs]:
        return [self._labelling.network.read(*pair) for pair in zip(documents, claims, strict=True)]

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        looked_at = self.needs if "claim" in self.manifest["network"]["columns"] else ()
        return claims_of(looked_at, documents)


class _Labelling:
    """A loaded model: the network, and the chain of its tags."""

    def __init__(self, model: Model, threads: int) -> None:
        self.network = Network(model, threads)
        self.tags: list[str] = model.manifest["tags"]
        self.bias = float(model.manifest["bias"])
        self.outside = self.tags.index(OUTSIDE)
        self.chain = Chain(model.arrays["transitions"])
        # what it weighs to begin and to end a sequence with a tag; of published models only
        self.first, self.last = (model.arrays.get(name) for name in ("first", "last"))
        self.by_sentence = model.manifest["network"]["pieces"]["by"] == "sentence"

    def sequences(self, reading: NoteInputs, bias: float | None) -> list[Floats]:
        """Return the scores of each sequence: each sentence is one, or the whole note is."""
        scores = self.network.scores(reading)
        scores[:, self.outside] += self.bias if bias is None else bias
        edges = [piece.until for piece in reading.pieces[:-1]] if self.by_sentence else []
        made = np.split(scores, edges)
        for sequence in made if len(scores) else ():
            if self.first is not None:
                sequence[0] += self.first
            if self.last is not None:
                sequence[-1] += self.last
        return made

    def chained(self, readings: Sequence[NoteInputs], bias: float | None) -> list[_Chained]:
        """Return for each note its scores, and the probabilities and the best tags of its sequences."""
        rows = [self.sequences(reading, bias) for reading in readings]
        flat = [scores for row in rows for scores in row]
        marginals = self.chain.marginals(flat)
        all_of = zip(flat, marginals, self.chain.best(flat), strict=True)
        return [list(islice(all_of, len(row))) for row in rows]

    def probabilities(self, readings: Sequence[NoteInputs], bias: float | None) -> list[Doubles]:
        return [
            np.concatenate([marginal.probabilities for _, marginal, _ in note])
            for note in self.chained(readings, bias)
        ]

    def confidence(self, readings: Sequence[NoteInputs], bias: float | None) -> list[float]:
        return [
            float(sum(self.chain.log_score(scores, path) - known.log_z for scores, known, path in note))
            for note in self.chained(readings, bias)
        ]

    def spans(self, readings: Sequence[NoteInputs], bias: float | None) -> list[list[Span]]:
        chained = self.chained(readings, bias)
        return [self._spans(reading, note) for reading, note in zip(readings, chained, strict=True)]

    def _spans(self, reading: NoteInputs, note: _Chained) -> list[Span]:
        path = np.concatenate([path for _, _, path in note])
        if not (path != self.outside).any():
            return []
        outside = np.concatenate([known.probabilities[:, self.outside] for _, known, _ in note])
        return scored_spans([self.tags[tag] for tag in path], reading.tokens, outside, source=Bilstm.name)
