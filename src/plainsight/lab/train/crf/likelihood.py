"""How well a CRF's weights explain annotated notes: the penalised log-likelihood and its gradient."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.lab.detect.chain import Edges, batches, forward_backward, still_going
from plainsight.lab.detect.crf.notes import Note
from plainsight.lab.train.crf.edges import EdgeWeights
from plainsight.lab.train.crf.slots import Slot, TrainingData

_Batch = tuple[Ints, tuple[Ints, Edges, Doubles] | None]


class Likelihood:
    """The loss of weights on some sequences of the training data.

    Weights are one vector: one for each feature and tag that were seen together (``pairs``, the sorted
    numbers ``feature * tags + tag``), then all transitions, then those of `EdgeWeights`, if there are edges.
    ``more`` adds pairs, ``more_edges`` triples. The Gaussian prior draws weights towards ``centre``, which is
    zero unless it is set.
    """

    def __init__(
        self,
        data: TrainingData,
        *,
        gaussian: float,
        sequences: Ints | None = None,
        more: Ints | None = None,
        more_edges: Ints | None = None,
    ) -> None:
        self.data, self.gaussian, self.tags = data, gaussian, len(data.tags)
        chosen = np.arange(len(data.lengths)) if sequences is None else sequences
        self.positions, self.lengths = data.positions[chosen], data.lengths[chosen]
        self.rows = self._places()  # only these places count; they lie behind one another in what follows
        self.firsts = np.cumsum(self.lengths) - self.lengths
        self.gold = data.gold[self.rows]
        seen = self._seen()
        self.pairs = seen if more is None else np.union1d(seen, more)
        self.edges = self._edge_weights(more_edges) if data.edges else None
        edges = 0 if self.edges is None else len(self.edges.triples)
        self.centre: Doubles = np.zeros(len(self.pairs) + self.tags**2 + edges)
        firsts = [slot.first for slot in data.slots]
        cuts = np.searchsorted(
            self.pairs, np.array([*firsts, np.iinfo(np.int64).max // self.tags]) * self.tags
        )
        self._blocks = [
            (slot, slot.places[self.rows], slice(*cut), self.pairs[slice(*cut)] - slot.first * self.tags)
            for slot, cut in zip(data.slots, pairwise(cuts.tolist()), strict=True)
        ]

    def transitions(self, weights: Doubles) -> Doubles:
        """Return the weights' part for transitions."""
        first = len(self.pairs)
        return weights[first : first + self.tags**2].reshape(self.tags, self.tags)

    def of_edges(self, weights: Doubles) -> Doubles:
        """Return the weights' part for edges."""
        return weights[len(self.pairs) + self.tags**2 :]

    def __call__(self, weights: Doubles) -> tuple[float, Doubles]:
        """Return the loss and its gradient."""
        emissions, transitions = self._emissions(weights, self.rows), self.transitions(weights)
        surplus = np.zeros_like(emissions)  # expected minus seen, of each tag at each place
        steps = np.zeros_like(transitions)
        pairs = None if self.edges is None else self.edges.scores(self.of_edges(weights))
        more = np.zeros(0 if pairs is None else len(pairs))
        loss = 0.0

        def expect(batch: _Batch) -> tuple[float, Doubles]:
            return self._expect(emissions, transitions, pairs, *batch, surplus, more)

        def slope_of(block: tuple[Slot, Any, slice, Ints]) -> Doubles:
            slot, places, _, cells = block
            slope: Doubles = slot.of_features(places.T @ surplus).ravel()[cells]
            return slope

        with ThreadPoolExecutor(_threads()) as pool:  # numpy and scipy let other threads run
            for part, expected in pool.map(expect, self._batches):
                loss += part
                steps += expected
            gradient = [*pool.map(slope_of, self._blocks)]
        away = weights - self.centre
        of_edges = () if self.edges is None else (self.edges.slope(more),)
        slope = np.concatenate((*gradient, steps.ravel(), *of_edges)) + 2 * self.gaussian * away
        return loss + self.gaussian * float(away @ away), slope

    def _emissions(self, weights: Doubles, rows: Ints) -> Floats:
        """Return the score of each tag at some places."""
        scores: Floats = np.zeros((len(rows), self.tags), np.float32)
        for slot, _, block, cells in self._blocks:
            dense = self._dense[: len(slot.keys) + 1]
            dense.reshape(-1)[cells] = weights[block]
            scores += slot.of_values(dense)[slot.line[rows]]
            dense.reshape(-1)[cells] = 0.0
        return scores

    @cached_property
    def _dense(self) -> Floats:
        """Room for the weights of one slot, of every feature and tag: zeros, of which few are set."""
        return np.zeros((max(len(slot.keys) for slot in self.data.slots) + 1, self.tags), np.float32)

    def scores_of(
        self, weights: Doubles, starts: Sequence[int], notes: Sequence[Note]
    ) -> tuple[list[Floats], list[Edges] | None]:
        """Return the scores of notes that start at these places, and of their edges, if there are any."""
        ranges = [(start, len(note.tokens)) for start, note in zip(starts, notes, strict=True)]
        rows = np.concatenate([np.arange(start, start + size) for start, size in ranges])
        made = np.split(self._emissions(weights, rows), np.cumsum([size for _, size in ranges])[:-1])
        if self.edges is None:
            return made, None
        scores, edges = self.edges.scores(self.of_edges(weights)), []
        for start, size in ranges:
            entries, own, _ = self.edges.at(np.array([start]), np.array([size]))
            edges.append(own._replace(scores=scores[entries]))
        return made, edges

    def _seen(self) -> Ints:
        """Return the pairs of a feature and a tag that stand together at some place."""
        from scipy.sparse import csr_array

        places = self.rows
        shape = (len(self.data.gold), self.tags)
        gold = csr_array((np.ones(len(places)), (places, self.data.gold[places])), shape=shape)
        made = []
        for slot in self.data.slots:
            feature, tag = slot.of_features(slot.places.T @ gold).nonzero()
            made.append((feature.astype(np.int64) + slot.first) * self.tags + tag)
        return np.sort(np.concatenate(made))

    def _places(self, skip: int = 0) -> Ints:
        """Return the places of all sequences, without the first ``skip`` of each."""
        sequences = zip(self.positions, self.lengths, strict=True)
        return np.concatenate([np.zeros(0, np.int64), *(np.arange(p + skip, p + n) for p, n in sequences)])

    def _edge_weights(self, more: Ints | None) -> EdgeWeights:
        data = self.data
        return EdgeWeights(data.edges, data.gold, self.tags, seen=self._places(1), more=more)

    @cached_property
    def _batches(self) -> list[_Batch]:
        """The sequences of each batch, and the entries of their edges."""
        made = [np.array(batch) for batch in batches(self.lengths.tolist())]
        if self.edges is None:
            return [(batch, None) for batch in made]
        return [(batch, self.edges.at(self.positions[batch], self.lengths[batch])) for batch in made]

    def _expect(
        self,
        emissions: Floats,
        transitions: Doubles,
        pairs: Doubles | None,
        batch: Ints,
        edges: tuple[Ints, Edges, Doubles] | None,
        surplus: Floats,
        more: Doubles,
    ) -> tuple[float, Doubles]:
        """Return the negative log-likelihood of some sequences, and expected minus seen transitions.

        Write expected minus seen tags into ``surplus``, and expected minus seen edges into ``more``.
        """
        lengths = self.lengths[batch]
        time = np.arange(int(lengths[0]))[:, None]
        inside = time < lengths
        places = np.where(inside, self.firsts[batch] + time, 0)
        scores, gold = emissions[places].astype(np.float64), self.gold[places]
        own = None
        if edges and pairs is not None:
            entries, template, seen_pairs = edges
            own = template._replace(scores=pairs[entries])
        sums = forward_backward(scores, still_going(lengths), transitions, own)
        chances = sums.probabilities[inside]
        chances[np.arange(len(chances)), gold[inside]] -= 1.0
        surplus[places[inside]] = chances
        before, after = gold[:-1][inside[1:]], gold[1:][inside[1:]]
        seen = np.bincount(before * self.tags + after, minlength=self.tags**2)
        steps = sums.transitions - seen.reshape(transitions.shape)
        reached = np.take_along_axis(scores, gold[:, :, None], axis=2)[:, :, 0][inside].sum()
        if own:
            more[entries] = sums.edges - seen_pairs
            reached += own.scores @ seen_pairs
        return float(sums.log_z.sum() - reached - transitions[before, after].sum()), steps


def _threads() -> int:
    """Return how many threads numerical work may use."""
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)
