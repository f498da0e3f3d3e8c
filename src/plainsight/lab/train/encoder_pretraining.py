"""Continue the pre-training of an encoder on clinical text: it guesses hidden pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import torch
from torch import Tensor
from torch.nn import functional as f

from plainsight.detect.transformer.note_pieces import NotePieces
from plainsight.detect.transformer.pieces import PieceMaker
from plainsight.lab.train.encoder import Encoder
from plainsight.lab.train.encoder_fit import TrainingNote, windows_of
from plainsight.lab.train.loop import device, half_precision, train_network

_HIDDEN = 0.15


def adapt(
    network: Encoder,
    readings: Sequence[NotePieces],
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
    """Train a network to guess hidden pieces with its own embeddings."""
    where = device()
    generator = torch.Generator(device=where).manual_seed(seed)
    lot = windows_of(
        [TrainingNote(r, [0] * len(r.first)) for r in readings], make, size=size, random=Random(seed)
    )
    given = [part.to(where) for part in lot.given]
    order = torch.randperm(len(lot), generator=generator, device=where)

    def loss_of(start: int) -> Tensor:
        pieces, case, gap, claim, lists, mask = (part[order[start : start + batch]] for part in given)
        hidden = (torch.rand(pieces.shape, generator=generator, device=where) < _HIDDEN) & (mask > 0)
        seen = torch.where(hidden, mask_piece, pieces)
        with half_precision(where):
            states = network.states(seen, case, gap, claim, lists, mask)[hidden]
            guesses = states @ network.pieces.weight.T
        return f.cross_entropy(guesses.float(), pieces[hidden].long())

    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    starts = [step * batch % max(1, len(lot) - batch) for step in range(steps)]
    train_network(
        network, optimiser, lambda epoch: (steps, starts), loss_of, warm_up=0.1, every=50, progress=progress
    )
