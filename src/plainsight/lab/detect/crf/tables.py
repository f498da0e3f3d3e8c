"""Weights looked up by value: each value's summed weights are computed once, then only gathered and added.

Notes lie behind one another on one line, with room between them, so that no offset reaches a neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainsight.lab.detect.crf.channels import Channel, Note, words
from plainsight.lab.detect.crf.digests import Digests, mixed, widened, word_digest

__all__ = ["Emissions", "Weights"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Reading = Callable[[Note], Sequence[str]]

_MOST = 1 << 15  # values remembered of a kind: some tens of megabytes
_TOKENS = 256  # at a time: their scores stay in the cache
_BITS = 22  # of a digest: they tell nearly all unknown features from the known


class Weights:
    """A trained model's state weights: each feature's cells and their weights, by the feature's digest.

    Cell ``place * labels + label`` is that of a label at the channel's offset of that place.
    """

    def __init__(
        self,
        digests: NDArray[np.uint8],
        starts: NDArray[np.int32],
        cells: NDArray[np.uint16],
        values: Floats,
    ) -> None:
        self.digests = widened(digests)
        self.starts, self.cells, self.values = starts.astype(np.int64), cells, values
        self._perhaps = np.zeros(1 << _BITS, dtype=np.bool_)
        self._perhaps[self._bits(self.digests)] = True

    def find(self, digests: Digests) -> tuple[Ints, Ints]:
        """Return the places of the digests that are known, and the numbers of their features."""
        places = np.flatnonzero(self._perhaps[self._bits(digests)])
        wanted = digests[places]
        rows = np.searchsorted(self.digests, wanted)
        known = self.digests[np.minimum(rows, len(self.digests) - 1)] == wanted
        return places[known], rows[known]

    def cells_of(self, rows: Ints) -> tuple[Ints, NDArray[np.uint16], Floats]:
        """Return the cells of some features and their weights, each with the place of its feature here."""
        first, count = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        owners = np.repeat(np.arange(len(rows)), count)
        entries = np.arange(len(owners)) + (first - np.cumsum(count) + count)[owners]
        return owners, self.cells[entries], self.values[entries]

    @staticmethod
    def _bits(digests: Digests) -> Digests:
        return digests & np.uint64((1 << _BITS) - 1)


class _Values(dict[str, int]):
    """The values of one kind, each with a row of summed weights at every offset.

    Row 0 weighs nothing and stands between notes.
    """

    def __init__(self, reading: Reading, channels: Sequence[Channel], weights: Weights, labels: int) -> None:
        self.reading, self.channels, self.weights = reading, channels, weights
        self.usual = channels[0].usual if channels else None
        self.offsets = sorted({offset for channel in channels for offset in channel.offsets})
        self.sums: Floats = np.zeros((len(self.offsets), 256, labels), dtype=np.float32)
        self.new: list[str] = []

    def __missing__(self, value: str) -> int:
        self.new.append(value)
        self[value] = row = len(self) + 1
        return row

    def read(self, notes: Sequence[Note], places: Sequence[int], length: int) -> Small:
        """Return the row of the value at every place of the line."""
        if len(self) > _MOST:
            self.clear()
        if self.usual is not None:
            self[self.usual]  # known, be it here or not
        line: Small = np.zeros(length, dtype=np.int32)
        for note, place in zip(notes, places, strict=False):
            values = self.reading(note)
            rows = np.fromiter(map(self.__getitem__, values), np.int32, count=len(values))
            line[place : place + len(values)] = rows
        if self.new:
            self._learn(self.new)
            self.new = []
        return line

    def _learn(self, values: Sequence[str]) -> None:
        """Sum up the weights of new values, which come last."""
        offsets, room, labels = self.sums.shape
        last = len(self) + 1
        if last > room:
            more = np.zeros((offsets, max(room // 2, last - room), labels), dtype=np.float32)
            self.sums = np.concatenate((self.sums, more), axis=1)
        first = last - len(values)
        self.sums[:, first:last] = 0.0
        for start in range(0, len(values), _TOKENS):
            some = values[start : start + _TOKENS]
            sums = self.sums[:, first + start : first + start + len(some)]
            for channel in self.channels:
                self._add(channel, some, sums)

    def _add(self, channel: Channel, values: Sequence[str], sums: Floats) -> None:
        """Add the weights of a channel's features of some values."""
        features = [channel.features(value) for value in values]
        owners = np.repeat(np.arange(len(values)), [len(its) for its in features])
        known, rows = self.weights.find(channel.digests(list(chain.from_iterable(features))))
        labels = sums.shape[2]
        width = len(channel.offsets) * labels
        # Features repeat as well: each one's weights are spread out once, then rows of them are added up.
        each, which = np.unique(rows, return_inverse=True)
        entries, cells, weights = self.weights.cells_of(each)
        spread = np.zeros((len(each), width), dtype=np.float32)
        spread[entries, cells] = weights
        made = np.zeros((len(values), width), dtype=np.float32)
        np.add.at(made, owners[known], spread[which])
        for place, offset in enumerate(channel.offsets):
            sums[self.offsets.index(offset)] += made[:, place * labels : (place + 1) * labels]


