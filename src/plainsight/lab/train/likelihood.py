"""How well a CRF's weights explain annotated notes: the log-likelihood with its prior, and its gradient."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plainsight.lab.train.lbfgs import dot
from plainsight.lab.train.problem import Problem, Slot

__all__ = ["Likelihood"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]

_TOKENS = 4096  # at a time: their scores stay in the cache
_SEQUENCES = (
    64  # so few that no product is worth two threads, which would wait for each other on a busy machine
)
_NOTHING = 1e-8  # a probability that does not count


class Likelihood:
    """The loss of weights on some of a problem's sequences.

    Weights are one vector: one for each feature and label that were seen together (``pairs``, the sorted
    numbers ``feature * labels + label``), then all transitions. ``more`` adds pairs. The Gaussian prior draws
    weights towards ``centre``, by default towards zero.
    """

    def __init__(
        self, problem: Problem, *, gaussian: float, sequences: Ints | None = None, more: Ints | None = None
    ) -> None:
        self.problem = problem
        self.gaussian = gaussian
        self.labels = len(problem.tags)
        chosen = np.arange(len(problem.lengths)) if sequences is None else sequences
        chosen = chosen[np.argsort(-problem.lengths[chosen], kind="stable")]  # the longest first
        self.positions, self.lengths = problem.positions[chosen], problem.lengths[chosen]
        seen = self._seen()
        self.pairs = seen if more is None else np.union1d(seen, more)
        self.centre: Doubles = np.zeros(len(self.pairs) + self.labels**2)
        self._entries = [self._entries_of(slot) for slot in problem.slots]

    def transitions(self, weights: Doubles) -> Doubles:
        """Return the weights' part for transitions."""
        return weights[len(self.pairs) :].reshape(self.labels, self.labels)

    def __call__(self, weights: Doubles) -> tuple[float, Doubles]:
        """Return the loss and its gradient."""
        emissions = self.emissions(weights)
        transitions = self.transitions(weights)
        surplus = np.zeros_like(emissions)  # expected minus seen, of each label at each token
        steps = np.zeros_like(transitions)
        loss = 0.0
        for first in range(0, len(self.lengths), _SEQUENCES):
            some = slice(first, first + _SEQUENCES)
            loss += self._expect(emissions, transitions, some, surplus, steps)
        gradient = np.concatenate((self._counts(surplus), steps.ravel()))
        away = weights - self.centre
        return loss + self.gaussian * dot(away, away), gradient + 2 * self.gaussian * away

    # --- which weights there are --------------------------------------------------------------------------

    def _seen(self) -> Ints:
        """Return the features and labels that stand together at some token."""
        sequences = zip(self.positions, self.lengths, strict=True)
        places = np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(p, p + n) for p, n in sequences)])
        labels = self.problem.gold[places]
        made = []
        for slot in self.problem.slots:
            both = np.unique(slot.line[places + slot.offset] * self.labels + labels)
            value, label = both // self.labels, both % self.labels
            owner, member = _spread(slot.starts[value], slot.starts[value + 1])
            made.append(np.unique(slot.members[member] * self.labels + label[owner]))
        return np.unique(np.concatenate(made))

    def _entries_of(self, slot: Slot) -> tuple[Small, Small]:
        """Return the slot's cells (label by value) and the weights that count for each."""
        value, member = _spread(slot.starts[:-1], slot.starts[1:])
        feature = slot.members[member]
        first = np.searchsorted(self.pairs, feature * self.labels)
        last = np.searchsorted(self.pairs, (feature + 1) * self.labels)
        owner, pair = _spread(first, last)
        cell = self.pairs[pair] % self.labels * slot.values + value[owner]
        return cell.astype(np.int32), pair.astype(np.int32)

    # --- from weights to scores, and back -----------------------------------------------------------------

    def emissions(self, weights: Doubles) -> Floats:
        """Return each label's score at every place of the line."""
        scores: Floats = np.zeros((len(self.problem.gold), self.labels), dtype=np.float32)
        for slot, (cell, pair) in zip(self.problem.slots, self._entries, strict=True):
            table = np.bincount(cell, weights[pair], slot.values * self.labels).reshape(self.labels, -1)
            rows = np.ascontiguousarray(table.T, dtype=np.float32)
            low, high = max(0, -slot.offset), len(scores) - max(0, slot.offset)
            for first in range(low, high, _TOKENS):
                last = min(first + _TOKENS, high)
                scores[first:last] += rows[slot.line[first + slot.offset : last + slot.offset]]
        return scores

    def _counts(self, surplus: Floats) -> Doubles:
        """Return each pair's share in what the tokens have too much or too little."""
        places = np.flatnonzero(np.abs(surplus).max(axis=1) > _NOTHING)
        amounts = np.ascontiguousarray(surplus[places].T, dtype=np.float64)
        counts = np.zeros(len(self.pairs))
        for slot, (cell, pair) in zip(self.problem.slots, self._entries, strict=True):
            values = slot.line[places + slot.offset]
            sums = np.concatenate([np.bincount(values, amount, slot.values) for amount in amounts])
            counts += np.bincount(pair, sums[cell], len(self.pairs))
        return counts

    def _expect(
        self, emissions: Floats, transitions: Doubles, some: slice, surplus: Floats, steps: Doubles
    ) -> float:
        """Add some sequences' expected minus seen counts; return their negative log-likelihood.

        Forward and backward run over all sequences side by side; one that has ended falls out.
        """
        positions, lengths = self.positions[some], self.lengths[some]
        time = np.arange(int(lengths[0]))[:, None]
        inside = time < lengths
        alive = inside.sum(axis=1).tolist()
        places = np.where(inside, positions + time, 0)
        scores, gold = emissions[places].astype(np.float64), self.problem.gold[places]
        top, shift = scores.max(axis=2), float(transitions.max())
        local, step = np.exp(scores - top[:, :, None]), np.exp(transitions - shift)

        forward, scale = np.zeros_like(local), np.ones_like(top)
        for t, n in enumerate(alive):
            state = local[t, :n] * (forward[t - 1, :n] @ step) if t else local[t]
            scale[t, :n] = state.sum(axis=1)
            forward[t, :n] = state / scale[t, :n, None]
        ahead, backward = np.zeros_like(local), np.ones_like(local)
        both = np.zeros_like(step)
        local /= scale[:, :, None]
        for t in range(len(alive) - 1, 0, -1):
            n = alive[t]
            np.multiply(backward[t, :n], local[t, :n], out=ahead[t, :n])
            np.matmul(ahead[t, :n], step.T, out=backward[t - 1, :n])
            both += forward[t - 1, :n].T @ ahead[t, :n]

        chances = (forward * backward)[inside]
        chances[np.arange(len(chances)), gold[inside]] -= 1.0
        surplus[places[inside]] = chances
        before, after = gold[:-1][inside[1:]], gold[1:][inside[1:]]
        seen = np.bincount(before * self.labels + after, minlength=self.labels**2)
        steps += step * both - seen.reshape(steps.shape)

        log_z = (np.log(scale) + top)[inside].sum() + shift * (lengths - 1).sum()
        reached = np.take_along_axis(scores, gold[:, :, None], axis=2)[:, :, 0][inside].sum()
        return float(log_z - reached - transitions[before, after].sum())


def _spread(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of half-open ranges one after another: the range each is of, and the number."""
    count = last - first
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(len(owner)) - (np.cumsum(count) - count)[owner] + first[owner]
