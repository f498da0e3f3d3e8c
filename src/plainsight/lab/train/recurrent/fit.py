"""Fit a recurrent network until held-out notes get no better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as f

from plainsight.arrays import Floats, Ints
from plainsight.detect.learned import bio_transitions
from plainsight.lab.detect.bilstm import batches as similar_batches
from plainsight.lab.detect.chain import Chain
from plainsight.lab.train.checkpoint import Checkpoint
from plainsight.lab.train.loop import train_network
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.corpus import NO_TAG, Corpus, Tables, batches
from plainsight.lab.train.recurrent.language import LanguageModel
from plainsight.lab.train.recurrent.layers import (
    Batch,
    Parts,
    batch_of,
    chain_loss,
    new_parts,
    scores,
    set_up_device,
)
from plainsight.text.tags import OUTSIDE, decode

_OPTIMISERS: Mapping[str, Any] = {
    "sgd": torch.optim.SGD,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """A network and its notes; ``forget`` is the chance of each row of a column to pass for unknown."""

    parts: Parts
    architecture: Architecture
    tags: Sequence[str]
    learn: Corpus
    held_out: Corpus | None
    forget: Mapping[str, Tensor]
    context: LanguageModel | None
    seed: int


def new_fitting(
    tags: Sequence[str],
    learn: Corpus,
    held_out: Corpus | None,
    architecture: Architecture,
    tables: Tables,
    context: LanguageModel | None,
    seed: int,
) -> Fitting:
    """Return a network with random weights and the initial word vectors, ready to be fitted."""
    where = set_up_device()
    torch.manual_seed(seed)
    parts = new_parts(
        architecture,
        rows={column: len(tables.arrays[f"column-{column}"]) for column in architecture.columns},
        signs=len(tables.arrays.get("characters", ())),
        context=context.width if context else 0,
        tags=len(tags),
    )
    for column, vectors in tables.vectors.items():
        known = torch.from_numpy(~np.isnan(vectors[:, 0]))
        parts[f"column-{column}"].weight.data[known] = torch.from_numpy(vectors)[known]
    forget = {}
    for column in {"vector", "word"} & architecture.columns.keys():
        counts = torch.from_numpy(tables.counts[column])
        rare = (counts > 0) & (counts <= architecture.forget_most)
        forget[column] = torch.where(rare, architecture.forget / (architecture.forget + counts), 0.0).to(
            where
        )
    return Fitting(
        parts=parts.to(where),
        architecture=architecture,
        tags=tags,
        learn=learn,
        held_out=held_out,
        forget=forget,
        context=context,
        seed=seed,
    )


def fit(
    fitting: Fitting,
    checkpoint: Checkpoint,
    *,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
) -> dict[str, Any]:
    """Fit until the held-out notes get no better, leave the best weights in place, and return figures."""
    parts, schedule = fitting.parts, fitting.architecture.schedule

    def batches_of(epoch: int) -> tuple[int, Iterable[Batch]]:
        random = np.random.default_rng([fitting.seed, epoch])
        torch.manual_seed(fitting.seed * 10_007 + epoch)
        cut = fitting.learn.pieces(fitting.architecture.pieces.get("size"), random)
        made = (batch_of(fitting.learn, some) for some in batches(cut, schedule.batch, random))
        return -(-len(cut) // schedule.batch), made

    def loss_of(batch: Batch) -> Tensor:
        for column, chance in fitting.forget.items():
            row = batch.inputs[column]
            forgotten = torch.rand(row.shape, device=row.device) < chance[row]
            batch.inputs[column] = row.masked_fill(forgotten, 0)
        found = _scores(fitting, batch)
        if fitting.architecture.transitions != "learned":
            return f.cross_entropy(found.flatten(0, 1), batch.tags.flatten(), ignore_index=NO_TAG)
        lengths = batch.inputs["lengths"]
        return chain_loss(found, parts.transitions, batch.tags, lengths).sum() / lengths.sum()

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
        evaluate=(lambda: _held_out_f(fitting)) if fitting.held_out else None,
        patience=schedule.patience,
        checkpoint=checkpoint,
        progress=progress,
    )
    figures: dict[str, Any] = {"epochs": reached.epochs, "best_epoch": reached.best_epoch}
    return {**figures, "held_out_f": round(reached.best, 4)} if fitting.held_out else figures


def _scores(fitting: Fitting, batch: Batch) -> Tensor:
    context = fitting.context(batch.inputs) if fitting.context else None
    return scores(fitting.parts, fitting.architecture, batch.inputs, context)


def transitions_of(fitting: Fitting) -> Floats:
    """Return the transition weights between tags, as a model stores them."""
    kind, tags = fitting.architecture.transitions, fitting.tags
    if kind == "learned":
        learned: Floats = fitting.parts.transitions.detach().cpu().float().numpy()
        return learned
    return bio_transitions(tags) if kind == "legal" else np.zeros((len(tags), len(tags)), np.float32)


def _held_out_f(fitting: Fitting) -> float:
    """Return the F of whole identifiers in the held-out notes."""
    corpus = fitting.held_out
    assert corpus is not None
    found = np.zeros((len(corpus.tags), len(fitting.tags)), np.float32)
    with torch.no_grad():
        for batch in similar_batches(corpus.inputs.pieces):
            made = _scores(fitting, batch_of(corpus, batch)).cpu().numpy()
            for row, (start, _, first, last) in enumerate(batch):
                found[first:last] = made[first - start : last - start, row]
    by_sentence = "size" not in fitting.architecture.pieces
    edges = [piece.until for piece in corpus.inputs.pieces] if by_sentence else list(corpus.edges[1:])
    path = np.concatenate(Chain(transitions_of(fitting)).best(np.split(found, edges[:-1])))
    ours, gold = (_entities(tags, fitting.tags, edges) for tags in (path, corpus.tags))
    return 2 * len(ours & gold) / max(1, len(ours) + len(gold))


def _entities(path: Ints, tags: Sequence[str], edges: Sequence[int]) -> set[tuple[int, int, str]]:
    made = set()
    start = 0
    for end in edges:
        tokens = [(place, place + 1) for place in range(start, end)]
        named = [tags[tag] if tag >= 0 else OUTSIDE for tag in path[start:end]]
        made |= {(span.start, span.end, span.label) for span in decode(named, tokens)}
        start = end
    return made
