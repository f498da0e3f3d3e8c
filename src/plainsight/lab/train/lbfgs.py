"""L-BFGS: minimise a smooth function of very many weights, with or without a lasso (S23)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Step", "dot", "minimise"]

Vector = NDArray[np.float64]
Function = Callable[[Vector], tuple[float, Vector]]
Found = tuple[Vector, float, Vector]

_MEMORY = 6
_PERIOD = 10  # iterations over which improvement is judged
_TRIALS = 20
_DECREASE, _CURVATURE = 1e-4, 0.9


class Step(NamedTuple):
    """One iteration's result."""

    iteration: int
    loss: float
    weights: Vector


def minimise(
    function: Function, start: Vector, *, iterations: int, lasso: float = 0.0, tolerance: float = 1e-5
) -> Iterator[Step]:
    """Yield ever better weights until nothing is gained any more.

    ``function`` returns a loss and its gradient. ``lasso`` adds that much of the sum of all weights' sizes
    (OWL-QN: a step stays in one orthant, so many weights come out as exact zeros). It ends when the gradient
    is small beside the weights, or when ten iterations have gained less than ``tolerance`` of the loss.

    >>> *_, last = minimise(lambda w: (dot(w, w), 2 * w), np.ones(3), iterations=9)
    >>> round(last.loss, 9)
    0.0
    """
    weights = start.astype(np.float64)
    loss, gradient = function(weights)
    loss += lasso * float(np.abs(weights).sum())
    history: deque[tuple[Vector, Vector, float]] = deque(maxlen=_MEMORY)
    losses = [loss]
    for iteration in range(1, iterations + 1):
        slope = _slope(weights, gradient, lasso) if lasso else gradient
        if _size(slope) <= tolerance * max(1.0, _size(weights)):
            return
        found = _search(function, weights, loss, slope, history, lasso)
        if found is None and history:
            history.clear()  # the remembered curvature misleads: begin again down the slope
            found = _search(function, weights, loss, slope, history, lasso)
        if found is None:
            return
        moved, loss, after = found
        step, change = moved - weights, after - gradient
        if (curvature := dot(step, change)) > 0:
            history.append((step, change, curvature))
        weights, gradient = moved, after
        losses.append(loss)
        yield Step(iteration, loss, weights)
        if len(losses) > _PERIOD and losses[-1 - _PERIOD] - loss < tolerance * loss:
            return


def _size(vector: Vector) -> float:
    return math.sqrt(dot(vector, vector))


def dot(one: Vector, two: Vector) -> float:
    """Return the product of two vectors, by one thread: two would wait for each other on a busy machine."""
    return float(np.einsum("i,i", one, two))


def _search(
    function: Function,
    weights: Vector,
    loss: float,
    slope: Vector,
    history: deque[tuple[Vector, Vector, float]],
    lasso: float,
) -> Found | None:
    """Go down as far as it pays; None when no step of the line does."""
    direction = -_bent(slope, history)
    length = 1.0 if history else 1.0 / _size(slope)
    if lasso:
        direction[direction * slope >= 0] = 0.0
        return _in_orthant(function, weights, loss, slope, direction, length, lasso)
    return _by_wolfe(function, weights, loss, slope, direction, length)


def _bent(slope: Vector, history: deque[tuple[Vector, Vector, float]]) -> Vector:
    """Return the slope divided by the remembered curvature: the two-loop recursion."""
    bent = slope.copy()
    shares = []
    for step, change, curvature in reversed(history):
        shares.append(dot(step, bent) / curvature)
        bent -= shares[-1] * change
    if history:
        _, change, curvature = history[-1]
        bent *= curvature / dot(change, change)
    for (step, change, curvature), share in zip(history, reversed(shares), strict=True):
        bent += (share - dot(change, bent) / curvature) * step
    return bent


def _by_wolfe(
    function: Function, weights: Vector, loss: float, slope: Vector, direction: Vector, length: float
) -> Found | None:
    """Bisect until the loss has fallen enough and the slope has flattened (weak Wolfe conditions)."""
    steepness = dot(slope, direction)
    low, high, best = 0.0, np.inf, None
    if steepness >= 0:
        return None
    for _ in range(_TRIALS):
        moved = weights + length * direction
        reached, gradient = function(moved)
        if not reached <= loss + _DECREASE * length * steepness:
            high = length
        else:
            best = moved, reached, gradient
            if dot(gradient, direction) >= _CURVATURE * steepness:
                return best
            low = length
        length = (low + high) / 2 if np.isfinite(high) else 2 * length
    return best


def _slope(weights: Vector, gradient: Vector, lasso: float) -> Vector:
    """Return the gradient with the lasso's; at zero, where that has an edge, the flattest way down."""
    edge = np.sign(gradient) * np.maximum(np.abs(gradient) - lasso, 0.0)
    return np.where(weights == 0, edge, gradient + lasso * np.sign(weights))


def _in_orthant(
    function: Function,
    weights: Vector,
    loss: float,
    slope: Vector,
    direction: Vector,
    length: float,
    lasso: float,
) -> Found | None:
    """Halve until the loss has fallen enough; weights that would change their sign become zero."""
    orthant = np.where(weights == 0, -np.sign(slope), np.sign(weights))
    for _ in range(_TRIALS):
        moved = weights + length * direction
        moved[moved * orthant < 0] = 0.0
        reached, gradient = function(moved)
        reached += lasso * float(np.abs(moved).sum())
        if reached <= loss + _DECREASE * dot(slope, moved - weights):
            return moved, reached, gradient
        length /= 2
    return None
