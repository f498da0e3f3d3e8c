"""Fit a recurrent network until held-out notes get no better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as f

from plainsight.detect.learned import bio_transitions
from plainsight.lab.detect.bilstm import batches as alike
from plainsight.lab.detect.chain import Chain
from plainsight.lab.train.checkpoint import Checkpoint
from plainsight.lab.train.loop import train_network
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.corpus import NO_TAG, Corpus, batches
from plainsight.lab.train.recurrent.layers import Parts, chain_loss, scores, set_up_device
from plainsight.lab.train.recurrent.tensors import Batch, CorpusTensors
from plainsight.text.tags import OUTSIDE, decode

Read = Callable[[Mapping[str, Tensor]], Tensor]
"""A language model: what a batch's tokens are in their context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """A network and its notes; ``forget`` is the chance of each row of a column to pass for unknown."""

    parts: Parts
    architecture: Architecture
    tags: Sequence[str]
    learn: Corpus
    held: Corpus | None
    forget: Mapping[str, Tensor]
    context: Read | None
    seed: int


def fit(
    fitting: Fitting,
    checkpoint: Checkpoint,
    *,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
) -> dict[str, Any]:
    """Fit until the held-out notes get no better, leave the best weights in place, and return figures."""
    parts, schedule, where = fitting.parts, fitting.architecture.schedule, set_up_device()
    parts.to(where)
    learn = CorpusTensors(fitting.learn, where)
    held = CorpusTensors(fitting.held, where) if fitting.held else None
    forget = {name: chance.to(where) for name, chance in fitting.forget.items()}
    window = fitting.architecture.pieces.get("size")

    def batches_of(epoch: int) -> tuple[int, Iterable[Batch]]:
        random = np.random.default_rng([fitting.seed, epoch])
        torch.manual_seed(fitting.seed * 10_007 + epoch)
        cut = fitting.learn.pieces(window, random)
        return -(-len(cut) // schedule.batch), map(learn, batches(cut, schedule.batch, random))

    def loss_of(batch: Batch) -> Tensor:
        for column, chance in forget.items():
            row = batch.given[column]
            forgotten = torch.rand(row.shape, device=where) < chance[row]
            batch.given[column] = row.masked_fill(forgotten, 0)
        return _loss(fitting, _scores(fitting, batch), batch)

    reached = train_network(
        parts,
        _OPTIMISERS[schedule.optimiser](parts.parameters(), lr=schedule.rate),
        batches_of,
        loss_of,
        epochs=schedule.epochs,
        warm_up=0.05 if schedule.cooling else 0.0,
        averaged=schedule.averaged,
        clip_norm=schedule.clip_norm,
        clip_value=schedule.clip_value,
        evaluate=(lambda: _held_out(fitting, held)) if held else None,
        patience=schedule.patience,
        checkpoint=checkpoint,
        progress=progress,
    )
    figures: dict[str, Any] = {"epochs": reached.epochs, "best_epoch": reached.best_epoch}
    return {**figures, "held_out_f": round(reached.best, 4)} if held else figures


_OPTIMISERS: Mapping[str, Any] = {
    "sgd": torch.optim.SGD,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
}


def _scores(fitting: Fitting, batch: Batch) -> Tensor:
    context = fitting.context(batch.given) if fitting.context else None
    return scores(fitting.parts, fitting.architecture, batch.given, context)


def _loss(fitting: Fitting, found: Tensor, batch: Batch) -> Tensor:
    """Return the mean loss of a token."""
    if fitting.architecture.transitions != "learned":
        return f.cross_entropy(found.flatten(0, 1), batch.tags.flatten(), ignore_index=NO_TAG)
    lengths = batch.given["lengths"]
    lost: Tensor = chain_loss(found, fitting.parts.transitions, batch.tags, lengths).sum() / lengths.sum()
    return lost


# --- measuring --------------------------------------------------------------------------------------------


def transitions_of(fitting: Fitting) -> NDArray[np.float32]:
    """Return the transition weights between tags, as a model stores them."""
    kind, tags = fitting.architecture.transitions, fitting.tags
    if kind == "learned":
        learned: NDArray[np.float32] = fitting.parts.transitions.detach().cpu().float().numpy()
        return learned
    return bio_transitions(tags) if kind == "legal" else np.zeros((len(tags), len(tags)), np.float32)


def _held_out(fitting: Fitting, held_tensors: CorpusTensors) -> float:
    """Return the F of whole identifiers in the held-out notes."""
    held = fitting.held
    assert held is not None
    found = np.zeros((len(held.tags), len(fitting.tags)), np.float32)
    with torch.no_grad():
        for batch in alike(held.reading.pieces):
            made = _scores(fitting, held_tensors(batch)).cpu().numpy()
            for row, (start, _, first, last) in enumerate(batch):
                found[first:last] = made[first - start : last - start, row]
    by_sentence = "size" not in fitting.architecture.pieces
    edges = [piece.until for piece in held.reading.pieces] if by_sentence else list(held.edges[1:])
    path = np.concatenate(Chain(transitions_of(fitting)).best(np.split(found, edges[:-1])))
    return _f(_entities(path, fitting.tags, edges), _entities(held.tags, fitting.tags, edges))


def _entities(
    path: NDArray[np.int64], tags: Sequence[str], edges: Sequence[int]
) -> set[tuple[int, int, str]]:
    made = set()
    start = 0
    for end in edges:
        tokens = [(place, place + 1) for place in range(start, end)]
        named = [tags[tag] if tag >= 0 else OUTSIDE for tag in path[start:end]]
        made |= {(span.start, span.end, span.label) for span in decode(named, tokens)}
        start = end
    return made


def _f(found: set[Any], gold: set[Any]) -> float:
    return 2 * len(found & gold) / max(1, len(found) + len(gold))
