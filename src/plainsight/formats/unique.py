"""Accept each note id once: a second note with the same id is set aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from plainsight.document import Document, SetAside


def unique(items: Iterable[Document | SetAside]) -> Iterator[Document | SetAside]:
    """Pass notes on; set aside each whose id an earlier note has.

    Memory grows by about 20 bytes a note, however long the ids are, because only 64-bit hashes are kept.
    Two different ids have the same hash with a chance of about n²/2⁶⁵ (three in a million at ten million
    notes); the second note is then set aside, not lost.
    """
    seen = _Hashes()
    for number, item in enumerate(items, start=1):
        if isinstance(item, Document) and not seen.add(hash(item.id)):
            yield SetAside(item.id, "duplicate id", f"note {number} of the input")
        else:
            yield item


class _Hashes:
    """A set of hashes: a small set of recent ones, merged from time to time into one sorted array."""

    def __init__(self) -> None:
        self._sorted = np.empty(0, np.int64)
        self._recent: set[int] = set()

    def add(self, value: int) -> bool:
        """Add a hash; return whether it is new."""
        at = int(self._sorted.searchsorted(value))
        if value in self._recent or (at < len(self._sorted) and self._sorted[at] == value):
            return False
        self._recent.add(value)
        if len(self._recent) > 1024 + len(self._sorted) // 8:
            self._sorted = np.concatenate((self._sorted, np.fromiter(self._recent, np.int64)))
            self._sorted.sort()
            self._recent = set()
        return True
