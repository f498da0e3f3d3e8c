"""Statistics of attacks: areas under the curve, rates, intervals, and a small classifier."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Features = Mapping[str, float]


def auc(scores: Sequence[float], truths: Sequence[bool]) -> float | None:
    """Return the chance that a true item outscores a false one, ties half; None without both.

    >>> auc([3.0, 2.0, 1.0, 1.0], [True, False, True, False])
    0.625
    """
    positive = sum(truths)
    negative = len(truths) - positive
    if not positive or not negative:
        return None
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = 0.0
    place = 0
    while place < len(order):
        end = place
        while end < len(order) and scores[order[end]] == scores[order[place]]:
            end += 1
        tied = sum(truths[item] for item in order[place:end])
        ranks += tied * (place + end + 1) / 2
        place = end
    return (ranks - positive * (positive + 1) / 2) / (positive * negative)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval over repetitions."""

    value: float
    low: float
    high: float
    repetitions: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f}–{self.high:.3f})"


def mean(values: Sequence[float]) -> Mean | None:
    """Return the mean of repetitions and the normal interval around it; None for none."""
    if not values:
        return None
    count = len(values)
    middle = math.fsum(values) / count
    spread = math.fsum((value - middle) ** 2 for value in values) / max(1, count - 1)
    half = 1.96 * math.sqrt(spread / count)
    return Mean(middle, middle - half, middle + half, count)


@dataclass(frozen=True, slots=True)
class Flagged:
    """What an attacker who accuses some of all names gets right, beside guessing."""

    names: int
    left: int
    accused: int
    caught: int
    area: float | None

    @property
    def precision(self) -> float | None:
        """The share of the accused that are originals."""
        return self.caught / self.accused if self.accused else None

    @property
    def recall(self) -> float | None:
        """The share of the originals that are accused."""
        return self.caught / self.left if self.left else None

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        rates = {"precision": self.precision, "recall": self.recall, "random_precision": self.guess}
        rounded = {
            name: None if rate is None else round(rate, 4)
            for name, rate in {**rates, "auc": self.area}.items()
        }
        counts = {"names": self.names, "left": self.left, "accused": self.accused, "caught": self.caught}
        return {**counts, **rounded}

    @property
    def guess(self) -> float | None:
        """The precision of accusing at random."""
        return self.left / self.names if self.names else None


def flagged(scores: Sequence[float], truths: Sequence[bool], threshold: float) -> Flagged:
    """Accuse all whose score is over the threshold."""
    accused = [truth for score, truth in zip(scores, truths, strict=True) if score > threshold]
    return Flagged(len(truths), sum(truths), len(accused), sum(accused), auc(scores, truths))


@dataclass(frozen=True, slots=True)
class Classifier:
    """A logistic regression over named features."""

    weights: Mapping[str, float]

    def score(self, features: Features) -> float:
        """Return the log-odds of being an original."""
        return sum(self.weights.get(name, 0.0) * value for name, value in features.items())


def train(
    items: Sequence[tuple[Features, bool]], *, epochs: int = 8, penalty: float = 1e-4, seed: int = 0
) -> Classifier:
    """Fit a logistic regression by stochastic gradient steps that shrink for each feature (AdaGrad)."""
    weights: dict[str, float] = {}
    squares: dict[str, float] = {}
    order = list(range(len(items)))
    shuffled = random.Random(seed)
    for _ in range(epochs):
        shuffled.shuffle(order)
        for place in order:
            features, truth = items[place]
            odds = sum(weights.get(name, 0.0) * value for name, value in features.items())
            error = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds)))) - truth
            for name, value in features.items():
                slope = error * value + penalty * weights.get(name, 0.0)
                squares[name] = squares.get(name, 1e-6) + slope * slope
                weights[name] = weights.get(name, 0.0) - 0.2 * slope / math.sqrt(squares[name])
    return Classifier(weights)
