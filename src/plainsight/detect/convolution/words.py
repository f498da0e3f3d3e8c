"""Words as vectors: the sum of learnt vectors of what a word is made of, worked out once for each word.

Everything told of a word (itself, its parts, how it is written, which lists it is in) is a string, and each
string has a row in one table, found by a hash. Strings may share a row; so a model knows something of every
word there is, and holds no word of the notes that it has learnt from. A model may also know the pieces of a
pre-trained encoder: they have rows behind those, which begin as the encoder's own vectors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from threading import RLock
from typing import NamedTuple, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats
from plainsight.detect.convolution.parts import part_checksums
from plainsight.detect.convolution.sums import weighted_sums
from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.note_cache import forgets_with, note_cache
from plainsight.text.tokens import Edges, Keys, token_keys
from plainsight.text.vocabulary import listed

Places = NDArray[np.intp]
Kind = TypeVar("Kind", bound=np.generic)

AT_ONCE = 512
"""Words worked out together: many more take up room, and are no quicker."""

_MOST = 1 << 16  # words remembered
_LONGEST = 40  # characters: what is longer is known by its two ends
_SLOT_BITS = 19  # eight slots for each word remembered: few share one
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2 ** 64 by the golden ratio: like keys come to lie apart
_SILVER = np.uint64(0x6A09E667F3BCC909)  # 2 ** 64 by the silver ratio
_END = "\n"  # what is in no word, and so ends each: many are worked on as one text
_DIGIT = re.compile(r"[0-9]")
_RUN = re.compile(r"(.)\1\1+")


def features(word: str) -> list[str]:
    """Return all that is told of a word as a whole; the first is the word itself."""
    [small], [shape] = _small([word]), _shapes([word])
    return [f"={small}", *_told(shape, _number(word), listed(word))]


def _small(words: Sequence[str]) -> list[str]:
    """Return words without capitals and digits; of long ones the ends."""
    small = _DIGIT.sub("0", _END.join([*words, ""]).lower()).split(_END)[:-1]
    return [
        word if len(word) <= _LONGEST else word[: _LONGEST // 2] + word[-_LONGEST // 2 :] for word in small
    ]


def _number(word: str) -> str:
    """Return how a number begins, nothing of other words: 19.., 20.., 13 of a month."""
    return word[:4] if word[0].isdigit() else ""


def _told(shape: str, number: str, lists: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is told of a word beside itself."""
    return f"#{shape}", *([f"+{number}"] if number else ()), *(f"@{flag}" for flag in lists)


