"""A linear chain of tags: forward-backward and Viterbi over many sequences at once.

Sequences lie side by side in one padded array, the longest first. Each step takes the same token of all
sequences that have not ended yet, so it costs one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats, Ints

_ROOM = 1 << 15  # tokens of a batch, padding included
_TINY = 1e-300


class Marginals(NamedTuple):
    """The probability of each tag at each token, and the logarithm of the normaliser."""

    probabilities: Doubles
    log_z: float


class Edges(NamedTuple):
    """Scores that some pairs of tags have at some tokens, beside their transition.

    ``places`` are the tokens of the second tags and in order, ``columns`` the sequences of a batch.
    """

    places: Ints
    columns: Ints
    before: Ints
    after: Ints
    scores: Doubles

    def at_steps(self, steps: int) -> list[slice]:
        """Return where the entries of each step are."""
        cuts = np.searchsorted(self.places, np.arange(steps + 1)).tolist()
        return [slice(*pair) for pair in pairwise(cuts)]


_NONE: Ints = np.zeros(0, np.int64)
_NO_EDGES = Edges(_NONE, _NONE, _NONE, _NONE, np.zeros(0))


class Sums(NamedTuple):
    """Sums over all tag sequences of a padded batch (time by sequence by tag).

    ``transitions`` holds how often each pair of tags is expected, over the whole batch, ``edges`` how likely
    each entry of the edges is.
    """

    probabilities: Doubles
    log_z: Doubles
    transitions: Doubles
    edges: Doubles


class Chain:
    """Transition weights between tags. Sequences may have `Edges` as well, each its own."""

    def __init__(self, transitions: NDArray[np.floating]) -> None:
        self.transitions = transitions.astype(np.float64)

    def marginals(self, emissions: Sequence[Floats], edges: Sequence[Edges] | None = None) -> list[Marginals]:
        """Return each tag's probability at each token of each sequence."""
        made = [Marginals(np.zeros((0, len(self.transitions))), 0.0)] * len(emissions)
        for places in batches([len(scores) for scores in emissions]):
            scores, going = _padded([emissions[place] for place in places])
            sums = forward_backward(scores, going, self.transitions, _side_by_side(edges, places))
            for column, place in enumerate(places):
                probabilities = sums.probabilities[: len(emissions[place]), column].copy()
                made[place] = Marginals(probabilities, float(sums.log_z[column]))
        return made

    def best(self, emissions: Sequence[Floats], edges: Sequence[Edges] | None = None) -> list[Ints]:
        """Return the best tags of each sequence (Viterbi)."""
        made = [np.zeros(0, np.int64)] * len(emissions)
        for places in batches([len(scores) for scores in emissions]):
            scores, going = _padded([emissions[place] for place in places])
            paths = self._best(scores, going, _side_by_side(edges, places))
            for column, place in enumerate(places):
                made[place] = paths[: len(emissions[place]), column].copy()
        return made

    def log_score(self, emissions: Floats, path: Ints, edges: Edges | None = None) -> float:
        """Return the logarithm of a tag sequence's weight, which is not normalised."""
        if not len(path):
            return 0.0
        steps = self.transitions[path[:-1], path[1:]].sum()
        if edges is not None:
            taken = (path[edges.places - 1] == edges.before) & (path[edges.places] == edges.after)
            steps += edges.scores[taken].sum()
        return float(emissions[np.arange(len(path)), path].astype(np.float64).sum() + steps)

    def _best(self, scores: Doubles, going: Sequence[int], edges: Edges | None) -> Ints:
        at = edges.at_steps(len(going)) if edges else []
        for step, n in enumerate(going[1:], start=1):
            reached = scores[step - 1, :n, :, None] + self.transitions
            if edges:
                _, columns, before, after, more = (row[at[step]] for row in edges)
                reached[columns, before, after] += more
            scores[step, :n] += reached.max(axis=1)
        # Recompute the predecessors on the best path: cheaper than storing one for every tag.
        paths = np.zeros(scores.shape[:2], np.int64)
        into = self.transitions.T
        for step in range(len(scores) - 1, -1, -1):
            if step + 1 < len(going):
                ahead = going[step + 1]
                scores[step, :ahead] += into[paths[step + 1, :ahead]]
                if edges:
                    _, columns, before, after, more = (row[at[step + 1]] for row in edges)
                    taken = paths[step + 1, columns] == after
                    scores[step, columns[taken], before[taken]] += more[taken]
            paths[step, : going[step]] = scores[step, : going[step]].argmax(axis=1)
        return paths


