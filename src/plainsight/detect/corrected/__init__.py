"""The corrected detector: a network's scores, plus what a site's readers taught.

Learning leaves the network as it is. A correction is a number for a tag where a token has some feature: its
word, its shape, its neighbours, the field that it stands in, or what the network says. They are added up and
onto the network's scores. Features are keyed digests, so the model cannot be searched for words without the
site's key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from plainsight import registry
from plainsight.arrays import Floats, Ints
from plainsight.detect.cascade import Cascade, in_groups
from plainsight.detect.corrected.features import FEATURES, Digests32, Features, word_key
from plainsight.detect.learned import Scored, TokenScorer, log_softmax
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tags import OUTSIDE

_MOST_BITS = 20  # for which a table is kept, of 4 MB


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
        return _Weights(model.arrays)

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
        begun: list[_Correction] = []

        def corrected(some: Sequence[Document], notes: Sequence[Scored]) -> list[Floats]:
            begun.append(_Correction(self._weights, self._features, some, notes))
            return begun[-1].added_to(notes)

        if isinstance(network, Cascade) and network.has_doubts:  # what readers taught is no longer in doubt
            scored = network.scores_of(documents, claims, corrected=corrected)
        else:
            scored = iter(network.scores_of(documents, claims))
        for some in in_groups(documents):
            notes = [*islice(scored, len(documents[some]))]
            own = begun.pop() if begun else _Correction(self._weights, self._features, documents[some], notes)
            added = own.added_to(notes)
            yield from ((tokens, scores) for (tokens, _), scores in zip(notes, added, strict=True))


class _Correction:
    """What the site's readers taught about the tokens of some notes."""

    def __init__(
        self, weights: _Weights, features: Features, documents: Sequence[Document], notes: Sequence[Scored]
    ) -> None:
        self._weights = weights
        self._features = features
        texts = [document.text for document in documents]
        self._text = features.of_texts(texts, [tokens for tokens, _ in notes])
        self._of_text = weights.sum(self._text.columns)
        self._best = np.zeros(0, np.uint64)
        self._sum = self._of_text
        self._ends = np.cumsum([len(scores) for _, scores in notes])[:-1]

    def added_to(self, notes: Sequence[Scored]) -> list[Floats]:
        """Return a network's scores of the notes with what was taught."""
        scores = np.concatenate([scores for _, scores in notes])
        best = self._features.best(scores)
        if not np.array_equal(best, self._best):
            self._best = best
            self._sum = self._of_text + self._weights.sum(self._text.with_tags(best))
        scores[:, self._weights.tags] += self._sum
        return np.split(log_softmax(scores), self._ends) if len(scores) else [*np.split(scores, self._ends)]


class _Weights:
    """What each feature adds to some ``tags``: the digests of features in order, and a row for each.

    Where the digests with the same first bits begin is known, so a digest is found in a step or two.
    """

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.tags: Ints = arrays["tags"]
        unknown = np.zeros((1, len(self.tags)), np.float32)
        self._rows: Floats = np.concatenate((arrays["weights"], unknown), dtype=np.float32)
        self._digests: Digests32 = np.append(arrays["digests"], np.uint32(-1 % (1 << 32)))
        bits = min(_MOST_BITS, len(self._digests).bit_length() + 5)
        self._shift = np.uint32(32 - bits)
        known = arrays["digests"] >> self._shift
        self._first = np.searchsorted(known, np.arange(1 << bits)).astype(np.int32)

    def sum(self, columns: Digests32) -> Floats:
        """Return the sum of the weights of each token's features; there is a row for each feature."""
        places = self._places(columns.ravel()).reshape(columns.shape)
        total = np.zeros((columns.shape[1], len(self.tags)), np.float32)
        for feature in places:
            total += self._rows[feature]
        return total

    def _places(self, digests: Digests32) -> Ints:
        """Return the row of each feature."""
        places: Ints = self._first[digests >> self._shift]
        left = np.flatnonzero(self._digests[places] < digests)
        while len(left):
            places[left] += 1
            left = left[self._digests[places[left]] < digests[left]]
        places[self._digests[places] != digests] = len(self._digests) - 1
        return places
