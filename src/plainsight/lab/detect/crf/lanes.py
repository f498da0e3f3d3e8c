"""Forward and backward over many sequences at once, in lanes side by side.

A step takes one token of every lane, and costs one product of matrices; where a sequence ends in a lane, the
next begins. So no lane waits for a longer one, however different the sequences' lengths are.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Room", "Sums", "forward_backward"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_MOST = 64  # lanes: so few that no product is worth two threads, which would wait for each other
_FAR = 600.0  # the logarithm that a product of 64-bit numbers may reach
_TINY, _EXACT = 1e-300, 1e-15
_LARGE = 1 << 22  # numbers of an array that is not kept


class Room:
    """Arrays that are used again: to come by a large new one costs more than to fill it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Any], NDArray[Any]] = {}

    def __call__(self, name: str, *shape: int, dtype: Any = np.float64) -> NDArray[Any]:
        """Return an array with anything in it; the one that was given under this name is lost."""
        size = math.prod(shape)
        array = self._kept.get((name, dtype))
        if array is None or len(array) < size:
            array = np.empty(size, dtype=dtype)
            if size <= _LARGE:
                self._kept[name, dtype] = array
        return array[:size].reshape(shape)


class Sums(NamedTuple):
    """What all labellings together say, for the tokens of all sequences behind one another.

    ``inside`` is the probability of any label but the outside one, ``likeliest`` the label with the greatest
    one, ``doubt`` the probability of all others, ``steps`` the logarithm of the likeliest label's probability
    given the one before; ``log_z`` the logarithm of each sequence's normaliser; ``chances`` each label's
    probability, if it was asked for.
    """

    inside: Doubles
    likeliest: Ints
    doubt: Doubles
    steps: Doubles
    log_z: Doubles
    chances: Doubles


class _Lanes:
    """Where tokens lie: ``where`` in time and lane; and the lanes in which a sequence begins at a time."""

    def __init__(self, lengths: Sequence[int]) -> None:
        longest = max(lengths)
        room = [(0, 0)]  # how much of each lane is taken
        begins = np.zeros((len(lengths), 2), dtype=np.int64)
        for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
            if room[0][0] + lengths[place] > longest and len(room) < _MOST:
                heapq.heappush(room, (0, len(room)))
            used, lane = room[0]
            begins[place] = used, lane
            heapq.heapreplace(room, (used + lengths[place], lane))
        self.steps, self.count = max(used for used, _ in room), len(room)
        firsts = np.cumsum(lengths) - lengths
        owners = np.repeat(np.arange(len(lengths)), lengths)
        self.where = (np.arange(len(owners)) + (begins[:, 0] - firsts)[owners]) * self.count + begins[
            owners, 1
        ]
        # what is left of a lane begins as well, lest it say anything of the sequence before it
        edges = np.concatenate((begins, np.array(room, dtype=np.int64)))
        edges = edges[np.argsort(edges[:, 0], kind="stable")]
        cuts = np.searchsorted(edges[:, 0], np.arange(self.steps + 1)).tolist()
        self.begins = [edges[one:two, 1] if one < two else None for one, two in pairwise(cuts)]


