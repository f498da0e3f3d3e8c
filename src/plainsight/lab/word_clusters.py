"""Group the words of notes by the labels that a model expects in their places (S174).

A word's vector is the mean, over all its places, of the probability of each label there: it depends on
context, not on spelling. Words with similar vectors form a cluster. An annotator sees at a glance which
unmarked words stand where names, places or numbers stand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plainsight.arrays import Doubles, Ints
from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.lab.detect.stacker import probabilities_of
from plainsight.model import read_manifest
from plainsight.text.tags import OUTSIDE, encode
from plainsight.text.tokens import tokenize

_ROUNDS = 30
_SURELY_NONE = 0.9  # a word with a higher mean probability of no label is left out


@dataclass(frozen=True, slots=True)
class Word:
    """A word in small letters, how often it occurs, and how often it is marked."""

    text: str
    count: int
    marked: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Words in like places: the label that the model expects there, how surely, and the words."""

    label: str
    share: float
    words: tuple[Word, ...]


def word_clusters(
    documents: Sequence[Document],
    *,
    model: str = "conv-en",
    clusters: int = 30,
    least: int = 2,
    seed: int = 0,
) -> list[Cluster]:
    """Return clusters of the words that occur ``least`` times, those with the most unmarked places first.

    ``model`` is a bundled model's name or a model folder. Words that hardly ever look like an identifier are
    left out. The same notes and seed give the same clusters.
    """
    tags = read_manifest(model)["tags"]
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    column = [0 if tag == OUTSIDE else 1 + labels.index(tag[2:]) for tag in tags]
    into = np.eye(1 + len(labels))[column]
    sums: dict[str, Doubles] = defaultdict(lambda: np.zeros(1 + len(labels)))
    counts, marked = Counter[str](), Counter[str]()
    for document, probabilities in zip(documents, probabilities_of(model)(documents), strict=True):
        tokens = tokenize(document.text)
        rows = probabilities @ into
        for (start, end), row, tag in zip(tokens, rows, encode(document.spans, tokens), strict=True):
            word = document.text[start:end].lower()
            if any(map(str.isalpha, word)):
                sums[word] += row
                counts[word] += 1
                marked[word] += tag != OUTSIDE
    words = [
        word for word in sorted(sums) if counts[word] >= least and sums[word][0] < _SURELY_NONE * counts[word]
    ]
    if not words:
        raise DataError(f"no word occurs {least} times and looks like an identifier")
    vectors = np.stack([sums[word] / counts[word] for word in words])
    group = _grouped(np.sqrt(vectors), clusters, np.random.default_rng(seed))
    made = []
    for number in range(group.max() + 1):
        places = np.flatnonzero(group == number)
        mean = vectors[places].mean(axis=0)
        likely = 1 + int(mean[1:].argmax())
        members = [Word(words[at], counts[words[at]], marked[words[at]]) for at in places]
        members.sort(key=lambda word: (-word.count, word.text))
        made.append(Cluster(labels[likely - 1], float(mean[likely]), tuple(members)))
    return sorted(made, key=lambda one: -one.share * sum(word.count - word.marked for word in one.words))


def _grouped(rows: Doubles, groups: int, random: np.random.Generator) -> Ints:
    """Return the group of each row by k-means, begun far apart; groups that end empty are left out."""
    centres = rows[[int(random.integers(len(rows)))]]
    for _ in range(min(groups, len(rows)) - 1):
        far = ((rows[:, None] - centres) ** 2).sum(axis=2).min(axis=1)
        if not far.any():
            break
        centres = np.vstack([centres, rows[random.choice(len(rows), p=far / far.sum())]])
    group: Ints = np.zeros(len(rows), np.int64)
    for _ in range(_ROUNDS):
        nearest = ((rows[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        used, group = np.unique(nearest, return_inverse=True)
        centres = np.stack([rows[group == number].mean(axis=0) for number in range(len(used))])
    return group
