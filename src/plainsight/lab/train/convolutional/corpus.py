"""Training notes as one long row of numbers, cut into sequences of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plainsight.detect.convolution.note_tokens import NoteTokens
from plainsight.detect.convolution.words import AT_ONCE, Rows, WordRows

NO_TAG = -100
"""The tag of a token whose tag is not known."""

_MOST = 512  # tokens of a sequence


@dataclass(frozen=True, slots=True)
class NoteRow:
    """Many notes in one row, and the features and pieces of each distinct word, padded with 0."""

    words: Tensor
    features: Tensor
    pieces: Tensor
    gaps: Tensor
    claims: Tensor
    tags: Tensor
    soft: Tensor | None
    edges: Sequence[int]

    def to(self, where: torch.device) -> NoteRow:
        """Move all tensors to a device."""
        return NoteRow(
            self.words.to(where),
            self.features.to(where),
            self.pieces.to(where),
            self.gaps.to(where),
            self.claims.to(where),
            self.tags.to(where),
            None if self.soft is None else self.soft.to(where),
            self.edges,
        )


class TrainingNote(NamedTuple):
    """A training note; without ``tags`` there are only the teacher's probabilities."""

    reading: NoteTokens
    tags: NDArray[np.integer] | None
    soft: NDArray[np.floating] | None = None


def notes_in_a_row(notes: Sequence[TrainingNote], rows: WordRows) -> NoteRow:
    """Concatenate notes."""
    numbers: dict[str, int] = {}
    words = [
        np.array([numbers.setdefault(word, len(numbers)) for word in note.reading.words], np.int64)
        for note in notes
    ]
    every = list(numbers)
    told = [rows.of(every[first : first + AT_ONCE]) for first in range(0, len(every), AT_ONCE)]
    features, pieces = (_padded(of_words) for of_words in zip(*told, strict=True))
    tags = [
        np.full(len(note.reading.edges), NO_TAG) if note.tags is None else np.asarray(note.tags)
        for note in notes
    ]
    soft = None
    if notes[0].soft is not None:
        soft = torch.from_numpy(np.concatenate([np.asarray(note.soft, np.float16) for note in notes]))
    return NoteRow(
        torch.from_numpy(np.concatenate(words)),
        features,
        pieces,
        torch.from_numpy(np.concatenate([note.reading.gaps for note in notes])),
        torch.from_numpy(np.concatenate([note.reading.claims for note in notes])),
        torch.from_numpy(np.concatenate(tags).astype(np.int64)),
        soft,
        np.cumsum([0, *map(len, words)]).tolist(),
    )


def _padded(rows: Sequence[Rows]) -> Tensor:
    """Return the rows of words as one tensor, padded with 0."""
    places, counts = map(np.concatenate, zip(*rows, strict=True))
    made = np.zeros((len(counts), counts.max(initial=1)), np.int32)
    made[np.arange(made.shape[1]) < counts[:, None]] = places
    return torch.from_numpy(made)


def _pieces(edges: Sequence[int], random: np.random.Generator) -> NDArray[np.int64]:
    """Return starts and lengths of sequences; long notes are cut, at other places each time."""
    made = []
    for start, end in pairwise(edges):
        first = start + int(random.integers(_MOST // 2, _MOST + 1))
        cuts = [start, *range(first, end, _MOST), end]
        made += [(one, two - one) for one, two in pairwise(cuts) if two > one]
    return np.array(made, np.int64)


def batches(
    edges: Sequence[int], tokens: int, random: np.random.Generator
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield endless batches: starts and lengths of sequences of similar length."""
    while True:
        pieces = _pieces(edges, random)
        order = np.argsort(pieces[:, 1] + random.uniform(0, 32, len(pieces)))
        made, first, longest = [], 0, 0
        for place, length in enumerate(pieces[order, 1].tolist()):
            longest = max(longest, length)
            if (place - first + 1) * longest > tokens and place > first:
                made.append(order[first:place])
                first, longest = place, length
        made.append(order[first:])
        for place in random.permutation(len(made)).tolist():
            yield pieces[made[place], 0], pieces[made[place], 1]
