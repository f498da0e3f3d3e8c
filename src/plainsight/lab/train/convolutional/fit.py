"""Fit a convolutional network on gold tags and perhaps a teacher's probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as f

from plainsight.detect.convolution.features import WordRows
from plainsight.detect.convolution.note_tokens import NoteTokens
from plainsight.lab.train.checkpoint import Checkpoint
from plainsight.lab.train.convolutional.network import Convolutions
from plainsight.lab.train.loop import device, half_precision, train_network

_SEEDS = 10_007  # seeds between those of two trainings, one for each round
_WORD = 0.15  # the share of words that training hides, so that only their parts are seen
_CLAIMS = 0.1  # the share of sequences whose claims training hides


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How to fit; ``tokens`` is the size of a batch, ``soft_share`` the weight of the teacher."""

    steps: int = 6000
    tokens: int = 32_768
    rate: float = 2e-3
    decay: float = 0.01
    averaged: float = 0.999
    soft_share: float = 0.7
    seed: int = 0


def fit(
    network: Convolutions,
    lessons: NoteRow,
    schedule: Schedule,
    *,
    rounds: int = 1,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Fit a network; it ends with averaged weights.

    After each of some ``rounds`` the ``checkpoint`` may be saved, and an interrupted training continues from
    there, as if it had not been interrupted.
    """
    where = device()
    network.to(where)
    lessons = lessons.to(where)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=schedule.rate, weight_decay=schedule.decay, fused=True
    )

    def batches_of(number: int) -> tuple[int, Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]]:
        seed = schedule.seed if number == 1 else schedule.seed * _SEEDS + number
        torch.manual_seed(seed)
        cuts = batches(lessons.edges, schedule.tokens, np.random.default_rng(seed))
        steps = schedule.steps * number // rounds - schedule.steps * (number - 1) // rounds
        return steps, islice(cuts, steps)

    def loss_of(cut: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Tensor:
        starts, lengths = (torch.from_numpy(part).to(where) for part in cut)
        places = torch.arange(int(lengths.max()), device=where)
        inside = places < lengths[:, None]
        at = torch.where(inside, starts[:, None] + places, 0)
        with half_precision(where):
            scores = network(_given(network, lessons, at), inside[..., None].float()).float()
        return _loss(scores[inside], lessons, at[inside], schedule)

    train_network(
        network,
        optimiser,
        batches_of,
        loss_of,
        epochs=rounds,
        checkpoint=checkpoint,
        averaged=schedule.averaged,
        every=min(100, schedule.steps),
        progress=progress,
    )


def _given(network: Convolutions, lessons: NoteRow, at: Tensor) -> Tensor:
    """Return the input vectors; training hides some words and the claims of some sequences."""
    different, which = torch.unique(lessons.words[at], return_inverse=True)
    features, claims = lessons.features[different].long(), lessons.claims[at]
    if network.training:
        hidden = torch.rand(len(features), device=at.device) < _WORD
        features[:, 0] = torch.where(hidden, 0, features[:, 0])
        claims = claims * (torch.rand(len(at), 1, device=at.device) >= _CLAIMS)
    words = network.words(features, lessons.pieces[different].long())
    made: Tensor = words[which] + network.gaps(lessons.gaps[at]) + network.claims(claims)
    return made


def _loss(scores: Tensor, lessons: NoteRow, at: Tensor, schedule: Schedule) -> Tensor:
    tags = lessons.tags[at]
    known = (tags != NO_TAG).sum().clamp(min=1)
    hard = f.nll_loss(scores, tags, ignore_index=NO_TAG, reduction="sum") / known
    if lessons.soft is None:
        return hard
    taught = f.kl_div(scores, lessons.soft[at].float(), reduction="batchmean")
    return (1 - schedule.soft_share) * hard + schedule.soft_share * taught


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
        parts: list[Any] = [getattr(self, part.name) for part in fields(self)]
        moved: list[Any] = [part.to(where) if isinstance(part, Tensor) else part for part in parts]
        return NoteRow(*moved)


class TrainingNote(NamedTuple):
    """A training note; without ``tags`` there are only the teacher's probabilities."""

    inputs: NoteTokens
    tags: NDArray[np.integer] | None
    soft: NDArray[np.floating] | None = None


def notes_in_a_row(notes: Sequence[TrainingNote], rows: WordRows) -> NoteRow:
    """Concatenate notes."""
    numbers: dict[str, int] = {}
    words = [
        np.array([numbers.setdefault(word, len(numbers)) for word in note.inputs.words], np.int64)
        for note in notes
    ]
    features, pieces = map(_padded, zip(*map(rows.lookup, numbers), strict=True))
    tags = [
        np.full(len(note.inputs.edges), NO_TAG) if note.tags is None else np.asarray(note.tags)
        for note in notes
    ]
    soft = None
    if notes[0].soft is not None:
        soft = torch.from_numpy(np.concatenate([np.asarray(note.soft, np.float16) for note in notes]))
    return NoteRow(
        torch.from_numpy(np.concatenate(words)),
        features,
        pieces,
        torch.from_numpy(np.concatenate([note.inputs.gaps for note in notes])),
        torch.from_numpy(np.concatenate([note.inputs.claims for note in notes])),
        torch.from_numpy(np.concatenate(tags).astype(np.int64)),
        soft,
        np.cumsum([0, *map(len, words)]).tolist(),
    )


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Return the rows of words as one tensor, padded with 0."""
    padded = np.zeros((len(rows), max(1, *map(len, rows))), np.int32)
    for index, own in enumerate(rows):
        padded[index, : len(own)] = own
    return torch.from_numpy(padded)


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
