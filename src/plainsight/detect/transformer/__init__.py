"""The transformer detector: small pre-trained encoders, fine-tuned, that read the whole of each note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plainsight.arrays import Floats
from plainsight.detect.learned import TokenScorer
from plainsight.detect.transformer.network import Network
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tokens import Offsets


class Transformer(TokenScorer):
    """Label every token by encoders that see a few hundred word pieces around it.

    ``model`` is one model or several; the scores of several are averaged.
    """

    name: ClassVar[str] = "transformer"

    def __init__(
        self,
        *,
        model: str | Sequence[str] = "gte-en",
        bias: float | None = None,
        threads: int = 1,
    ) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @property
    def _models(self) -> list[str]:
        return [self.model] if isinstance(self.model, str) else list(self.model)

    @cached_property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """The manifests of its models."""
        return [read_manifest(model) for model in self._models]

    @cached_property
    def _networks(self) -> list[Network]:
        networks = [Network(load_model(model, kind=self.name), self.threads) for model in self._models]
        if any(network.tags != networks[0].tags for network in networks):
            raise UsageError("models with different labels cannot be averaged")
        return networks

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> tuple[Offsets, Floats]:
        """Return a note's tokens and the log-probability of each tag at each, without a bias."""
        results = [network.scores(document, claims) for network in self._networks]
        mean: Floats = np.mean([scores for _, scores in results], axis=0)
        return results[0][0], mean
