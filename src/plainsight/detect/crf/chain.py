"""The chain: the best labelling, each label's probability, and the labelling's own, over many notes at once.

Notes are worked on side by side, the longest first, one token of each at a time; a note that has ended falls
out. Probabilities are products of matrices, and quick; the best labelling is a search, and slow. So the first
save the second most of its work: take at each token the likeliest label. If all labellings with another label
at one token are together less probable than this one, then the best labelling has that label there. So notes
fall into stretches of doubt between tokens whose labels are known; the same holds within each of these, and
what is left in the end is searched. This is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chain", "Marginals"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_ROOM = 1 << 15  # tokens of a batch, with what pads them: some fifty megabytes
_ROUNDS = 3
_CAREFUL = 1e-6


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


class Chain:
    """Transition weights and the label that stands for outside."""

    def __init__(self, transitions: Floats, outside: int) -> None:
        self.transitions = transitions.astype(np.float64)
        self.outside = outside

    # --- probabilities ------------------------------------------------------------------------------------

    def marginals(self, emissions: Sequence[Floats]) -> list[Marginals]:
        """Return each label's probability at each token (forward–backward)."""
        nothing = np.zeros(0)
        none = Marginals(
            np.zeros((0, len(self.transitions))), 0.0, nothing.astype(np.int64), nothing, nothing
        )
        made = [none] * len(emissions)
        order = sorted(range(len(emissions)), key=lambda note: -len(emissions[note]))
        order = [note for note in order if len(emissions[note])]
        for batch in _batches([len(emissions[note]) for note in order], most=64):
            results = self._marginals([emissions[note] for note in order[batch]])
            for note, result in zip(order[batch], results, strict=True):
                made[note] = result
        return made

    def _marginals(self, emissions: Sequence[Floats]) -> list[Marginals]:
        """Return the probabilities of notes, the longest first."""
        lengths = np.array([len(scores) for scores in emissions])
        alive = _alive(lengths)
        shift = float(self.transitions.max())
        step = np.exp(self.transitions - shift)
        top = [scores.max(axis=1).astype(np.float64) for scores in emissions]
        local = np.ones((len(alive), len(emissions), len(step)))
        for place, scores in enumerate(emissions):
            local[: len(scores), place] = np.exp(scores - top[place][:, None])
        forward, backward = np.zeros_like(local), np.ones_like(local)
        scale = np.ones(local.shape[:2])
        for t, n in enumerate(alive):
            state = local[t, :n] * (forward[t - 1, :n] @ step) if t else local[t]
            scale[t, :n] = state.sum(axis=1)
            forward[t, :n] = state / scale[t, :n, None]
        local /= scale[:, :, None]
        for t in range(len(alive) - 1, 0, -1):
            np.matmul(backward[t, : alive[t]] * local[t, : alive[t]], step.T, out=backward[t - 1, : alive[t]])
        made = []
        for place, scores in enumerate(emissions):
            n = len(scores)
            scales, ahead = np.log(scale[:n, place]), backward[:n, place]
            chances = forward[:n, place] * ahead
            chances /= chances.sum(axis=1, keepdims=True)
            likeliest = chances.argmax(axis=1)
            here = np.arange(n)
            others = chances.copy()
            others[here, likeliest] = 0.0
            sure, beyond = chances[here, likeliest], np.log(ahead[here, likeliest])
            steps = scores[here, likeliest] - top[place] - scales + beyond
            steps[1:] += self.transitions[likeliest[:-1], likeliest[1:]] - shift - beyond[:-1]
            steps[0] = np.log(sure[0])
            log_z = float(scales.sum() + top[place].sum() + shift * (n - 1))
            made.append(Marginals(chances, log_z, likeliest, others.sum(axis=1), steps))
        return made

    # --- the best labelling -------------------------------------------------------------------------------

    def best(self, emissions: Sequence[Floats], marginals: Sequence[Marginals] | None = None) -> list[Ints]:
        """Return the best label of every token of every note (Viterbi)."""
        known = self.marginals(emissions) if marginals is None else marginals
        paths = [marginal.likeliest.copy() for marginal in known]
        stretches = [
            (note, first, last) for note, marginal in enumerate(known) for first, last in _in_doubt(marginal)
        ]
        stretches.sort(key=lambda stretch: stretch[1] - stretch[2])  # the longest first
        for batch in _batches([last - first for _, first, last in stretches], most=64):
            self._search(stretches[batch], emissions, paths)
        return paths

    def _search(
        self, stretches: Sequence[tuple[int, int, int]], emissions: Sequence[Floats], paths: list[Ints]
    ) -> None:
        """Find the best labels of stretches, given the labels at both ends."""
        alive = [*_alive(np.array([last - first for _, first, last in stretches])), 0]
        scores = np.zeros((len(alive) - 1, len(stretches), len(self.transitions)))
        for place, (note, first, last) in enumerate(stretches):
            scores[: last - first, place] = emissions[note][first:last]
            if first:
                scores[0, place] += self.transitions[paths[note][first - 1]]
            if last < len(emissions[note]):
                scores[last - first - 1, place] += self.transitions[:, paths[note][last]]
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

    def log_score(self, emissions: Floats, path: Ints) -> float:
        """Return the unnormalised logarithm of a labelling's probability."""
        if not len(path):
            return 0.0
        steps = self.transitions[path[:-1], path[1:]].sum()
        return float(emissions[np.arange(len(path)), path].astype(np.float64).sum() + steps)


def _in_doubt(marginal: Marginals) -> list[tuple[int, int]]:
    """Return the stretches of a note whose best labels are not known to be the likeliest ones.

    Given the labels at both ends, others are at most 1 / (1 - the ends' doubts) times as probable as without,
    and the likeliest labels at least as probable as the steps through them.
    """
    count = len(marginal.doubt)
    doubt = np.append(marginal.doubt, 0.0)  # so that neither edge of the note, -1 and count, is in doubt
    with np.errstate(divide="ignore"):
        log_doubt = np.log(doubt)
    reached = np.concatenate(([0.0], np.cumsum(marginal.steps)))
    places = np.arange(count)
    for _ in range(_ROUNDS):
        if not len(places):
            break
        first, last = np.array(_runs(places)).T
        at_least = reached[np.minimum(last + 1, count)] - reached[first]
        edges = np.log(np.maximum(1.0 - doubt[first - 1] - doubt[last], 1e-300))
        places = places[log_doubt[places] >= np.repeat(at_least + edges, last - first) - _CAREFUL]
    return _runs(places)


def _alive(lengths: Ints) -> list[int]:
    """Return for each step how many sequences, the longest first, are longer."""
    counts: list[int] = (np.arange(lengths[0])[:, None] < lengths).sum(axis=1).tolist()
    return counts


def _batches(lengths: Sequence[int], *, most: int) -> list[slice]:
    """Cut sequences, the longest first, into batches that need little room when padded to their first."""
    made, start = [], 0
    while start < len(lengths):
        count = max(1, min(most, _ROOM // lengths[start]))
        made.append(slice(start, start + count))
        start += count
    return made


def _runs(places: Ints) -> list[tuple[int, int]]:
    """Return the runs of neighbouring places as half-open ranges."""
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > 1)
    firsts = places[np.concatenate(([0], breaks + 1))]
    lasts = places[np.concatenate((breaks, [len(places) - 1]))]
    return list(zip(firsts.tolist(), (lasts + 1).tolist(), strict=True))
