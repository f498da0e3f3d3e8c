"""Fit an encoder on windows of notes, with gold tags and perhaps a teacher's probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as f

from plainsight.arrays import Floats, Ints
from plainsight.detect.transformer.labelling import Batch, Run, batch_of, kept_tokens
from plainsight.detect.transformer.note_pieces import NotePieces
from plainsight.detect.transformer.pieces import WordSplitter
from plainsight.detect.transformer.windows import Excerpt, Window, excerpts
from plainsight.lab.train.checkpoint import Checkpoint
from plainsight.lab.train.encoder import Encoder
from plainsight.lab.train.loop import device, half_precision, train_network

_NO_TARGET = -100
_SEEDS = 10_007  # seeds between those of two trainings, one for each round
_SHORTEST, _LONGEST = 16, 64  # pieces of a stretch: about two margins, or those of several neighbours


class TrainingNote(NamedTuple):
    """A note as pieces, the tag of each token, and perhaps a teacher's probabilities.

    ``weights`` says how much each token counts; all count the same without.
    """

    inputs: NotePieces
    tags: Sequence[int]
    soft: Floats | None = None
    weights: Floats | None = None


@dataclass(frozen=True, slots=True)
class Windows:
    """Many windows: the inputs; at each token's first piece its tag, a teacher's probabilities, a weight."""

    given: tuple[Tensor, ...]
    tags: Tensor
    soft: Tensor | None = None
    weights: Tensor | None = None

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How to fit; ``compiled`` layers start slowly and then run faster on a GPU."""

    steps: int
    batch: int = 64
    rate: float = 2e-4
    rate_out: float = 1e-3
    warm_up: float = 0.1
    decay: float = 0.01
    averaged: float = 0.998
    smoothing: float = 0.0
    masked: float = 0.0
    claims_hidden: float = 0.2
    temperature: float = 1.0
    soft_share: float = 0.7
    compiled: bool = False
    seed: int = 0


def windows_of(
    lessons: Sequence[TrainingNote],
    splitter: WordSplitter,
    *,
    size: int,
    random: Random,
    scattered: bool = False,
) -> Windows:
    """Cut notes into windows, at other places each time.

    If ``scattered``, a window is an excerpt: short stretches of a note without what lies between them.
    """
    cut: list[tuple[TrainingNote, Excerpt]] = []
    for lesson in lessons:
        count = len(lesson.inputs.pieces)
        if scattered:
            cut += ((lesson, excerpt) for excerpt in excerpts(_stretches(count, random), size=size))
        else:
            cut += ((lesson, [window]) for window in _cuts(count, size - 2, random))
    batch = batch_of([(lesson.inputs, excerpt) for lesson, excerpt in cut], splitter)
    tags = np.full(batch[0].shape, _NO_TARGET, np.int64)
    kinds = next((lesson.soft.shape[1] for lesson in lessons if lesson.soft is not None), 0)
    soft = np.zeros((*batch[0].shape, kinds), np.float16)
    weighted = any(lesson.weights is not None for lesson in lessons)
    weights = np.ones(batch[0].shape if weighted else (0, 0), np.float32)
    for row, (lesson, excerpt) in enumerate(cut):
        tokens, places = kept_tokens(lesson.inputs, excerpt, np.arange(len(lesson.inputs.first)))
        tags[row, places] = np.asarray(lesson.tags)[tokens]
        if lesson.soft is not None:
            soft[row, places] = lesson.soft[tokens]
        if lesson.weights is not None:
            weights[row, places] = lesson.weights[tokens]
    given = tuple(torch.from_numpy(part.astype(np.int32)) for part in batch)
    return Windows(
        given,
        torch.from_numpy(tags),
        torch.from_numpy(soft) if kinds else None,
        torch.from_numpy(weights) if weighted else None,
    )


def _stretches(count: int, random: Random) -> Iterator[Window]:
    """Yield some stretches of a note, about half of it."""
    start = random.randint(0, _LONGEST)
    while start < count:
        stop = min(count, start + random.randint(_SHORTEST, _LONGEST))
        yield Window(start, stop, start, stop)
        start = stop + random.randint(1, _LONGEST)


