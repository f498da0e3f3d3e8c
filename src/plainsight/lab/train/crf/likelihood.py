"""How well a CRF's weights explain annotated notes: the penalised log-likelihood and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.lab.detect.chain import batches, forward_backward, still_going
from plainsight.lab.detect.crf.feature_sets import Note, Template
from plainsight.lab.detect.crf.weights import Lines, digests_of, key_at
from plainsight.text.tags import OUTSIDE, encode


class Likelihood:
    """The loss of weights on some sequences of the training data.

    Weights are one vector: one for each feature and tag that were seen together (``pairs``, the sorted
    numbers ``feature * tags + tag``), then all transitions. ``more`` adds pairs. The Gaussian prior draws
    weights towards ``centre``, which is zero unless it is set.
    """

    def __init__(
        self, data: TrainingData, *, gaussian: float, sequences: Ints | None = None, more: Ints | None = None
    ) -> None:
        self.data, self.gaussian, self.tags = data, gaussian, len(data.tags)
        chosen = np.arange(len(data.lengths)) if sequences is None else sequences
        self._positions, self._lengths = data.positions[chosen], data.lengths[chosen]
        seen = self._seen()
        self.pairs = seen if more is None else np.union1d(seen, more)
        self.centre: Doubles = np.zeros(len(self.pairs) + self.tags**2)
        firsts = [slot.first for slot in data.slots]
        cuts = np.searchsorted(
            self.pairs, np.array([*firsts, np.iinfo(np.int64).max // self.tags]) * self.tags
        )
        self._blocks = [
            (slot, slice(first, last), self.pairs[first:last] - slot.first * self.tags)
            for slot, first, last in zip(data.slots, cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
        ]

    def transitions(self, weights: Doubles) -> Doubles:
        """Return the weights' part for transitions."""
        return weights[len(self.pairs) :].reshape(self.tags, self.tags)

    def __call__(self, weights: Doubles) -> tuple[float, Doubles]:
        """Return the loss and its gradient."""
        emissions, transitions = self.emissions(weights), self.transitions(weights)
        surplus = np.zeros_like(emissions)  # expected minus seen, of each tag at each place
        steps = np.zeros_like(transitions)
        loss = 0.0
        for batch in batches(self._lengths.tolist()):
            loss += self._expect(emissions, transitions, np.array(batch), surplus, steps)
        gradient = [
            (slot.features.T @ (slot.places.T @ surplus)).ravel()[cells] for slot, _, cells in self._blocks
        ]
        away = weights - self.centre
        slope = np.concatenate((*gradient, steps.ravel())) + 2 * self.gaussian * away
        return loss + self.gaussian * float(away @ away), slope

    def emissions(self, weights: Doubles) -> Floats:
        """Return the score of each tag at every place."""
        scores: Floats = np.zeros((len(self.data.gold), self.tags), np.float32)
        for slot, block, cells in self._blocks:
            dense = np.zeros((len(slot.keys), self.tags), np.float32)
            dense.reshape(-1)[cells] = weights[block]
            scores += slot.places @ (slot.features @ dense)
        return scores

    def _seen(self) -> Ints:
        """Return the pairs of a feature and a tag that stand together at some place."""
        from scipy.sparse import csr_array

        sequences = zip(self._positions, self._lengths, strict=True)
        places = np.concatenate([np.zeros(0, np.int64), *(np.arange(p, p + n) for p, n in sequences)])
        shape = (len(self.data.gold), self.tags)
        gold = csr_array((np.ones(len(places)), (places, self.data.gold[places])), shape=shape)
        made = []
        for slot in self.data.slots:
            feature, tag = (slot.features.T @ (slot.places.T @ gold)).nonzero()
            made.append((feature.astype(np.int64) + slot.first) * self.tags + tag)
        return np.sort(np.concatenate(made))

    def _expect(
        self, emissions: Floats, transitions: Doubles, batch: Ints, surplus: Floats, steps: Doubles
    ) -> float:
        """Add expected minus seen counts of some sequences; return their negative log-likelihood."""
        lengths = self._lengths[batch]
        time = np.arange(int(lengths[0]))[:, None]
        inside = time < lengths
        places = np.where(inside, self._positions[batch] + time, 0)
        scores, gold = emissions[places].astype(np.float64), self.data.gold[places]
        sums = forward_backward(scores, still_going(lengths), transitions)

        chances = sums.probabilities[inside]
        chances[np.arange(len(chances)), gold[inside]] -= 1.0
        surplus[places[inside]] = chances
        before, after = gold[:-1][inside[1:]], gold[1:][inside[1:]]
        seen = np.bincount(before * self.tags + after, minlength=self.tags**2)
        steps += sums.transitions - seen.reshape(steps.shape)
        reached = np.take_along_axis(scores, gold[:, :, None], axis=2)[:, :, 0][inside].sum()
        return float(sums.log_z.sum() - reached - transitions[before, after].sum())


