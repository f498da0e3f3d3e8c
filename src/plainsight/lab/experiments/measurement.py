"""Counts for each note of a run, and the figures, intervals and tests that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.statistics import Interval, Significance, bootstrap, randomisation
from plainsight.evaluate.tally import Tally, total
from plainsight.formats.standoff import marks_of
from plainsight.labels import group as labels_of

SCORERS = {"strict": "phrase", "binary-token": "token"}
"""The scorers of experiments and what their figures are called: exact spans with labels, tokens without."""


@dataclass(frozen=True, slots=True)
class Measured:
    """For each scorer the counts of every note, and how long it took to train and to detect."""

    tallies: Mapping[str, tuple[Tally, ...]]
    seconds: Mapping[str, float]

    def micro(self, scorer: str) -> Tally:
        """Return the counts of all notes together."""
        return total(self.tallies[scorer])

    def intervals(self, scorer: str) -> dict[str, Interval]:
        """Return precision, recall and F with intervals by bootstrap over notes."""
        return _intervals(self.tallies[scorer])

    def against(self, other: Measured, scorer: str) -> Significance:
        """Return the differences from another run on the same notes, and how likely chance makes them."""
        return _difference(self.tallies[scorer], other.tallies[scorer])

    def figures(self) -> dict[str, Any]:
        """Return every figure with its interval as plain data."""
        return {
            name: {key: asdict(interval) for key, interval in self.intervals(scorer).items()}
            for scorer, name in SCORERS.items()
        }


# A table, its data and a figure ask for the same statistics.


@lru_cache(1024)
def _intervals(tallies: tuple[Tally, ...]) -> dict[str, Interval]:
    return bootstrap(tallies)


@lru_cache(1024)
def _difference(first: tuple[Tally, ...], second: tuple[Tally, ...]) -> Significance:
    return randomisation(first, second)


def measure(
    documents: Sequence[Document],
    found: Iterable[Sequence[Span]],
    *,
    seconds: Mapping[str, float],
    group: str | None = None,
) -> Measured:
    """Count what was found in gold notes; with a group, only its labels count."""
    pairs = [
        Pair(document.id, document.text, marks_of(document), tuple(spans))
        for document, spans in zip(documents, found, strict=True)
    ]
    if group:
        pairs = [pair.only(labels_of(group)) for pair in pairs]
    return Measured({scorer: score(pairs, scorer).by_note for scorer in SCORERS}, seconds)


def pool(parts: Sequence[Measured]) -> Measured:
    """Return the runs on different notes as one run on all of them."""
    return Measured(
        {scorer: tuple(tally for part in parts for tally in part.tallies[scorer]) for scorer in SCORERS},
        _seconds(parts, 1),
    )


def average(parts: Sequence[Measured]) -> Measured:
    """Return the mean run of several on the same notes."""
    return Measured(
        {
            scorer: tuple(_mean(tallies) for tallies in zip(*(p.tallies[scorer] for p in parts), strict=True))
            for scorer in SCORERS
        },
        _seconds(parts, len(parts)),
    )


def _mean(tallies: Sequence[Tally]) -> Tally:
    whole, count = total(tallies), len(tallies)
    return Tally(whole.gold / count, whole.gold_hits / count, whole.found / count, whole.found_hits / count)


def _seconds(parts: Sequence[Measured], divisor: int) -> dict[str, float]:
    kinds = dict.fromkeys(kind for part in parts for kind in part.seconds)
    return {kind: sum(part.seconds.get(kind, 0.0) for part in parts) / divisor for kind in kinds}
