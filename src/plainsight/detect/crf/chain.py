"""The chain: the best labelling, each label's probability, and the labelling's own, over many notes at once.

Notes are worked on side by side, the longest first, one token of each at a time; a note that has ended falls
out. For the best labelling most tokens need no work at all: where ``O`` leads by more than any transitions
could make up for, the best path goes through ``O``, whatever lies around it, so a note falls into short
stretches that are searched by themselves. This is exact.
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


class Marginals(NamedTuple):
    """Each label's probability at each token, and the logarithm of the normaliser."""

    probabilities: Doubles
    log_z: float


class Chain:
    """Transition weights and the label that stands for outside."""

    def __init__(self, transitions: Floats, outside: int) -> None:
        self.transitions = transitions.astype(np.float64)
        self.outside = outside
        # how much at most other labels than O could gain at one token by their transitions on both sides
        step, out = self.transitions, outside
        gain = (step[:, :, None] + step[None, :, :]).max(axis=1) - (step[:, out, None] + step[None, out, :])
        edge = max(
            float((step.max(axis=1) - step[:, out]).max()), float((step.max(axis=0) - step[out, :]).max())
        )
        self.margin = max(float(gain.max()), edge, 0.0)

    # --- the best labelling -------------------------------------------------------------------------------

    def best(self, emissions: Sequence[Floats]) -> list[Ints]:
        """Return the best label of every token of every note (Viterbi)."""
        paths = [np.full(len(scores), self.outside, dtype=np.int64) for scores in emissions]
        stretches = []
        for note, scores in enumerate(emissions):
            if len(scores):
                others = np.delete(scores, self.outside, axis=1).max(axis=1)
                open_ = np.flatnonzero(scores[:, self.outside] - others <= self.margin)
                stretches += [(note, first, last) for first, last in _runs(open_)]
        stretches.sort(key=lambda stretch: stretch[1] - stretch[2])  # the longest first
        for batch in _batches([last - first for _, first, last in stretches], most=512):
            self._search(stretches[batch], emissions, paths)
        return paths

    def _search(
        self, stretches: Sequence[tuple[int, int, int]], emissions: Sequence[Floats], paths: list[Ints]
    ) -> None:
        """Find the best labels of stretches whose neighbours are ``O`` or the note's edge."""
        lengths = np.array([last - first for _, first, last in stretches])
        longest, labels = int(lengths[0]), len(self.transitions)
        scores = np.zeros((longest, len(stretches), labels))
        for place, (note, first, last) in enumerate(stretches):
            scores[: last - first, place] = emissions[note][first:last]
            if first:
                scores[0, place] += self.transitions[self.outside]
            if last < len(emissions[note]):
                scores[last - first - 1, place] += self.transitions[:, self.outside]
        behind = np.zeros((longest, len(stretches), labels), dtype=np.int16)
        best = scores[0]
        for step in range(1, longest):
            alive = int(np.searchsorted(-lengths, -step, side="left"))  # longer than step
            paths_in = best[:alive, :, None] + self.transitions[None]
            behind[step, :alive] = paths_in.argmax(axis=1)
            best = best.copy()
            best[:alive] = paths_in.max(axis=1) + scores[step, :alive]
        found = np.zeros((longest, len(stretches)), dtype=np.int64)
        label = best.argmax(axis=1)
        for step in range(longest - 1, -1, -1):
            alive = int(np.searchsorted(-lengths, -step, side="left"))
            found[step, :alive] = label[:alive]
            if step:
                label[:alive] = behind[step, np.arange(alive), label[:alive]]
        for place, (note, first, last) in enumerate(stretches):
            paths[note][first:last] = found[: last - first, place]

    # --- probabilities ------------------------------------------------------------------------------------

    def marginals(self, emissions: Sequence[Floats]) -> list[Marginals]:
        """Return each label's probability at each token (forward–backward)."""
        order = sorted(range(len(emissions)), key=lambda note: -len(emissions[note]))
        made: list[Marginals] = [Marginals(np.zeros((0, len(self.transitions))), 0.0)] * len(emissions)
        order = [note for note in order if len(emissions[note])]
        for batch in _batches([len(emissions[note]) for note in order], most=64):
            results = self._marginals([emissions[note] for note in order[batch]])
            for note, result in zip(order[batch], results, strict=True):
                made[note] = result
        return made

    def _marginals(self, emissions: Sequence[Floats]) -> list[Marginals]:
        """Return the probabilities of notes, the longest first."""
        lengths = np.array([len(scores) for scores in emissions])
        longest, labels = int(lengths[0]), len(self.transitions)
        shift = float(self.transitions.max())
        step = np.exp(self.transitions - shift)
        top = [scores.max(axis=1).astype(np.float64) for scores in emissions]
        local = np.ones((longest, len(emissions), labels))
        for place, scores in enumerate(emissions):
            local[: len(scores), place] = np.exp(scores - top[place][:, None])
        forward = np.zeros_like(local)
        scale = np.ones((longest, len(emissions)))
        state = local[0]
        for t in range(longest):
            alive = int(np.searchsorted(-lengths, -t, side="left"))
            state = local[t, :alive] if not t else (state[:alive] @ step) * local[t, :alive]
            scale[t, :alive] = state.sum(axis=1)
            state = state / scale[t, :alive, None]
            forward[t, :alive] = state
        backward = np.ones_like(local)
        for t in range(longest - 2, -1, -1):
            alive = int(np.searchsorted(-lengths, -(t + 1), side="left"))
            ahead = backward[t + 1, :alive] * local[t + 1, :alive] / scale[t + 1, :alive, None]
            backward[t, :alive] = ahead @ step.T
        made = []
        for place, scores in enumerate(emissions):
            both = forward[: len(scores), place] * backward[: len(scores), place]
            log_z = np.log(scale[: len(scores), place]).sum() + top[place].sum() + shift * (len(scores) - 1)
            made.append(Marginals(both / both.sum(axis=1, keepdims=True), float(log_z)))
        return made

    def log_score(self, emissions: Floats, path: Ints) -> float:
        """Return the unnormalised logarithm of a labelling's probability."""
        if not len(path):
            return 0.0
        steps = self.transitions[path[:-1], path[1:]].sum()
        return float(emissions[np.arange(len(path)), path].astype(np.float64).sum() + steps)


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