Keys = NDArray[np.uint64]

_LONGEST = 512  # tokens of a sequence: longer notes are cut, but features reach across the cuts


@dataclass(frozen=True, slots=True)
class Slot:
    """A template at one offset.

    ``places`` maps places to values, ``features`` maps values to features: both are sparse matrices of ones.
    Two small products instead of one large one make a fit many times faster, for values repeat. ``keys`` are
    those of the features, of which the first has the number ``first`` among all slots' features.
    """

    places: Any
    features: Any
    keys: Keys
    first: int


@dataclass(frozen=True)
class TrainingData:
    """Notes behind one another on one line, with gaps between them.

    ``starts`` says where each note begins; sequences (``owners``, ``positions``, ``lengths``) are stretches
    of the line, and their owner is the number of the note. ``gold`` holds the tag at each place.
    """

    tags: list[str]
    slots: list[Slot]
    gold: Ints
    starts: list[int]
    owners: Ints
    positions: Ints
    lengths: Ints

    @cached_property
    def keys(self) -> Keys:
        """The keys of all slots' features."""
        return np.concatenate([slot.keys for slot in self.slots])

    def features_of(self, keys: Keys) -> Ints:
        """Return the numbers of features by their keys, -1 for those that the notes lack."""
        order = np.argsort(self.keys)
        found = order[np.minimum(np.searchsorted(self.keys, keys, sorter=order), len(order) - 1)]
        return np.where(self.keys[found] == keys, found, -1)


def training_data(
    notes: Sequence[Note], templates: Sequence[Template], *, rarest: int = 1, tags: Sequence[str] = ()
) -> TrainingData:
    """Prepare notes; leave out values seen fewer than ``rarest`` times. ``tags`` come first."""
    lines = Lines(notes, templates)
    encoded = [encode(note.document.spans, note.tokens) for note in notes]
    found = sorted({tag for row in encoded for tag in row} - {OUTSIDE})
    known = list(dict.fromkeys([*(tags or [OUTSIDE]), OUTSIDE, *found]))
    number = {tag: place for place, tag in enumerate(known)}
    gold = np.zeros(lines.length, np.int64)
    for start, row in zip(lines.starts, encoded, strict=True):
        gold[start : start + len(row)] = [number[tag] for tag in row]
    slots: list[Slot] = []
    for template in templates:
        slots += _slots(template, lines, rarest, sum(len(slot.keys) for slot in slots))
    cuts = [
        (owner, lines.starts[owner] + first, min(_LONGEST, len(note.tokens) - first))
        for owner, note in enumerate(notes)
        for first in range(0, len(note.tokens), _LONGEST)
    ]
    owners, positions, lengths = np.array(cuts, np.int64).reshape(-1, 3).T
    return TrainingData(known, slots, gold, lines.starts, owners, positions, lengths)


def _slots(template: Template, lines: Lines, rarest: int, first: int) -> list[Slot]:
    from scipy.sparse import csr_array

    values, line = lines.number(template)
    counts = np.bincount(line, minlength=len(values) + 1)
    features = [
        template.features(value) if counts[number] >= rarest else ()
        for number, value in enumerate(values, start=1)
    ]
    sizes = list(map(len, features))
    digests = digests_of(template.name, [feature for some in features for feature in some])
    distinct, members = np.unique(digests, return_inverse=True)
    ones, starts = np.ones(len(members), np.float32), np.cumsum([0, 0, *sizes])
    matrix = csr_array((ones, members, starts), shape=(len(values) + 1, len(distinct)))
    made = []
    for offset in template.offsets:
        places = np.arange(max(0, -offset), lines.length - max(0, offset))
        shape = (lines.length, len(values) + 1)
        at = csr_array((np.ones(len(places), np.float32), (places, line[places + offset])), shape=shape)
        made.append(Slot(at, matrix, key_at(distinct, offset), first))
        first += len(distinct)
    return made
