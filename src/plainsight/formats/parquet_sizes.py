"""How much memory a Parquet file takes when it is read, from the sizes that it states about itself.

A file of a few kilobytes may state, truly, that its pages decompress to gigabytes, or that a million rows all
have one long text. The library allocates what pages state, so they are looked at before it opens the file.
"""

from __future__ import annotations

from typing import Any, BinaryIO

from plainsight.formats.limits import refuse_expansion

_BATCH_BYTES = 256 << 20  # of texts that many rows share
_HEADER = 1 << 16  # bytes that most headers of pages fit into
_MOST_HEADER = 1 << 24

# Numbers of fields in Parquet's structures.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_CHUNK_GROWN, _CHUNK_PACKED, _FIRST_DATA, _DICTIONARY = 6, 7, 9, 11
_KIND, _GROWN, _PACKED = 1, 2, 3
_DICTIONARY_PAGE = 2


def rows_at_once(stream: BinaryIO, most: int, *, pages: bool) -> int:
    """Return how many rows may be read together, up to ``most``; refuse a file that grows too much.

    With ``pages``, look at the header of every page, not only at what the end of the file says of them.
    Nothing is said of a file that is damaged: reading it will fail.
    """
    size = stream.seek(0, 2)
    stream.seek(-8, 2)
    length = int.from_bytes(stream.read(4), "little")
    stream.seek(-8 - length, 2)
    try:
        file = _Reader(stream.read(length)).struct()
        chunks = [column[_META_DATA] for group in file[_ROW_GROUPS] for column in group[_COLUMNS]]
        grown = sum(chunk[_CHUNK_GROWN] for chunk in chunks)
        largest = 0
        if pages:
            measured = [_measured(stream, chunk) for chunk in chunks]
            grown = max(grown, sum(bytes_ for bytes_, _ in measured))
            largest = max((dictionary for _, dictionary in measured), default=0)
    except (LookupError, TypeError, ValueError, ArithmeticError, OSError, RecursionError):
        return most
    refuse_expansion(grown, size)
    return max(1, min(most, _BATCH_BYTES // max(1, largest)))


def _measured(stream: BinaryIO, chunk: dict[int, Any]) -> tuple[int, int]:
    """Return the bytes that the pages of a column's chunk grow to, and those of its dictionary."""
    place = min(chunk[_FIRST_DATA], chunk.get(_DICTIONARY) or chunk[_FIRST_DATA])
    end = place + chunk[_CHUNK_PACKED]
    total = dictionary = 0
    while 0 <= place < end:
        page, length = _page(stream, place)
        total += page[_GROWN]
        if page[_KIND] == _DICTIONARY_PAGE:
            dictionary = max(dictionary, page[_GROWN])
        place += length + max(0, page[_PACKED])
    return total, dictionary


def _page(stream: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """Return the header of a page and its length."""
    size = _HEADER
    while True:
        stream.seek(place)
        reader = _Reader(stream.read(size))
        try:
            return reader.struct(), reader.place
        except IndexError:  # statistics may hold whole texts
            if size >= _MOST_HEADER:
                raise
            size *= 16


class _Reader:
    """Read Thrift's compact protocol: structures become dictionaries by the numbers of their fields."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def struct(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind)
        return found

    def _value(self, kind: int) -> Any:
        if kind in (1, 2, 3):  # in a list, a truth value is a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 7:
            return self._skip(8)
        if kind == 8:
            return self._skip(self._number())
        if kind in (9, 10):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._number()
            return [self._value(head & 15) for _ in range(count)]
        if kind == 11:
            count = self._number()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(count)]
        if kind == 12:
            return self.struct()
        raise TypeError  # no kind that Parquet uses

    def _byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def _number(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def _signed(self) -> int:
        number = self._number()
        return number >> 1 ^ -(number & 1)

    def _skip(self, length: int) -> None:
        self.place += length
        if self.place > len(self._data):
            raise IndexError
