"""The convolution detector: a small network that looks at some dozen words around each, quickly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from plainsight.detect.convolution.network import Network
from plainsight.detect.learned import Margins, Scored, TokenScorer, normalised
from plainsight.document import Document, Span
from plainsight.model import load_model, read_manifest


class Convolution(TokenScorer):
    """Label every token of a note by layers that look ever further around it."""

    name: ClassVar[str] = "convolution"

    def __init__(self, *, model: str = "conv-en", bias: float | None = None, threads: int = 1) -> None:
        self.model = model
        self.bias = bias
        self.threads = threads

    @cached_property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """What the model says of itself."""
        return [read_manifest(self.model)]

    @cached_property
    def _network(self) -> Network:
        return Network(load_model(self.model, kind=self.name), self.threads)

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens, and the logarithm of each tag's probability at each, without a bias."""
        return next(self.scores_of([document], [claims]))

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Scored]:
        """Yield the same of each of some notes."""
        return ((tokens, normalised(scores)) for tokens, scores, _ in self._margins(documents, claims))

    def _margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Margins]:
        return self._network.margins(documents, claims)
