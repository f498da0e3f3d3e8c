"""The n best paths through a lattice, exactly: forward by Viterbi, then backward by A*.

The forward pass finds the best way to each node of each token. A path is then its last node and the turns at
which, seen from there, it leaves the best way. What the turns lose is known beforehand, so a heap gives the
paths in their order; taking one adds only two to it: the path with its last turn exchanged for the next
dearer one, and the path with one more turn. The turns off a node's best way are listed once, cheapest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from plainsight.arrays import Doubles, Ints

Turn = tuple[float, int, int]
"""What it loses, and the token and node to which it goes instead."""


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

    ``emissions`` holds the scores of each token's nodes, ``steps`` those of going from the nodes of one token
    to those of the next; ``start`` and ``stop`` are those of coming in and going out. What can never be has
    a score like -1e30. Paths that lose more than ``reach`` against the best are left out.
    """
    best = start + emissions[0]
    losses: list[Doubles] = []  # by node before and node: what coming from there loses
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
        """Return the best paths and what they lose; ``ends`` is what ending at each last node loses."""
        last = len(self.losses)
        turns = sorted((loss, last, node) for node, loss in enumerate(ends) if loss <= self.reach)
        # what a path loses, a number that no other has, what it loses without its last turn, the turns that
        # might be its last and which of them is, and the path that it leaves
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
