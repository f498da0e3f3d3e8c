"""Whether a confidence means anything: of a claim (calibration) and of a whole note (S49).

A note's confidence is what it says itself under ``confidence``, such as the log-probability of its labelling;
else the sum of the logarithms of its claims' scores, so a note without a claim is the surest of all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean
from typing import Any

from plainsight.evaluate.leaks import marked
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.tally import total

__all__ = [
    "Calibration",
    "Confidence",
    "calibration",
    "confidence",
    "note_confidence",
    "perfect_prefix",
    "spearman",
]

_LEAST = 1e-12
"""The score that a claim of 0 is taken for."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How sure claims were and how often they were right, bin by bin, and the expected error."""

    confidence: tuple[float, ...]
    share_right: tuple[float, ...]
    count: tuple[int, ...]
    error: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the bins and the expected calibration error."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far confidence tells good notes and good claims from bad ones.

    ``ranked`` holds each note's confidence and its F over phrases, the surest note first; notes in which
    there is nothing to find and nothing was found have no F and are left out.
    """

    ranked: tuple[tuple[float, float], ...]
    with_f: float | None
    length_with_f: float | None
    perfect_prefix: int
    calibration: Calibration

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "notes": len(self.ranked),
            "spearman": self.with_f,
            "spearman_of_length": self.length_with_f,
            "perfect_prefix": self.perfect_prefix,
            "calibration": self.calibration.to_json(),
            "ranked": [list(entry) for entry in self.ranked],
        }


def confidence(pairs: Sequence[Pair]) -> Confidence:
    """Return how a system's confidence goes with being right.

    A note's F is over phrases (label and extent exact). A claim is right when it touches an identifier.
    """
    known = [(pair, f) for pair in pairs if (f := total(SCORERS["strict"](pair).values()).f) is not None]
    sure = [note_confidence(pair) for pair, _ in known]
    fs = [f for _, f in known]
    scores, right = [], []
    for pair in pairs:
        identifying = marked(pair.text, pair.gold)
        scores += [span.score for span in pair.found]
        right += [any(identifying[span.start : span.end]) for span in pair.found]
    return Confidence(
        ranked=tuple(sorted(zip(sure, fs, strict=True), key=lambda note: (-note[0], note[1]))),
        with_f=spearman(sure, fs),
        # the shorter a note, the less can go wrong: what length alone tells is the measure of the others
        length_with_f=spearman([-len(pair.text) for pair, _ in known], fs),
        perfect_prefix=perfect_prefix(sure, fs),
        calibration=calibration(scores, right),
    )


def note_confidence(pair: Pair) -> float:
    """Return how sure a system was of a note."""
    said = pair.meta.get("confidence")
    if isinstance(said, int | float) and not isinstance(said, bool):
        return float(said)
    return sum(log(max(span.score, _LEAST)) for span in pair.found)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the rank correlation, ties sharing their mean rank; None where a side never varies.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8
    """
    if len(first) != len(second):
        raise ValueError("a rank correlation needs pairs")
    if not first:
        return None
    one, two = (_centred(_ranks(side)) for side in (first, second))
    spread = sqrt(_product(one, one) * _product(two, two))
    return round(_product(one, two) / spread, 12) if spread else None


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]


def _centred(values: Sequence[float]) -> list[float]:
    middle = fmean(values)
    return [value - middle for value in values]


def _product(one: Sequence[float], two: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True))


def perfect_prefix(confidences: Sequence[float], scores: Sequence[float]) -> int:
    """Return how many of the most confident notes are perfect before the first that is not.

    Among notes of equal confidence the imperfect come first: which of them a reader met first is chance.
    """
    order = sorted(zip(confidences, scores, strict=True), key=lambda note: (-note[0], note[1]))
    return next((rank for rank, (_, score) in enumerate(order) if score < 1), len(order))


def calibration(scores: Sequence[float], right: Sequence[bool], *, bins: int = 10) -> Calibration:
    """Return the calibration curve in bins of equal width; empty bins are left out.

    The expected error is the mean over claims of the gap between a bin's mean score and its share right.
    """
    if len(scores) != len(right):
        raise ValueError("every score is right or wrong")
    if not scores:
        return Calibration((), (), (), None)
    parts: dict[int, list[tuple[float, bool]]] = {}
    for score, hit in zip(scores, right, strict=True):
        parts.setdefault(min(int(score * bins), bins - 1), []).append((score, hit))
    filled = [parts[place] for place in sorted(parts)]
    means = tuple(fmean(score for score, _ in part) for part in filled)
    shares = tuple(fmean(hit for _, hit in part) for part in filled)
    counts = tuple(map(len, filled))
    gaps = (abs(m - s) * c for m, s, c in zip(means, shares, counts, strict=True))
    return Calibration(means, shares, counts, sum(gaps) / len(scores))
