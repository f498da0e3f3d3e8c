"""The convolution detector: a small, fast network that sees a few dozen words around each token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from plainsight.detect.convolution.network import Network
from plainsight.detect.learned import Margins, Scored, TokenScorer, log_softmax
from plainsight.document import Document, Span
from plainsight.model import load_model, read_manifest


class Convolution(TokenScorer):
    """Label every token by a network of dilated convolutions."""

    name: ClassVar[str] = "convolution"

    def __init__(self, *, model: str = "conv-en", bias: float | None = None, threads: int = 1) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @cached_property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """The manifest of its model."""
        return [read_manifest(self.model)]

    @cached_property
    def _network(self) -> Network:
        return Network(load_model(self.model, kind=self.name), self.threads)

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens and the log-probability of each tag at each, without a bias."""
        return next(self.scores_of([document], [claims]))

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Scored]:
        """Yield the scores of each note."""
        return ((tokens, log_softmax(scores)) for tokens, scores, _ in self._margins(documents, claims))

    def _margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Margins]:
        return self._network.margins(documents, claims)
