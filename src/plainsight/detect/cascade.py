"""The cascade detector: a quick network reads every word, a large one where the quick one is in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution import Convolution
from plainsight.detect.learned import Scored, TokenScorer, normalised
from plainsight.detect.transformer.network import Network
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tags import OUTSIDE

_SURE = 0.8  # of a label


class Cascade(TokenScorer):
    """Label every token by a convolutional network, and doubtful ones by a transformer too.

    ``model`` names the convolutional network, then one transformer or several. A token is in doubt if both
    "it identifies somebody" and "it does not" have a probability of at least ``doubt``. A token that surely
    identifies somebody is in doubt if no label has a probability of 0.8. The neighbours of a doubtful token
    that may identify somebody, too, are read again with it, so that edges and labels are settled together.
    With a ``doubt`` of 0 the transformer reads everything, above 0.5 nothing. It sees ``margin`` pieces on
    both sides of what is in doubt, all of a note together. The scores of a token are averaged; those of the
    convolutional network count ``share``.
    """

    name: ClassVar[str] = "cascade"

    def __init__(
        self,
        *,
        model: Sequence[str] = ("wide-en", "gte-en"),
        doubt: float = 0.005,
        margin: int = 6,
        share: float = 0.25,
        bias: float | None = None,
        threads: int = 1,
    ) -> None:
        self.model = model
        self.doubt = doubt
        self.margin = margin
        self.share = share
        self.bias = bias
        self.threads = threads

    @property
    def _models(self) -> Sequence[str]:
        if isinstance(self.model, str) or len(self.model) < 2:
            raise UsageError("a cascade needs two models: convolutions, then a transformer")
        return self.model

    @cached_property
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """What its models say of themselves."""
        return [read_manifest(model) for model in self._models]

    @cached_property
    def _quick(self) -> Convolution:
        return Convolution(model=self._models[0], threads=self.threads)

    @cached_property
    def _large(self) -> list[Network]:
        networks = [
            Network(load_model(model, kind="transformer"), self.threads) for model in self._models[1:]
        ]
        if any(network.tags != self.manifest["tags"] for network in networks):
            raise UsageError("models with different labels cannot be averaged")
        return networks

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens, and the logarithm of each tag's probability at each, without a bias."""
        return next(self.scores_of([document], [claims]))

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterator[Scored]:
        """Yield the same of each of some notes."""
        quick = self._quick.scores_of(documents, claims)
        for document, said, (tokens, scores) in zip(documents, claims, quick, strict=True):
            self._look_again(document, said, scores)
            yield tokens, scores

    def _look_again(self, document: Document, claims: Sequence[Span], scores: Floats) -> None:
        """Average the scores of doubtful tokens with what the large networks say."""
        doubtful = self._doubtful(scores)
        if not len(doubtful):
            return
        others = np.zeros((len(doubtful), scores.shape[1]), np.float32)
        for network in self._large:
            _, said = network.scores(document, claims, at=doubtful, margin=self.margin)
            others += said[doubtful]
        others *= (1.0 - self.share) / len(self._large)
        mean = self.share * scores[doubtful] + others
        scores[doubtful] = normalised(mean)

    def _doubtful(self, scores: Floats) -> NDArray[np.int64]:
        """Return the places of tokens that another network should look at."""
        if self.doubt > 0.5:
            return np.zeros(0, np.int64)
        identifies = -np.expm1(np.minimum(scores[:, self.manifest["tags"].index(OUTSIDE)], 0.0))
        doubtful = (identifies >= self.doubt) & (identifies <= 1.0 - self.doubt)
        sure = np.flatnonzero(identifies > 1.0 - self.doubt)
        doubtful[sure] = (np.exp(scores[sure]) @ self._of_label).max(axis=1, initial=0.0) < _SURE
        stretch = _stretches(identifies >= self.doubt)
        return np.flatnonzero(np.isin(stretch, stretch[doubtful]))

    @cached_property
    def _of_label(self) -> Floats:
        """Tags by labels: 1 where a tag is a label's."""
        labels, tags = self.manifest["labels"], self.manifest["tags"]
        return np.array([[tag[2:] == label for label in labels] for tag in tags], np.float32)


def _stretches(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each token which stretch of tokens that are ``inside`` it is in, from 1 on, or 0.

    >>> _stretches(np.array([True, True, False, True])).tolist()
    [1, 1, 0, 2]
    """
    begins = inside & ~np.append(False, inside[:-1])
    return np.cumsum(begins) * inside
