"""The cascade detector: a fast network reads every token, a large one only the doubtful ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution import Convolution
from plainsight.detect.learned import Scored, TokenScorer, log_softmax
from plainsight.detect.transformer.network import Network
from plainsight.document import Document, Excerpt, Span
from plainsight.errors import UsageError
from plainsight.model import load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import Edges, Offsets

_GROUP_CHARACTERS = 1 << 15
_CLEAR_LABEL = 0.8  # probability of a label that is not in doubt


class Cascade(TokenScorer):
    """Label every token by a convolutional network, and doubtful ones by a transformer too.

    ``model`` names the convolutional network, then one transformer or several. A token is doubtful if both
    "identifier" and "no identifier" have a probability of at least ``doubt``, or if it surely is one but
    no label has a probability of 0.8. Neighbours of a doubtful token that may be identifiers count as
    doubtful, so that edges and labels are decided together. With a ``doubt`` of 0 the transformer reads
    everything, above 0.5 nothing. It sees ``margin`` pieces on both sides of doubtful tokens, all of a note
    together. The scores of both networks are averaged, with weight ``share`` for the convolutional one.
    """

    name: ClassVar[str] = "cascade"

    def __init__(
        self,
        *,
        model: Sequence[str] = ("wide-en", "gte-en"),
        doubt: float = 0.01,
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
        """The manifests of its models."""
        return [read_manifest(model) for model in self._models]

    @cached_property
    def _fast(self) -> Convolution:
        return Convolution(model=self._models[0], threads=self.threads)

    @cached_property
    def _large(self) -> list[Network]:
        networks = [
            Network(load_model(model, kind="transformer"), self.threads) for model in self._models[1:]
        ]
        if any(network.tags != self.manifest["tags"] for network in networks):
            raise UsageError("models with different labels cannot be averaged")
        return networks

    @property
    def has_doubts(self) -> bool:
        """Whether the transformer reads anything."""
        return self.doubt <= 0.5

    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens and the log-probability of each tag at each, without a bias."""
        return next(self.scores_of([document], [claims]))

    def scores_of(
        self,
        documents: Sequence[Document],
        claims: Sequence[Sequence[Span]],
        *,
        corrected: Callable[[Sequence[Document], Sequence[Scored]], Sequence[Floats]] | None = None,
    ) -> Iterator[Scored]:
        """Yield the scores of each note.

        ``corrected`` tells from some notes and the fast network's scores which scores decide what is
        doubtful. It is called once for each of `in_groups`.
        """
        scored = self._fast.scores_of(documents, claims)
        if not self.has_doubts:
            yield from scored
            return
        for some in in_groups(documents):
            notes = [*islice(scored, len(documents[some]))]
            deciding = corrected(documents[some], notes) if corrected else [scores for _, scores in notes]
            for document, spans, (tokens, scores), by in zip(
                documents[some], claims[some], notes, deciding, strict=True
            ):
                asked = _asked(document, tokens) if isinstance(document, Excerpt) else None
                self._rescore(document, spans, scores, self._doubtful(by, asked))
            yield from notes

    def _rescore(
        self, document: Document, claims: Sequence[Span], scores: Floats, doubtful: NDArray[np.int64]
    ) -> None:
        """Average the scores of doubtful tokens with those of the large networks."""
        if not len(doubtful):
            return
        others = np.zeros((len(doubtful), scores.shape[1]), np.float32)
        for network in self._large:
            others += network.scores(document, claims, at=doubtful, margin=self.margin)[1][doubtful]
        others *= (1.0 - self.share) / len(self._large)
        scores[doubtful] = log_softmax(self.share * scores[doubtful] + others)

    def _doubtful(self, scores: Floats, asked: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Return the indices of doubtful tokens, of those that are ``asked`` for."""
        if asked is not None and self.doubt <= 0.0:
            return np.flatnonzero(asked)
        identifier = -np.expm1(np.minimum(scores[:, self.manifest["tags"].index(OUTSIDE)], 0.0))
        doubtful = (identifier >= self.doubt) & (identifier <= 1.0 - self.doubt)
        sure = np.flatnonzero(identifier > 1.0 - self.doubt)
        doubtful[sure] = (np.exp(scores[sure]) @ self._label_of_tag).max(axis=1, initial=0.0) < _CLEAR_LABEL
        if asked is not None:
            doubtful &= asked
        stretch = _stretches(identifier >= self.doubt)
        return np.flatnonzero(np.isin(stretch, stretch[doubtful]))

    @cached_property
    def _label_of_tag(self) -> Floats:
        """A matrix of tags by labels that is 1 where a tag belongs to a label."""
        labels, tags = self.manifest["labels"], self.manifest["tags"]
        return np.array([[tag[2:] == label for label in labels] for tag in tags], np.float32)


def in_groups(documents: Sequence[Document]) -> Iterator[slice]:
    """Yield slices of notes: many short ones together, a long one alone."""
    first = size = 0
    for last, document in enumerate(documents):
        if last > first and size + len(document.text) > _GROUP_CHARACTERS:
            yield slice(first, last)
            first, size = last, 0
        size += len(document.text)
    if documents:
        yield slice(first, len(documents))


def _asked(excerpt: Excerpt, tokens: Offsets | Edges) -> NDArray[np.bool_]:
    """Return which tokens of an excerpt touch what is asked for; the stretches are in order and apart."""
    starts, ends = np.asarray(tokens, np.int64).reshape(-1, 2).T
    firsts, lasts = np.asarray(excerpt.asked, np.int64).reshape(-1, 2).T
    within = np.searchsorted(firsts, ends, "left") - 1  # the last stretch that begins before a token's end
    return (within >= 0) & (np.append(lasts, 0)[within] > starts)


def _stretches(inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of the stretch of ``inside`` tokens that each is in, from 1 on, or 0.

    >>> _stretches(np.array([True, True, False, True])).tolist()
    [1, 1, 0, 2]
    """
    begins = inside & ~np.append(False, inside[:-1])
    return np.cumsum(begins) * inside
