"""Each note id once: a second note with an id already seen is set aside."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from plainsight.document import Document, SetAside


def unique(items: Iterable[Document | SetAside]) -> Iterator[Document | SetAside]:
    """Pass notes on, setting aside each whose id an earlier note has.

    Memory hardly grows: 12 to 24 bytes a note, whatever the length of the ids. Two different ids are
    taken for one with a chance of about n²/2⁶⁵ (three in a million at ten million notes); the second note
    is then set aside, not lost from sight.
    """
    seen = _Seen()
    for place, item in enumerate(items, start=1):
        if isinstance(item, Document) and not seen.add(item.id):
            yield SetAside(item.id, "duplicate id", f"note {place} of the input")
        else:
            yield item


class _Seen:
    """A set of strings by their 64-bit hashes, in one array with open addressing."""

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 << 10))  # a power of two of them; 0 is an empty slot
        self._count = 0

    def add(self, text: str) -> bool:
        """Add a string; tell whether it is new."""
        digest = hash(text) & 0xFFFF_FFFF_FFFF_FFFF or 1
        slots = self._slots
        mask = len(slots) - 1
        at = digest & mask
        while there := slots[at]:
            if there == digest:
                return False
            at = (at + 1) & mask
        slots[at] = digest
        self._count += 1
        if 3 * self._count > 2 * mask:
            self._double()
        return True

    def _double(self) -> None:
        slots = array("Q", bytes(16 * len(self._slots)))
        mask = len(slots) - 1
        for digest in self._slots:
            if digest:
                at = digest & mask
                while slots[at]:
                    at = (at + 1) & mask
                slots[at] = digest
        self._slots = slots
