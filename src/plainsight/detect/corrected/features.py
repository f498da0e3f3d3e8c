"""The features of tokens by which a site's corrections are remembered: keyed digests of 32 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate, groupby
from typing import NamedTuple

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.note_cache import forgets_with
from plainsight.text.shadow import shadow
from plainsight.text.tokens import Edges, Offsets, token_words

Digests = NDArray[np.uint64]
Digests32 = NDArray[np.uint32]

FEATURES = 1
"""The version of the features. Change it with them: corrections of another version are refused."""

_CACHED_WORDS = 1 << 16
_BETWEEN = "\n\n"  # a note begins like a paragraph, alone or behind another
_SIDE = 2  # tokens on either side that a feature sees
_PARTS = 5  # of a word: itself, in lower case, its shape, its beginning, its end
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def word_key(secret: bytes, salt: str) -> tuple[bytes, str]:
    """Return the key of the digests, and what a manifest may say of it."""
    drawn = HKDF(SHA256(), 40, salt=bytes.fromhex(salt), info=b"plainsight corrections 1").derive(secret)
    return drawn[:32], drawn[32:].hex()


class TextFeatures(NamedTuple):
    """The digests of the tokens of some notes, a column for each feature that the text alone decides.

    ``word``, ``shape`` and ``field`` are what those features are mixed from that depend on the network, too.
    ``places`` says where the tokens stand in them: between two notes there are tokens of zeros.
    """

    columns: Digests32
    places: Ints
    word: Digests
    shape: Digests
    field: Digests

    def with_tags(self, best: Digests) -> Digests32:
        """Return the columns that depend on the network, too: ``best`` is its tag at each token."""
        tag = np.zeros_like(self.word)
        tag[self.places] = best
        tag_left, tag_right = _around(tag)[1:3]
        mixed = _mixed(
            {
                0: (tag,),
                2: (self.word, tag),
                3: (self.shape, tag),
                19: (tag_left, tag, tag_right),
                21: (tag, self.field),
            }
        )
        return mixed[:, self.places]


class Features:
    """Compute the features of a note's tokens. ``bias`` is that of ``O`` where the network is asked."""

    def __init__(self, key: bytes, *, outside: int, bias: float) -> None:
        self._key = key
        self._outside = outside
        self._bias = np.float32(bias)
        self.forget()
        forgets_with(self)

    def forget(self) -> None:
        """Forget all words."""
        self._words: dict[str, int] = {}
        self._parts = np.zeros((256, _PARTS), np.uint64)

    def __call__(self, text: str, tokens: Offsets | Edges, scores: Floats) -> Digests32:
        """Return a row of digests for each token of a note, from the text and the network's scores."""
        note = self.of_texts([text], [tokens])
        rows: Digests32 = np.concatenate((note.columns, note.with_tags(self.best(scores)))).T
        return rows

    def of_texts(self, texts: Sequence[str], tokens: Sequence[Offsets | Edges]) -> TextFeatures:
        """Return the features of the tokens of some notes that depend on the text alone.

        They are the same as those of each note alone: array operations are faster on many tokens.
        """
        offsets = accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0)
        each = [np.asarray(own, np.int64).reshape(-1, 2) for own in tokens]
        edges = np.concatenate([own + offset for own, offset in zip(each, offsets, strict=False)])
        joined = _BETWEEN.join(texts)
        words = token_words(joined, edges)
        places = np.arange(len(words)) + _SIDE * np.repeat(np.arange(len(each)), [*map(len, each)])
        size = len(words) + _SIDE * (len(each) - 1)
        parts = np.zeros((_PARTS, size), np.uint64)
        parts[:, places] = self._parts_of(words).T
        exact, word, shape, prefix, suffix = parts
        newline = np.ones(size, np.uint64)
        newline[places] = _newlines(joined, edges)
        is_colon = np.zeros(size, bool)
        is_colon[places] = np.fromiter(map(":".__eq__, words), bool, len(words))
        gap = newline * np.uint64(2)
        gap[places] += np.append(edges[1:, 0] > edges[:-1, 1], True)[: len(words)]
        first = _line_starts(newline)
        field = _fields(is_colon, word, first)
        (left2, left, right, right2), shapes = _around(word), _around(shape)
        at_start = np.minimum(np.arange(size) - first, 4).astype(np.uint64)
        columns = _mixed(
            {
                1: (exact,),
                4: (prefix, shape),
                5: (suffix, shape),
                6: (left, shape),
                7: (right, shape),
                8: (left, word),
                9: (word, right),
                10: (left, right, shape),
                11: (left2, left, shape),
                12: (right, right2, shape),
                13: (left, word, right),
                14: (shapes[1], shape, shapes[2]),
                15: (shapes[0], shapes[1], shape, shapes[2], shapes[3]),
                16: (field, shape),
                17: (field, word),
                18: (word[first], at_start, shape),
                20: (gap, shape),
            }
        )
        return TextFeatures(columns[:, places], places, word, shape, field)

    def best(self, scores: Floats) -> Digests:
        """Return the network's tag at each token, counted from 1."""
        biased = scores.copy()
        biased[:, self._outside] += self._bias
        best: Digests = biased.argmax(axis=1).astype(np.uint64) + np.uint64(1)
        return best

    def _parts_of(self, words: Sequence[str]) -> Digests:
        """Return the digests of the parts of words."""
        if len(self._words) > _CACHED_WORDS:
            self.forget()
        known = self._words
        for word in words:
            if word not in known:
                self._learn(word)
        return self._parts[[known[word] for word in words]]

    def _learn(self, word: str) -> None:
        number = len(self._words)
        if number == len(self._parts):
            self._parts = np.concatenate((self._parts, np.zeros_like(self._parts)))
        lower = "".join("0" if char.isdigit() else char for char in word.lower())
        parts = (word, lower, _shape(word), lower[:3], lower[-3:])
        self._parts[number] = [*map(self._digest, "ewspx", parts)]
        self._words[word] = number

    def _digest(self, kind: str, part: str) -> int:
        data = f"{kind}{part}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(data, key=self._key, digest_size=8).digest(), "big")