class _Words(_Values):
    """The words of notes; pairs of them are known by the digests of both, lowered."""

    def __init__(self, channels: Sequence[Channel], weights: Weights, labels: int) -> None:
        super().__init__(words, channels, weights, labels)
        self.digests: Digests = np.array([word_digest("")], dtype=np.uint64)

    def _learn(self, values: Sequence[str]) -> None:
        super()._learn(values)
        kept = self.digests[: len(self) + 1 - len(values)]
        new = np.array([word_digest(value.lower()) for value in values], dtype=np.uint64)
        self.digests = np.concatenate((kept, new))


class Emissions:
    """The summed weights of every label at every token."""

    def __init__(self, channels: Sequence[Channel], weights: Weights, labels: int) -> None:
        self.labels, self.weights = labels, weights
        self.pairs = [channel for channel in channels if channel.pair]
        kinds = dict.fromkeys(channel.values for channel in channels if not channel.pair)
        together = {kind: [channel for channel in channels if channel.values is kind] for kind in kinds}
        self.words = _Words(together.pop(words, []), weights, labels)
        self.tables = [self.words, *(_Values(kind, some, weights, labels) for kind, some in together.items())]
        reaches = [abs(place) for c in channels for place in (*c.offsets, *(c.pair or ()))]
        self.reach = max(reaches, default=0)

    def __call__(self, notes: Sequence[Note]) -> list[Floats]:
        """Return for each note an array of tokens by labels."""
        lengths = [len(note.tokens) for note in notes]
        # Twice the reach at both ends, so that what stands between notes can be added like any value.
        places = np.cumsum([2 * self.reach, *(length + self.reach for length in lengths)]).tolist()
        sums: Floats = np.zeros((places[-1] + self.reach, self.labels), dtype=np.float32)
        lines = [table.read(notes, places, len(sums)) for table in self.tables]
        # Each token's weights are added in one order, whatever stands beside its note.
        for table, line in zip(self.tables, lines, strict=True):
            self._add(table, line, sums)
        for channel in self.pairs:
            self._add_pairs(channel, lines[0], sums)
        return [sums[place : place + length] for place, length in zip(places, lengths, strict=False)]

    def _add(self, table: _Values, line: Small, sums: Floats) -> None:
        """Add the weights of values: a feature of token i at offset k counts for token i - k."""
        if table.usual is None:
            self._add_all(table, line, sums)
        else:
            self._add_some(table, line, table[table.usual], sums)

    def _add_all(self, table: _Values, line: Small, sums: Floats) -> None:
        room = np.empty((_TOKENS, self.labels), dtype=np.float32)
        for first in range(self.reach, len(line) - self.reach, _TOKENS):
            here = sums[first : min(first + _TOKENS, len(line) - self.reach)]
            for weights, offset in zip(table.sums, table.offsets, strict=True):
                rows = line[first + offset :][: len(here)]
                here += np.take(weights, rows, axis=0, out=room[: len(here)], mode="clip")

    def _add_some(self, table: _Values, line: Small, usual: int, sums: Floats) -> None:
        """Add the usual value's weights everywhere, and what sets others apart from it where they are."""
        sums += table.sums[:, usual].sum(axis=0)
        places = np.flatnonzero(line[self.reach : len(line) - self.reach] != usual) + self.reach
        for weights, offset in zip(table.sums, table.offsets, strict=True):
            sums[places - offset] += (weights - weights[usual])[line[places]]

    def _add_pairs(self, channel: Channel, line: Small, sums: Floats) -> None:
        """Add the weights of pairs of words."""
        assert channel.pair
        digests, inner = self.words.digests[line], len(line) - 2 * self.reach
        one, other = (digests[self.reach + place :][:inner] for place in channel.pair)
        places, rows = self.weights.find(mixed(channel.name, one, other))
        within = line[self.reach + places] > 0
        places, rows = places[within], rows[within]
        entries, cells, weights = self.weights.cells_of(rows)
        columns = np.subtract.outer(
            np.arange(self.labels), np.multiply(channel.offsets, self.labels)
        ).T.ravel()
        np.add.at(sums.reshape(-1), ((places + self.reach) * self.labels)[entries] + columns[cells], weights)
