"""Weights looked up by value: each value's summed weights are computed once, then only gathered and added."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.crf.channels import Channel, Note

__all__ = ["DIGEST", "Emissions", "Weights", "digest"]

Floats = NDArray[np.float32]

DIGEST = 6
"""The bytes of a digest: of a million features, one in 300 million unknown ones passes for a known one."""

_MOST = 1 << 16  # values remembered for each channel: some tens of megabytes
_MANY = 24  # cells of a feature that is quicker to add whole
_TOKENS = 1024  # at a time: their scores stay in the cache


def digest(channel: str, feature: str) -> bytes:
    """Return the name of a channel's feature as models know it: features are words of notes, digests are not.

    Who has a word can still ask a model whether it knows it, as with any model; nobody can read the words.
    """
    name = f"{channel} {feature}".encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=DIGEST, usedforsecurity=False).digest()


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
        text = digests.tobytes()
        self.rows = {text[at : at + DIGEST]: at // DIGEST for at in range(0, len(text), DIGEST)}
        self.starts, self.cells, self.values = starts.tolist(), cells, values
        self._whole: dict[int, Floats] = {}

    def add(self, rows: Sequence[int], to: Floats) -> None:
        """Add the weights of features to a channel's cells."""
        for row in rows:
            first, last = self.starts[row], self.starts[row + 1]
            if last - first < _MANY:
                to[self.cells[first:last]] += self.values[first:last]
                continue
            whole = self._whole.get(row)
            if whole is None:
                whole = self._whole[row] = np.zeros_like(to)
                whole[self.cells[first:last]] = self.values[first:last]
            to += whole


class _Table(dict[str, int]):
    """One channel's values to rows of summed weights; values without any known feature share row 0."""

    def __init__(self, channel: Channel, weights: Weights, labels: int) -> None:
        self.channel, self.weights = channel, weights
        self.used = 0
        self.sums: Floats = np.zeros((256, len(channel.offsets) * labels), dtype=np.float32)

    def __missing__(self, value: str) -> int:
        known, name = self.weights.rows, self.channel.name
        features = [known.get(digest(name, feature)) for feature in self.channel.features(value)]
        rows = [row for row in features if row is not None]
        if not rows:
            self[value] = 0
            return 0
        self.used += 1
        if self.used == len(self.sums):
            self.sums = np.concatenate((self.sums, np.zeros_like(self.sums)))
        self.weights.add(rows, self.sums[self.used])
        self[value] = self.used
        return self.used

    def forget(self) -> None:
        self.clear()
        self.used = 0
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
        # Notes lie behind one another with room between them, so that no offset reaches a neighbour.
        reach = max((abs(offset) for table in self.tables for offset in table.channel.offsets), default=0)
        starts = np.cumsum([reach, *(length + reach for length in lengths)]).tolist()
        sums = np.zeros((starts[-1], self.labels), dtype=np.float32)
        for table in self.tables:
            self._add(table, notes, starts, reach, sums)
        return [sums[start : start + n] for start, n in zip(starts, lengths, strict=False)]

    def _add(
        self, table: _Table, notes: Sequence[Note], starts: Sequence[int], reach: int, sums: Floats
    ) -> None:
        """Add a channel's weights; what stands between notes is row 0, which weighs nothing."""
        if len(table) > _MOST:
            table.forget()
        line = np.zeros(len(sums), dtype=np.int32)
        for note, start in zip(notes, starts, strict=False):
            values = table.channel.values(note)
            rows = map(table.__getitem__, values)
            line[start : start + len(values)] = np.fromiter(rows, dtype=np.int32, count=len(values))
        offsets = table.channel.offsets
        for first in range(reach, len(line) - reach, _TOKENS):
            last = min(first + _TOKENS, len(line) - reach)
            block = table.sums[line[first:last]].reshape(last - first, len(offsets), self.labels)
            for place, offset in enumerate(offsets):
                # a feature of token i at offset k counts for token i - k
                sums[first - offset : last - offset] += block[:, place]
