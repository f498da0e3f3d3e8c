"""The chain: the best labelling, each label's probability, and the labelling's own, over many notes at once.

Probabilities are products of matrices, and quick; the best labelling is a search, and slow. So the first save
the second most of its work: the best labels are the likeliest ones wherever others are not probable enough
(`_in_doubt`). What is left in doubt is asked again with all scores multiplied: the best labelling stays the
best, and becomes so probable that there is hardly a doubt. What is left then is searched. This is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.lab.detect.crf.lanes import Room, Sums, forward_backward

__all__ = ["Chain", "Marginals", "Solved", "batches"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Stretch = tuple[int, int, int]  # a note and two places in it

_ROOM = 1 << 15  # tokens of a batch: some sixty megabytes
_SEARCHED = 64  # stretches at a time
_ROUNDS = 4
_POWER = 4.0
_CAREFUL = 1e-3  # of a logarithm: scores are rounded
_EXACT = 1e-13  # of a probability


class Marginals(NamedTuple):
    """Each label's probability at each token, and the logarithm of the normaliser.

    Also the likeliest label of each token, the probability of all others (``doubt``), and the logarithm of
    the likeliest label's probability given the one before (``steps``).
    """

    probabilities: Doubles
    log_z: float
    likeliest: Ints
    doubt: Doubles
    steps: Doubles


class Solved(NamedTuple):
    """A note's best labels, each token's probability not to be outside, the logarithm of the normaliser."""

    path: Ints
    inside: Doubles
    log_z: float


class Chain:
    """Transition weights and the label that stands for outside."""

    def __init__(self, transitions: Floats, outside: int) -> None:
        self.transitions = transitions.astype(np.float64)
        self.outside = outside
        self._room = Room()

    def marginals(self, emissions: Sequence[Floats]) -> list[Marginals]:
        """Return each label's probability at each token (forward–backward)."""
        nothing = np.zeros(0)
        none = Marginals(
            np.zeros((0, len(self.transitions))), 0.0, nothing.astype(np.int64), nothing, nothing
        )
        made = [none] * len(emissions)
        for batch in batches([len(scores) for scores in emissions]):
            sums, cuts = self._sums([emissions[note] for note in batch], chances=True)
            for note, log_z, here in zip(batch, sums.log_z.tolist(), cuts, strict=True):
                made[note] = Marginals(
                    sums.chances[here], log_z, sums.likeliest[here], sums.doubt[here], sums.steps[here]
                )
        return made

    def solve(self, emissions: Sequence[Floats]) -> list[Solved]:
        """Return the best labels of every note, and how sure it is that each token is not outside."""
        made = [Solved(np.zeros(0, dtype=np.int64), np.zeros(0), 0.0)] * len(emissions)
        for batch in batches([len(scores) for scores in emissions]):
            some = [emissions[note] for note in batch]
            sums, cuts = self._sums(some)
            paths = [sums.likeliest[here] for here in cuts]
            self._settle(some, paths, sums.doubt, sums.steps)
            for note, path, log_z, here in zip(batch, paths, sums.log_z.tolist(), cuts, strict=True):
                made[note] = Solved(path, sums.inside[here], log_z)
        return made

    def best(self, emissions: Sequence[Floats], marginals: Sequence[Marginals] | None = None) -> list[Ints]:
        """Return the best label of every token of every note (Viterbi)."""
        if marginals is None:
            return [solved.path for solved in self.solve(emissions)]
        paths = [marginal.likeliest.copy() for marginal in marginals]
        doubts, steps = ([getattr(marginal, name) for marginal in marginals] for name in ("doubt", "steps"))
        if paths:
            self._settle(emissions, paths, np.concatenate(doubts), np.concatenate(steps))
        return paths

    def log_score(self, emissions: Floats, path: Ints) -> float:
        """Return the unnormalised logarithm of a labelling's probability."""
        if not len(path):
            return 0.0
        steps = self.transitions[path[:-1], path[1:]].sum()
        return float(emissions[np.arange(len(path)), path].astype(np.float64).sum() + steps)

    # --- how it is found ----------------------------------------------------------------------------------

    def _sums(
        self, scores: Sequence[NDArray[Any]], *, power: float = 1.0, chances: bool = False
    ) -> tuple[Sums, list[slice]]:
        """Return what all labellings of sequences say, and where each sequence is in it."""
        lengths = list(map(len, scores))
        sums = forward_backward(
            np.concatenate(scores),
            lengths,
            self.transitions,
            outside=self.outside,
            power=power,
            room=self._room,
            chances=chances,
        )
        return sums, [
            slice(end - length, end) for end, length in zip(accumulate(lengths), lengths, strict=True)
        ]

    def _settle(self, emissions: Sequence[Floats], paths: list[Ints], doubt: Doubles, steps: Doubles) -> None:
        """Make the best labels of the likeliest ones."""
        stretches = _in_doubt(doubt, steps, list(map(len, paths)))
        for batch in batches([last - first for _, first, last in stretches]):
            some = [stretches[place] for place in batch]
            sums, cuts = self._sums(
                [self._given(each, emissions, paths).astype(np.float32) for each in some], power=_POWER
            )
            for (note, first, last), here in zip(some, cuts, strict=True):
                paths[note][first:last] = sums.likeliest[here]
            left = [
                (some[place][0], some[place][1] + first, some[place][1] + last)
                for place, first, last in _in_doubt(
                    sums.doubt, sums.steps, [last - first for _, first, last in some]
                )
            ]
            left.sort(key=lambda stretch: stretch[1] - stretch[2])  # the longest first
            for start in range(0, len(left), _SEARCHED):
                self._search(left[start : start + _SEARCHED], emissions, paths)

    def _given(self, stretch: Stretch, emissions: Sequence[Floats], paths: Sequence[Ints]) -> Doubles:
        """Return the scores of a stretch, given the labels at both ends."""
        note, first, last = stretch
        scores = emissions[note][first:last].astype(np.float64)
        if first:
            scores[0] += self.transitions[paths[note][first - 1]]
        if last < len(emissions[note]):
            scores[-1] += self.transitions[:, paths[note][last]]
        return scores

    def _search(self, stretches: Sequence[Stretch], emissions: Sequence[Floats], paths: list[Ints]) -> None:
        """Find the best labels of stretches, the longest first."""
        alive = [*_alive(np.array([last - first for _, first, last in stretches])), 0]
        scores = np.zeros((len(alive) - 1, len(stretches), len(self.transitions)))
        for place, (note, first, last) in enumerate(stretches):
            scores[: last - first, place] = self._given((note, first, last), emissions, paths)
        for step, n in enumerate(alive[1:-1], start=1):
            scores[step, :n] += (scores[step - 1, :n, :, None] + self.transitions).max(axis=1)
        # The way back needs predecessors on the best path only: cheaper to find again than to keep all.
        found = np.zeros((len(alive), len(stretches)), dtype=np.int64)
        into = np.ascontiguousarray(self.transitions.T)
        for step in range(len(alive) - 2, -1, -1):
            n, ahead = alive[step], alive[step + 1]
            scores[step, :ahead] += into[found[step + 1, :ahead]]
            found[step, :n] = scores[step, :n].argmax(axis=1)
        for place, (note, first, last) in enumerate(stretches):
            paths[note][first:last] = found[: last - first, place]


