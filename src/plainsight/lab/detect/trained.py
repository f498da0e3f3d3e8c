"""Detectors that have no bundled model, and taggers whose scores are solved by a chain of tags."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.detect.learned import (
    Margins,
    ModelLabels,
    Scored,
    claims_of,
    log_softmax,
    scored_spans,
    with_margins,
)
from plainsight.detect.possible import with_possible
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.chain import Chain, Edges, Marginals, batches
from plainsight.model import Model, load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import Offsets
from plainsight.text.variants import in_variant

_LEAST = 1e-9  # floor of a probability, for its logarithm
_CHARACTERS = 1 << 17  # of a batch


def require_model(detector: str, model: str) -> str:
    """Return the model's folder, or say how to get one."""
    if not model:
        raise UsageError(
            f"{detector} has no bundled model: train one with 'plainsight train {detector}' "
            "and pass its folder as model"
        )
    return model


class ScoredNote(NamedTuple):
    """A note's tokens, and the scores of the sequences that they are cut into; perhaps scores of edges."""

    tokens: Offsets
    scores: list[Floats]
    edges: list[Edges] | None = None


class Solved(NamedTuple):
    """A note's tokens, and the scores, probabilities and best tags of each of its sequences."""

    tokens: Offsets
    scores: list[Floats]
    marginals: list[Marginals]
    paths: list[Ints]
    edges: list[Edges] | None = None


class ChainTagger(ABC):
    """A detector that scores every tag at every token and takes the best path of tags by their transitions.

    ``model`` is the folder of a trained model. ``bias`` is added to the score of ``O`` at every token: below
    0 more is found, above 0 less; None takes the model's own. A model may use the claims of other detectors;
    a pipeline that has run them passes them on.
    """

    name: ClassVar[str]
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]]

    def __init__(self, *, model: str = "", bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The model's manifest."""
        return read_manifest(require_model(self.name, self.model))

    @property
    def tags(self) -> tuple[str, ...]:
        """The model's tags, in the order of the probabilities."""
        return tuple(self.manifest["tags"])

    @cached_property
    def _loaded(self) -> Model:
        return load_model(require_model(self.name, self.model), kind=self.name)

    @cached_property
    def chain(self) -> Chain:
        """The transitions between tags."""
        return Chain(self._loaded.arrays["transitions"])

    @property
    @abstractmethod
    def uses_claims(self) -> bool:
        """Whether the model uses the claims of other detectors."""

    @abstractmethod
    def sequences(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> Iterable[ScoredNote]:
        """Yield each note's tokens, and the scores of the sequences that they are cut into, without bias.

        Either all notes have edges, or none has.
        """

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        return [self._spans(note) for note in self.solve(documents, claims)]

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        """Return the spans found in each document, and the other tokens that may be identifiers."""
        solved = self.solve(documents, claims)
        found = [self._spans(note) for note in solved]

        def decode(notes: Iterable[Margins]) -> list[list[Span]]:
            deque(notes, maxlen=0)  # with_possible watches them pass
            return found

        notes = with_margins(map(self._scores, solved), self.tags)
        return with_possible(decode, notes, self.tags, source=self.name)

    def _spans(self, note: Solved) -> list[Span]:
        at = self.tags.index(OUTSIDE)
        tags = [self.tags[tag] for tag in np.concatenate(note.paths)]
        outside = np.concatenate([marginals.probabilities[:, at] for marginals in note.marginals])
        return scored_spans(tags, note.tokens, outside, source=self.name)

    def _scores(self, note: Solved) -> Scored:
        """Return a note's tokens and the log-probability of each tag; the bias is taken out again."""
        probabilities = np.concatenate([marginals.probabilities for marginals in note.marginals])
        scores = np.log(np.maximum(probabilities, _LEAST)).astype(np.float32)
        scores[:, self.tags.index(OUTSIDE)] -= self.manifest["bias"] if self.bias is None else self.bias
        return note.tokens, log_softmax(scores)

    def probabilities(self, documents: Sequence[Document]) -> list[Doubles]:
        """Return the probability of every tag at every token of each note."""
        return [
            np.concatenate([marginals.probabilities for marginals in note.marginals])
            for note in self.solve(documents)
        ]

    def confidence(self, documents: Sequence[Document]) -> list[float]:
        """Return the log-probability of each note's best labelling."""
        sums = []
        for note in self.solve(documents):
            edges: Sequence[Edges | None] = note.edges or [None] * len(note.scores)
            parts = zip(note.scores, note.marginals, note.paths, edges, strict=True)
            sums.append(float(sum(self.chain.log_score(s, p, e) - m.log_z for s, m, p, e in parts)))
        return sums

    def solve(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> list[Solved]:
        """Score and solve notes, in batches that bound the memory."""
        claims = self._claims(documents) if claims is None else claims
        documents = in_variant(documents, self.manifest.get("text"))
        bias = self.manifest["bias"] if self.bias is None else self.bias
        at = self.tags.index(OUTSIDE)
        solved: dict[int, Solved] = {}
        for places in batches([len(document.text) + 1 for document in documents], room=_CHARACTERS):
            notes = list(self.sequences([documents[p] for p in places], [claims[p] for p in places]))
            flat = [scores for note in notes for scores in note.scores]
            edges = [edge for note in notes for edge in note.edges or ()] or None
            for scores in flat:
                scores[:, at] += bias
            marginals, paths = iter(self.chain.marginals(flat, edges)), iter(self.chain.best(flat, edges))
            for place, (tokens, own, more) in zip(places, notes, strict=True):
                count = len(own)
                solved[place] = Solved(
                    tokens, own, [*islice(marginals, count)], [*islice(paths, count)], more
                )
        return [solved[place] for place in range(len(documents))]

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        return claims_of(self.needs if self.uses_claims else (), documents)
