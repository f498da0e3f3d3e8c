import numpy as np
import pytest

from plainsight.lab.train.lbfgs import minimise


def rosenbrock(w):
    """A curved valley: the classical test of minimisers."""
    a, b = w[:-1], w[1:]
    gradient = np.zeros_like(w)
    gradient[:-1] += -400 * a * (b - a**2) - 2 * (1 - a)
    gradient[1:] += 200 * (b - a**2)
    return float((100 * (b - a**2) ** 2 + (1 - a) ** 2).sum()), gradient


def test_the_bottom_of_a_curved_valley_is_found():
    weights = minimise(rosenbrock, np.full(6, -1.0), iterations=300, tolerance=1e-12)
    assert weights == pytest.approx(np.ones(6), abs=1e-4)


def test_the_loss_never_rises():
    losses = []
    minimise(rosenbrock, np.full(6, -1.0), iterations=60, progress=lambda _, loss, __: losses.append(loss))
    assert losses == sorted(losses, reverse=True)


def test_a_lasso_gives_the_known_answer():
    aim = np.array([3.0, -2.0, 0.2, -0.1, 0.0])
    weights = minimise(
        lambda w: (float((w - aim) @ (w - aim)), 2 * (w - aim)), np.zeros(5), iterations=99, lasso=1.0
    )
    assert weights == pytest.approx([2.5, -1.5, 0, 0, 0], abs=1e-6)
    assert (weights[2:] == 0).all()


def test_at_the_bottom_nothing_moves():
    assert (minimise(rosenbrock, np.ones(4), iterations=9) == 1.0).all()
