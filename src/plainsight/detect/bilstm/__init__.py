"""The bilstm detector: a recurrent network over tokens, with learned transitions and a recall bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.detect.bilstm.network import Floats, Network, Reading
from plainsight.detect.crf.chain import Chain, Marginals
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.model import Model, load_model, read_manifest
from plainsight.text.tags import OUTSIDE, decode

__all__ = ["Bilstm"]

Ints = NDArray[np.int64]


class _Labels:
    """Of the class, all labels that we have; of an instance, those of its model, whoever's they are."""

    def __get__(self, detector: Bilstm | None, owner: type[Bilstm]) -> frozenset[str]:
        return frozenset(LABELS if detector is None else detector._manifest["labels"])


class Bilstm:
    """Label every token of a note by a bidirectional recurrent network (S72–S84, S201, S203).

    ``bias`` is added to the score of ``O`` at every token: below 0 more is found, above 0 less. A model may
    have learnt to look at what other detectors claim; a pipeline that has run them passes it on.
    """

    name: ClassVar[str] = "bilstm"
    labels = _Labels()
    needs: ClassVar[tuple[str, ...]] = ("patterns", "lexicon")

    def __init__(self, *, model: str = "bilstm-en", bias: float | None = None, threads: int = 1) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @cached_property
    def _manifest(self) -> Mapping[str, Any]:
        return read_manifest(self.model)

    @cached_property
    def _labelling(self) -> _Labelling:
        return _Labelling(load_model(self.model, kind=self.name), self.threads)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given what the detectors it needs have claimed."""
        labelling = self._labelling
        return [
            labelling.spans(labelling.network.read(document, said), self.bias)
            for document, said in zip(documents, claims, strict=True)
        ]

    def probabilities(self, documents: Sequence[Document]) -> list[NDArray[np.float64]]:
        """Return for each note the probability of every tag (``tags``) at every token (S111)."""
        return [
            self._labelling.marginals(reading, self.bias).probabilities
            for reading in self._readings(documents)
        ]

    def scores(self, documents: Sequence[Document]) -> list[Floats]:
        """Return for each note the network's own score of every tag at every token, before any transition."""
        labelling = self._labelling
        return [
            labelling.network.scores(reading, len(labelling.tags)) for reading in self._readings(documents)
        ]

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return for each note the log-probability of its best labelling as a whole (S49)."""
        return [self._labelling.confidence(reading, self.bias) for reading in self._readings(documents)]

    @property
    def tags(self) -> tuple[str, ...]:
        """The model's tags, in the order of the probabilities."""
        return tuple(self._manifest["tags"])

    def _readings(self, documents: Sequence[Document]) -> list[Reading]:
        claims = self._claims(documents)
        return [self._labelling.network.read(*pair) for pair in zip(documents, claims, strict=True)]

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        claims: list[list[Span]] = [[] for _ in documents]
        if "claim" in self._labelling.network.columns:
            for name in self.needs:
                found = registry.create("detectors", name).detect(documents)
                for said, spans in zip(claims, found, strict=True):
                    said += spans
        return claims


class _Labelling:
    """A model made ready: the network, and the chain of its tags."""

    def __init__(self, model: Model, threads: int) -> None:
        self.network = Network(model, threads)
        self.tags: list[str] = model.manifest["tags"]
        self.bias = float(model.manifest["bias"])
        self.outside = self.tags.index(OUTSIDE)
        arrays = model.arrays
        self.chain = Chain(arrays["transitions"], self.outside)
        # what it weighs to begin and to end a sequence with a tag; of published models only
        self.first, self.last = (arrays.get(name) for name in ("first", "last"))
        self.by_sentence = model.manifest["network"]["pieces"]["by"] == "sentence"

    def emissions(self, reading: Reading, bias: float | None) -> list[Floats]:
        """Return the scores of each sequence: each sentence is one, or the whole note is."""
        scores = self.network.scores(reading, len(self.tags))
        scores[:, self.outside] += self.bias if bias is None else bias
        edges = [piece.until for piece in reading.pieces[:-1]] if self.by_sentence else []
        made = np.split(scores, edges) if len(scores) else []
        for sequence in made:
            if self.first is not None:
                sequence[0] += self.first
            if self.last is not None:
                sequence[-1] += self.last
        return made

    def marginals(self, reading: Reading, bias: float | None) -> Marginals:
        return self._joined(self.chain.marginals(self.emissions(reading, bias)))

    def _joined(self, parts: Sequence[Marginals]) -> Marginals:
        if not parts:
            return self.chain.marginals([np.zeros((0, len(self.tags)), np.float32)])[0]
        probabilities, log_z, likeliest, doubt, steps = zip(*parts, strict=True)
        joined = (np.concatenate(part) for part in (likeliest, doubt, steps))
        return Marginals(np.concatenate(probabilities), sum(log_z), *joined)

    def spans(self, reading: Reading, bias: float | None) -> list[Span]:
        emissions = self.emissions(reading, bias)
        if not emissions:
            return []
        marginals = self.chain.marginals(emissions)
        path = np.concatenate(self.chain.best(emissions, marginals))
        if not (path != self.outside).any():
            return []
        sure = 1.0 - np.concatenate([part.probabilities[:, self.outside] for part in marginals])
        starts = np.array([start for start, _ in reading.tokens])
        made = []
        for span in decode([self.tags[tag] for tag in path], reading.tokens, source=Bilstm.name):
            first, last = np.searchsorted(starts, (span.start, span.end))
            score = round(min(max(float(sure[first:last].min()), 0.0), 1.0), 6)
            made.append(Span(span.start, span.end, span.label, score, span.source))
        return made

    def confidence(self, reading: Reading, bias: float | None) -> float:
        emissions = self.emissions(reading, bias)
        marginals = self.chain.marginals(emissions)
        paths = self.chain.best(emissions, marginals)
        whole = sum(
            self.chain.log_score(scores, path) - marginal.log_z
            for scores, path, marginal in zip(emissions, paths, marginals, strict=True)
        )
        return float(whole)
