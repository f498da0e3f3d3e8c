"""Digests of features: what a model knows instead of the words of notes.

Who has a word can still ask a model whether it knows it, as with any model; nobody can read the words. The
digest of two words together is mixed from those of both, so that a note's pairs are looked up all at once.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIGEST", "Digests", "digest", "mixed", "narrowed", "widened", "word_digest"]

Digests = NDArray[np.uint64]

DIGEST = 6
"""The bytes of a digest: of a million features, one in 300 million unknown ones passes for a known one."""

_SPARE = np.uint64(64 - 8 * DIGEST)
_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xD6E8FEB86659FD93)


@lru_cache(maxsize=1 << 15)
def digest(channel: str, feature: str, *, size: int = DIGEST) -> int:
    """Return the number by which models know a channel's feature."""
    name = f"{channel} {feature}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=size, usedforsecurity=False).digest(), "big")


def word_digest(word: str) -> int:
    """Return the eight bytes by which a word enters the digests of pairs."""
    return digest("", word, size=8)


def mixed(channel: str, ones: Digests, others: Digests) -> Digests:
    """Return the digests of pairs of words for a channel, given those of the words, of eight bytes."""
    salt = np.uint64(digest(channel, "", size=8))
    both = (ones ^ salt) * _ODD[0] + others * _ODD[1]
    both ^= both >> np.uint64(32)
    both *= _ODD[2]
    both ^= both >> np.uint64(29)
    return np.asarray((both * _ODD[0]) >> _SPARE, dtype=np.uint64)


def narrowed(digests: Digests) -> NDArray[np.uint8]:
    """Return digests as the bytes of a model's file."""
    wide = digests.astype(">u8").view(np.uint8).reshape(-1, 8)
    return np.ascontiguousarray(wide[:, 8 - DIGEST :]).ravel()


def widened(content: NDArray[np.uint8]) -> Digests:
    """Return the digests of a model's file."""
    wide = np.zeros((len(content) // DIGEST, 8), dtype=np.uint8)
    wide[:, 8 - DIGEST :] = content.reshape(-1, DIGEST)
    return wide.view(">u8").ravel().astype(np.uint64)
