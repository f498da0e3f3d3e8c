"""The inputs of a recurrent network: tokens as numbers by column, their characters, and sequences."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.document import Document, Span
from plainsight.lab.detect.bilstm.columns import Numbers, claims_on, gaps
from plainsight.lab.detect.bilstm.pieces import Piece, pieces
from plainsight.text.tokens import Offsets, tokenize, treebank_tokens

TOKENIZERS: Mapping[str, Callable[[str], Offsets]] = MappingProxyType(
    {"plainsight": tokenize, "treebank": treebank_tokens}
)
"""How notes are cut into tokens: our way, or roughly that of published systems."""

_LONGEST = 64  # characters: what is longer is known by its two ends
_SPELT = 1 << 16  # words whose characters are remembered


@dataclass(frozen=True, slots=True)
class NoteInputs:
    """The inputs of one note: its tokens, its pieces, and its numbers by column.

    With characters, ``which`` says for each token which of the note's different words it is, and ``spelt``
    holds the numbers of the characters of each.
    """

    tokens: Offsets
    pieces: Sequence[Piece]
    columns: Mapping[str, Ints]
    which: Ints
    spelt: Sequence[Sequence[int]]


class NoteReader:
    """Turns notes into numbers, by the settings and tables of a model."""

    def __init__(self, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.columns: list[str] = settings["columns"]
        self._tokenize = TOKENIZERS[settings["tokens"]]
        self._cut: Mapping[str, Any] = settings["pieces"]
        self._numbers = Numbers({column: arrays[f"column-{column}"] for column in self.columns})
        self._spell = _speller(arrays["characters"].tolist()) if "characters" in arrays else None

    def __call__(self, document: Document, claims: Sequence[Span] = ()) -> NoteInputs:
        """Return a note as numbers."""
        text = document.text
        tokens = self._tokenize(text)
        words = [text[start:end] for start, end in tokens]
        columns = self._numbers.words(words)
        if "gap" in self.columns:
            columns["gap"] = self._numbers.note("gap", gaps(text, tokens))
        if "claim" in self.columns:
            columns["claim"] = self._numbers.note("claim", claims_on(tokens, claims))
        which: Ints = np.zeros(0, np.int64)
        spelt: list[Sequence[int]] = []
        if self._spell:
            different = {word: place for place, word in enumerate(dict.fromkeys(words))}
            which = np.fromiter(map(different.__getitem__, words), np.int64, len(words))
            spelt = [self._spell(word) for word in different]
        return NoteInputs(tokens, pieces(text, tokens, self._cut), columns, which, spelt)


def _speller(known: Sequence[int]) -> Callable[[str], Sequence[int]]:
    """Return a function that numbers the characters of a word from 1; 0 is unknown."""
    numbers = {chr(code): number for number, code in enumerate(known, start=1)}

    @lru_cache(_SPELT)
    def spell(word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST:
            word = word[: _LONGEST // 2] + word[-_LONGEST // 2 :]
        return tuple(numbers.get(sign) or numbers.get(_base(sign), 0) for sign in word)

    return spell


def _base(sign: str) -> str:
    """Return a letter without its accents."""
    return unicodedata.normalize("NFKD", sign)[:1]


def feed(reading: NoteInputs, batch: Sequence[Piece]) -> dict[str, NDArray[Any]]:
    """Return the arrays of the network for pieces of a note: places by pieces."""
    lengths = np.array([piece.stop - piece.start for piece in batch], np.int32)
    places = np.minimum(
        np.arange(lengths.max())[:, None] + np.array([piece.start for piece in batch]),
        np.array([piece.stop - 1 for piece in batch]),
    )
    given: dict[str, NDArray[Any]] = {column: row[places] for column, row in reading.columns.items()}
    given["lengths"] = lengths
    if reading.spelt:
        words, which = np.unique(reading.which[places], return_inverse=True)
        given["which"] = which.reshape(places.shape)
        given["characters"], given["character_lengths"] = _padded(
            [reading.spelt[word] for word in words.tolist()]
        )
    return given


def _padded(spelt: Sequence[Sequence[int]]) -> tuple[Ints, NDArray[np.int32]]:
    lengths = np.array([len(word) for word in spelt], np.int32)
    characters = np.zeros((int(lengths.max()), len(spelt)), np.int64)
    for place, word in enumerate(spelt):
        characters[: len(word), place] = word
    return characters, lengths
