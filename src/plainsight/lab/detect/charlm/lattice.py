"""The lattice of states over tokens: the best path, and how good a path through each state can be.

Sequences are worked on side by side, the longest first, one token of each at a time. Most pairs of states
cannot follow one another, so a step looks at four small blocks of transitions instead of all pairs. At each
token the best score is taken for 0, so that single precision is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Floats, Ints
from plainsight.lab.detect.charlm.states import States

_NEVER = -1e30  # not minus infinity, whose differences are not numbers


class Search(NamedTuple):
    """The best path through a sequence, and by how much the best through each state falls short of it."""

    path: Ints
    gap: Floats


class Lattice:
    """Log-probabilities of transitions, of first states and of stopping after a state."""

    def __init__(self, states: States, transitions: Floats, start: Floats, stop: Floats) -> None:
        self.states = states
        self.transitions, self.start, self.stop = (
            np.maximum(table, np.float32(_NEVER)) for table in (transitions, start, stop)
        )
        own, labels, step = states, np.arange(states.labels), self.transitions
        self._closed = np.ascontiguousarray(step[own.end, own.fresh])
        self._closed_back = np.ascontiguousarray(self._closed.T)
        self._run = np.ascontiguousarray(step[own.running, own.run])
        self._run_back = np.ascontiguousarray(self._run.T)
        self._after = step[own.end.start + labels, own.after.start + labels]
        # by what comes next and by label: the beginning or the whole of an identifier; more of it or its end
        near = own.before.start + labels
        self._opens = [step[near, next_.start + labels] for next_ in (own.begin, own.whole)]
        self._begun, self._going = (
            [step[origin.start + labels, next_.start + labels] for next_ in (own.inner, own.end)]
            for origin in (own.begin, own.inner)
        )

    def search(self, emissions: Sequence[Floats]) -> list[Search]:
        """Return the best path of each sequence, and the gap of every other state to it."""
        order = sorted(range(len(emissions)), key=lambda place: -len(emissions[place]))
        lengths = np.array([len(emissions[place]) for place in order])
        local = np.zeros((lengths[0], len(order), self.states.size), dtype=np.float32)
        for column, place in enumerate(order):
            local[: lengths[column], column] = emissions[place]
        # how many sequences are still going on at a token
        alive = [int(np.searchsorted(-lengths, -step, side="left")) for step in range(len(local) + 1)]
        forward = self._forward(local, alive)
        paths = self._trace(forward, alive)
        through = forward + self._backward(local, alive)
        made = {}
        for column, place in enumerate(order):
            own = through[: lengths[column], column]
            made[place] = Search(paths[: lengths[column], column], own.max(axis=1, keepdims=True) - own)
        return [made[place] for place in range(len(emissions))]

    def _forward(self, local: Floats, alive: Sequence[int]) -> Floats:
        """Return by the state of each token the best log-probability of all up to it, up to a constant."""
        forward = np.full_like(local, _NEVER)
        for step, going in enumerate(alive[:-1]):
            come = self._ahead(forward[step - 1, :going]) if step else self.start
            scores = come + local[step, :going]
            forward[step, :going] = scores - scores.max(axis=1, keepdims=True)
        return forward

    def _trace(self, forward: Floats, alive: Sequence[int]) -> Ints:
        """Follow the best paths back from their ends."""
        paths = np.zeros(forward.shape[:2], dtype=np.int64)
        into = np.ascontiguousarray(self.transitions.T)
        for step in range(len(forward) - 1, -1, -1):
            going = alive[step + 1]
            if going:
                scores = forward[step, :going] + into[paths[step + 1, :going]]
                paths[step, :going] = scores.argmax(axis=1)
            ending = slice(going, alive[step])
            paths[step, ending] = (forward[step, ending] + self.stop).argmax(axis=1)
        return paths

    def _ahead(self, scores: Floats) -> Floats:
        """Return the best score with which each state can come next."""
        own, made = self.states, np.empty_like(scores)
        closed = np.maximum(scores[:, own.end], scores[:, own.whole])
        made[:, own.fresh] = (closed[:, :, None] + self._closed).max(axis=1)
        made[:, own.after][:, :-1] = closed + self._after
        made[:, own.after.stop - 1] = _NEVER
        made[:, own.run] = (scores[:, own.running, None] + self._run).max(axis=1)
        near = np.maximum(scores[:, own.before], scores[:, own.between])[:, :-1]
        for target, opens in zip((own.begin, own.whole), self._opens, strict=True):
            np.maximum(made[:, target], near + opens, out=made[:, target])
        for target, begun, going in zip((own.inner, own.end), self._begun, self._going, strict=True):
            made[:, target] = np.maximum(scores[:, own.begin] + begun, scores[:, own.inner] + going)
        return made

    def _backward(self, local: Floats, alive: Sequence[int]) -> Floats:
        """Return by the state of each token the best log-probability of all after it, up to a constant."""
        backward = np.full_like(local, _NEVER)
        for step in range(len(local) - 1, -1, -1):
            going = alive[step + 1]
            backward[step, going : alive[step]] = self.stop
            if going:
                scores = self._behind(backward[step + 1, :going] + local[step + 1, :going])
                backward[step, :going] = scores - scores.max(axis=1, keepdims=True)
        return backward

    def _behind(self, scores: Floats) -> Floats:
        """Return the best score that can come after each state."""
        own, made = self.states, np.empty_like(scores)
        closed = (scores[:, own.fresh, None] + self._closed_back).max(axis=1)
        made[:, own.end] = np.maximum(closed, scores[:, own.after][:, :-1] + self._after)
        made[:, own.whole] = made[:, own.end]
        made[:, own.running] = (scores[:, own.run, None] + self._run_back).max(axis=1)
        opened = np.maximum(scores[:, own.begin] + self._opens[0], scores[:, own.whole] + self._opens[1])
        for origin in (own.before, own.between):
            made[:, origin][:, :-1] = opened
            made[:, origin.stop - 1] = _NEVER
        for origin, (inner, end) in ((own.begin, self._begun), (own.inner, self._going)):
            made[:, origin] = np.maximum(scores[:, own.inner] + inner, scores[:, own.end] + end)
        return made
