"""Annotated notes as arrays: which features stand where, and the gold tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.lab.detect.crf.notes import Note
from plainsight.lab.detect.crf.templates import Template
from plainsight.lab.detect.crf.weights import Lines, digests_of, key_at
from plainsight.text.tags import OUTSIDE, encode

Keys = NDArray[np.uint64]

_LONGEST = 512  # tokens of a sequence: longer notes are cut, but features reach across the cuts


@dataclass(frozen=True, slots=True)
class Slot:
    """Templates of the same values at one offset.

    ``line`` holds the number of the value at each place, and ``places`` says the same as a sparse matrix of
    ones; ``features`` is one that maps values to features. Two small products instead of one large one make a
    fit many times faster, for values repeat. ``keys`` are those of the features, of which the first has the
    number ``first`` among all slots' features. Where each value has one feature at most, ``line`` and
    ``places`` hold features instead of values, and ``features`` is None.
    """

    line: Ints
    places: Any
    features: Any
    keys: Keys
    first: int

    def of_values(self, weights: Floats) -> Floats:
        """Return for each value the sum of the rows of its features; the last row of weights is zero."""
        summed: Floats = weights if self.features is None else self.features @ weights[:-1]
        return summed

    def of_features(self, surplus: Any) -> Any:
        """Return for each feature the sum of the rows of its values."""
        return surplus if self.features is None else self.features.T @ surplus


@dataclass(frozen=True)
class TrainingData:
    """Notes behind one another on one line, with gaps between them.

    ``starts`` says where each note begins; sequences (``owners``, ``positions``, ``lengths``) are stretches
    of the line, and their owner is the number of the note. ``gold`` holds the tag at each place. ``edges``
    are slots whose features weigh pairs of tags.
    """

    tags: list[str]
    slots: list[Slot]
    gold: Ints
    starts: list[int]
    owners: Ints
    positions: Ints
    lengths: Ints
    edges: list[Slot] = field(default_factory=list)

    @cached_property
    def keys(self) -> Keys:
        """The keys of all slots' features."""
        return keys_of(self.slots)


def keys_of(slots: Sequence[Slot]) -> Keys:
    """Return the keys of slots' features."""
    return np.concatenate([np.zeros(0, np.uint64), *(slot.keys for slot in slots)])


def features_of(known: Keys, keys: Keys) -> Ints:
    """Return the numbers of features by their keys, -1 for those that are not known."""
    if not len(known):
        return np.full(len(keys), -1, np.int64)
    order = np.argsort(known)
    found = order[np.minimum(np.searchsorted(known, keys, sorter=order), len(order) - 1)]
    return np.where(known[found] == keys, found, -1)


def training_data(
    notes: Sequence[Note],
    templates: Sequence[Template],
    *,
    edges: Sequence[Template] = (),
    rarest: int = 1,
    tags: Sequence[str] = (),
) -> TrainingData:
    """Prepare notes; leave out values seen fewer than ``rarest`` times. ``tags`` come first."""
    lines = Lines(notes, [*templates, *edges])
    encoded = [encode(note.document.spans, note.tokens) for note in notes]
    found = sorted({tag for row in encoded for tag in row} - {OUTSIDE})
    known = list(dict.fromkeys([*(tags or [OUTSIDE]), OUTSIDE, *found]))
    number = {tag: place for place, tag in enumerate(known)}
    gold = np.zeros(lines.length, np.int64)
    for start, row in zip(lines.starts, encoded, strict=True):
        gold[start : start + len(row)] = [number[tag] for tag in row]
    slots, edge_slots = (_all_slots(some, lines, rarest) for some in (templates, edges))
    cuts = [
        (owner, lines.starts[owner] + first, min(_LONGEST, len(note.tokens) - first))
        for owner, note in enumerate(notes)
        for first in range(0, len(note.tokens), _LONGEST)
    ]
    owners, positions, lengths = np.array(cuts, np.int64).reshape(-1, 3).T
    return TrainingData(known, slots, gold, lines.starts, owners, positions, lengths, edge_slots)


def _all_slots(templates: Sequence[Template], lines: Lines, rarest: int) -> list[Slot]:
    """Return the slots of templates; those that look at the same values share theirs."""
    from scipy.sparse import csr_array, hstack

    alike: dict[Callable[[Note], Sequence[str]], list[Template]] = {}
    for template in templates:
        alike.setdefault(template.values, []).append(template)
    slots: list[Slot] = []
    first = 0
    for group in alike.values():
        values, line = lines.number(group[0])
        counts = np.bincount(line, minlength=len(values) + 1)
        kept = [value if counts[number] >= rarest else None for number, value in enumerate(values, start=1)]
        made = {template.name: _features(template, kept) for template in group}
        for offset in sorted({offset for template in group for offset in template.offsets}):
            here = [made[template.name] for template in group if offset in template.offsets]
            keys = np.concatenate([key_at(digests, offset) for digests, _ in here])
            places = np.arange(max(0, -offset), lines.length - max(0, offset))
            shifted = np.zeros(lines.length, np.int64)
            shifted[places] = line[places + offset]
            features = hstack([matrix for _, matrix in here], format="csr")
            ones = np.ones(len(places), np.float32)
            at = csr_array((ones, (places, shifted[places])), shape=(lines.length, len(values) + 1))
            if np.diff(features.indptr).max() <= 1:
                single = np.full(len(values) + 1, len(keys))
                single[np.repeat(np.arange(len(values) + 1), np.diff(features.indptr))] = features.indices
                shifted, at, features = single[shifted], at @ features, None
            slots.append(Slot(shifted, at, features, keys, first))
            first += len(keys)
    return slots


def _features(template: Template, values: Sequence[str | None]) -> tuple[Keys, Any]:
    """Return the digests of the values' features, and a sparse matrix from values to features."""
    from scipy.sparse import csr_array

    features = [() if value is None else template.features(value) for value in values]
    digests = digests_of(template.name, [feature for some in features for feature in some])
    distinct, members = np.unique(digests, return_inverse=True)
    ones, starts = np.ones(len(members), np.float32), np.cumsum([0, 0, *map(len, features)])
    return distinct, csr_array((ones, members, starts), shape=(len(values) + 1, len(distinct)))