def _in_doubt(doubt: Doubles, steps: Doubles, lengths: Sequence[int]) -> list[Stretch]:
    """Return the stretches of sequences whose best labels are not known to be the likeliest ones.

    Where the best labels differ from the likeliest ones in a row, with the same labels before and after it,
    they are at least as probable as these are in their place; and at most as probable as that any of the
    tokens, or any two neighbours, all have other labels. So tokens and neighbours part for which that is less
    probable than the likeliest labels of the whole run they are in; and again in the shorter runs.
    """
    # The sequences on one line, with a place between them that is not in doubt.
    starts = np.cumsum(lengths) - lengths + np.arange(len(lengths))
    line = np.arange(len(doubt)) + np.repeat(np.arange(len(lengths)), lengths)
    doubts, taken = np.zeros((2, len(doubt) + len(lengths) + 1))
    doubts[line], taken[line] = doubt, steps
    sure = 1.0 - doubts
    both = np.append(
        0.0, doubts[:-1] + doubts[1:] - 1.0 + sure[:-1] * np.exp(taken[1:])
    )  # with the one before
    both[starts] = 0.0
    reached = np.concatenate(([0.0], np.cumsum(taken)))
    places, joined = line, both[line] > 0.0
    for _ in range(_ROUNDS):
        run = np.cumsum(~joined) - 1
        first = places[~joined]
        last = first + np.bincount(run, minlength=len(first))
        bound = (sure[first - 1] * np.exp(reached[last + 1] - reached[first] - _CAREFUL))[run] - _EXACT
        kept = doubts[places] >= bound
        joined = joined & (both[places] >= bound) & np.append(False, kept[:-1])
        places, joined = places[kept], joined[kept]
    first, last = _runs(places)
    owners = np.searchsorted(starts, first, side="right") - 1
    return list(
        zip(owners.tolist(), (first - starts[owners]).tolist(), (last - starts[owners]).tolist(), strict=True)
    )


def _alive(lengths: Ints) -> list[int]:
    """Return for each step how many sequences, the longest first, are longer."""
    counts: list[int] = (np.arange(lengths[0])[:, None] < lengths).sum(axis=1).tolist()
    return counts


def batches(lengths: Sequence[int], *, room: int = _ROOM) -> Iterator[list[int]]:
    """Yield the places of sequences, the longest first and no empty ones, in batches of bounded room.

    A sequence that is longer than the room is a batch of its own.
    """
    batch: list[int] = []
    size = 0
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and size + lengths[place] > room:
            yield batch
            batch, size = [], 0
        if lengths[place]:
            batch.append(place)
            size += lengths[place]
    if batch:
        yield batch


def _runs(places: Ints) -> tuple[Ints, Ints]:
    """Return the runs of neighbouring places as half-open ranges."""
    breaks = np.flatnonzero(np.diff(places) > 1) + 1
    firsts = np.concatenate((places[:1], places[breaks]))
    lasts = np.concatenate((places[breaks - 1], places[-1:]))
    return firsts, lasts + 1
