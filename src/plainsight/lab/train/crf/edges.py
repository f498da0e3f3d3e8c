"""Features that weigh pairs of tags: that of a token, and that of the token before it (S21).

A feature has a weight for each pair that it was seen with. These are few, so at each token only few pairs
have a score beside their transition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plainsight.arrays import Doubles, Ints
from plainsight.lab.detect.chain import Edges
from plainsight.lab.detect.crf.weights import spread, spread_ranges
from plainsight.lab.train.crf.slots import Slot


class EdgeWeights:
    """The weights of some slots' features, and what they add up to at each place.

    ``triples`` are the sorted numbers ``feature * tags² + before * tags + after`` of all weights. Pairs count
    if they were seen at ``seen``, places with a tag before them; ``more`` adds triples.
    """

    def __init__(
        self, slots: list[Slot], gold: Ints, tags: int, *, seen: Ints, more: Ints | None = None
    ) -> None:
        self._gold, self._tags = gold, tags
        size = tags**2
        found = [_features_at(slot) for slot in slots]
        places = np.concatenate([np.zeros(0, np.int64), *(at for at, _ in found)])
        features = np.concatenate([np.zeros(0, np.int64), *(which for _, which in found)])
        here = np.isin(places, seen)
        pairs = gold[places[here] - 1] * tags + gold[places[here]]
        observed = np.unique(features[here] * size + pairs)
        self.triples: Ints = observed if more is None else np.union1d(observed, more)
        count = max((slot.first + len(slot.keys) for slot in slots), default=0)
        starts = np.searchsorted(self.triples, np.arange(count + 1) * size)
        weights, repeated = spread(starts, features)
        cells = places[repeated] * size + self.triples[weights] % size
        distinct, member = np.unique(cells, return_inverse=True)
        self._places, pairs = np.divmod(distinct, size)
        self._before, self._after = np.divmod(pairs, tags)
        self.sums: Any = _matrix(member, weights, (len(distinct), len(self.triples)))

    def scores(self, weights: Doubles) -> Doubles:
        """Return the score of each entry: a pair of tags at a place."""
        scores: Doubles = self.sums @ weights
        return scores

    def slope(self, surplus: Doubles) -> Doubles:
        """Return the gradient of the weights from the surplus of each entry, expected minus seen."""
        slope: Doubles = self.sums.T @ surplus
        return slope

    def at(self, positions: Ints, lengths: Ints) -> tuple[Ints, Edges, Doubles]:
        """Return the entries of sequences, the same as edges without scores, and which are the gold pairs."""
        first = np.searchsorted(self._places, positions + 1)
        last = np.searchsorted(self._places, positions + np.maximum(lengths, 1))
        entries, columns = spread_ranges(first, last)
        times = self._places[entries] - positions[columns]
        order = np.argsort(times, kind="stable")
        entries, columns, times = entries[order], columns[order], times[order]
        before, after, places = self._before[entries], self._after[entries], self._places[entries]
        gold = (self._gold[places - 1] == before) & (self._gold[places] == after)
        return entries, Edges(times, columns, before, after, np.zeros(0)), gold.astype(np.float64)


def _features_at(slot: Slot) -> tuple[Ints, Ints]:
    """Return places and the features that a slot has there."""
    found = slot.places if slot.features is None else slot.places @ slot.features
    places, features = found.nonzero()
    return places.astype(np.int64), features.astype(np.int64) + slot.first


def _matrix(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
