"""A convolutional network, and what is looked up before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as f

from plainsight.detect.convolution.reading import GAPS
from plainsight.train.graph import floats, in_bytes

__all__ = ["Convolutions", "Shape", "arrays_of", "beside"]

_SPREAD = 0.3  # of vectors, at first


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The measures of a network.

    ``vectors`` is how wide those of words are, ``width`` how wide layers are; ``reach`` tells of every block
    how far each of its layers looks to either side.
    """

    vectors: int = 128
    width: int = 128
    reach: tuple[tuple[int, ...], ...] = ((1, 2), (4, 8), (16, 1))
    rows: int = 1 << 15
    dropout: float = 0.1


class Convolutions(nn.Module):
    """Blocks with a step past each; each adds to a word what its layers see in words before and after."""

    def __init__(self, shape: Shape, *, claims: int, tags: int, pieces: int = 0) -> None:
        super().__init__()
        self.shape = shape
        vectors, width = shape.vectors, shape.width
        self.table = nn.Embedding(shape.rows + pieces, vectors, padding_idx=0)
        self.gaps = nn.Embedding(GAPS, vectors)
        self.claims = nn.Embedding(claims, vectors)
        self.widened = nn.Linear(vectors, width) if width != vectors else None
        # What follows a norm has weights of its own, so it needs none.
        self.norms = nn.ModuleList(nn.LayerNorm(width, elementwise_affine=False) for _ in shape.reach)
        self.layers = nn.ModuleList(nn.Linear(3 * width, width) for block in shape.reach for _ in block)
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.out = nn.Linear(width, tags)
        self.drop = nn.Dropout(shape.dropout)
        kinds = (self.widened is not None) + sum(1 + len(block) for block in shape.reach) + 1
        self.extents: Tensor
        self.register_buffer("extents", torch.zeros(kinds, 2))  # `convolutional.extents` measures them
        for table in (self.table, self.gaps, self.claims):
            nn.init.normal_(table.weight, std=_SPREAD)
        with torch.no_grad():
            self.table.weight[0] = 0

    def begin(self, vectors: Tensor) -> None:
        """Let the pieces begin as another network's vectors, of which the main directions are kept."""
        vectors = vectors - vectors.mean(0)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)
        main = vectors @ directions[:, -self.shape.vectors :]
        with torch.no_grad():
            self.table.weight[self.shape.rows :] = main * (_SPREAD / main.std())

    def words(self, features: Tensor, pieces: Tensor) -> Tensor:
        """Return the vectors of words by the rows of their features and of their pieces, padded by 0."""
        made: Tensor = self._sum(features) + self._sum(pieces)
        return made

    def _sum(self, rows: Tensor) -> Tensor:
        count = (rows > 0).sum(-1, keepdim=True).clamp(min=1)
        return f.embedding_bag(rows, self.table.weight, mode="sum", padding_idx=0) / count.sqrt()

    def forward(self, words: Tensor, inside: Tensor | None = None) -> Tensor:
        """Return the logarithm of each tag's probability; ``inside`` is 0 where a sequence is only padded."""
        states = self.drop(words)
        if self.widened is not None:
            states = self.widened(states)
        layers = iter(self.layers)
        for norm, block in zip(self.norms, self.shape.reach, strict=True):
            seen = norm(states)
            for place, reach in enumerate(block):
                seen = f.relu(seen) if place else seen
                seen = next(layers)(beside(seen if inside is None else seen * inside, reach))
            states = states + self.drop(seen)
        return f.log_softmax(self.out(self.norm(states)), -1)


def beside(states: Tensor, reach: int) -> Tensor:
    """Lay each word between those so far before and after it; beyond a note's ends there is nothing."""
    wide = f.pad(states, (0, 0, reach, reach))
    return torch.cat((wide[:, : -2 * reach], states, wide[:, 2 * reach :]), -1)


def arrays_of(network: Convolutions) -> dict[str, NDArray[Any]]:
    """Return what is looked up by word, gap and claim; words' rows in bytes, each with a step of its own.

    If layers are as wide as words, all have a mean of 0: norms see no difference, and need not look for it.
    """
    table, gaps, claims = (floats(part.weight) for part in (network.table, network.gaps, network.claims))
    if network.widened is None:
        table, gaps, claims = (part - part.mean(axis=1, keepdims=True) for part in (table, gaps, claims))
    whole, steps = in_bytes(table)
    return {"table": whole, "steps": steps, "gaps": gaps, "claims": claims}
