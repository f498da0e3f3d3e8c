"""The transformer detector: small pre-trained encoders, fine-tuned, over the whole of each note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import ModelLabels, claims_of, labelled
from plainsight.detect.transformer.network import Network
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tokens import Offsets

__all__ = ["Transformer"]

Floats = NDArray[np.float32]


class Transformer:
    """Label every token of a note by encoders that read some hundred pieces around it (S123-S131).

    ``model`` is one model or several; the scores of several are averaged. ``bias`` is added to the score of
    ``O`` at every token: below 0 more is found, above 0 less. Models may have learnt to look at what other
    detectors claim; a pipeline that has run them passes it on.
    """

    name: ClassVar[str] = "transformer"
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns", "lexicon")

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
    def _manifests(self) -> list[Mapping[str, Any]]:
        return [read_manifest(model) for model in self._models]

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the first model says of itself."""
        return self._manifests[0]

    @cached_property
    def _networks(self) -> list[Network]:
        networks = [Network(load_model(model, kind=self.name), self.threads) for model in self._models]
        if any(network.tags != networks[0].tags for network in networks):
            raise UsageError("models with different labels cannot be averaged")
        return networks

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        looked_at = self.needs if any(manifest["claims"] for manifest in self._manifests) else ()
        return self.detect_with(documents, claims_of(looked_at, documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given what the detectors it needs have claimed."""
        notes = (self.scores(*note) for note in zip(documents, claims, strict=True))
        return labelled(notes, self.manifest["tags"], bias=self._bias, source=self.name)

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> tuple[Offsets, Floats]:
        """Return a note's tokens, and the logarithm of each tag's probability at each, without a bias."""
        readings = [network.read(document, claims) for network in self._networks]
        found = [network.scores(reading) for network, reading in zip(self._networks, readings, strict=True)]
        mean: Floats = np.mean(found, axis=0) if len(found) > 1 else found[0]
        return readings[0].tokens, mean

    @property
    def _bias(self) -> float:
        own = [float(manifest["bias"]) for manifest in self._manifests]
        return sum(own) / len(own) if self.bias is None else self.bias
