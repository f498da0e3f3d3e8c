"""A convolutional network, and what is looked up before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as f

from plainsight.detect.convolution.reading import GAPS

__all__ = ["Convolutions", "Shape", "arrays_of"]

_SPREAD = 0.3  # of vectors, at first


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The measures of a network: how wide, and how far each layer looks to either side."""

    width: int = 128
    reach: tuple[int, ...] = (1, 2, 4, 8, 16, 1)
    rows: int = 1 << 15
    dropout: float = 0.1


class Convolutions(nn.Module):
    """Layers with a step past each; each adds to a word what it sees in the words so far before and after."""

    def __init__(self, shape: Shape, *, claims: int, tags: int, pieces: int = 0) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.table = nn.Embedding(shape.rows + pieces, width, padding_idx=0)
        self.gaps = nn.Embedding(GAPS, width)
        self.claims = nn.Embedding(claims, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in shape.reach)
        self.layers = nn.ModuleList(nn.Linear(3 * width, width) for _ in shape.reach)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, tags)
        self.drop = nn.Dropout(shape.dropout)
        for table in (self.table, self.gaps, self.claims):
            nn.init.normal_(table.weight, std=_SPREAD)
        with torch.no_grad():
            self.table.weight[0] = 0

    def begin(self, vectors: Tensor) -> None:
        """Let the pieces begin as another network's vectors, of which the main directions are kept."""
        vectors = vectors - vectors.mean(0)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)
        main = vectors @ directions[:, -self.shape.width :]
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
        for reach, norm, layer in zip(self.shape.reach, self.norms, self.layers, strict=True):
            seen = norm(states)
            if inside is not None:
                seen = seen * inside
            wide = f.pad(seen, (0, 0, reach, reach))
            parts = (wide[:, : -2 * reach], seen, wide[:, 2 * reach :])
            states = states + self.drop(f.relu(layer(torch.cat(parts, -1))))
        return f.log_softmax(self.out(self.norm(states)), -1)


def arrays_of(network: Convolutions) -> dict[str, NDArray[Any]]:
    """Return what is looked up by word, gap and claim; words' rows in bytes, each with a step of its own."""
    table = network.table.weight.detach().float().cpu().numpy()
    steps = np.maximum(np.abs(table).max(axis=1), 1e-12) / 127
    return {
        "table": np.rint(table / steps[:, None]).astype(np.int8),
        "steps": steps.astype(np.float32),
        "gaps": network.gaps.weight.detach().float().cpu().numpy(),
        "claims": network.claims.weight.detach().float().cpu().numpy(),
    }
