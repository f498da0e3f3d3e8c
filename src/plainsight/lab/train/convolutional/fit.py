"""Fit a convolutional network: AdamW with warm-up, averaged weights, marks and a teacher's word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as f

from plainsight.lab.train.convolutional.lessons import NO_TAG, Lessons, batches
from plainsight.lab.train.convolutional.network import Convolutions
from plainsight.lab.train.fitting import device, warm_then_cool

__all__ = ["Schedule", "fit"]

_WORD = 0.15  # of all words, the share that is known by its parts only, in training
_CLAIMS = 0.1  # of all sequences, the share without any claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How to fit; ``tokens`` is how many a batch has, ``soft_share`` how much the teacher's word counts."""

    steps: int = 6000
    tokens: int = 32_768
    rate: float = 2e-3
    decay: float = 0.01
    averaged: float = 0.999
    soft_share: float = 0.7
    seed: int = 0


def fit(
    network: Convolutions,
    lessons: Lessons,
    schedule: Schedule,
    *,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Mapping[str, Tensor]:
    """Fit a network and return the averaged weights."""
    where = device()
    network.to(where).train()
    lessons = lessons.to(where)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=schedule.rate, weight_decay=schedule.decay, fused=True
    )
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: warm_then_cool(step, steps=schedule.steps, warm_up=0.05)
    )
    averaged = {name: value.detach().clone() for name, value in network.state_dict().items()}
    cuts = batches(lessons.edges, schedule.tokens, np.random.default_rng(schedule.seed))
    torch.manual_seed(schedule.seed)
    for step in range(1, schedule.steps + 1):
        starts, lengths = (torch.from_numpy(part).to(where) for part in next(cuts))
        places = torch.arange(int(lengths.max()), device=where)
        inside = places < lengths[:, None]
        at = torch.where(inside, starts[:, None] + places, 0)
        with torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda"):
            scores = network(_given(network, lessons, at), inside[..., None].float()).float()
        loss = _loss(scores[inside], lessons, at[inside], schedule)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        scheduler.step()
        share = min(schedule.averaged, (1 + step) / (10 + step))
        with torch.no_grad():
            values = network.state_dict()
            torch._foreach_lerp_(list(averaged.values()), [values[name] for name in averaged], 1 - share)
        if step % 100 == 0 or step == schedule.steps:
            progress(step, float(loss.detach()))
    network.load_state_dict(averaged)
    return averaged


def _given(network: Convolutions, lessons: Lessons, at: Tensor) -> Tensor:
    """Return what the layers are given; in training, some words lack themselves, some sequences claims."""
    different, which = torch.unique(lessons.words[at], return_inverse=True)
    features, claims = lessons.features[different].long(), lessons.claims[at]
    if network.training:
        hidden = torch.rand(len(features), device=at.device) < _WORD
        features[:, 0] = torch.where(hidden, 0, features[:, 0])
        claims = claims * (torch.rand(len(at), 1, device=at.device) >= _CLAIMS)
    words = network.words(features, lessons.pieces[different].long())
    made: Tensor = words[which] + network.gaps(lessons.gaps[at]) + network.claims(claims)
    return made


def _loss(scores: Tensor, lessons: Lessons, at: Tensor, schedule: Schedule) -> Tensor:
    tags = lessons.tags[at]
    known = (tags != NO_TAG).sum().clamp(min=1)
    hard = f.nll_loss(scores, tags, ignore_index=NO_TAG, reduction="sum") / known
    if lessons.soft is None:
        return hard
    taught = f.kl_div(scores, lessons.soft[at].float(), reduction="batchmean")
    return (1 - schedule.soft_share) * hard + schedule.soft_share * taught
