"""The training notes of a CRF as sparse matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.lab.detect.crf.feature_sets import Note, Template
from plainsight.lab.detect.crf.weights import Lines, digests_of, key_at
from plainsight.text.tags import OUTSIDE, encode

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