def _cuts(count: int, size: int, random: Random) -> Iterator[Window]:
    """Yield windows that cover a note; the first may be shorter, so that edges fall elsewhere each time."""
    if count <= size:
        if count:
            yield Window(0, count, 0, count)
        return
    start = 0
    stop = random.randint(size // 2, size)
    while start < count:
        yield Window(start, min(stop, count), start, min(stop, count))
        start = stop - size // 8
        stop = start + size
        if start >= count - size // 8:
            break


def fit(
    network: Encoder,
    lots: Callable[[int], Iterator[Windows]],
    schedule: Schedule,
    *,
    mask_piece: int,
    rounds: int = 1,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> None:
    """Fit a network on windows; it ends with averaged weights.

    ``lots`` returns the windows of a round, counted from 1. The ``checkpoint`` may be saved after each round,
    and an interrupted training continues from there, as if it had not been interrupted.
    """
    where = device()
    if schedule.compiled:
        for layer in network.layers:  # one by one: the code compiled for the first serves all of them
            layer.compile(dynamic=False)
    generator = torch.Generator(device=where).manual_seed(schedule.seed)
    new = list(network.out.parameters())
    known = {id(parameter) for parameter in new}
    old = [parameter for parameter in network.parameters() if id(parameter) not in known]
    optimiser = torch.optim.AdamW(
        [{"params": old, "lr": schedule.rate}, {"params": new, "lr": schedule.rate_out}],
        weight_decay=schedule.decay,
        fused=where.type == "cuda",
    )

    def loss_of(batch: Windows) -> Tensor:
        with half_precision(where):
            scores = network(*_disturbed(batch.given, schedule, mask_piece, generator)).float()
        return _loss(scores, batch, schedule)

    def batches_of(number: int) -> tuple[int, Iterator[Windows]]:
        if number > 1:
            generator.manual_seed(schedule.seed * _SEEDS + number)
            torch.manual_seed(schedule.seed * _SEEDS + number)
        steps = schedule.steps * number // rounds - schedule.steps * (number - 1) // rounds
        return steps, islice(_batches(lots(number), schedule, generator), steps)

    train_network(
        network,
        optimiser,
        batches_of,
        loss_of,
        epochs=rounds,
        checkpoint=checkpoint,
        warm_up=schedule.warm_up,
        averaged=schedule.averaged,
        every=20,
        progress=progress,
    )


def _batches(lots: Iterator[Windows], schedule: Schedule, generator: torch.Generator) -> Iterator[Windows]:
    where = generator.device
    least = schedule.batch - 1 if schedule.compiled else schedule.batch // 2  # a smaller one is recompiled
    for lot in lots:
        order = torch.randperm(len(lot), generator=generator, device=where)
        given = tuple(part.to(where, non_blocking=True) for part in lot.given)
        tags = lot.tags.to(where)
        soft, weights = (None if part is None else part.to(where) for part in (lot.soft, lot.weights))
        for start in range(0, max(1, len(lot) - least), schedule.batch):
            rows = order[start : start + schedule.batch]
            yield Windows(
                tuple(part[rows] for part in given),
                tags[rows],
                None if soft is None else soft[rows],
                None if weights is None else weights[rows],
            )


def _disturbed(
    parts: Sequence[Tensor], schedule: Schedule, mask_piece: int, generator: torch.Generator
) -> list[Tensor]:
    """Hide some pieces, and all claims of some windows, so that the network relies on neither."""
    pieces, case, gap, claim, lists, mask = parts
    if schedule.masked:
        hidden = torch.rand(pieces.shape, generator=generator, device=pieces.device) < schedule.masked
        pieces = torch.where(hidden & (mask > 0), mask_piece, pieces)
    if schedule.claims_hidden:
        kept = torch.rand(len(claim), 1, generator=generator, device=claim.device) >= schedule.claims_hidden
        claim = claim * kept
    return [pieces, case, gap, claim, lists, mask]


def _loss(scores: Tensor, batch: Windows, schedule: Schedule) -> Tensor:
    at = batch.tags != _NO_TARGET
    scores, wanted = scores[at], batch.tags[at]
    if batch.weights is None:
        loss = f.cross_entropy(scores, wanted, label_smoothing=schedule.smoothing)
    else:
        weights = batch.weights[at]
        each = f.cross_entropy(scores, wanted, label_smoothing=schedule.smoothing, reduction="none")
        loss = (each * weights).sum() / weights.sum()
    if batch.soft is None:
        return loss
    taught = f.kl_div(f.log_softmax(scores, -1), batch.soft[at].float(), reduction="batchmean")
    return (1 - schedule.soft_share) * loss + schedule.soft_share * taught


def runner(network: Encoder) -> Run:
    """Return a function that runs the network on a batch and returns log-probabilities of tags."""
    where = device()
    network.to(where).eval()

    def run(batch: Batch, asked: Sequence[Ints]) -> list[Floats]:
        as_is = torch.compiler.set_stance("force_eager")  # for windows of any length
        with torch.no_grad(), half_precision(where), as_is:
            scores = network(*(torch.from_numpy(part).to(where) for part in batch))
            found: Floats = f.log_softmax(scores.float(), -1).cpu().numpy()
            return [its[places] for its, places in zip(found, asked, strict=True)]

    return run


_HIDDEN = 0.15


def adapt(
    network: Encoder,
    readings: Sequence[NotePieces],
    splitter: WordSplitter,
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
        [TrainingNote(r, [0] * len(r.first)) for r in readings], splitter, size=size, random=Random(seed)
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