def forward_backward(
    scores: Floats | Doubles,
    lengths: Sequence[int],
    transitions: Doubles,
    *,
    outside: int,
    power: float = 1.0,
    room: Room,
    chances: bool = False,
) -> Sums:
    """Sum over all labellings of sequences, none of them empty; a ``power`` makes probable ones more so."""
    lanes = _Lanes(lengths)
    shift = float(transitions.max())
    top, every = _scaling(scores, transitions - shift, outside, power)
    step = np.exp(power * (transitions - shift))
    local = _local(scores, top, power, lanes, room)
    forward, grown = _forward(local, step, lanes, every, room)
    backward, shrunk = _backward(local, step, lanes, every, room)

    forward *= backward
    here, ahead, both = (array.reshape(-1, len(step)) for array in (local, backward, forward))
    where = lanes.where
    total = both.sum(axis=1)[where]
    out = both[where, outside] / total
    likeliest = np.full(len(where), outside)
    other = np.flatnonzero(out <= 0.5)
    likeliest[other] = both[where[other]].argmax(axis=1)
    sure = both[where, likeliest] / total

    ends = np.cumsum(lengths)
    firsts = np.concatenate(([0], ends[:-1]))
    beyond = ahead[where, likeliest]
    given = step[likeliest[:-1], likeliest[1:]] * here[where[1:], likeliest[1:]] * beyond[1:]
    given /= beyond[:-1] * shrunk.ravel()[where[1:]]
    steps = np.log(np.maximum(np.append(1.0, given), _TINY))
    steps[firsts] = np.log(sure[firsts])
    log_z = np.add.reduceat(np.log(grown.ravel()[where]) + top, firsts)
    log_z += shift * np.subtract(lengths, 1) + np.log(total[ends - 1])
    doubt = np.maximum(1.0 - sure, _EXACT)
    each = both[where] / total[:, None] if chances else np.zeros((0, len(step)))
    return Sums(1.0 - out, likeliest, doubt, steps, log_z, each)


def _scaling(
    scores: Floats | Doubles, steps: Doubles, outside: int, power: float
) -> tuple[Floats | Doubles, int]:
    """Return what to take from every token's scores, and after how many steps to scale the products then."""
    farthest = power * float(scores.max() - scores.min() - steps[np.isfinite(steps)].min())
    if farthest < _FAR:
        return scores[:, outside], int(_FAR / max(farthest, 1.0))
    return scores.max(axis=1), 1


def _local(
    scores: Floats | Doubles, top: Floats | Doubles, power: float, lanes: _Lanes, room: Room
) -> Doubles:
    """Return each label's weight at each token, in lanes; what no token takes is left to chance."""
    labels = scores.shape[1]
    source = np.zeros(lanes.steps * lanes.count, dtype=np.int64)  # anything will do beyond the sequences
    source[lanes.where] = np.arange(len(scores))
    less = room("less", *scores.shape, dtype=scores.dtype)
    np.subtract(scores, top[:, None], out=less)
    if power != 1.0:
        less *= power
    laid = room("laid", len(source), labels, dtype=scores.dtype)
    np.take(less, source, axis=0, out=laid, mode="clip")
    local: Doubles = room("local", lanes.steps, lanes.count, labels)
    np.exp(laid.reshape(local.shape), out=local, dtype=np.float64)
    return local


def _forward(local: Doubles, step: Doubles, lanes: _Lanes, every: int, room: Room) -> tuple[Doubles, Doubles]:
    """Return the sums up to every token, and by what they were divided."""
    made, scale = room("forward", *local.shape), np.ones(local.shape[:2])
    for t, (state, here, begins) in enumerate(zip(made, local, lanes.begins, strict=True)):
        if t:
            np.dot(made[t - 1], step, out=state)
            state *= here
        if begins is not None:
            state[begins] = here[begins]
        if t % every == 0:
            state /= np.add.reduce(state, axis=1, out=scale[t])[:, None]
    return made, scale


def _backward(
    local: Doubles, step: Doubles, lanes: _Lanes, every: int, room: Room
) -> tuple[Doubles, Doubles]:
    """Return the sums beyond every token, and by what they were divided."""
    made, scale = room("backward", *local.shape), np.ones(local.shape[:2])
    back, ahead = np.ascontiguousarray(step.T), np.empty_like(local[0])
    made[-1] = 1.0
    for t in range(len(local) - 1, 0, -1):
        state = made[t - 1]
        np.multiply(local[t], made[t], out=ahead)
        np.dot(ahead, back, out=state)
        if t % every == 0:
            state /= np.add.reduce(state, axis=1, out=scale[t])[:, None]
        if lanes.begins[t] is not None:
            state[lanes.begins[t]] = 1.0
    return made, scale
