"""Read the tensors of a TensorFlow checkpoint without TensorFlow.

``NAME.index`` is a sorted table: blocks of entries whose keys share prefixes, a block of blocks, a footer.
Each value is a small protocol buffer that says where in ``NAME.data-00000-of-00001`` a tensor's bytes lie.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.errors import FormatError

_MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_KINDS = {1: "<f4", 2: "<f8", 3: "<i4", 9: "<i8"}
_DTYPE, _SHAPE, _SHARD, _OFFSET, _SIZE = 1, 2, 3, 4, 5  # the fields of an entry
_DIMENSION, _LENGTH = 2, 1  # and of its shape


def read_checkpoint(prefix: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of the checkpoint ``PREFIX.index`` by name."""
    index = prefix.with_name(prefix.name + ".index").read_bytes()
    data = prefix.with_name(prefix.name + ".data-00000-of-00001").read_bytes()
    try:
        return {name: _tensor(entry, data) for name, entry in _entries(index) if name}
    except (IndexError, KeyError, ValueError, struct.error):
        raise FormatError("not a TensorFlow checkpoint, or one of another kind", str(prefix)) from None


def _tensor(entry: bytes, data: bytes) -> NDArray[Any]:
    fields = dict(_fields(entry))
    if fields.get(_SHARD, 0):
        raise ValueError("more than one shard")
    sizes = (
        dict(_fields(dimension)).get(_LENGTH, 0)
        for field, dimension in _fields(fields.get(_SHAPE, b""))
        if field == _DIMENSION
    )
    shape = tuple(sizes)
    kind = np.dtype(_KINDS[fields[_DTYPE]])
    start, size = fields.get(_OFFSET, 0), fields[_SIZE]
    if size != kind.itemsize * prod(shape) or start + size > len(data):
        raise ValueError("a tensor of another size than its shape's")
    return np.frombuffer(data, kind, prod(shape), start).reshape(shape)


# --- the table --------------------------------------------------------------------------------------------


def _entries(table: bytes) -> Iterator[tuple[str, bytes]]:
    footer = table[-_FOOTER:]
    if len(footer) < _FOOTER or struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
        raise ValueError("no footer")
    _, place = _handle(footer, 0)
    index, _ = _handle(footer, place)
    for _, handle in _block(table, *index):
        for key, value in _block(table, *_handle(handle, 0)[0]):
            yield key.decode(), value


def _handle(content: bytes, place: int) -> tuple[tuple[int, int], int]:
    offset, place = _varint(content, place)
    size, place = _varint(content, place)
    return (offset, size), place


def _block(table: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
    if table[offset + size]:
        raise ValueError("a compressed block")
    block = table[offset : offset + size]
    (restarts,) = struct.unpack("<I", block[-4:])
    place, end, key = 0, size - 4 - 4 * restarts, b""
    while place < end:
        shared, place = _varint(block, place)
        rest, place = _varint(block, place)
        length, place = _varint(block, place)
        key = key[:shared] + block[place : place + rest]
        place += rest
        yield key, block[place : place + length]
        place += length


# --- protocol buffers -------------------------------------------------------------------------------------


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yield the number and the value of each field: whole numbers, and bytes for what is nested."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, place = _varint(message, place)
            yield number, value
        elif wire == 2:
            length, place = _varint(message, place)
            yield number, message[place : place + length]
            place += length
        elif wire in (1, 5):
            place += 8 if wire == 1 else 4  # checksums, which the manifest of our own model replaces
        else:
            raise ValueError("an unknown kind of field")


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
