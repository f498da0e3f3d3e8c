"""The corrected detector: a network's scores, plus what a site's readers taught.

Learning leaves the network as it is. A correction is a number for a tag where a token has some feature: its
word, its shape, its neighbours, the field that it stands in, or what the network says. They are added up and
onto the network's scores. Features are keyed digests, so the model cannot be searched for words without the
site's key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plainsight import registry
from plainsight.arrays import Floats, Ints
from plainsight.detect.cascade import Cascade
from plainsight.detect.corrected.features import FEATURES, Features, word_key
from plainsight.detect.learned import Scored, TokenScorer, log_softmax
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import Edges, Offsets


class Corrected(TokenScorer):
    """Add the corrections of a site to the scores of another detector.

    ``model`` names the folder of corrections, then the models of the detector ``base``, which has the options
    ``settings``. The pipeline's key must be the one that the corrections were learned with.
    """

    name: ClassVar[str] = "corrected"

    def __init__(
        self,
        *,
        model: Sequence[str] = (),
        base: str = "cascade",
        settings: Mapping[str, Any] | None = None,
        bias: float | None = None,
    ) -> None:
        self.model = model
        self.base = base
        self.settings = settings or {}
        self.bias = bias
        self._secret: bytes | None = None

    def with_key(self, secret: bytes) -> Corrected:
        """Return the detector with the site's key."""
        other = copy(self)
        other._secret = secret
        return other

    def with_network(self, network: TokenScorer) -> Corrected:
        """Return the detector over another network of the same tags."""
        other = copy(self)
        other.__dict__["network"] = network
        return other

    @cached_property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """The manifest of the corrections, then those of the base's models."""
        if isinstance(self.model, str) or len(self.model) < 2:
            raise UsageError("corrections need two models: their own folder, then a network")
        return [read_manifest(model) for model in self.model]

    @cached_property
    def network(self) -> TokenScorer:
        """The detector whose scores are corrected."""
        _, *models = self.model
        model = models[0] if len(models) == 1 else models
        network = registry.create("detectors", self.base, model=model, **self.settings)
        if not isinstance(network, TokenScorer):
            raise UsageError(f"detector {self.base!r} gives no scores that could be corrected")
        return network

    @cached_property
    def _weights(self) -> _Weights:
        model = load_model(self.model[0], kind=self.name)
        if tuple(model.manifest["tags"]) != tuple(self.network.manifest["tags"]):
            raise UsageError(f"{self.model[0]}: corrections of a network with other labels")
        if model.manifest.get("features") != FEATURES:
            raise UsageError(f"{self.model[0]}: corrections of another version: learn them again")
        return _Weights(model.arrays, len(model.manifest["tags"]))

    @cached_property
    def _features(self) -> Features:
        if self._secret is None:
            raise UsageError(f"{self.model[0]}: corrections need the site's key (--key-file)")
        manifest = self.manifests[0]
        key, check = word_key(self._secret, manifest["salt"])
        if check != manifest["key"]:
            raise UsageError(f"{self.model[0]}: corrections of a site with another key")
        return Features(key, outside=self.network.manifest["tags"].index(OUTSIDE), bias=manifest["bias"])

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens and the log-probability of each tag at each, without a bias."""
        return next(self.scores_of([document], [claims]))

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Scored]:
        """Yield the scores of each note."""
        network = self.network
        if isinstance(network, Cascade):  # what readers taught is no longer in doubt
            scored: Iterable[Scored] = network.scores_of(documents, claims, corrected=self._corrected)
        else:
            scored = network.scores_of(documents, claims)
        for document, (tokens, scores) in zip(documents, scored, strict=True):
            yield tokens, self._corrected(document, tokens, scores)

    def _corrected(self, document: Document, tokens: Offsets | Edges, scores: Floats) -> Floats:
        """Return the scores of a note's tokens with what the site's readers taught."""
        if not len(scores):
            return scores
        return log_softmax(scores + self._weights.at(self._features(document.text, tokens, scores)))


class _Weights:
    """What each feature adds to each tag: ``digests`` in order, and a row of ``weights`` for each."""

    def __init__(self, arrays: Mapping[str, Any], tags: int) -> None:
        self._digests: Ints = arrays["digests"]
        self._rows = np.zeros((len(self._digests) + 1, tags), np.float32)  # the last: unknown features
        self._rows[:-1, arrays["tags"]] = arrays["weights"]

    def at(self, features: Ints) -> Floats:
        """Return the sum of the weights of each token's features."""
        unknown = len(self._digests)
        places = np.searchsorted(self._digests, features)
        places[places == unknown] = 0
        if unknown:
            places[self._digests[places] != features] = unknown
        total: Floats = self._rows[places].sum(axis=1)
        return total
