"""Learn corrections of a network from notes that a reader corrected, in seconds on a processor.

The network stays as it is. For every feature of a token (`plainsight.detect.corrected.features`) and every
tag a number is learned that is added to the network's score: a multinomial logistic regression that starts at
what the network says. Notes that the network was trained on are replayed with the corrections, so that what
holds for one site does not spoil the rest; where the corrections say nothing, the network decides alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plainsight.arrays import Floats, Ints
from plainsight.detect.corrected.features import FEATURES, Digests32, Features, word_key
from plainsight.detect.learned import TokenScorer, claims_of
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.lab.train.extra import require
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, encode

PENALTIES = (0.3, 1.0, 3.0)
"""Of large corrections: a higher one is tried if the model forgets notes that are not the site's."""

_LEAST_COUNT = 2  # a feature of a single token says nothing about others
_LEAST_WEIGHT = 0.02  # smaller ones change no decision and are left out
_BATCH = 64  # notes scored together
_RATE = 0.25


@dataclass(frozen=True, slots=True)
class Examples:
    """Tokens as a corrector sees them: their features, the network's scores, the right tag.

    The scores are without the policy's bias, so what the bias adds to recall is not learned away.
    """

    digests: Digests32
    scores: Floats
    gold: Ints

    def __len__(self) -> int:
        return len(self.gold)

    def at(self, rows: Ints) -> Examples:
        """Return some of the tokens."""
        return Examples(self.digests[rows], self.scores[rows], self.gold[rows])


def joined(parts: Sequence[Examples]) -> Examples:
    """Return the tokens of several notes together."""
    if not any(map(len, parts)):
        raise UsageError("the corrected notes hold no word to learn from")
    columns = zip(*((part.digests, part.scores, part.gold) for part in parts if len(part)), strict=True)
    return Examples(*map(np.concatenate, columns))


class Corrector:
    """Learn the corrections of one network under one key; ``bias`` is the one that the policy gives it."""

    def __init__(self, network: TokenScorer, *, bias: float, secret: bytes, salt: str | None = None) -> None:
        require("learning corrections", "scipy")
        self.network = network
        self.bias = bias
        self.salt = salt or os.urandom(32).hex()
        self._key, self._check = word_key(secret, self.salt)
        self._tags: Sequence[str] = network.manifest["tags"]
        self._outside = self._tags.index(OUTSIDE)
        self._features = Features(self._key, outside=self._outside, bias=bias)

    def examples(self, documents: Sequence[Document]) -> Examples:
        """Return the tokens of notes with the right spans."""
        return joined(self.examples_of(documents))

    def examples_of(self, documents: Sequence[Document]) -> list[Examples]:
        """Return the tokens of each note with the right spans."""
        numbers = {tag: number for number, tag in enumerate(self._tags)}
        each: list[Examples] = []
        for at in range(0, len(documents), _BATCH):
            batch = documents[at : at + _BATCH]
            scored = self.network.scores_of(batch, claims_of(self.network.needs, batch))
            for document, (tokens, scores) in zip(batch, scored, strict=True):
                pairs = [(int(start), int(end)) for start, end in tokens]
                known = [span for span in document.spans if f"B-{span.label}" in numbers]
                gold = np.array([numbers[tag] for tag in encode(known, pairs)], np.int64)
                digests = self._features(document.text, tokens, scores)
                each.append(Examples(digests, scores, gold))
        return each

    def learn(
        self,
        site: Examples,
        folder: Path,
        *,
        replay: Examples | None = None,
        penalty: float = PENALTIES[0],
        steps: int = 60,
        about: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Learn from corrected and replayed tokens, write the model folder and return its manifest."""
        found, counts = np.unique(site.digests, return_counts=True)
        digests = found[counts >= _LEAST_COUNT]
        tags = np.unique(np.concatenate((site.gold, site.scores.argmax(axis=1), [self._outside])))
        parts = [site] if replay is None else [site, replay]
        weights = _fit(parts, digests, tags, penalty=penalty, steps=steps)
        kept = np.abs(weights).max(axis=1, initial=0.0) >= _LEAST_WEIGHT
        manifest = self.network.manifest
        return save_model(
            folder,
            kind="corrected",
            manifest={
                "description": "corrections of one site's readers; not for any other site",
                "labels": list(manifest["labels"]),
                "tags": list(self._tags),
                "claims": manifest["claims"],
                "bias": self.bias,
                "features": FEATURES,
                "salt": self.salt,
                "key": self._check,
                **(about or {}),
            },
            arrays={
                "digests": digests[kept],
                "tags": tags,
                "weights": weights[kept].astype(np.float16).astype(np.float32),
            },
        )


def _fit(parts: Sequence[Examples], digests: Digests32, tags: Ints, *, penalty: float, steps: int) -> Floats:
    """Return the weight of each feature for each tag, by full-batch steps of Adam."""
    from scipy.sparse import vstack

    rows_of = [_unlike(part) for part in parts]  # most lines of a site are repeated
    merged = [(part.at(rows), counts) for part, (rows, counts) in zip(parts, rows_of, strict=True)]
    matrix = vstack([_matrix(part.digests, digests) for part, _ in merged]).tocsr()
    base = np.concatenate([_columns(part.scores, tags) for part, _ in merged])
    gold = np.concatenate([_places(part.gold, tags) for part, _ in merged])
    often = np.concatenate([counts for _, counts in merged]).astype(np.float32)[:, None]
    transposed = matrix.T.tocsr()
    weights = np.zeros((len(digests), len(tags)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    rows = np.arange(len(gold))
    for step in range(1, steps + 1):
        logits = base.copy()
        logits[:, :-1] += matrix @ weights
        logits -= logits.max(axis=1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=1, keepdims=True)
        logits[rows, gold] -= 1.0
        logits *= often
        gradient = transposed @ logits[:, :-1] + penalty * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = _RATE * (1.0 - (step - 1) / steps)
        adapted = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-3)
        weights -= rate * adapted
    return weights


def _unlike(part: Examples) -> tuple[Ints, Ints]:
    """Return one token of each kind, by features and right tag, and how many there are of it."""
    table = np.concatenate((part.digests, part.gold[:, None].astype(np.uint32)), axis=1)
    rows = np.ascontiguousarray(table).view([("", table.dtype)] * table.shape[1]).ravel()
    _, first, counts = np.unique(rows, return_index=True, return_counts=True)
    return first, counts


def _matrix(features: Digests32, digests: Digests32) -> Any:
    """Return a sparse matrix of tokens by known features."""
    from scipy.sparse import csr_matrix

    places = np.minimum(np.searchsorted(digests, features), max(len(digests) - 1, 0))
    known = digests[places] == features if len(digests) else np.zeros(features.shape, bool)
    ends = np.append(0, known.sum(axis=1).cumsum())
    values = np.ones(int(ends[-1]), np.float32)
    return csr_matrix((values, places[known], ends), shape=(len(features), len(digests)))


def _columns(scores: Floats, tags: Ints) -> Floats:
    """Return the scores of some tags, and in one more column that of all the others together."""
    others = np.delete(scores, tags, axis=1)
    if others.shape[1]:
        rest = np.logaddexp.reduce(others, axis=1, keepdims=True)
    else:
        rest = np.full((len(scores), 1), -1e4, np.float32)
    return np.concatenate((scores[:, tags], rest), axis=1).astype(np.float32)


def _places(gold: Ints, tags: Ints) -> Ints:
    """Return the column of each right tag; that of the others is the last one."""
    places = np.searchsorted(tags, gold)
    places[places == len(tags)] = 0
    return np.where(tags[places] == gold, places, len(tags))
