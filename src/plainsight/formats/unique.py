"""Accept each note id once: a second note with the same id is set aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Document, SetAside


def unique(items: Iterable[Document | SetAside]) -> Iterator[Document | SetAside]:
    """Pass notes on; set aside each whose id an earlier note has.

    Memory grows by about 9 bytes a note, however long the ids are, because only 64-bit hashes are kept.
    Two different ids have the same hash with a chance of about n²/2⁶⁵ (three in a million at ten million
    notes); the second note is then set aside, not lost.
    """
    seen = _Hashes()
    for number, item in enumerate(items, start=1):
        if isinstance(item, Document) and not seen.add(hash(item.id)):
            yield SetAside(item.id, "duplicate id", f"note {number} of the input")
        else:
            yield item


_BUCKETS = 256
_RECENT = 16  # hashes of a bucket that are not merged yet, and as many more as
_SHARE = 64  # one in so many of those that are


class _Hashes:
    """A set of hashes in buckets: a sorted array each, and a small set of recent ones, merged when it grows.

    Only one bucket is copied at a time, so the peak is little more than eight bytes a hash: 0.9 GB for 100
    million.
    """

    def __init__(self) -> None:
        self._sorted: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * _BUCKETS
        self._recent: list[set[int]] = [set() for _ in range(_BUCKETS)]

    def add(self, value: int) -> bool:
        """Add a hash; return whether it is new."""
        bucket = value % _BUCKETS
        known, recent = self._sorted[bucket], self._recent[bucket]
        if value in recent:
            return False
        if len(known):
            at = int(known.searchsorted(value))
            if at < len(known) and known[at] == value:
                return False
        recent.add(value)
        if len(recent) > _RECENT + len(known) // _SHARE:
            merged = np.concatenate((known, np.fromiter(recent, np.int64, len(recent))))
            merged.sort(kind="stable")  # quick where most is in order
            self._sorted[bucket], self._recent[bucket] = merged, set()
        return True
