"""The features of tokens by which a site's corrections are remembered: keyed digests of 32 bits."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.note_cache import forgets_with
from plainsight.text.tokens import Edges, Offsets, token_words

Digests = NDArray[np.uint64]

FEATURES = 1
"""The version of the features. Change it with them: corrections of another version are refused."""

_CACHED_WORDS = 1 << 16
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def word_key(secret: bytes, salt: str) -> tuple[bytes, str]:
    """Return the key of the digests, and what a manifest may say of it."""
    drawn = HKDF(SHA256(), 40, salt=bytes.fromhex(salt), info=b"plainsight corrections 1").derive(secret)
    return drawn[:32], drawn[32:].hex()


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
        self._words: dict[str, tuple[int, ...]] = {}

    def __call__(self, text: str, tokens: Offsets | Edges, scores: Floats) -> Ints:
        """Return a row of digests for each token, from the text and the network's scores."""
        edges = np.asarray(tokens, np.int64).reshape(-1, 2)
        words = token_words(text, edges)
        if len(self._words) > _CACHED_WORDS:
            self.forget()
        parts = np.array([self._word(word) for word in words], np.uint64).reshape(-1, 5)
        exact, word, shape, prefix, suffix = parts.T
        newline = _newlines(text, edges)
        first = _line_starts(newline)
        field = _fields(words, word, first)
        best = self._best(scores)
        (left2, left, right, right2), shapes = _around(word), _around(shape)
        tag_left, tag_right = _around(best)[1:3]
        gap = newline * np.uint64(2) + np.append(edges[1:, 0] > edges[:-1, 1], True)
        at_start = np.minimum(np.arange(len(words)) - first, 4).astype(np.uint64)
        features = (
            (best,),
            (exact,),
            (word, best),
            (shape, best),
            (prefix, shape),
            (suffix, shape),
            (left, shape),
            (right, shape),
            (left, word),
            (word, right),
            (left, right, shape),
            (left2, left, shape),
            (right, right2, shape),
            (left, word, right),
            (shapes[1], shape, shapes[2]),
            (shapes[0], shapes[1], shape, shapes[2], shapes[3]),
            (field, shape),
            (field, word),
            (word[first], at_start, shape),
            (tag_left, best, tag_right),
            (gap, shape),
            (best, field),
        )
        return np.stack([_mixed(number, columns) for number, columns in enumerate(features)], axis=1)

    def _word(self, word: str) -> tuple[int, ...]:
        known = self._words.get(word)
        if known is None:
            lower = "".join("0" if char.isdigit() else char for char in word.lower())
            parts = (word, lower, _shape(word), lower[:3], lower[-3:])
            known = self._words[word] = tuple(map(self._digest, "ewspx", parts))
        return known

    def _digest(self, kind: str, part: str) -> int:
        data = f"{kind}{part}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(data, key=self._key, digest_size=8).digest(), "big")

    def _best(self, scores: Floats) -> Digests:
        biased = scores.copy()
        biased[:, self._outside] += self._bias
        best: Digests = biased.argmax(axis=1).astype(np.uint64) + np.uint64(1)
        return best


def _shape(word: str) -> str:
    """Return the kinds of a word's characters; of four or more alike, three.

    >>> _shape("McKay"), _shape("1234567"), _shape("x")
    ('AaAaa', '000', 'a')
    """
    kinds = ["0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in word[:20]]
    return "".join(kind * min(3, len(list(run))) for kind, run in groupby(kinds))


def _newlines(text: str, edges: Edges) -> Digests:
    """Return 1 for each token that begins a line, and else 0."""
    ends = np.array([at for at, char in enumerate(text) if char in "\n\r"], np.int64)
    line = np.searchsorted(ends, edges[:, 0])
    return np.append(np.uint64(1), (line[1:] != line[:-1]).astype(np.uint64))[: len(edges)]


def _line_starts(newline: Digests) -> Ints:
    """Return for each token the first one of its line."""
    return np.maximum.accumulate(np.where(newline > 0, np.arange(len(newline)), 0))


def _fields(words: Sequence[str], word: Digests, first: Ints) -> Digests:
    """Return for each token the word before the last colon on its line, mixed with the one before that."""
    size = len(words)
    colon = np.fromiter((w == ":" for w in words), bool, size)
    last = np.maximum.accumulate(np.where(colon, np.arange(size), -1))
    last = np.append(-1, last[:-1])[:size]
    name = word[np.maximum(last - 1, 0)]
    before = np.where(last - 2 >= first, word[np.maximum(last - 2, 0)], np.uint64(0))
    return np.where(last > first, name * _MIX + before, np.uint64(0))


def _around(values: Digests) -> tuple[Digests, Digests, Digests, Digests]:
    """Return the values two before, one before, one after and two after each token."""
    padded = np.concatenate((np.zeros(2, np.uint64), values, np.zeros(2, np.uint64)))
    size = len(values)
    return padded[:size], padded[1 : size + 1], padded[3 : size + 3], padded[4 : size + 4]


def _mixed(number: int, columns: Sequence[Digests]) -> Ints:
    """Return a 32-bit digest of a feature's number and its values, for each token."""
    mixed = np.full(len(columns[0]), number + 1, np.uint64)
    for values in columns:
        mixed = (mixed ^ values.astype(np.uint64)) * _MIX
        mixed ^= mixed >> _SHIFT
    digests: Ints = (mixed >> np.uint64(32)).astype(np.uint32)
    return digests
