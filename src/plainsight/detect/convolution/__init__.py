"""The convolution detector: a small network that looks at some dozen words around each, quickly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.convolution.network import Network
from plainsight.detect.learned import ModelLabels, claims_of, labelled
from plainsight.document import Document, Span
from plainsight.model import load_model, read_manifest
from plainsight.text.tokens import Edges

__all__ = ["Convolution"]

Floats = NDArray[np.float32]


class Convolution:
    """Label every token of a note by layers that look ever further around it.

    ``bias`` is added to the score of ``O`` at every token: below 0 more is found, above 0 less. The network
    looks at what the rules claim; a pipeline that has run them passes it on.
    """

    name: ClassVar[str] = "convolution"
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns", "lexicon")

    def __init__(self, *, model: str = "conv-en", bias: float | None = None, threads: int = 1) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """What the model says of itself."""
        return read_manifest(self.model)

    @cached_property
    def _network(self) -> Network:
        return Network(load_model(self.model, kind=self.name), self.threads)

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        looked_at = self.needs if self.manifest["claims"] else ()
        return self.detect_with(documents, claims_of(looked_at, documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given what the detectors it needs have claimed."""
        notes = (self.scores(*note) for note in zip(documents, claims, strict=True))
        bias = float(self.manifest["bias"]) if self.bias is None else self.bias
        return labelled(notes, self.manifest["tags"], bias=bias, source=self.name)

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> tuple[Edges, Floats]:
        """Return a note's tokens, and the logarithm of each tag's probability at each, without a bias."""
        reading = self._network.read(document, claims)
        return reading.edges, self._network.scores(reading)
