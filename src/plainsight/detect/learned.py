"""What learned detectors share: the labels of a model, the claims they look at, spans of a path of tags."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.detect.legal import in_question, leads, legal_path
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.tokens import Edges, Offsets

__all__ = [
    "Led",
    "ModelLabels",
    "Scored",
    "TokenScorer",
    "claims_of",
    "labelled",
    "labelled_by_leads",
    "led",
    "legal_steps",
    "normalised",
    "scored_spans",
]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Scored = tuple[Offsets | Edges, Floats]
"""A note's tokens, and the logarithm of each tag's probability at each."""


class Led(NamedTuple):
    """A note's tokens, the score of each tag at each, and by how much one other than ``O`` leads there.

    Scores are logarithms of probabilities but for a number of each token's own, and leads may be too large.
    """

    tokens: Offsets | Edges
    scores: Floats
    leads: Floats


_NEVER = -10_000.0
_ROOM = 1 << 14  # tokens


class ModelLabels:
    """Of a class, all labels that we have; of an instance, those of its model, whoever's they are."""

    def __get__(self, detector: Any, owner: type[Any]) -> frozenset[str]:
        return frozenset(LABELS if detector is None else detector.manifest["labels"])


class TokenScorer(ABC):
    """A detector whose networks give every tag a score at every token; the best legal labelling counts.

    ``bias`` is added to the score of ``O`` at every token: below 0 more is found, above 0 less; None is what
    its models have, on average. Networks look at what the detectors that it ``needs`` claim.
    """

    name: ClassVar[str]
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ("patterns", "lexicon")
    bias: float | None

    @property
    @abstractmethod
    def manifests(self) -> Sequence[Mapping[str, Any]]:
        """What its models say of themselves."""

    @abstractmethod
    def scores(self, document: Document, claims: Sequence[Span] = ()) -> Scored:
        """Return a note's tokens, and the logarithm of each tag's probability at each, without a bias."""

    def scores_of(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterable[Scored]:
        """Yield the same of each of some notes: for those who are quicker with several."""
        return (self.scores(*note) for note in zip(documents, claims, strict=True))

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the first model says of itself."""
        return self.manifests[0]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        looked_at = self.needs if any(manifest["claims"] for manifest in self.manifests) else ()
        return self.detect_with(documents, claims_of(looked_at, documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given what the detectors it needs have claimed."""
        own = fmean(manifest["bias"] for manifest in self.manifests)
        bias = own if self.bias is None else self.bias
        notes = self._led(documents, claims)
        return labelled_by_leads(notes, self.manifest["tags"], bias=bias, source=self.name)

    def _led(self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]) -> Iterable[Led]:
        """Yield what each of some notes is labelled by: for those who know leads without probabilities."""
        return led(self.scores_of(documents, claims), self.manifest["tags"])


def claims_of(detectors: Iterable[str], documents: Sequence[Document]) -> list[list[Span]]:
    """Return what other detectors, by name, claim in each note."""
    claims: list[list[Span]] = [[] for _ in documents]
    for name in detectors:
        found = registry.create("detectors", name).detect(documents)
        for said, spans in zip(claims, found, strict=True):
            said += spans
    return claims


def scored_spans(
    tags: Sequence[str], tokens: Offsets, outside: NDArray[np.float64], *, source: str
) -> list[Span]:
    """Return the spans of a path of tags; each is as sure as the least sure of its tokens.

    ``outside`` holds for each token the probability that it identifies nobody.
    """
    sure = np.clip(1.0 - outside, 0.0, 1.0)
    starts = np.array([start for start, _ in tokens])
    made = []
    for span in decode(tags, tokens, source=source):
        first, last = np.searchsorted(starts, (span.start, span.end))
        # rounded, for the last bits depend on which notes are worked on together
        score = round(float(sure[first:last].min()), 6)
        made.append(Span(span.start, span.end, span.label, score, source))
    return made


def labelled(notes: Iterable[Scored], tags: Sequence[str], *, bias: float, source: str) -> list[list[Span]]:
    """Return the spans of notes, given their tokens and the logarithms of all tags' probabilities there.

    ``bias`` is added to those of ``O``.
    """
    return labelled_by_leads(led(notes, tags), tags, bias=bias, source=source)


def led(notes: Iterable[Scored], tags: Sequence[str]) -> Iterator[Led]:
    """Yield the same notes with what can be told of leads by the probability of ``O``."""
    at = tags.index(OUTSIDE)
    return (Led(tokens, scores, leads(scores[:, at])) for tokens, scores in notes)


def labelled_by_leads(
    notes: Iterable[Led], tags: Sequence[str], *, bias: float, source: str
) -> list[list[Span]]:
    """Return the spans of notes, given leads, some notes at a time: all at once would take up room."""
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


def _groups(notes: Iterable[Led]) -> Iterator[list[Led]]:
    """Yield notes in groups of so many tokens."""
    some: list[Led] = []
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
    """Those tokens of some notes that may identify somebody, and where the notes end.

    Tokens have places, and there is one more between two notes: they do not touch one another.
    """

    places: Ints
    edges: Edges
    scores: Floats
    ends: list[int]


def _in_question(notes: Sequence[Led], begin: int, bias: float) -> _Part:
    """Return the part of notes that matters; their places begin at ``begin``."""
    apart = np.array([-np.inf], np.float32)
    places = in_question(np.concatenate([part for note in notes for part in (note.leads, apart)]), bias)
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
    rows -= rows.max(axis=1, keepdims=True, initial=-np.inf)  # long sums of large numbers are not exact
    path = legal_path(rows, tags, places)
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
        # rounded, for the last bits depend on the machine
        made[place].append(Span(start, end, tags[tag][2:], round(score, 6), source))
    return made


def normalised(rows: Floats) -> Floats:
    """Return scores as logarithms of probabilities: each less a number of its row, so that all come to 1."""
    below: Floats = rows - rows.max(axis=1, keepdims=True)
    below -= np.log(np.exp(below).sum(axis=1, keepdims=True))
    return below


def _probability(rows: Floats, at: int) -> NDArray[np.float64]:
    """Return how probable one tag is in each row of scores, of which the best is 0."""
    shares = np.exp(rows, dtype=np.float64)
    probability: NDArray[np.float64] = shares[:, at] / shares.sum(axis=1)
    return probability


def legal_steps(tags: Sequence[str]) -> NDArray[np.float32]:
    """Return what it costs to go from one tag to the next: nothing, but an identifier must begin and end."""
    steps = np.zeros((len(tags), len(tags)), np.float32)
    ends = any(tag[0] == "E" for tag in tags)
    for after, tag in enumerate(tags):
        for before, previous in enumerate(tags):
            goes_on = previous[0] in "BI" and previous[2:] == tag[2:]
            if (tag[0] in "IE" and not goes_on) or (ends and previous[0] in "BI" and tag[0] not in "IE"):
                steps[before, after] = _NEVER
    return steps
