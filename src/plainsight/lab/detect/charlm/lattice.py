"""The states of the chunker, the lattice of states over tokens, and its n best paths.

The only token of an identifier has the state ``whole``; a longer identifier has ``begin``, ``inner``…,
``end``. Outside, a token just ``after`` or ``before`` an identifier (or the note's edge) has a state of that
label, and a token ``between`` two has a state of the next label. All other tokens are ``interior``. So each
chunking has exactly one path, and words that announce or follow an identifier have models of their own.

The lattice works on sequences side by side, the longest first, one token of each at a time. Most pairs of
states cannot follow one another, so a step looks at four small blocks of transitions instead of all pairs.
Scores are relative to the best at each token, so that single precision is enough.

The n best paths are exact: forward by Viterbi, then backward by A*. A path is its last node and the turns at
which it leaves the best way to that node. The loss of each turn is known beforehand, so a heap gives the
paths in order. Taking one adds two: the path with its last turn exchanged for the next cheapest, and the path
with one more turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints

Chunk = tuple[int, int, int]
"""The first token of an identifier, the token after its last, and the number of its label."""


class States:
    """The numbers of all states for a number of labels; the edge of a note counts as one more label."""

    def __init__(self, labels: int) -> None:
        self.labels = self.edge = labels
        # in this order, states that go together in a step of the lattice are neighbours
        lengths = [labels, labels, labels, labels, labels + 1, labels + 1, 1, labels + 1]
        stops = np.cumsum(lengths).tolist()
        blocks = [slice(stop - length, stop) for stop, length in zip(stops, lengths, strict=True)]
        self.inner, self.end, self.begin, self.whole, self.between, self.after, interior, self.before = blocks
        self.interior: int = interior.start
        self.size: int = stops[-1]
        self.outside = slice(self.between.start, self.size)
        self.fresh = slice(self.begin.start, self.between.stop)  # may follow an identifier of any label
        self.running = slice(self.after.start, interior.stop)  # may be followed by more text outside
        self.run = slice(interior.start, self.before.stop)  # may follow it
        self.label_of = np.full(self.size, -1, dtype=np.int64)
        for block in (self.begin, self.inner, self.end, self.whole):
            self.label_of[block] = np.arange(labels)

    def path(self, chunks: Sequence[Chunk], length: int) -> list[int]:
        """Return the state of each token of a note with these identifiers."""
        made = [self.interior] * length
        last, label = 0, self.edge
        for first, stop, next_label in (*chunks, (length, length, self.edge)):
            if first - last == 1:
                made[last] = self.between.start + next_label
            elif first > last:
                made[last] = self.after.start + label
                made[first - 1] = self.before.start + next_label
            if stop - first == 1:
                made[first] = self.whole.start + next_label
            elif stop > first:
                made[first:stop] = [self.inner.start + next_label] * (stop - first)
                made[first] = self.begin.start + next_label
                made[stop - 1] = self.end.start + next_label
            last, label = stop, next_label
        return made

    def chunks(self, paths: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return the identifiers of paths (in rows): row, first token, token after the last, label."""
        whole = (paths >= self.whole.start) & (paths < self.whole.stop)
        starts = (paths >= self.begin.start) & (paths < self.begin.stop) | whole
        stops = (paths >= self.end.start) & (paths < self.end.stop) | whole
        rows, firsts = np.nonzero(starts)
        return rows, firsts, np.nonzero(stops)[1] + 1, self.label_of[paths[rows, firsts]]


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
        """Return the best log-probability of a path up to each state of each token, up to a constant."""
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
        """Return the best log-probability of a path after each state of each token, up to a constant."""
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


Turn = tuple[float, int, int]
"""Its loss, and the token and node to which it goes instead."""


class _Way(NamedTuple):
    """The best way to a node: its nodes, and the turns off it."""

    nodes: list[int]
    turns: list[Turn]


def n_best(
    emissions: Sequence[Doubles],
    steps: Sequence[Doubles],
    start: Doubles,
    stop: Doubles,
    *,
    n: int,
    reach: float = 1e9,
) -> tuple[Ints, Doubles]:
    """Return the n best paths, one in each row, and their log-probabilities, the best first.

    ``emissions`` holds the scores of each token's nodes, ``steps`` those of the transitions to the next
    token's nodes, ``start`` and ``stop`` those of the first and last nodes. An impossible step scores -1e30.
    Paths that lose more than ``reach`` against the best are left out.
    """
    best = start + emissions[0]
    losses: list[Doubles] = []  # by previous node and node
    for scores, step in zip(emissions[1:], steps, strict=True):
        ways = best[:, None] + step
        top = ways.max(axis=0)
        losses.append(top - ways)
        best = top + scores
    ends = best + stop
    search = _Backward(losses, n, reach)
    paths, lost = search.paths((ends.max() - ends).tolist())
    return np.array(paths, dtype=np.int64), ends.max() - np.array(lost)


class _Backward:
    """The search from the end; ``losses`` are those between each token's nodes and the next one's."""

    def __init__(self, losses: Sequence[Doubles], n: int, reach: float) -> None:
        self.n, self.reach = n, reach
        self.before = [table.argmin(axis=0).tolist() for table in losses]
        self.losses: list[list[list[float]]] = [table.T.tolist() for table in losses]  # by node, node before
        self.ways: dict[tuple[int, int], _Way] = {}

    def paths(self, ends: Sequence[float]) -> tuple[list[list[int]], list[float]]:
        """Return the best paths and their losses; ``ends`` are the losses of ending at each last node."""
        last = len(self.losses)
        turns = sorted((loss, last, node) for node, loss in enumerate(ends) if loss <= self.reach)
        # loss, a unique number, loss without the last turn, candidates for the last turn, which of them it
        # is, and the path that it leaves
        heap: list[tuple[float, int, float, list[Turn], int, list[int]]] = [(0.0, 0, 0.0, turns, 0, [])]
        paths: list[list[int]] = []
        lost: list[float] = []
        pushed = 0
        while heap and len(paths) < self.n:
            loss, _, base, turns, which, left = heappop(heap)
            _, token, node = turns[which]
            way = self._way(token, node)
            path = way.nodes + left[token + 1 :]
            paths.append(path)
            lost.append(loss)
            if which + 1 < len(turns) and base + turns[which + 1][0] <= self.reach:
                pushed += 1
                heappush(heap, (base + turns[which + 1][0], pushed, base, turns, which + 1, left))
            if way.turns and loss + way.turns[0][0] <= self.reach:
                pushed += 1
                heappush(heap, (loss + way.turns[0][0], pushed, loss, way.turns, 0, path))
        return paths, lost

    def _way(self, token: int, node: int) -> _Way:
        """Return the best way to a node."""
        waiting = []
        while token and (token, node) not in self.ways:
            waiting.append((token, node))
            token, node = token - 1, self.before[token - 1][node]
        way = self.ways[token, node] if token else _Way([node], [])
        for token, node in reversed(waiting):
            turns = [
                (loss, token - 1, other)
                for other, loss in enumerate(self.losses[token - 1][node])
                if loss <= self.reach and other != way.nodes[-1]
            ]
            way = _Way([*way.nodes, node], sorted(way.turns + turns)[: self.n])
            self.ways[token, node] = way
        return way
