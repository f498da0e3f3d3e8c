"""The inputs of a recurrent network: tokens as numbers by column, their characters, and sequences."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Ints
from plainsight.document import Document, Span
from plainsight.text.lines import sentences
from plainsight.text.tokenizers import TOKENIZERS
from plainsight.text.tokens import Offsets
from plainsight.text.vocabulary import listed

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


class Piece(NamedTuple):
    """Tokens ``start`` to ``stop`` are read, those from ``keep`` to ``until`` are labelled."""

    start: int
    stop: int
    keep: int
    until: int


def pieces(text: str, tokens: Offsets, cut: Mapping[str, Any]) -> list[Piece]:
    """Return the pieces of a note; together they label each token once."""
    if cut["by"] == "sentence":
        return _sentences(text, tokens)
    return windows(len(tokens), size=cut["size"], margin=cut["margin"])


_SENTENCE, _MARGIN = 400, 40  # no sentence, but a table or a list of thousands of tokens on one line


def _sentences(text: str, tokens: Offsets) -> list[Piece]:
    starts = [start for start, _ in tokens]
    edges = [bisect_left(starts, end) for _, end in sentences(text)]
    made, last = [], 0
    for edge in edges:
        if edge > last:
            cut = windows(edge - last, size=_SENTENCE, margin=_MARGIN)
            made += [Piece(*(place + last for place in piece)) for piece in cut]
            last = edge
    return made


def windows(count: int, *, size: int, margin: int) -> list[Piece]:
    """Return windows of at most ``size`` tokens; each labels all but its margins, which its neighbours label.

    >>> windows(10, size=6, margin=1)
    [Piece(start=0, stop=6, keep=0, until=5), Piece(start=4, stop=10, keep=5, until=10)]
    """
    made, start, keep = [], 0, 0
    while keep < count:
        stop = min(start + size, count)
        until = count if stop == count else stop - margin
        made.append(Piece(start, stop, keep, until))
        start, keep = until - margin, until
    return made


Forms = Callable[[str], Sequence[str]]

DIGEST = 6
"""The bytes of a digest: beside a million known strings, one in 300 million others passes for known."""

_MOST = 1 << 17  # words remembered
_DIGIT = re.compile(r"[0-9]")
_LETTERS = re.compile(r"(.)\1\1+")


# --- of a word --------------------------------------------------------------------------------------------


def vector_forms(word: str) -> list[str]:
    """Return the forms of a word in public word vectors: itself, lower case, digits as 0."""
    small = word.lower()
    return [word, small, _DIGIT.sub("0", word), _DIGIT.sub("0", small)]


def plain_forms(word: str) -> list[str]:
    """Return a word in lower case, with each digit as 0."""
    return [_DIGIT.sub("0", word.lower())]


def prefix(word: str) -> list[str]:
    """Return the first three characters."""
    return [plain_forms(word[:3])[0]]


def suffix(word: str) -> list[str]:
    """Return the last three characters."""
    return [plain_forms(word[-3:])[0]]


def shape(word: str) -> list[str]:
    """Return how a word is written: ``McKay`` is ``XxXxx``, ``2019`` is ``dddd``."""
    drawn = "".join(
        "X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else "." for c in word[:12]
    )
    return [_LETTERS.sub(lambda run: run[0][:6] if run[1] == "d" else run[1] * 2, drawn)]


def lists(word: str) -> list[str]:
    """Return all the bundled lists that a word is in, then each by itself, for rare combinations."""
    flags = [flag for flag in listed(word) if not flag.startswith("level=")]
    return ["|".join(flags), *flags] if flags else ["none"]


WORD_COLUMNS: Mapping[str, Forms] = MappingProxyType(
    {
        "vector": vector_forms,
        "word": plain_forms,
        "prefix": prefix,
        "suffix": suffix,
        "shape": shape,
        "lists": lists,
    }
)
"""Columns that look at the word alone."""

NOTE_COLUMNS = ("gap", "claim")
"""Columns that look at the note: what stands before a token, and what the rules claim of it."""


# --- of the note ------------------------------------------------------------------------------------------


def gaps(text: str, tokens: Offsets) -> list[str]:
    """Return the gap before each token: nothing, a space, more, a line end or a blank line."""
    made, last = [], 0
    for start, end in tokens:
        if start == last and last:
            made.append("")
        else:
            gap = text[last:start]
            breaks = gap.count("\n") if last else 2
            made.append(
                "paragraph" if breaks > 1 else "line" if breaks else "space" if gap == " " else "wide"
            )
        last = end
    return made


def claims_on(tokens: Offsets, spans: Sequence[Span]) -> list[str]:
    """Return for each token the best claim of other detectors, such as ``B-DATE``; or nothing."""
    best = [""] * len(tokens)
    ends = [end for _, end in tokens]
    for span in sorted(spans, key=lambda span: (-span.score, span.start, -span.end, span.label)):
        prefix = "B"
        for place in range(bisect_right(ends, span.start), len(tokens)):
            if tokens[place][0] >= span.end:
                break
            best[place] = best[place] or f"{prefix}-{span.label}"
            prefix = "I"
    return best


# --- numbers ----------------------------------------------------------------------------------------------


def digest(column: str, form: str) -> bytes:
    """Return the name by which a model knows a string of a column."""
    name = f"{column} {form}".encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=DIGEST, usedforsecurity=False).digest()


def digests_of(column: str, forms: Sequence[str]) -> NDArray[np.uint8]:
    """Return the digests of a column's strings as a model's array; the first string has the number 1."""
    joined = b"".join(digest(column, form) for form in forms)
    return np.frombuffer(joined, np.uint8).reshape(-1, DIGEST)


class Numbers:
    """Numbers tokens by column, 0 if unknown; looks each word up once."""

    def __init__(self, tables: Mapping[str, NDArray[np.uint8]]) -> None:
        self._tables = {column: _numbered(table) for column, table in tables.items()}
        self._of_words = [column for column in tables if column in WORD_COLUMNS]
        self._forget()

    def _forget(self) -> None:
        self._places: dict[str, int] = {}
        self._rows = np.zeros((256, len(self._of_words)), np.int64)
        self._of_notes: dict[tuple[str, str], int] = {}

    def words(self, words: Sequence[str]) -> dict[str, Ints]:
        """Return the numbers of words in the columns of words."""
        if len(self._places) > _MOST:
            self._forget()
        for word in set(words).difference(self._places):
            place = self._places[word] = len(self._places)
            if place == len(self._rows):
                self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
            self._rows[place] = [self.first(column, WORD_COLUMNS[column](word)) for column in self._of_words]
        places = np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))
        rows = self._rows[places]
        return {column: rows[:, at] for at, column in enumerate(self._of_words)}

    def note(self, column: str, values: Sequence[str]) -> Ints:
        """Return the numbers of a column of the note."""
        known = self._of_notes
        for value in set(values):
            if (column, value) not in known:
                known[column, value] = self.first(column, [value])
        return np.fromiter((known[column, value] for value in values), np.int64, len(values))

    def first(self, column: str, forms: Sequence[str]) -> int:
        """Return the number of the first known form, or 0."""
        table = self._tables[column]
        return next((number for form in forms if (number := table.get(digest(column, form)))), 0)


def _numbered(table: NDArray[np.uint8]) -> dict[bytes, int]:
    content = table.tobytes()
    return {content[at : at + DIGEST]: at // DIGEST + 1 for at in range(0, len(content), DIGEST)}
