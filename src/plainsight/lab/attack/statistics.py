"""Statistics of attacks: areas under the curve, rates, intervals, and a small classifier."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Features = Mapping[str, float]
Record = dict[str, Any]
"""A result of an attack as plain data: one row of its table."""


def rounded(value: float | None, digits: int = 4) -> float | None:
    """Round a figure; an undefined one stays None."""
    return None if value is None else round(value, digits)


def auc(scores: Sequence[float], truths: Sequence[bool]) -> float | None:
    """Return the probability that a true item outscores a false one, ties half; None without both.

    >>> auc([3.0, 2.0, 1.0, 1.0], [True, False, True, False])
    0.625
    """
    positive = sum(truths)
    negative = len(truths) - positive
    if not positive or not negative:
        return None
    _, inverse, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]  # equal scores share their mean rank
    wins = float(ranks[np.asarray(truths)].sum()) - positive * (positive + 1) / 2
    return wins / (positive * negative)


class Mean(NamedTuple):
    """A mean with its 95 % interval over repetitions."""

    value: float
    low: float
    high: float


def mean(values: Sequence[float]) -> Mean | None:
    """Return the mean of repetitions and the normal interval around it; None for none."""
    if not values:
        return None
    middle = float(np.mean(values))
    half = 1.96 * float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(middle, middle - half, middle + half)


def accuse(scores: Sequence[float], truths: Sequence[bool], threshold: float) -> Record:
    """Accuse all names whose score is above the threshold; return how many are originals, beside guessing."""
    accused = [truth for score, truth in zip(scores, truths, strict=True) if score > threshold]
    names, left, caught = len(truths), sum(truths), sum(accused)
    return {
        "names": names,
        "left": left,
        "accused": len(accused),
        "caught": caught,
        "precision": rounded(caught / len(accused)) if accused else None,
        "recall": rounded(caught / left) if left else None,
        "random_precision": rounded(left / names) if names else None,
        "auc": rounded(auc(scores, truths)),
    }


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
    """Fit a logistic regression by stochastic gradient descent with AdaGrad."""
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
