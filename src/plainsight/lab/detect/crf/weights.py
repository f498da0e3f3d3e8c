"""The feature weights of a CRF, keyed by digests, and the scores that they give to tokens.

A feature's name holds a word of the notes (``word-1 w=dr``). A model stores a 64-bit digest in its place.
Nobody can read words from a model, but anyone who has a word can test whether the model knows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.errors import UsageError
from plainsight.lab.detect.crf.feature_sets import Note, Template

Keys = NDArray[np.uint64]
Small = NDArray[np.int32]

_GOLDEN = 0x9E3779B97F4A7C15
_ARRAYS = ("features", "starts", "tags", "values")


def digests_of(template: str, features: Sequence[str]) -> Keys:
    """Return the digests of a template's features."""
    names = (f"{template} {feature}".encode("utf-8", "surrogatepass") for feature in features)
    joined = b"".join(blake2b(name, digest_size=8, usedforsecurity=False).digest() for name in names)
    return np.frombuffer(joined, ">u8").astype(np.uint64)


def key_at(digests: Keys, offset: int) -> Keys:
    """Return the keys of features at an offset from the token."""
    return digests + np.uint64(offset * _GOLDEN % 2**64)


class Weights(NamedTuple):
    """Weights one by one: the key of the feature, the number of the tag, the value."""

    keys: Keys
    tags: Ints
    values: Doubles


def pack(
    weights: Weights, *, smallest: float = 1e-3, exact: bool = False
) -> tuple[dict[str, NDArray[Any]], float]:
    """Return the arrays of a model and the scale of its values.

    Leave out weights under ``smallest``. Store values as 16-bit multiples of the scale, which loses less than
    a ten-thousandth of the largest weight; ``exact`` stores them as floats.
    """
    large = np.abs(weights.values) >= smallest
    features, row = np.unique(weights.keys[large], return_inverse=True)
    tags, values = weights.tags[large], weights.values[large]
    order = np.lexsort((tags, row))
    scale = 1.0 if exact or not len(values) else float(np.abs(values).max() / 32_767)
    values = values[order]
    return {
        "features": features,
        "starts": np.cumsum(np.bincount(row + 1, minlength=len(features) + 1)).astype(np.int32),
        "tags": tags[order].astype(np.uint16),
        "values": values.astype(np.float32) if exact else np.round(values / scale).astype(np.int16),
    }, scale


def unpack(arrays: Mapping[str, Any], scale: float) -> Weights:
    """Return the weights of a model one by one."""
    keys = np.repeat(arrays["features"], np.diff(arrays["starts"]))
    return Weights(keys, arrays["tags"].astype(np.int64), arrays["values"] * float(scale))


class Lines:
    """Notes on one line of tokens, with a gap between them that no template's offset can cross."""

    def __init__(self, notes: Sequence[Note], templates: Sequence[Template]) -> None:
        self.notes = notes
        self.reach = max((abs(offset) for template in templates for offset in template.offsets), default=0)
        lengths = [len(note.tokens) for note in notes]
        ends = np.cumsum([self.reach, *(length + self.reach for length in lengths)]).tolist()
        self.starts, self.length = ends[:-1], ends[-1]

    def number(self, template: Template) -> tuple[list[str], Small]:
        """Return a template's distinct values, and the number of the value at each place.

        The first value has the number 1; 0 stands in the gaps.
        """
        numbers: dict[str, int] = {}
        line: Small = np.zeros(self.length, np.int32)
        for note, start in zip(self.notes, self.starts, strict=True):
            values = template.values(note)
            line[start : start + len(values)] = [numbers.setdefault(v, len(numbers) + 1) for v in values]
        return list(numbers), line


class WeightTable:
    """The weights of a trained model, looked up by key."""

    def __init__(self, arrays: Mapping[str, Any], scale: float, tags: int) -> None:
        if any(name not in arrays for name in _ARRAYS):
            raise UsageError("the crf model is of an older version of plainsight: train it again")
        self._keys, self._starts, self._tags = arrays["features"], arrays["starts"], arrays["tags"]
        self._values = arrays["values"].astype(np.float32) * np.float32(scale)
        self._count = tags

    def scores(self, notes: Sequence[Note], templates: Sequence[Template]) -> list[Floats]:
        """Return the score of every tag at every token of each note."""
        lines = Lines(notes, templates)
        total: Floats = np.zeros((lines.length, self._count), np.float32)
        for template in templates:
            values, line = lines.number(template)
            features = [template.features(value) for value in values]
            owners = np.repeat(np.arange(1, len(values) + 1), list(map(len, features)))
            digests = digests_of(template.name, [feature for some in features for feature in some])
            for offset in template.offsets:
                # A feature at offset k of token i counts for token i - k.
                table = self._summed(key_at(digests, offset), owners, len(values) + 1)
                low, high = max(0, -offset), lines.length - max(0, offset)
                total[low:high] += table[line[low + offset : high + offset]]
        return [
            total[start : start + len(note.tokens)]
            for note, start in zip(lines.notes, lines.starts, strict=True)
        ]

    def _summed(self, keys: Keys, owners: Ints, count: int) -> Floats:
        """Return the summed weights of each value's features, one row for each value."""
        if not len(self._keys):
            return np.zeros((count, self._count), np.float32)
        rows = np.searchsorted(self._keys, keys)
        known = self._keys[np.minimum(rows, len(self._keys) - 1)] == keys
        rows, owners = rows[known], owners[known]
        first, size = self._starts[rows], self._starts[rows + 1] - self._starts[rows]
        entries = np.repeat(first - np.cumsum(size) + size, size) + np.arange(int(size.sum()))
        cells = np.repeat(owners, size) * self._count + self._tags[entries]
        summed = np.bincount(cells, self._values[entries], count * self._count)
        return summed.reshape(count, self._count).astype(np.float32)
