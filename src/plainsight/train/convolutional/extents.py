"""How far the numbers of a network go that will be whole numbers in bytes.

Whole numbers have a step. Measured in each note, it takes time in each; so it is fixed beforehand, for as far
as the numbers of a note go on average: to cut off the few beyond costs less than coarser steps for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

from plainsight.train.convolutional.network import Convolutions, beside

__all__ = ["measured"]


def measured(network: Convolutions, notes: Iterable[Tensor]) -> Tensor:
    """Return the lowest and the highest number of each kind, as in `Convolutions.extents`: means over notes.

    Of each note, ``notes`` holds what the layers are given.
    """
    with torch.no_grad():
        ends = [[(kind.min(), kind.max()) for kind in _numbers(network, words[None])] for words in notes]
    return torch.tensor(ends, dtype=torch.float32).mean(0)


def _numbers(network: Convolutions, words: Tensor) -> Iterator[Tensor]:
    """Yield all that will be in bytes, in the order in which the graph makes it."""
    states = words
    if network.widened is not None:
        yield words
        states = network.widened(words)
    layers = iter(network.layers)
    for norm, block in zip(network.norms, network.shape.reach, strict=True):
        seen = norm(states)
        yield seen
        for place, reach in enumerate(block, start=1):
            seen = next(layers)(beside(seen, reach))
            seen = seen.relu() if place < len(block) else seen - seen.mean(-1, keepdim=True)
            yield seen
        states = states + seen
    yield network.norm(states)
