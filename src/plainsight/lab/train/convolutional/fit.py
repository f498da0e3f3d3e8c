"""Fit a convolutional network on gold tags and perhaps a teacher's probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as f

from plainsight.lab.train.convolutional.corpus import NO_TAG, NoteRow, batches
from plainsight.lab.train.convolutional.network import Convolutions
from plainsight.lab.train.loop import device, half_precision, train_network

_WORD = 0.15  # of all words, the share that is known by its parts only, in training
_CLAIMS = 0.1  # of all sequences, the share without any claim


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
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Fit a network; it ends with averaged weights."""
    where = device()
    network.to(where)
    lessons = lessons.to(where)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=schedule.rate, weight_decay=schedule.decay, fused=True
    )
    cuts = batches(lessons.edges, schedule.tokens, np.random.default_rng(schedule.seed))
    torch.manual_seed(schedule.seed)

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
        lambda epoch: (schedule.steps, islice(cuts, schedule.steps)),
        loss_of,
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
