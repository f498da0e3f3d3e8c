"""The feature weights of a CRF, keyed by digests, and the scores that they give to tokens.

A feature's name holds a word of the notes (``word-1 w=dr``). A model stores a 64-bit digest in its place.
Nobody can read words from a model, but anyone who has a word can test whether the model knows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.errors import UsageError
from plainsight.lab.detect.chain import Edges
from plainsight.lab.detect.crf.notes import Note
from plainsight.lab.detect.crf.templates import Template

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
        for values, line, offset, keys, owners in _keyed(lines, templates):
            # A feature at offset k of token i counts for token i - k.
            owners, tags, weights = self._weights_of(keys, owners)
            summed = np.bincount(owners * self._count + tags, weights, (values + 1) * self._count)
            table = summed.reshape(values + 1, self._count).astype(np.float32)
            low, high = max(0, -offset), lines.length - max(0, offset)
            total[low:high] += table[line[low + offset : high + offset]]
        return [
            total[start : start + len(note.tokens)]
            for note, start in zip(lines.notes, lines.starts, strict=True)
        ]

    def edges(self, notes: Sequence[Note], templates: Sequence[Template]) -> list[Edges]:
        """Return the scores of pairs of tags in each note; a weight's tag is ``before * count + after``."""
        lines, size = Lines(notes, templates), self._count**2
        found: list[tuple[Ints, Doubles]] = []  # place * size + pair, weight
        for values, line, offset, keys, owners in _keyed(lines, templates):
            owners, pairs, weights = self._weights_of(keys, owners)
            order = np.argsort(owners, kind="stable")
            starts = np.searchsorted(owners[order], np.arange(values + 2))
            low, high = max(0, -offset), lines.length - max(0, offset)
            entries, repeated = spread(starts, line[low + offset : high + offset])
            found.append(((low + repeated) * size + pairs[order][entries], weights[order][entries]))
        cells, member = np.unique(np.concatenate([cells for cells, _ in found]), return_inverse=True)
        weights = np.concatenate([own for _, own in found])
        summed = np.bincount(member, weights, len(cells)).astype(np.float64)
        made = []
        for note, start in zip(lines.notes, lines.starts, strict=True):
            # the first token has no tag before it
            first, last = np.searchsorted(cells, [(start + 1) * size, (start + len(note.tokens)) * size])
            here = slice(first, max(first, last))
            places, pairs = np.divmod(cells[here], size)
            before, after = np.divmod(pairs, self._count)
            made.append(
                Edges(places - start, np.zeros_like(places), before, after, summed[first : max(first, last)])
            )
        return made

    def _weights_of(self, keys: Keys, owners: Ints) -> tuple[Ints, Ints, Doubles]:
        """Return owners, tags and values of the weights of features that belong to these owners."""
        if not len(self._keys):
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        rows = np.searchsorted(self._keys, keys)
        known = self._keys[np.minimum(rows, len(self._keys) - 1)] == keys
        entries, repeated = spread(self._starts, rows[known])
        return owners[known][repeated], self._tags[entries].astype(np.int64), self._values[entries]


def spread(starts: NDArray[np.integer], rows: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return the entries of rows one after another, and which of ``rows`` each is of.

    >>> [part.tolist() for part in spread(np.array([0, 2, 3]), np.array([1, 0]))]
    [[2, 0, 1], [0, 1, 1]]
    """
    return spread_ranges(starts[rows].astype(np.int64), starts[rows + 1].astype(np.int64))


def spread_ranges(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of half-open ranges one after another, and which range each is of."""
    size = np.maximum(last - first, 0)
    entries = np.repeat(first - np.cumsum(size) + size, size) + np.arange(int(size.sum()))
    return entries, np.repeat(np.arange(len(first)), size)


def _keyed(lines: Lines, templates: Sequence[Template]) -> Iterator[tuple[int, Small, int, Keys, Ints]]:
    """Yield for each template and offset how many values it has, where each is, and its features' keys."""
    for template in templates:
        values, line = lines.number(template)
        features = [template.features(value) for value in values]
        owners = np.repeat(np.arange(1, len(values) + 1), list(map(len, features)))
        digests = digests_of(template.name, [feature for some in features for feature in some])
        for offset in template.offsets:
            yield len(values), line, offset, key_at(digests, offset), owners
