"""Whether scores can be trusted: a claim's score (calibration), and a whole note's confidence.

A note's confidence is its meta's ``confidence``, as `plainsight detect` writes it; without one, the sum of
the logarithms of its claims' scores. So a note without a claim has the highest confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean

from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.statistics import spearman
from plainsight.evaluate.tally import Figures, total
from plainsight.evaluate.triage import Triage, triage
from plainsight.text.rare_words import marked

_LEAST = 1e-12
"""The score used for 0, which has no logarithm."""


@dataclass(frozen=True, slots=True)
class Calibration(Figures):
    """The mean score of claims and how often they were right, bin by bin, and the expected error."""

    confidence: tuple[float, ...]
    share_right: tuple[float, ...]
    count: tuple[int, ...]
    error: float | None


@dataclass(frozen=True, slots=True)
class Confidence(Figures):
    """How far confidence separates good notes and claims from bad ones.

    ``ranked`` holds each note's confidence and its strict F, the most confident note first, without notes in
    which nothing is marked on either side. ``spearman`` is the rank correlation of confidence and F,
    ``spearman_of_length`` that of shortness and F: the shorter a note, the less can go wrong. ``triage`` says
    how many leaks are in the least sure of all notes, ``triage_by_length`` how many in the longest.
    """

    ranked: tuple[tuple[float, float], ...]
    spearman: float | None
    spearman_of_length: float | None
    perfect_prefix: int
    calibration: Calibration
    triage: Triage
    triage_by_length: Triage

    @property
    def notes(self) -> int:
        """How many notes are ranked."""
        return len(self.ranked)


def confidence(pairs: Sequence[Pair]) -> Confidence:
    """Return how far confidence and being right go together. A claim is right if it touches an identifier."""
    known = [(pair, f) for pair in pairs if (f := total(SCORERS["strict"](pair).values()).f) is not None]
    confidences = [note_confidence(pair) for pair, _ in known]
    fs = [f for _, f in known]
    leaks = [len(leaked_tokens(pair)) for pair in pairs]
    scores, right = [], []
    for pair in pairs:
        identifying = marked(pair.text, pair.gold)
        scores += [span.score for span in pair.found]
        right += [any(identifying[span.start : span.end]) for span in pair.found]
    return Confidence(
        ranked=tuple(sorted(zip(confidences, fs, strict=True), key=lambda note: (-note[0], note[1]))),
        spearman=spearman(confidences, fs),
        spearman_of_length=spearman([-len(pair.text) for pair, _ in known], fs),
        perfect_prefix=perfect_prefix(confidences, fs),
        calibration=calibration(scores, right),
        triage=triage([note_confidence(pair) for pair in pairs], leaks),
        triage_by_length=triage([-len(pair.text) for pair in pairs], leaks),
    )


def note_confidence(pair: Pair) -> float:
    """Return a system's confidence in a note."""
    given = pair.meta.get("confidence")
    if isinstance(given, int | float) and not isinstance(given, bool):
        return float(given)
    return sum(log(max(span.score, _LEAST)) for span in pair.found)


def perfect_prefix(confidences: Sequence[float], scores: Sequence[float]) -> int:
    """Return how many of the most confident notes are perfect before the first that is not.

    Among notes of equal confidence the imperfect come first.
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
    filled = [parts[index] for index in sorted(parts)]
    means = tuple(fmean(score for score, _ in part) for part in filled)
    shares = tuple(fmean(hit for _, hit in part) for part in filled)
    counts = tuple(map(len, filled))
    gaps = (abs(m - s) * c for m, s, c in zip(means, shares, counts, strict=True))
    return Calibration(means, shares, counts, sum(gaps) / len(scores))