def _shape(word: str) -> str:
    """Return the kinds of a word's characters; of four or more alike, three.

    >>> _shape("McKay"), _shape("1234567"), _shape("x")
    ('AaAaa', '000', 'a')
    """
    kinds = ["0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in word[:20]]
    return "".join(kind * min(3, len(list(run))) for kind, run in groupby(kinds))


def _newlines(text: str, edges: Edges) -> Digests:
    """Return 1 for each token that begins a line, and else 0."""
    view = np.frombuffer(shadow(text), np.uint8)
    ends = np.flatnonzero((view == ord("\n")) | (view == ord("\r")))
    line = np.searchsorted(ends, edges[:, 0])
    return np.append(np.uint64(1), (line[1:] != line[:-1]).astype(np.uint64))[: len(edges)]


def _line_starts(newline: Digests) -> Ints:
    """Return for each token the first one of its line."""
    return np.maximum.accumulate(np.where(newline > 0, np.arange(len(newline)), 0))


def _fields(is_colon: NDArray[np.bool_], word: Digests, first: Ints) -> Digests:
    """Return for each token the word before the last colon on its line, mixed with the one before that."""
    size = len(word)
    last = np.maximum.accumulate(np.where(is_colon, np.arange(size), -1))
    last = np.append(-1, last[:-1])[:size]
    name = word[np.maximum(last - 1, 0)]
    before = np.where(last - 2 >= first, word[np.maximum(last - 2, 0)], np.uint64(0))
    return np.where(last > first, name * _MIX + before, np.uint64(0))


def _around(values: Digests) -> tuple[Digests, Digests, Digests, Digests]:
    """Return the values two before, one before, one after and two after each token."""
    padded = np.concatenate((np.zeros(2, np.uint64), values, np.zeros(2, np.uint64)))
    size = len(values)
    return padded[:size], padded[1 : size + 1], padded[3 : size + 3], padded[4 : size + 4]


def _mixed(features: Mapping[int, Sequence[Digests]]) -> Digests32:
    """Return a row for each feature: the 32-bit digests of its number and its values, for each token."""
    size = len(next(iter(features.values()))[0])
    mixed = np.empty((len(features), size), np.uint64)
    for row, (number, columns) in zip(mixed, features.items(), strict=True):
        row[:] = number + 1
        for values in columns:
            row ^= values
            row *= _MIX
            row ^= row >> _SHIFT
    return (mixed >> np.uint64(32)).astype(np.uint32)