def forward_backward(
    scores: Doubles, going: Sequence[int], transitions: Doubles, edges: Edges | None = None
) -> Sums:
    """Sum over all tag sequences; ``going`` says how many sequences have not ended at each step.

    No two of the ``edges`` may be of the same tags at the same token.
    """
    top, shift = scores.max(axis=2), float(transitions.max())
    local, step = np.exp(scores - top[:, :, None]), np.exp(transitions - shift)
    places, columns, before, after, more = edges or _NO_EDGES
    at = edges.at_steps(len(going)) if edges else []
    tags = len(step)
    from_cell, to_cell = columns * tags + before, columns * tags + after
    added = step[before, after] * np.expm1(more)  # what an entry adds to its transition
    forward, scale = np.zeros_like(local), np.ones_like(top)
    for t, n in enumerate(going):
        state = local[t]
        if t:
            reached = forward[t - 1, :n] @ step
            if edges:
                gain = forward[t - 1].reshape(-1)[from_cell[at[t]]] * added[at[t]]
                reached += np.bincount(to_cell[at[t]], gain, n * tags).reshape(n, tags)
            state = local[t, :n] * reached
        scale[t, :n] = np.maximum(state.sum(axis=1), _TINY)
        forward[t, :n] = state / scale[t, :n, None]
    backward, pairs = np.ones_like(local), np.zeros_like(step)
    local /= scale[:, :, None]
    for t in range(len(going) - 1, 0, -1):
        n = going[t]
        ahead = backward[t, :n] * local[t, :n]
        backward[t - 1, :n] = ahead @ step.T
        if edges:
            gain = ahead.reshape(-1)[to_cell[at[t]]] * added[at[t]]
            backward[t - 1, :n] += np.bincount(from_cell[at[t]], gain, n * tags).reshape(n, tags)
        pairs += forward[t - 1, :n].T @ ahead
    inside = np.arange(scores.shape[1]) < np.array(going)[:, None]
    log_z = np.where(inside, np.log(scale) + top, 0.0).sum(axis=0) + shift * (inside.sum(axis=0) - 1)
    pairs *= step
    ends = (
        forward[places - 1, columns, before] * (backward * local)[places, columns, after] if edges else more
    )
    pairs += np.bincount(before * tags + after, ends * added, tags**2).reshape(tags, tags)
    return Sums(forward * backward, log_z, pairs, ends * (step[before, after] + added))


def still_going(lengths: Ints) -> list[int]:
    """Return for each step how many sequences are longer; ``lengths`` begin with the longest."""
    counts: list[int] = (np.arange(lengths[0])[:, None] < lengths).sum(axis=1).tolist()
    return counts


def batches(lengths: Sequence[int], *, room: int = _ROOM) -> Iterator[list[int]]:
    """Yield the places of sequences in batches of bounded room, the longest first and no empty ones.

    A sequence longer than the room is a batch of its own.
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > room:
            yield batch
            batch = []
        if lengths[place]:
            batch.append(place)
    if batch:
        yield batch


def _side_by_side(edges: Sequence[Edges] | None, places: Sequence[int]) -> Edges | None:
    """Return the edges of the sequences of a batch."""
    if edges is None:
        return None
    columns = np.repeat(np.arange(len(places)), [len(edges[place].places) for place in places])
    at, _, before, after, scores = (
        np.concatenate(rows) for rows in zip(*(edges[place] for place in places), strict=True)
    )
    order = np.argsort(at, kind="stable")
    return Edges(at[order], columns[order], before[order], after[order], scores[order])


def _padded(sequences: Sequence[Floats]) -> tuple[Doubles, list[int]]:
    """Return sequences side by side, and how many are going on at each step."""
    lengths = np.array([len(scores) for scores in sequences])
    made = np.zeros((lengths[0], len(sequences), sequences[0].shape[1]))
    for column, scores in enumerate(sequences):
        made[: len(scores), column] = scores
    return made, still_going(lengths)
