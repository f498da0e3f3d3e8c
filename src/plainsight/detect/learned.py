"""What learned detectors share: the labels of a model, the claims they look at, spans of a path of tags."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.detect.legal import in_question, legal_path
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, decode
from plainsight.text.tokens import Edges, Offsets

__all__ = ["ModelLabels", "TokenScorer", "claims_of", "labelled", "legal_steps", "scored_spans"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Scored = tuple[Offsets | Edges, Floats]
"""A note's tokens, and the logarithm of each tag's probability at each."""

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
        notes = self.scores_of(documents, claims)
        return labelled(notes, self.manifest["tags"], bias=bias, source=self.name)


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

    ``bias`` is added to those of ``O``. Some notes at a time are worked on together: more would take up room.
    """
    at = tags.index(OUTSIDE)
    made: list[list[Span]] = []
    some: list[_Part] = []
    size = start = 0
    for tokens, scores in notes:
        here = in_question(scores[:, at], bias)
        some.append(_Part(here + start, np.asarray(tokens, np.int64).reshape(-1, 2)[here], scores[here]))
        start += len(scores) + 1  # the next note does not touch this one
        size += len(here)
        if size > _ROOM:
            made += _labelled(some, tags, bias, source)
            some, size = [], 0
    return made + _labelled(some, tags, bias, source)


class _Part(NamedTuple):
    """Those tokens of a note that may identify somebody: their places, edges and scores."""

    places: Ints
    edges: Edges
    scores: Floats


def _labelled(notes: Sequence[_Part], tags: Sequence[str], bias: float, source: str) -> list[list[Span]]:
    made: list[list[Span]] = [[] for _ in notes]
    if not made:
        return made
    at = tags.index(OUTSIDE)
    places, edges, rows = map(np.concatenate, zip(*notes, strict=True))
    unbiased = rows[:, at].astype(np.float64)
    rows[:, at] += bias
    path = legal_path(rows, tags, places)
    found = np.flatnonzero(path != at)
    firsts = np.flatnonzero(np.array([tag[0] == "B" for tag in tags])[path[found]])
    if not len(firsts):
        return made
    surely = unbiased[found]
    # what is outside with the bias, out of what all tags then come to
    outside = np.exp(surely + bias) / (np.exp(surely + bias) - np.expm1(np.minimum(surely, 0.0)))
    sure = 1.0 - np.maximum.reduceat(outside, firsts)
    lasts = np.append(firsts[1:], len(found)) - 1
    of_note = np.searchsorted(np.cumsum([len(note.places) for note in notes]), found[firsts], "right")
    starts, ends = edges[found[firsts], 0], edges[found[lasts], 1]
    columns = (of_note, starts, ends, path[found[firsts]], sure)
    for place, start, end, tag, score in zip(*(column.tolist() for column in columns), strict=True):
        # rounded, for the last bits depend on the machine
        made[place].append(Span(start, end, tags[tag][2:], round(score, 6), source))
    return made


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
