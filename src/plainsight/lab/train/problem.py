"""A CRF's training problem as arrays: which value stands where, and which features each value has.

Values repeat, so each is kept once with its features, and a token is a few numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainsight.lab.detect.crf.channels import Channel, Note
from plainsight.text.tags import OUTSIDE, encode

__all__ = ["Problem", "Slot", "state"]

Ints = NDArray[np.int64]
Small = NDArray[np.int32]

_LONGEST = 512  # tokens of a sequence: longer notes are cut for training, but features reach across the cuts


@dataclass(frozen=True, slots=True)
class Slot:
    """A channel at an offset: the value at each place, and each value's features, all as numbers.

    The features of value ``v`` are ``members[starts[v] : starts[v + 1]]``; value 0 has none.
    """

    line: Small
    offset: int
    starts: Ints
    members: Ints

    @property
    def values(self) -> int:
        """How many values there are."""
        return len(self.starts) - 1


@dataclass(frozen=True, slots=True)
class Problem:
    """Notes behind one another on one line, with room between them, so that no offset reaches a neighbour.

    ``places`` says where each note begins; sequences (``owners``, ``positions``, ``lengths``) are stretches
    of the line. ``gold`` holds the number of the tag at each place, ``names`` the features by number.
    """

    tags: list[str]
    names: list[str]
    slots: list[Slot]
    gold: Ints
    places: Ints
    owners: Ints
    positions: Ints
    lengths: Ints


def state(
    notes: Sequence[Note], channels: Sequence[Channel], *, rarest: int = 1, tags: Sequence[str] = ()
) -> Problem:
    """State the problem of these notes: values seen fewer than ``rarest`` times are left out.

    ``tags`` are there in any case, and first.
    """
    reach = max((abs(offset) for channel in channels for offset in channel.offsets), default=0)
    places = np.cumsum([reach, *(len(note.tokens) + reach for note in notes)])
    encoded = [encode(note.document.spans, note.tokens) for note in notes]
    found = sorted({tag for line in encoded for tag in line} - {OUTSIDE})
    known = list(dict.fromkeys([*(tags or [OUTSIDE]), OUTSIDE, *found]))
    number = {tag: place for place, tag in enumerate(known)}
    names: dict[str, int] = {}
    slots = [
        slot for channel in channels for slot in _slots(channel, notes, places, rarest=rarest, names=names)
    ]
    cuts = [
        (owner, places[owner] + first, min(_LONGEST, len(note.tokens) - first))
        for owner, note in enumerate(notes)
        for first in range(0, len(note.tokens), _LONGEST)
    ]
    owners, positions, lengths = np.array(cuts, dtype=np.int64).reshape(-1, 3).T
    gold = _on_line([[number[tag] for tag in line] for line in encoded], places).astype(np.int64)
    return Problem(known, list(names), slots, gold, places[:-1], owners, positions, lengths)


def _slots(
    channel: Channel, notes: Sequence[Note], places: Ints, *, rarest: int, names: dict[str, int]
) -> list[Slot]:
    lines = [channel.values(note) for note in notes]
    counts = Counter(chain.from_iterable(lines))
    kept = [value for value, count in counts.items() if count >= rarest]
    rows = {value: row for row, value in enumerate(kept, start=1)}
    line = _on_line([[rows.get(value, 0) for value in values] for values in lines], places)
    features = [channel.features(value) for value in kept]
    starts = np.cumsum([0, 0, *map(len, features)])
    made = []
    for offset in channel.offsets:
        prefix = f"{channel.name}{offset:+d} "
        members = [names.setdefault(prefix + feature, len(names)) for row in features for feature in row]
        made.append(Slot(line, offset, starts, np.array(members, dtype=np.int64)))
    return made


def _on_line(lines: Sequence[Sequence[int]], places: Ints) -> Small:
    """Return the notes' numbers on one line, zeros between the notes."""
    made = np.zeros(int(places[-1]), dtype=np.int32)
    for start, line in zip(places, lines, strict=False):
        made[start : start + len(line)] = line
    return made
