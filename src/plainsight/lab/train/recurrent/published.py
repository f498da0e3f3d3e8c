"""Read word vectors: GloVe's text, the JSON of a package that carries them, or a NeuroNER checkpoint."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Collection, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.errors import FormatError

Vectors = dict[str, Floats]

_LEARNT = 1.0  # the length of a vector that has been learnt from text, and was not drawn at random
_TENSOR = "token_embedding/token_embedding_weights"


def read_vectors(sources: Sequence[Path], *, wanted: Collection[str] | None = None) -> Vectors:
    """Return the vectors of words; where several sources know a word, the first counts.

    ``wanted`` leaves out all other words. A folder is a NeuroNER checkpoint with vectors of its own: those of
    words in capitals stand for the word in small letters, as GloVe knows small letters only.
    """
    made: Vectors = {}
    for source in sources:
        if source.is_dir():
            found = _checkpoint(source)
        elif source.suffix == ".json":
            found = _json(source)
        else:
            found = _text(source, wanted)
        for word, vector in found.items():
            if (wanted is None or word in wanted) and word not in made:
                made[word] = vector
    if not made:
        raise FormatError("no word vectors here", ", ".join(map(str, sources)))
    if len(sizes := {len(vector) for vector in made.values()}) > 1:
        raise FormatError(f"vectors of {min(sizes)} and of {max(sizes)} numbers", str(sources[-1]))
    return made


def _text(path: Path, wanted: Collection[str] | None) -> Vectors:
    made: Vectors = {}
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            word, _, rest = line.rstrip("\n").partition(" ")
            if wanted is not None and word not in wanted:
                continue
            try:
                vector = np.array(rest.split(), np.float32)
            except ValueError:
                raise FormatError("not a word and its numbers", f"{path}:{number}") from None
            if len(vector) > 1:  # word2vec's first line holds two counts
                made[word] = vector
    return made


def _json(path: Path) -> Vectors:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        size, vectors = content["dimensions"], content["vectors"]
        return {word: np.array(vector[:size], np.float32) for word, vector in vectors.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError("not a file of word vectors", str(path)) from None


def _checkpoint(folder: Path) -> Vectors:
    matrix = read_checkpoint(folder / "model.ckpt").get(_TENSOR, np.zeros((1, 1), np.float32))
    known = read_plain_pickle(folder / "dataset.pickle").get("token_to_index", {})
    learnt = {
        word: matrix[row]
        for word, row in known.items()
        if 0 < row < len(matrix) and np.linalg.norm(matrix[row]) > _LEARNT
    }
    small = {word.lower(): vector for word, vector in learnt.items()}
    return {**small, **learnt}


class _Attributes:
    """Stands for NeuroNER's data set: an object that only has attributes."""


_CLASSES: dict[tuple[str, str], type] = {
    ("collections", "OrderedDict"): dict,
    ("dataset", "Dataset"): _Attributes,
    ("neuroner.dataset", "Dataset"): _Attributes,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError("an object of another class")
        return _CLASSES[module, name]


def read_plain_pickle(path: Path) -> dict[str, Any]:
    """Return the attributes of the object that a file holds."""
    try:
        with path.open("rb") as file:
            found = _Unpickler(file).load()
    except FileNotFoundError:
        raise
    except Exception:  # a damaged pickle raises anything
        raise FormatError("not a pickle of plain data", str(path)) from None
    if not isinstance(found, _Attributes):
        raise FormatError("not a pickled object with attributes", str(path))
    return vars(found)


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
