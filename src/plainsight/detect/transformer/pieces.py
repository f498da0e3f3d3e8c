"""Split words into the pieces of a pre-trained encoder's vocabulary.

Notes are first split into tokens, as for every detector, and then each token into pieces. So labels end where
tokens end, and each word is split once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from plainsight.note_cache import forgets_with

MAX_PIECES = 8
"""Of one token. Of longer ones, such as a key of 64 digits, only the beginning is used."""

_CACHED_WORDS = 1 << 15


class WordSplitter(Protocol):
    """Split words into pieces; ``begin`` and ``end`` are the pieces around a text."""

    begin: int
    end: int

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces, at least one; ``spaced`` if a space comes before it.

        Nothing is remembered: for callers that remember what they make of a word.
        """
        ...

    def split_all(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return the pieces of each word; those of common words are remembered."""
        ...


class WordPieces:
    """WordPiece, as in BERT: the longest piece first, in lower case and without accents."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._inner = {piece[2:]: number for piece, number in self._numbers.items() if piece[:2] == "##"}
        self._unknown = self._numbers["[UNK]"]
        begin, end = ("[CLS]", "[SEP]") if "[CLS]" in self._numbers else ("<s>", "</s>")  # MPNet
        self.begin, self.end = self._numbers[begin], self._numbers[end]
        self._cut = lru_cache(_CACHED_WORDS)(self._pieces)
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        self._cut.cache_clear()

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces; spaces make no difference."""
        return self._pieces(word)

    def split_all(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return the pieces of each word."""
        return list(map(self._cut, words))

    def _pieces(self, word: str) -> tuple[int, ...]:
        plain = word[: 8 * MAX_PIECES].lower()
        if not plain.isascii():
            parts = unicodedata.normalize("NFD", plain)
            plain = "".join(mark for mark in parts if unicodedata.category(mark) != "Mn")
        found: list[int] = []
        start, numbers = 0, self._numbers
        while start < len(plain) and len(found) < MAX_PIECES:
            for stop in range(len(plain), start, -1):
                number = numbers.get(plain[start:stop])
                if number is not None:
                    found.append(number)
                    start, numbers = stop, self._inner
                    break
            else:
                return (self._unknown,)
        return tuple(found) or (self._unknown,)


class BytePairs:
    """Byte-pair encoding, as in RoBERTa: merge neighbouring pieces in the order of their ranks."""

    def __init__(self, vocabulary: Sequence[str], merges: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(merges)}
        self._unknown = self._numbers["<unk>"]
        self.begin, self.end = self._numbers["<s>"], self._numbers["</s>"]
        self._letters = _letters_of_bytes()
        self._cut = lru_cache(_CACHED_WORDS)(self._pieces)
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        self._cut.cache_clear()

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces; a space before the word belongs to the first."""
        return self._pieces(f" {word}" if spaced else word)

    def split_all(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return the pieces of each word."""
        return [self._cut(f" {word}" if space else word) for word, space in zip(words, spaced, strict=True)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        encoded = word[: 8 * MAX_PIECES].encode("utf-8", "replace")
        parts = [self._letters[byte] for byte in encoded]
        last = len(self._ranks)
        while len(parts) > 1:
            rank, at = min((self._ranks.get(pair, last), at) for at, pair in enumerate(pairwise(parts)))
            if rank == last:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return tuple(self._numbers.get(part, self._unknown) for part in parts[:MAX_PIECES]) or (
            self._unknown,
        )


def word_splitter(kind: str, words: Mapping[str, Sequence[str]]) -> WordSplitter:
    """Return a splitter, ``wordpiece`` or ``bytepair``, with its ``vocabulary`` and perhaps ``merges``."""
    if kind == "wordpiece":
        return WordPieces(words["vocabulary"])
    return BytePairs(words["vocabulary"], words["merges"])


def _letters_of_bytes() -> dict[int, str]:
    """Return the letter for each byte: itself if it is printable, else the next one from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {
        byte: chr(0x100 + number) for number, byte in enumerate(others)
    }
