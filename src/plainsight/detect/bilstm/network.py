"""A trained network made ready: notes to numbers, and these to a score of every tag at every token."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.bilstm.columns import Numbers, claims_on, gaps
from plainsight.detect.bilstm.cutting import Piece, pieces
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import Model
from plainsight.text.tokens import Offsets, tokenize, treebank_tokens

__all__ = ["TOKENIZERS", "Characters", "Network", "Reading", "feed"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

TOKENIZERS: Mapping[str, Callable[[str], Offsets]] = MappingProxyType(
    {"plainsight": tokenize, "treebank": treebank_tokens}
)
"""How notes are cut into tokens: our way, or roughly that of published systems."""

_ROOM = 4096  # tokens of a batch, with what pads them
_LONGEST = 64  # characters: what is longer is known by its two ends
_SPELT = 1 << 16  # words whose characters are remembered


@dataclass(frozen=True, slots=True)
class Reading:
    """A note as a network reads it: its tokens, how it is cut, and its numbers by column.

    With characters, ``which`` says for each token which of the note's different words it is, and ``spelt``
    holds the numbers of the characters of each.
    """

    tokens: Offsets
    pieces: Sequence[Piece]
    columns: Mapping[str, Ints]
    which: Ints
    spelt: Sequence[Sequence[int]]


class Characters:
    """The numbers of characters, from 1 on; 0 for what is not known."""

    def __init__(self, known: Sequence[int]) -> None:
        self._numbers = {chr(code): number for number, code in enumerate(known, start=1)}
        self.spell = lru_cache(_SPELT)(self._spell)

    def _spell(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST:
            word = word[: _LONGEST // 2] + word[-_LONGEST // 2 :]
        return tuple(self._numbers.get(sign) or self._numbers.get(_base(sign), 0) for sign in word)


def _base(sign: str) -> str:
    """Return a letter without its accents."""
    return unicodedata.normalize("NFKD", sign)[:1]


class Network:
    """Reads notes and scores their tokens.

    A note goes through the network by itself. So what is found in it never depends on the notes beside it,
    not even in the last digit, although quantised networks measure the numbers of a batch together.
    """

    def __init__(self, model: Model, threads: int) -> None:
        settings, arrays = model.manifest["network"], model.arrays
        self._tokenize = TOKENIZERS[settings["tokens"]]
        self._cut: Mapping[str, Any] = settings["pieces"]
        self.columns: list[str] = settings["columns"]
        self._numbers = Numbers({column: arrays[f"column-{column}"] for column in self.columns})
        self._characters = Characters(arrays["characters"].tolist()) if "characters" in arrays else None
        self._session = _session(model, threads)

    def read(self, document: Document, claims: Sequence[Span] = ()) -> Reading:
        """Return a note as numbers."""
        text = document.text
        tokens = self._tokenize(text)
        words = [text[start:end] for start, end in tokens]
        columns = self._numbers.words(words)
        if "gap" in self.columns:
            columns["gap"] = self._numbers.note("gap", gaps(text, tokens))
        if "claim" in self.columns:
            columns["claim"] = self._numbers.note("claim", claims_on(tokens, claims))
        which, spelt = np.zeros(0, np.int64), []
        if self._characters:
            different = {word: place for place, word in enumerate(dict.fromkeys(words))}
            which = np.fromiter(map(different.__getitem__, words), np.int64, len(words))
            spelt = [self._characters.spell(word) for word in different]
        return Reading(tokens, pieces(text, tokens, self._cut), columns, which, spelt)

    def scores(self, reading: Reading, tags: int) -> Floats:
        """Return the score of every tag at every token."""
        made = np.zeros((len(reading.tokens), tags), np.float32)
        for batch in batches(reading.pieces):
            found = self._session.run(["scores"], feed(reading, batch))[0]
            for row, (start, _, keep, until) in enumerate(batch):
                made[keep:until] = found[keep - start : until - start, row]
        return made


def batches(cut: Sequence[Piece]) -> list[list[Piece]]:
    """Put pieces of like length together, the longest first, in batches of limited room."""
    rest = sorted(cut, key=lambda piece: (piece.start - piece.stop, piece.start))
    made: list[list[Piece]] = []
    place = 0
    while place < len(rest):
        length = rest[place].stop - rest[place].start
        # what is much shorter waits for the next batch, rather than being padded to twice its length
        alike = sum(2 * (piece.stop - piece.start) >= length for piece in rest[place : place + _ROOM])
        count = max(1, min(alike, _ROOM // length))
        made.append(rest[place : place + count])
        place += count
    return made


def feed(reading: Reading, batch: Sequence[Piece]) -> dict[str, NDArray[Any]]:
    """Return what the network is given for pieces of a note: arrays of places by pieces."""
    lengths = np.array([piece.stop - piece.start for piece in batch], np.int32)
    places = np.minimum(
        np.arange(lengths.max())[:, None] + np.array([piece.start for piece in batch]),
        np.array([piece.stop - 1 for piece in batch]),
    )
    given: dict[str, NDArray[Any]] = {column: row[places] for column, row in reading.columns.items()}
    given["lengths"] = lengths
    if reading.spelt:
        words, which = np.unique(reading.which[places], return_inverse=True)
        spelt = [reading.spelt[word] for word in words.tolist()]
        given["which"] = which.reshape(places.shape)
        given["characters"], given["character_lengths"] = _padded(spelt)
    return given


def _padded(spelt: Sequence[Sequence[int]]) -> tuple[Ints, NDArray[np.int32]]:
    lengths = np.array([len(word) for word in spelt], np.int32)
    characters = np.zeros((int(lengths.max()), len(spelt)), np.int64)
    for place, word in enumerate(spelt):
        characters[: len(word), place] = word
    return characters, lengths


def _session(model: Model, threads: int) -> Any:
    try:
        onnxruntime = import_module("onnxruntime")
    except ImportError:
        raise UsageError("bilstm needs onnxruntime: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    path = model.folder / "network.onnx"
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
