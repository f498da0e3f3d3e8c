"""The average detector: the mean of several learned models.

Each model gives every tag a probability at every token. The detector averages the log-probabilities and takes
the best tag sequence in which every I- tag follows a B- tag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution import Convolution
from plainsight.detect.learned import ModelLabels, bio_transitions, claims_of, scored_spans
from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.chain import Chain
from plainsight.lab.detect.crf import Crf
from plainsight.model import read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import Offsets, tokenize

Probabilities = Callable[[Sequence[Document]], Sequence[NDArray[Any]]]

_LEAST = 1e-5  # floor of a probability, so that no model overrules all others


class Average:
    """Tag tokens by the mean of several models.

    ``model`` are folders or names of crf, convolution, bilstm and transformer models, ``weights`` their
    weights, equal if not given. ``bias`` is added to the score of ``O`` at every token:
    below 0 more is found, above 0 less; the biases of crf and bilstm models count as well.
    """

    name: ClassVar[str] = "average"
    labels = ModelLabels()

    def __init__(
        self, *, model: str | Sequence[str] = (), weights: Sequence[float] = (), bias: float = 0.0
    ) -> None:
        self.model = model
        self.weights = weights
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The labels of all models."""
        return {"labels": sorted({label for one in self._manifests for label in one["labels"]})}

    @property
    def _models(self) -> list[str]:
        return [self.model] if isinstance(self.model, str) else list(self.model)

    @cached_property
    def _manifests(self) -> list[Mapping[str, Any]]:
        if not self._models:
            raise UsageError("average has no model of its own: name those that it is to average")
        return [read_manifest(model) for model in self._models]

    @cached_property
    def _members(self) -> list[Probabilities]:
        return [probabilities_of(model) for model in self._models]

    @cached_property
    def _together(self) -> SharedTags:
        return SharedTags([one["tags"] for one in self._manifests], self.weights)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        together = self._together
        said = zip(*(member(documents) for member in self._members), strict=True)
        return [
            together.spans(tokenize(document.text), each, bias=self.bias)
            for document, each in zip(documents, said, strict=True)
        ]


def probabilities_of(model: str) -> Probabilities:
    """Return a function that gives the probability of every tag of a model at every token of notes."""
    manifest = read_manifest(model)
    kind = manifest["kind"]
    if kind == Crf.name:
        return Crf(model=model).probabilities
    if kind == Convolution.name:
        return partial(_of_scores, Convolution(model=model))
    if kind == Transformer.name:
        return partial(_of_scores, Transformer(model=model))
    if kind == Bilstm.name and manifest["network"]["tokens"] == "plainsight":
        return Bilstm(model=model).probabilities
    raise UsageError(f"a {kind} model cannot be averaged with others: {model}")


def _of_scores(detector: Convolution | Transformer, documents: Sequence[Document]) -> list[Floats]:
    looked_at = detector.needs if detector.manifest["claims"] else ()
    claims = claims_of(looked_at, documents)
    return [np.exp(detector.scores(*pair)[1]) for pair in zip(documents, claims, strict=True)]


@dataclass(frozen=True)
class SharedTags:
    """Maps the tags of several models to one set: ``O``, ``B-`` and ``I-`` of all labels."""

    tags_of: Sequence[Sequence[str]]
    weights: Sequence[float] = ()

    @cached_property
    def tags(self) -> list[str]:
        """All tags, in the order of the scores."""
        labels = sorted({tag[2:] for tags in self.tags_of for tag in tags if tag != OUTSIDE})
        return [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI")]

    @cached_property
    def _maps(self) -> list[Floats]:
        place = {tag: at for at, tag in enumerate(self.tags)}
        maps = []
        for tags in self.tags_of:
            into = np.zeros((len(tags), len(place)), np.float32)
            into[np.arange(len(tags)), [place[_simple(tag)] for tag in tags]] = 1.0
            maps.append(into)
        return maps

    @cached_property
    def _chain(self) -> Chain:
        return Chain(bio_transitions(self.tags))

    def scores(self, said: Sequence[NDArray[Any]]) -> Floats:
        """Return the mean log-probability of each tag at each token of a note."""
        if not len(said) == len(self.tags_of) == len(self.weights or said):
            raise UsageError("each model has its tags, its probabilities, and its weight, if any has one")
        weights = np.array(self.weights or [1.0] * len(said), np.float32)
        return np.tensordot(weights / weights.sum(), self.logarithms(said), axes=1)

    def logarithms(self, said: Sequence[NDArray[Any]]) -> Floats:
        """Return each model's log-probability of each tag at each token of a note."""
        return np.stack(
            [
                np.log(np.maximum(chances.astype(np.float32) @ into, _LEAST))
                for into, chances in zip(self._maps, said, strict=True)
            ]
        )

    def spans(self, tokens: Offsets, said: Sequence[NDArray[Any]], *, bias: float = 0.0) -> list[Span]:
        """Return the spans of a note's best labelling, given the models' probabilities."""
        scores = self.scores(said)
        scores[:, 0] += bias
        [marginals] = self._chain.marginals([scores])
        [path] = self._chain.best([scores])
        tags = [self.tags[tag] for tag in path]
        return scored_spans(tags, tokens, marginals.probabilities[:, 0], source=Average.name)


def _simple(tag: str) -> str:
    """Return a tag of BIOES as one of BIO."""
    return tag if tag == OUTSIDE else f"{'B' if tag[0] in 'BSU' else 'I'}{tag[1:]}"
