"""Fit a recurrent network: epochs over sequences, hard and soft targets, early stopping, averaged weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as f

from plainsight.detect.learned import legal_steps
from plainsight.lab.detect.bilstm.network import batches as alike
from plainsight.lab.detect.crf.chain import Chain
from plainsight.lab.train.recurrent.architecture import Architecture, Schedule
from plainsight.lab.train.recurrent.kept import flat_state, go_on, keep, load_flat_state
from plainsight.lab.train.recurrent.layers import Parts, chain_loss, device, scores
from plainsight.lab.train.recurrent.lessons import NO_TAG, Corpus, batches
from plainsight.lab.train.recurrent.packed import Batch, Packed
from plainsight.text.tags import OUTSIDE, decode

__all__ = ["Fitting", "fit"]

Read = Callable[[Mapping[str, Tensor]], Tensor]
"""A language model: what a batch's tokens are in their context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """What is fitted, on what; ``forget`` says of each column how readily its numbers pass for unknown."""

    parts: Parts
    architecture: Architecture
    schedule: Schedule
    tags: Sequence[str]
    learn: Corpus
    held: Corpus | None
    forget: Mapping[str, Tensor]
    context: Read | None
    seed: int


def fit(
    fitting: Fitting,
    folder: Path,
    of: str,
    *,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
) -> dict[str, Any]:
    """Fit until the held-out notes get no better, leave the best weights in place, and tell how it went."""
    parts, schedule, where = fitting.parts, fitting.schedule, device()
    parts.to(where)
    learn, held = Packed(fitting.learn, where), Packed(fitting.held, where) if fitting.held else None
    fitting = replace(fitting, forget={name: chance.to(where) for name, chance in fitting.forget.items()})
    optimiser = _optimiser(parts, schedule)
    averaged = {name: value.detach().clone() for name, value in parts.state_dict().items()}
    best, figures = dict(averaged), {"epoch": 0.0, "best": -1.0, "best_epoch": 0.0, "steps": 0.0}
    if (before := go_on(folder, of)) is not None:
        states, figures = before
        parts.load_state_dict(states["now"])
        load_flat_state(optimiser, states.get("optimiser", {}))
        averaged = {name: value.to(where) for name, value in states["averaged"].items()}
        best = {name: value.to(where) for name, value in states["best"].items()}
    window = fitting.architecture.pieces.get("size")
    for epoch in range(int(figures["epoch"]) + 1, schedule.epochs + 1):
        if schedule.patience and epoch - figures["best_epoch"] > schedule.patience and fitting.held:
            break
        random = np.random.default_rng([fitting.seed, epoch])
        torch.manual_seed(fitting.seed * 10_007 + epoch)
        parts.train()
        losses = []
        cut = fitting.learn.pieces(window, random)
        count = -(-len(cut) // schedule.batch)
        for step, batch in enumerate(batches(cut, schedule.batch, random)):
            _cool(optimiser, schedule, (epoch - 1 + step / count) / schedule.epochs)
            losses.append(_step(fitting, learn(batch), optimiser))
            figures["steps"] += 1
            _lag(averaged, parts, schedule, figures["steps"])
        loss = float(torch.stack(losses).mean())
        progress(epoch, loss)
        now = averaged if schedule.averaged else dict(parts.state_dict())
        reached = _held_out(fitting, held, now) if held else float(epoch)
        figures["epoch"] = epoch
        if reached > figures["best"] or not reached:  # while nothing at all is found, patience has not begun
            figures["best"], figures["best_epoch"] = reached, epoch
            best = {name: value.detach().clone() for name, value in now.items()}
        states = {"now": parts.state_dict(), "averaged": averaged, "best": best}
        keep(folder, of, {**states, "optimiser": flat_state(optimiser)}, figures)
    parts.load_state_dict(best)
    parts.eval()
    told: dict[str, Any] = {"epochs": int(figures["epoch"]), "best_epoch": int(figures["best_epoch"])}
    return {**told, "held_out_f": round(figures["best"], 4)} if fitting.held else told


def _optimiser(parts: Parts, schedule: Schedule) -> Any:
    kinds = {"sgd": torch.optim.SGD, "rmsprop": torch.optim.RMSprop, "adam": torch.optim.Adam}
    return kinds[schedule.optimiser](parts.parameters(), lr=schedule.rate)


def _cool(optimiser: Any, schedule: Schedule, done: float) -> None:
    """Warm up for a twentieth of the way, then cool to nothing."""
    if schedule.cooling:
        share = min(1.0, 20 * done + 0.01) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate * share


def _lag(averaged: Mapping[str, Tensor], parts: Parts, schedule: Schedule, steps: float) -> None:
    if schedule.averaged:
        share = min(schedule.averaged, (1 + steps) / (10 + steps))
        now = parts.state_dict()
        torch._foreach_lerp_(list(averaged.values()), [now[name] for name in averaged], 1 - share)


def _step(fitting: Fitting, batch: Batch, optimiser: Any) -> Tensor:
    given, schedule = batch.given, fitting.schedule
    for column, chance in fitting.forget.items():
        forgotten = torch.rand(given[column].shape, device=chance.device) < chance[given[column]]
        given[column] = given[column].masked_fill(forgotten, 0)
    context = fitting.context(given) if fitting.context else None
    found = scores(fitting.parts, fitting.architecture, given, context)
    loss = _loss(fitting, found, batch)
    optimiser.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    if schedule.clip_value:
        torch.nn.utils.clip_grad_value_(fitting.parts.parameters(), schedule.clip_value)
    if schedule.clip_norm:
        torch.nn.utils.clip_grad_norm_(fitting.parts.parameters(), schedule.clip_norm)
    optimiser.step()
    return loss.detach()


def _loss(fitting: Fitting, found: Tensor, batch: Batch) -> Tensor:
    """Return the loss of a token, on average: of gold tags, of a teacher's probabilities, or of both."""
    loss = _gold_loss(fitting, found, batch) if batch.known else found.sum() * 0.0
    if batch.soft is None:
        return loss
    total = batch.soft.sum(-1, keepdim=True)
    wanted = batch.soft / total.clamp(min=1e-6)
    apart = torch.special.xlogy(wanted, wanted) - wanted * f.log_softmax(found, -1)
    lesson: Tensor = apart.sum() / batch.taught
    if not batch.known:
        return lesson
    share = fitting.schedule.soft_share
    both: Tensor = (1 - share) * loss + share * lesson
    return both


def _gold_loss(fitting: Fitting, found: Tensor, batch: Batch) -> Tensor:
    if fitting.architecture.transitions != "learned":
        return f.cross_entropy(found.flatten(0, 1), batch.tags.flatten(), ignore_index=NO_TAG)
    tags, lengths = batch.tags, batch.given["lengths"]
    if len(batch.whole) < len(lengths):
        whole = torch.from_numpy(batch.whole)
        lengths, there = lengths[whole], whole.to(found.device)
        found, tags = found[:, there], tags[:, there]
    if not len(lengths):
        return found.sum() * 0.0
    lost: Tensor = chain_loss(found, fitting.parts.transitions, tags, lengths).sum() / lengths.sum()
    return lost


# --- measuring --------------------------------------------------------------------------------------------


def transitions_of(fitting: Fitting) -> NDArray[np.float32]:
    """Return the weights of going from one tag to the next, as a model holds them."""
    kind, tags = fitting.architecture.transitions, fitting.tags
    if kind == "learned":
        learned: NDArray[np.float32] = fitting.parts.transitions.detach().cpu().float().numpy()
        return learned
    return legal_steps(tags) if kind == "legal" else np.zeros((len(tags), len(tags)), np.float32)


def _held_out(fitting: Fitting, packed: Packed, weights: Mapping[str, Tensor]) -> float:
    """Return the F of whole identifiers in the held-out notes."""
    held = fitting.held
    assert held is not None
    parts = fitting.parts
    now = {name: value.detach().clone() for name, value in parts.state_dict().items()}
    parts.load_state_dict(weights)
    parts.eval()
    found = np.zeros((len(held.tags), len(fitting.tags)), np.float32)
    with torch.no_grad():
        for batch in alike(held.reading.pieces):
            given = packed(batch).given
            context = fitting.context(given) if fitting.context else None
            made = scores(parts, fitting.architecture, given, context).cpu().numpy()
            for row, (start, _, first, last) in enumerate(batch):
                found[first:last] = made[first - start : last - start, row]
    chain = Chain(transitions_of(fitting), fitting.tags.index(OUTSIDE))
    parts.load_state_dict(now)
    by_sentence = "size" not in fitting.architecture.pieces
    edges = [piece.until for piece in held.reading.pieces] if by_sentence else list(held.edges[1:])
    sequences = np.split(found, edges[:-1])
    path = np.concatenate(chain.best(sequences))
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