@note_cache(1 << 12)  # many words share these
def _checksums(shape: str, number: str, lists: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(map(_checksum, _told(shape, number, lists)))


def _checksum(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass"))


def _shapes(words: Sequence[str]) -> Iterator[str]:
    """Return how words are written: ``McKay`` is ``XxXxx``, ``2019`` is ``dddd``."""
    begun = _END.join([*(word[:12] for word in words), ""])
    drawn = begun.translate(_DRAWN) if begun.isascii() else "".join(map(_drawn, begun))
    return map(_pressed, drawn.split(_END)[:-1])


@note_cache(1 << 12)  # most words have one of some hundred shapes
def _pressed(drawn: str) -> str:
    """Return how a word is drawn with its long runs made short."""
    return _RUN.sub(lambda run: run[0][:6] if run[1] == "d" else run[1] * 2, drawn)


@note_cache(1 << 12)
def _drawn(sign: str) -> str:
    return "X" if sign.isupper() else "x" if sign.islower() else "d" if sign.isdigit() else sign


_DRAWN = {place: _drawn(chr(place)) for place in range(128)}


class Rows(NamedTuple):
    """Rows of several words behind one another, and how many are each word's."""

    places: Places
    counts: Places


class WordRows:
    """The rows of words in a table: of their features, and of their pieces if ``make`` cuts them into any.

    The first ``count`` rows are those of features; row 0 is nobody's.
    """

    def __init__(self, count: int, make: PieceMaker | None = None) -> None:
        self.count = count
        self._make = make

    def of(self, words: Sequence[str]) -> tuple[Rows, Rows]:
        """Return the two of each of some words."""
        return self._of_features(words), self._of_pieces(words)

    def _of_features(self, words: Sequence[str]) -> Rows:
        """Return the rows of all that is told of words: of each as a whole, then of its parts."""
        small = _small(words)
        told = [
            (_checksum(f"={itself}"), *_checksums(shape, _number(word), listed(word)))
            for itself, shape, word in zip(small, _shapes(words), words, strict=True)
        ]
        wholes = np.fromiter(chain.from_iterable(told), np.uint32)
        parts, of_part = part_checksums([f"<{itself}>" for itself in small])
        of_whole = np.repeat(np.arange(len(words)), np.fromiter(map(len, told), np.intp, len(told)))
        of_word = np.concatenate((of_whole, of_part))
        codes = np.concatenate((wholes, parts))[of_word.argsort(kind="stable")]
        return Rows(1 + (codes % np.uint32(self.count - 1)).astype(np.intp), np.bincount(of_word))

    def _of_pieces(self, words: Sequence[str]) -> Rows:
        pieces = self._make.each(words, [True] * len(words)) if self._make else [()] * len(words)
        counts = np.fromiter(map(len, pieces), np.intp, len(pieces))
        return Rows(self.count + np.fromiter(chain.from_iterable(pieces), np.intp, counts.sum()), counts)


class _Numbers(dict[str, int]):
    """Words to the places of their vectors; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def last(self, count: int) -> list[str]:
        """Return so many words that came last."""
        return list(islice(reversed(self), count))[::-1]


class _Slots:
    """The places of words that are known by a key, all looked up at once.

    A word's slot follows from its key. Of two words that share one the later is kept; the other is looked up
    as long words are.
    """

    def __init__(self) -> None:
        self._keys = np.zeros((1 << _SLOT_BITS, 2), np.uint64)
        self._places = np.full(1 << _SLOT_BITS, -1, np.intp)

    def find(self, keys: Keys) -> Places:
        """Return the place of each word, -1 if it is not kept."""
        slots = _slots(keys)
        first, second = keys == self._keys.take(slots, axis=0).T
        return np.where(first & second, self._places.take(slots), -1)

    def keep(self, keys: Keys, places: Places) -> None:
        """Keep the places of words; a key that begins with 0 is nobody's."""
        slots = _slots(keys)
        self._places[slots] = -1  # first, so that nobody ever finds another word's place
        self._keys[slots] = keys.T
        self._places[slots] = np.where(keys[0], places, -1)


def with_room(rows: NDArray[Kind], count: int) -> NDArray[Kind]:
    """Return rows in an array of so many; of the others nothing is known, and they take up no memory yet."""
    made = np.empty((count, *rows.shape[1:]), rows.dtype)
    made[: len(rows)] = rows
    return made


def _slots(keys: Keys) -> Places:
    """Return the slot of each key: all its bits have a say in the upper bits of the products."""
    first, second = keys
    slots: Keys = first * _GOLDEN + second * _SILVER >> np.uint64(64 - _SLOT_BITS)
    return slots.astype(np.intp)


class WordVectors:
    """The vectors of words by a model's table, which holds whole numbers and the step of each row.

    Several threads may ask: what one is learning, the others wait for.
    """

    def __init__(self, rows: WordRows, table: NDArray[np.int8], steps: Floats) -> None:
        self._rows = rows
        self._table = table
        self._steps = steps
        self._learning = RLock()
        self._forget()
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        with self._learning:
            self._forget()

    def _forget(self) -> None:
        self._numbers = _Numbers()
        self._short = _Slots()
        self._vectors: Floats = np.zeros((1024, self._table.shape[1]), np.float32)

    def __call__(self, words: Sequence[str]) -> Floats:
        """Return a vector for each word."""
        vectors, places = self.places(words)
        return vectors.take(places, axis=0)

    def places(self, words: Sequence[str]) -> tuple[Floats, Places]:
        """Return vectors, and which of them is that of each word; whatever is learnt later, they stay."""
        with self._learning:
            self._make_room()
            known = len(self._numbers)
            try:
                places = np.fromiter(map(self._numbers.__getitem__, words), np.intp, len(words))
                new = self._numbers.last(len(self._numbers) - known)
                for first in range(0, len(new), AT_ONCE):
                    self._learn(new[first : first + AT_ONCE], known + first)
            except BaseException:
                self._forget()  # or words would be known that have no vector
                raise
            return self._vectors, places

    def places_in(self, text: str, edges: Edges, view: bytes | None = None) -> tuple[Floats, Places]:
        """Return the same of the tokens of a text, most of which are short, known words."""
        keys = token_keys(text, edges, view)
        with self._learning:
            self._make_room()
            made = self._short.find(keys)
            others = np.flatnonzero(made < 0)
            vectors, places = self.places([text[start:end] for start, end in edges[others].tolist()])
            made[others] = places
            self._short.keep(keys[:, others], places)
        return vectors, made

    def _make_room(self) -> None:
        if len(self._numbers) > _MOST:
            self._forget()

    def _learn(self, words: list[str], first: int) -> None:
        """Work out the vectors of words, which stand in this order from a place on."""
        last = first + len(words)
        while last > len(self._vectors):
            self._vectors = with_room(self._vectors, 2 * len(self._vectors))
        self._vectors[first:last] = self._sums(*self._rows.of(words))

    def _sums(self, *kinds: Rows) -> Floats:
        """Return what the rows of each word come to; a word of many parts shall not outweigh the others."""
        rows = np.concatenate([kind.places for kind in kinds])
        of_word = np.concatenate([np.repeat(np.arange(len(counts)), counts) for _, counts in kinds])
        many = np.concatenate([np.repeat(counts, counts) for _, counts in kinds])
        weights = self._steps.take(rows) / np.sqrt(many).astype(np.float32)
        order = of_word.argsort(kind="stable")
        counts = np.sum([kind.counts for kind in kinds], axis=0)
        return weighted_sums(self._table, rows[order], weights[order], counts)
