"""The loss of a CRF on a GPU: the same as `Likelihood`, but a hundred times as fast on thousands of notes."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from plainsight.arrays import Doubles
from plainsight.lab.detect.chain import batches, still_going
from plainsight.lab.train.crf.likelihood import Likelihood

_FEW = 200_000  # tokens: for fewer, loading PyTorch takes longer than it saves
_ROOM = 1 << 21  # tokens of a batch, padding included

Loss = Callable[[Doubles], tuple[float, Doubles]]


def fastest(likelihood: Likelihood) -> Loss:
    """Return the loss on the GPU if there is one and enough to do, or else the one given."""
    if int(likelihood.lengths.sum()) < _FEW or find_spec("torch") is None:
        return likelihood
    import torch

    return loss_on(likelihood, "cuda") if torch.cuda.is_available() else likelihood


def loss_on(likelihood: Likelihood, where: str) -> Loss:
    """Return the loss and its gradient, computed by PyTorch on a device."""
    import torch
    from torch.nn.functional import embedding, embedding_bag

    def put(array: Any) -> torch.Tensor:
        return torch.as_tensor(np.ascontiguousarray(array), device=where)

    data, tags, rows = likelihood.data, likelihood.tags, likelihood.rows
    pairs, centre = put(likelihood.pairs), put(likelihood.centre)
    sizes = [len(pairs), tags**2, len(centre) - len(pairs) - tags**2]
    gold, edges = put(likelihood.gold), likelihood.edges
    # The weights of one slot are followed by a row of zeros, for values without features.
    ends = [slot.first + len(slot.keys) for slot in data.slots]
    slots = [
        (
            put(slot.line[rows]),
            None if slot.features is None else (put(slot.features.indices), put(slot.features.indptr[:-1])),
        )
        for slot in data.slots
    ]
    summed = None if edges is None else (put(edges.sums.indices), put(edges.sums.indptr[:-1]))

    work = []
    for places in batches(likelihood.lengths.tolist(), room=_ROOM):
        batch = np.array(places)
        lengths = likelihood.lengths[batch]
        time = np.arange(int(lengths[0]))[:, None]
        at = np.where(time < lengths, likelihood.firsts[batch] + time, 0)
        cells = None
        if edges is not None:
            entries, own, seen = edges.at(likelihood.positions[batch], lengths)
            cuts = [part.stop - part.start for part in own.at_steps(len(time))]
            step = put(own.before * tags + own.after)
            cells = put(entries), put(own.columns * tags), step, cuts, put(seen)
        work.append((put(at), put(time < lengths), still_going(lengths), cells))
    starts = put(np.concatenate([np.r_[True, np.zeros(size - 1, bool)] for size in likelihood.lengths]))

    def scores_of(weights: torch.Tensor) -> torch.Tensor:
        """Return the score of each tag at each place."""
        table = torch.zeros(len(data.keys) * tags, device=where).index_put((pairs,), weights.float())
        scores = torch.zeros(len(rows), tags, device=where)
        nothing = torch.zeros(1, tags, device=where)
        for (line, features), slot, end in zip(slots, data.slots, ends, strict=True):
            own = table.view(-1, tags)[slot.first : end]
            if features is None:
                values = torch.cat((own, nothing))
            else:
                values = embedding_bag(features[0], own, features[1], mode="sum")
            scores = scores + embedding(line, values)  # its gradient is much faster than that of values[line]
        return scores

    def chain(scores: torch.Tensor, transitions: torch.Tensor, of_edges: torch.Tensor | None) -> torch.Tensor:
        """Return the sum of all sequences' log of the normaliser, minus the gold scores."""
        shift = transitions.max().detach()
        step = torch.exp(transitions - shift)
        total = torch.zeros((), device=where, dtype=torch.float64)
        for places, inside, going, cells in work:
            local = embedding(places, scores).double()
            top = local.amax(2).detach()
            total = total + top[inside].sum() + shift * (inside.sum() - inside.shape[1])
            state = None
            added = None
            if cells is not None and of_edges is not None:
                entries, columns, cell, cuts, seen = cells
                more = of_edges[entries]
                total = total - (more * seen).sum()
                added = torch.split(step.reshape(-1)[cell] * torch.expm1(more), cuts)
                before = torch.split(columns + cell // tags, cuts)
                after = torch.split(columns + cell % tags, cuts)
            for time, (here, n) in enumerate(
                zip(torch.exp(local - top[:, :, None]).unbind(0), going, strict=True)
            ):
                reached = here[:n]
                if state is not None:
                    came = state[:n] @ step
                    if added is not None:
                        gain = state.reshape(-1)[before[time]] * added[time]
                        came = came.reshape(-1).index_add(0, after[time], gain).view(n, tags)
                    reached = reached * came
                scale = reached.sum(1, keepdim=True)
                total = total + scale.log().sum()
                state = reached / scale
        reached = scores.gather(1, gold[:, None]).double().sum()
        follow = ~starts[1:]
        return total - reached - transitions.reshape(-1)[(gold[:-1] * tags + gold[1:])[follow]].sum()

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        given = put(weights).requires_grad_()
        emission, transition, edge = torch.split(given, sizes)
        of_edges = None
        if summed is not None:
            of_edges = embedding_bag(summed[0], edge[:, None], summed[1], mode="sum")[:, 0]
        value = chain(scores_of(emission), transition.view(tags, tags), of_edges)
        value = value + likelihood.gaussian * ((given - centre) ** 2).sum()
        (slope,) = torch.autograd.grad(value, given)
        return float(value.detach()), slope.cpu().numpy()

    return loss
