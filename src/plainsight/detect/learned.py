"""Shared by learned detectors: labels of a model, claims of other detectors, decoding of scores to spans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.arrays import Floats, Ints
from plainsight.detect.bio_decode import best_path, candidates, margin_bounds
from plainsight.detect.possible import with_possible
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.tokens import Edges, Offsets

Scored = tuple[Offsets | Edges, Floats]
"""A note's tokens and the log-probability of each tag at each."""


class Margins(NamedTuple):
    """A note's tokens, the score of each tag at each, and the margin of the best other tag over ``O``.

    Scores are log-probabilities up to a constant per token: enough to decode, and cheaper than a softmax. A
    margin may be an upper bound.
    """

    tokens: Offsets | Edges
    scores: Floats
    margins: Floats


_NEVER = -10_000.0
_BATCH_TOKENS = 1 << 14  # decoded together


class ModelLabels:
    """An attribute: all labels on a detector's class, those of its model on an instance."""

    def __get__(self, detector: Any, owner: type[Any]) -> frozenset[str]:
        return frozenset(LABELS if detector is None else detector.manifest["labels"])


class TokenScorer(ABC):
    """A detector whose networks score every tag at every token; the best valid path of tags is decoded.

    ``bias`` is added to the score of ``O`` at every token: below 0 finds more, above 0 less; None takes the
    mean of its models' own. Networks see the claims of the detectors that it ``needs``.
    """

    name: ClassVar[str]
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns",)
    local: ClassVar[bool] = True
    bias: float | None

    @property
    @abstractmethod
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """The manifests of its models."""

    @abstractmethod
    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens and the log-probability of each tag at each, without a bias."""

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterable[Scored]:
        """Yield the scores of each note. Overridden by detectors that batch across notes."""
        return (self.scores(*note) for note in zip(documents, claims, strict=True))

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest of the first model."""
        return self.manifests[0]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self.detect_with(documents, self._claims(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        return self._decoded(self._margins(documents, claims))

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        """Return the spans found in each document, and the other tokens that may be identifiers."""
        notes = self._margins(documents, self._claims(documents) if claims is None else claims)
        return with_possible(self._decoded, notes, self.manifest["tags"], source=self.name)

    def _claims(self, documents: Sequence[Document]) -> list[list[Span]]:
        needs = self.needs if any(manifest["claims"] for manifest in self.manifests) else ()
        return claims_of(needs, documents)

    def _decoded(self, notes: Iterable[Margins]) -> list[list[Span]]:
        own = fmean(manifest["bias"] for manifest in self.manifests)
        bias = own if self.bias is None else self.bias
        return decode_margins(notes, self.manifest["tags"], bias=bias, source=self.name)

    def _margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterable[Margins]:
        """Yield the margins of each note. Overridden by detectors whose network returns them."""
        return with_margins(self.scores_of(documents, claims), self.manifest["tags"])


def claims_of(detectors: Iterable[str], documents: Sequence[Document]) -> list[list[Span]]:
    """Return the claims of other detectors, by name, in each note."""
    claims: list[list[Span]] = [[] for _ in documents]
    for name in detectors:
        found = registry.create("detectors", name).detect(documents)
        for own, spans in zip(claims, found, strict=True):
            own += spans
    return claims


def scored_spans(
    tags: Sequence[str], tokens: Offsets, outside: NDArray[np.float64], *, source: str
) -> list[Span]:
    """Return the spans of a path of tags; the score of a span is that of its least certain token.

    ``outside`` holds the probability of ``O`` at each token.
    """
    scores = np.clip(1.0 - outside, 0.0, 1.0)
    starts = np.array([start for start, _ in tokens])
    spans = []
    for span in decode(tags, tokens, source=source):
        first, last = np.searchsorted(starts, (span.start, span.end))
        # rounded: the last bits depend on which notes are in one batch
        score = round(float(scores[first:last].min()), 6)
        spans.append(Span(span.start, span.end, span.label, score, source))
    return spans


def decode_scores(
    notes: Iterable[Scored], tags: Sequence[str], *, bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of notes from log-probabilities; ``bias`` is added to those of ``O``."""
    return decode_margins(with_margins(notes, tags), tags, bias=bias, source=source)


def with_margins(notes: Iterable[Scored], tags: Sequence[str]) -> Iterator[Margins]:
    """Yield notes with upper bounds of their margins, from the log-probability of ``O``."""
    outside = tags.index(OUTSIDE)
    return (Margins(tokens, scores, margin_bounds(scores[:, outside])) for tokens, scores in notes)


def decode_margins(
    notes: Iterable[Margins], tags: Sequence[str], *, bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of notes from scores and margins, in batches to bound the memory."""
    decoded: list[list[Span]] = []
    parts: list[_Candidates] = []
    begins = [0]  # positions at which notes begin, and the end of the last one
    for batch in _batches(notes):
        parts.append(_candidates(batch, begins[-1], bias))
        begins += parts[-1].ends
        if sum(len(part.positions) for part in parts) > _BATCH_TOKENS:
            decoded += _decode(parts, begins, tags, bias, source)
            parts, begins = [], [0]
    return decoded + _decode(parts, begins, tags, bias, source) if parts else decoded


def _batches(notes: Iterable[Margins]) -> Iterator[list[Margins]]:
    """Yield notes in batches of about `_BATCH_TOKENS` tokens."""
    batch: list[Margins] = []
    size = 0
    for note in notes:
        batch.append(note)
        size += len(note.scores)
        if size > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Candidates(NamedTuple):
    """The tokens of a batch that may be part of a span, and the positions at which its notes end.

    Positions count the tokens of all notes, and one more between two notes, so that no span crosses it.
    """

    positions: Ints
    edges: Edges
    scores: Floats
    ends: list[int]


def _candidates(notes: Sequence[Margins], begin: int, bias: float) -> _Candidates:
    """Return the candidate tokens of notes, whose positions begin at ``begin``."""
    between = np.array([-np.inf], np.float32)
    margins = np.concatenate([part for note in notes for part in (note.margins, between)])
    positions = candidates(margins, bias)
    ends = list(accumulate(len(note.scores) + 1 for note in notes))
    cuts = pairwise(np.searchsorted(positions, [0, *ends]).tolist())
    chosen = [
        (note, positions[first:last] - start)
        for note, start, (first, last) in zip(notes, [0, *ends], cuts, strict=False)
    ]
    edges = [np.asarray(note.tokens, np.int64).reshape(-1, 2)[indices] for note, indices in chosen]
    scores = [note.scores[indices] for note, indices in chosen]
    return _Candidates(
        positions + begin, np.concatenate(edges), np.concatenate(scores), [begin + end for end in ends]
    )


def _decode(
    parts: Sequence[_Candidates], begins: Sequence[int], tags: Sequence[str], bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of each note from its candidate tokens."""
    spans: list[list[Span]] = [[] for _ in begins[1:]]
    outside = tags.index(OUTSIDE)
    positions, edges, scores = map(np.concatenate, zip(*(part[:3] for part in parts), strict=True))
    scores[:, outside] += bias
    scores -= scores.max(axis=1, keepdims=True, initial=-np.inf)  # so that long sums stay exact
    path = best_path(scores, tags, positions)
    tagged = np.flatnonzero(path != outside)
    firsts = np.flatnonzero(np.array([tag[0] == "B" for tag in tags])[path[tagged]])
    if not len(firsts):
        return spans
    odds = np.exp(scores[tagged], dtype=np.float64)
    span_scores = 1.0 - np.maximum.reduceat(odds[:, outside] / odds.sum(axis=1), firsts)
    lasts = np.append(firsts[1:], len(tagged)) - 1
    first_tokens, last_tokens = tagged[firsts], tagged[lasts]
    notes = np.searchsorted(begins, positions[first_tokens], "right") - 1
    columns = (notes, edges[first_tokens, 0], edges[last_tokens, 1], path[first_tokens], span_scores)
    for note, start, end, tag, score in zip(*(column.tolist() for column in columns), strict=True):
        # rounded: the last bits depend on the machine
        spans[note].append(Span(start, end, tags[tag][2:], round(score, 6), source))
    return spans


def log_softmax(scores: Floats) -> Floats:
    """Return scores as log-probabilities; each row is a token."""
    shifted: Floats = scores - scores.max(axis=1, keepdims=True)
    shifted -= np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return shifted


def bio_transitions(tags: Sequence[str]) -> NDArray[np.float32]:
    """Return the transition scores of BIO or BIOES tags: 0 where the step is valid, else very low."""
    steps = np.zeros((len(tags), len(tags)), np.float32)
    ends = any(tag[0] == "E" for tag in tags)
    for after, tag in enumerate(tags):
        for before, previous in enumerate(tags):
            continues = previous[0] in "BI" and previous[2:] == tag[2:]
            if (tag[0] in "IE" and not continues) or (ends and previous[0] in "BI" and tag[0] not in "IE"):
                steps[before, after] = _NEVER
    return steps
