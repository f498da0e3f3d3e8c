"""Go on reading: an encoder guesses hidden pieces of clinical text before it learns to find identifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import torch
from torch.nn import functional as f

from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.detect.transformer.reading import Reading
from plainsight.lab.train.encoder import Encoder
from plainsight.lab.train.fitting import Lesson, device, lot_of

__all__ = ["adapt"]

_HIDDEN = 0.15


def adapt(
    network: Encoder,
    readings: Sequence[Reading],
    make: PieceMaker,
    *,
    mask_piece: int,
    steps: int,
    batch: int = 64,
    size: int = 256,
    rate: float = 1e-4,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Let a network guess pieces by their neighbours; what it guesses with are its own embeddings."""
    where = device()
    network.to(where).train()
    generator = torch.Generator(device=where).manual_seed(seed)
    lot = lot_of([Lesson(r, [0] * len(r.first)) for r in readings], make, size=size, random=Random(seed))
    given = [part.to(where) for part in lot.given]
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    order = torch.randperm(len(lot), generator=generator, device=where)
    for step in range(steps):
        warm = min(1.0, step / (0.1 * steps)) * min(1.0, (steps - step) / (0.5 * steps))
        for group in optimiser.param_groups:
            group["lr"] = rate * warm
        start = step * batch % max(1, len(lot) - batch)
        pieces, case, gap, claim, lists, mask = (part[order[start : start + batch]] for part in given)
        hidden = (torch.rand(pieces.shape, generator=generator, device=where) < _HIDDEN) & (mask > 0)
        seen = torch.where(hidden, mask_piece, pieces)
        with torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda"):
            states = network.states(seen, case, gap, claim, lists, mask)[hidden]
            guesses = states @ network.pieces.weight.T
        loss = f.cross_entropy(guesses.float(), pieces[hidden].long())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % 50 == 0:
            progress(step, float(loss.detach()))
