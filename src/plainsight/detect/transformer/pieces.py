"""Words to pieces: the vocabularies of pre-trained encoders, applied to our own tokens.

Encoders come with a vocabulary of word pieces. We cut notes into tokens first, as every detector does, and
only then each token into pieces: so labels end where tokens end, and a word's pieces are found once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from plainsight.note_cache import forgets_with

MOST = 8
"""Pieces of one token; what is longer, such as a key of 64 digits, is known by its beginning."""

_REMEMBERED = 1 << 17


class PieceMaker(Protocol):
    """Cut words into pieces."""

    begin: int
    end: int

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces, at least one; ``spaced``: a space comes before it."""
        ...

    def each(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return the same for each of some words, sooner than one by one."""
        ...


class WordPieces:
    """The longest piece first, in small letters and without accents, as BERT's vocabularies want it."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._inner = {piece[2:]: number for piece, number in self._numbers.items() if piece[:2] == "##"}
        self._unknown = self._numbers["[UNK]"]
        begin, end = ("[CLS]", "[SEP]") if "[CLS]" in self._numbers else ("<s>", "</s>")  # MPNet's
        self.begin, self.end = self._numbers[begin], self._numbers[end]
        self._cut = lru_cache(_REMEMBERED)(self._pieces)
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        self._cut.cache_clear()

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces; spaces are of no account to this vocabulary."""
        return self._cut(word)

    def each(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return those of each word."""
        return list(map(self._cut, words))

    def _pieces(self, word: str) -> tuple[int, ...]:
        plain = word[: 8 * MOST].lower()
        if not plain.isascii():
            parts = unicodedata.normalize("NFD", plain)
            plain = "".join(sign for sign in parts if unicodedata.category(sign) != "Mn")
        found: list[int] = []
        start, numbers = 0, self._numbers
        while start < len(plain) and len(found) < MOST:
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
    """Pairs of neighbouring pieces merged in the order of their ranks, from bytes up, as RoBERTa does."""

    def __init__(self, vocabulary: Sequence[str], merges: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(merges)}
        self._unknown = self._numbers["<unk>"]
        self.begin, self.end = self._numbers["<s>"], self._numbers["</s>"]
        self._letters = _letters_of_bytes()
        self._cut = lru_cache(_REMEMBERED)(self._pieces)
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        self._cut.cache_clear()

    def __call__(self, word: str, *, spaced: bool) -> tuple[int, ...]:
        """Return the numbers of a word's pieces; a space before it belongs to the first."""
        return self._cut(f" {word}" if spaced else word)

    def each(self, words: Iterable[str], spaced: Iterable[bool]) -> list[tuple[int, ...]]:
        """Return those of each word."""
        return [self._cut(f" {word}" if space else word) for word, space in zip(words, spaced, strict=True)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        encoded = word[: 8 * MOST].encode("utf-8", "replace")
        parts = [self._letters[byte] for byte in encoded]
        last = len(self._ranks)
        while len(parts) > 1:
            rank, place = min(
                (self._ranks.get(pair, last), place) for place, pair in enumerate(pairwise(parts))
            )
            if rank == last:
                break
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return tuple(self._numbers.get(part, self._unknown) for part in parts[:MOST]) or (self._unknown,)


def piece_maker(kind: str, words: Mapping[str, Sequence[str]]) -> PieceMaker:
    """Return the maker of a model's pieces: ``wordpiece`` or ``bytepair``, with the lists it needs."""
    if kind == "wordpiece":
        return WordPieces(words["vocabulary"])
    return BytePairs(words["vocabulary"], words["merges"])


def _letters_of_bytes() -> dict[int, str]:
    """Return the letter for each byte: itself if it can be seen, else the next one from U+0100 on."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    unseen = [byte for byte in range(256) if byte not in seen]
    return {
        **{byte: chr(byte) for byte in seen},
        **{byte: chr(0x100 + place) for place, byte in enumerate(unseen)},
    }
