"""Weights looked up by value: each value's summed weights are computed once, then only gathered and added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.crf.channels import Channel, Note

__all__ = ["Emissions", "Weights"]

Floats = NDArray[np.float32]

_MOST = 1 << 16  # values remembered for each channel: some tens of megabytes


class Weights:
    """A trained model's state weights: each feature's row of labels and weights, by the feature's name."""

    def __init__(
        self, names: Sequence[str], starts: NDArray[np.int32], labels: NDArray[np.uint8], values: Floats
    ):
        self.rows: Mapping[str, int] = {name: row for row, name in enumerate(names)}
        self.starts, self.labels, self.values = starts, labels, values

    def add(self, name: str, to: Floats) -> None:
        """Add a feature's weights to a vector over labels; an unknown feature adds nothing."""
        row = self.rows.get(name)
        if row is not None:
            first, last = self.starts[row], self.starts[row + 1]
            to[self.labels[first:last]] += self.values[first:last]


class _Table(dict[str, int]):
    """One channel's values to rows of summed weights, one vector over labels for each offset."""

    def __init__(self, channel: Channel, weights: Weights, labels: int) -> None:
        self.channel, self.weights = channel, weights
        self.sums: Floats = np.zeros((256, len(channel.offsets), labels), dtype=np.float32)

    def __missing__(self, value: str) -> int:
        row = len(self)
        if row == len(self.sums):
            self.sums = np.concatenate((self.sums, np.zeros_like(self.sums)))
        features = self.channel.features(value)
        for place, offset in enumerate(self.channel.offsets):
            for feature in features:
                self.weights.add(f"{self.channel.name}{offset:+d} {feature}", self.sums[row, place])
        self[value] = row
        return row

    def forget(self) -> None:
        self.clear()
        self.sums = np.zeros_like(self.sums[:256])


class Emissions:
    """The summed weights of every label at every token."""

    def __init__(self, channels: Sequence[Channel], weights: Weights, labels: int) -> None:
        self.labels = labels
        self.tables = [_Table(channel, weights, labels) for channel in channels]

    def __call__(self, notes: Sequence[Note]) -> list[Floats]:
        """Return for each note an array of tokens by labels."""
        if not notes:
            return []
        lengths = [len(note.tokens) for note in notes]
        total = sum(lengths)
        # Notes lie behind one another with room between them, so that no offset reaches a neighbour.
        reach = max((abs(offset) for table in self.tables for offset in table.channel.offsets), default=0)
        starts = np.cumsum([reach, *(length + reach for length in lengths)])
        sums = np.zeros((total + reach * (len(notes) + 1), self.labels), dtype=np.float32)
        places = np.concatenate(
            [np.arange(start, start + n) for start, n in zip(starts, lengths, strict=False)]
        )
        for table in self.tables:
            if len(table) > _MOST:
                table.forget()
            values = [value for note in notes for value in table.channel.values(note)]
            rows = np.fromiter(map(table.__getitem__, values), dtype=np.int64, count=total)
            for place, offset in enumerate(table.channel.offsets):
                # a feature of token i at offset k counts for token i - k; places are distinct, so += is safe
                sums[places - offset] += table.sums[rows, place]
        return [sums[start : start + n] for start, n in zip(starts, lengths, strict=False)]
