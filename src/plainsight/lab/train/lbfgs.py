"""Minimise a smooth function of very many weights with scipy's L-BFGS, with or without a lasso."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_MEMORY = 20
_PERIOD = 10  # iterations over which progress is measured


def minimise(
    function: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    *,
    iterations: int,
    lasso: float = 0.0,
    tolerance: float = 5e-4,
    progress: Callable[[int, float, Vector], None] = lambda iteration, loss, weights: None,
) -> Vector:
    """Return the weights with the least loss.

    ``function`` returns a loss and its gradient. ``lasso`` adds that multiple of the sum of all absolute
    weights. Stop after ``iterations``, or when ten of them lower the loss by less than ``tolerance``.

    >>> minimise(lambda w: (float(w @ w), 2 * w), np.ones(3), iterations=9).round(6) + 0.0
    array([0., 0., 0.])
    """
    from scipy.optimize import Bounds, minimize

    losses: list[float] = []

    def after(intermediate_result: Any) -> None:
        losses.append(float(intermediate_result.fun))
        progress(len(losses), losses[-1], joined(intermediate_result.x))
        if len(losses) > _PERIOD and losses[-1 - _PERIOD] - losses[-1] < tolerance * abs(losses[-1]):
            raise StopIteration

    def joined(vector: Vector) -> Vector:
        """Return the weights: with a lasso, the difference of their positive and negative parts."""
        return vector[: len(start)] - vector[len(start) :] if lasso else vector.copy()

    def penalised(vector: Vector) -> tuple[float, Vector]:
        loss, gradient = function(joined(vector))
        return loss + lasso * float(vector.sum()), np.concatenate((gradient, -gradient)) + lasso

    options = {"maxiter": iterations, "maxfun": 20 * iterations, "maxcor": _MEMORY, "ftol": 0.0, "gtol": 1e-8}
    given = np.concatenate((np.maximum(start, 0.0), np.maximum(-start, 0.0))) if lasso else start
    found = minimize(
        penalised if lasso else function,
        given,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(0.0, np.inf) if lasso else None,
        callback=after,
        options=options,
    )
    return joined(found.x)
