"""What learned detectors share: labels of a model, claims of other detectors, decoding of scores to spans."""

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
from plainsight.detect.bio_decode import best_path, contested, widest_margins
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.tokens import Edges, Offsets

Scored = tuple[Offsets | Edges, Floats]
"""A note's tokens, and the logarithm of each tag's probability at each."""


class Margins(NamedTuple):
    """A note's tokens, the score of each tag at each, and the margin of the best other tag over ``O``.

    Scores are log-probabilities up to a constant per token: enough to decode, and cheaper than a softmax. A
    margin may be an upper bound.
    """

    tokens: Offsets | Edges
    scores: Floats
    margins: Floats


_NEVER = -10_000.0
_ROOM = 1 << 14  # tokens


class ModelLabels:
    """All labels on a detector's class, those of its model on an instance."""

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
        needs = self.needs if any(manifest["claims"] for manifest in self.manifests) else ()
        return self.detect_with(documents, claims_of(needs, documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        own = fmean(manifest["bias"] for manifest in self.manifests)
        bias = own if self.bias is None else self.bias
        notes = self._margins(documents, claims)
        return decode_margins(notes, self.manifest["tags"], bias=bias, source=self.name)

    def _margins(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterable[Margins]:
        """Yield the margins of each note. Overridden by detectors whose network returns them."""
        return with_margins(self.scores_of(documents, claims), self.manifest["tags"])


def claims_of(detectors: Iterable[str], documents: Sequence[Document]) -> list[list[Span]]:
    """Return the claims of other detectors, by name, in each note."""
    claims: list[list[Span]] = [[] for _ in documents]
    for name in detectors:
        found = registry.create("detectors", name).detect(documents)
        for said, spans in zip(claims, found, strict=True):
            said += spans
    return claims


def scored_spans(
    tags: Sequence[str], tokens: Offsets, outside: NDArray[np.float64], *, source: str
) -> list[Span]:
    """Return the spans of a path of tags; the score of a span is that of its least certain token.

    ``outside`` holds the probability of ``O`` at each token.
    """
    sure = np.clip(1.0 - outside, 0.0, 1.0)
    starts = np.array([start for start, _ in tokens])
    made = []
    for span in decode(tags, tokens, source=source):
        first, last = np.searchsorted(starts, (span.start, span.end))
        # rounded: the last bits depend on which notes are in one batch
        score = round(float(sure[first:last].min()), 6)
        made.append(Span(span.start, span.end, span.label, score, source))
    return made


def decode_scores(
    notes: Iterable[Scored], tags: Sequence[str], *, bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of notes from log-probabilities; ``bias`` is added to those of ``O``."""
    return decode_margins(with_margins(notes, tags), tags, bias=bias, source=source)


def with_margins(notes: Iterable[Scored], tags: Sequence[str]) -> Iterator[Margins]:
    """Yield notes with upper bounds of their margins, which follow from the probability of ``O``."""
    at = tags.index(OUTSIDE)
    return (Margins(tokens, scores, widest_margins(scores[:, at])) for tokens, scores in notes)


def decode_margins(
    notes: Iterable[Margins], tags: Sequence[str], *, bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of notes from margins, some notes at a time to bound the memory."""
    made: list[list[Span]] = []
    parts: list[_Part] = []
    begins = [0]  # of notes, and the end of the last one
    for some in _groups(notes):
        parts.append(_in_question(some, begins[-1], bias))
        begins += parts[-1].ends
        if sum(len(part.places) for part in parts) > _ROOM:
            made += _labelled(parts, begins, tags, bias, source)
            parts, begins = [], [0]
    return made + _labelled(parts, begins, tags, bias, source) if parts else made


def _groups(notes: Iterable[Margins]) -> Iterator[list[Margins]]:
    """Yield notes in groups of about `_ROOM` tokens."""
    some: list[Margins] = []
    size = 0
    for note in notes:
        some.append(note)
        size += len(note.scores)
        if size > _ROOM:
            yield some
            some, size = [], 0
    if some:
        yield some


class _Part(NamedTuple):
    """The tokens of some notes that may be part of a span, and where the notes end.

    Tokens are numbered through all notes, with one number left out between two notes.
    """

    places: Ints
    edges: Edges
    scores: Floats
    ends: list[int]


def _in_question(notes: Sequence[Margins], begin: int, bias: float) -> _Part:
    """Return the tokens of notes that may be part of a span; their numbers begin at ``begin``."""
    apart = np.array([-np.inf], np.float32)
    places = contested(np.concatenate([part for note in notes for part in (note.margins, apart)]), bias)
    ends = list(accumulate(len(note.scores) + 1 for note in notes))
    borders = pairwise(np.searchsorted(places, [0, *ends]).tolist())
    here = [
        (note, places[first:last] - start)
        for note, start, (first, last) in zip(notes, [0, *ends], borders, strict=False)
    ]
    edges = np.concatenate([np.asarray(note.tokens, np.int64).reshape(-1, 2)[at] for note, at in here])
    scores = np.concatenate([note.scores[at] for note, at in here])
    return _Part(places + begin, edges, scores, [begin + end for end in ends])


def _labelled(
    parts: Sequence[_Part], begins: Sequence[int], tags: Sequence[str], bias: float, source: str
) -> list[list[Span]]:
    made: list[list[Span]] = [[] for _ in begins[1:]]
    at = tags.index(OUTSIDE)
    places, edges, rows = map(np.concatenate, zip(*(part[:3] for part in parts), strict=True))
    rows[:, at] += bias
    rows -= rows.max(axis=1, keepdims=True, initial=-np.inf)  # so that long sums stay exact
    path = best_path(rows, tags, places)
    found = np.flatnonzero(path != at)
    firsts = np.flatnonzero(np.array([tag[0] == "B" for tag in tags])[path[found]])
    if not len(firsts):
        return made
    sure = 1.0 - np.maximum.reduceat(_probability(rows[found], at), firsts)
    lasts = np.append(firsts[1:], len(found)) - 1
    of_note = np.searchsorted(begins, places[found[firsts]], "right") - 1
    starts, ends = edges[found[firsts], 0], edges[found[lasts], 1]
    columns = (of_note, starts, ends, path[found[firsts]], sure)
    for place, start, end, tag, score in zip(*(column.tolist() for column in columns), strict=True):
        # rounded: the last bits depend on the machine
        made[place].append(Span(start, end, tags[tag][2:], round(score, 6), source))
    return made


def normalised(rows: Floats) -> Floats:
    """Return scores as log-probabilities (log-softmax of each row)."""
    below: Floats = rows - rows.max(axis=1, keepdims=True)
    below -= np.log(np.exp(below).sum(axis=1, keepdims=True))
    return below


def _probability(rows: Floats, at: int) -> NDArray[np.float64]:
    """Return the probability of one tag in each row of scores, whose maximum is 0."""
    shares = np.exp(rows, dtype=np.float64)
    probability: NDArray[np.float64] = shares[:, at] / shares.sum(axis=1)
    return probability


def bio_transitions(tags: Sequence[str]) -> NDArray[np.float32]:
    """Return the transition scores of BIO or BIOES tags: 0 where the step is valid, else very low."""
    steps = np.zeros((len(tags), len(tags)), np.float32)
    ends = any(tag[0] == "E" for tag in tags)
    for after, tag in enumerate(tags):
        for before, previous in enumerate(tags):
            goes_on = previous[0] in "BI" and previous[2:] == tag[2:]
            if (tag[0] in "IE" and not goes_on) or (ends and previous[0] in "BI" and tag[0] not in "IE"):
                steps[before, after] = _NEVER
    return steps
