"""A convolutional network in PyTorch, and its lookup tables.

It is made for 8-bit integers: states are clipped to a fixed range, and training rounds them as the written
network will. So nothing has to be measured or scaled at run time, and there are no norms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as f

from plainsight.detect.convolution.note_tokens import GAPS
from plainsight.lab.train.onnx_graph import LEAST, WEIGHT, Steps, floats, in_bytes

SIGNED: Steps = np.array(4 / 128, np.float32), np.array(128, np.uint8)
"""Step and zero of words and of the outputs of blocks: from -4 to 4."""

UNSIGNED: Steps = np.array(4 / 255, np.float32), np.array(0, np.uint8)
"""Step and zero of states between the layers of a block: from 0 to 4."""

_SPREAD = 0.3  # standard deviation of initial vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a network.

    ``vectors`` is the width of word vectors, ``width`` that of a block's output, ``inner`` that between the
    layers of a block. ``reach`` holds, for the layers of every block, how far each looks to either side.
    """

    vectors: int = 128
    width: int = 128
    inner: int
    reach: tuple[tuple[int, ...], ...] = ((1, 2), (4, 8), (16, 1))
    rows: int = 1 << 15
    dropout: float = 0.1


class Convolutions(nn.Module):
    """Residual blocks of dilated convolutions over words."""

    def __init__(self, shape: Shape, *, claims: int, tags: int, pieces: int = 0) -> None:
        super().__init__()
        self.shape = shape
        vectors, width = shape.vectors, shape.width
        self.table = nn.Embedding(shape.rows + pieces, vectors, padding_idx=0)
        self.gaps = nn.Embedding(GAPS, vectors)
        self.claims = nn.Embedding(claims, vectors)
        self.widened = nn.Linear(vectors, width) if width != vectors else None
        self.layers = nn.ModuleList(
            nn.Linear(3 * given, made)
            for block in shape.reach
            for given, made in pairwise((width, *[shape.inner] * (len(block) - 1), width))
        )
        self.out = nn.Linear(width, tags)
        self.drop = nn.Dropout(shape.dropout)
        for table in (self.table, self.gaps, self.claims):
            nn.init.normal_(table.weight, std=_SPREAD)
        with torch.no_grad():
            self.table.weight[0] = 0

    def begin(self, vectors: Tensor) -> None:
        """Initialise the pieces with the principal components of another network's vectors."""
        vectors = vectors - vectors.mean(0)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)
        main = vectors @ directions[:, -self.shape.vectors :]
        with torch.no_grad():
            self.table.weight[self.shape.rows :] = main * (_SPREAD / main.std())

    def words(self, features: Tensor, pieces: Tensor) -> Tensor:
        """Return the vectors of words, given the rows of their features and pieces, padded with 0."""
        made: Tensor = self._sum(features) + self._sum(pieces)
        return made

    def _sum(self, rows: Tensor) -> Tensor:
        count = (rows > 0).sum(-1, keepdim=True).clamp(min=1)
        return f.embedding_bag(rows, self.table.weight, mode="sum", padding_idx=0) / count.sqrt()

    def forward(self, words: Tensor, inside: Tensor | None = None) -> Tensor:
        """Return the log-probability of each tag; ``inside`` is 0 at padding."""
        states = self._within(self.drop(words), SIGNED)
        if self.widened is not None:
            states = self._within(self._dense(states, self.widened), SIGNED)
        layers: Iterator[Any] = iter(self.layers)
        for block in self.shape.reach:
            seen = states
            for place, reach in enumerate(block, start=1):
                seen = self._dense(_beside(seen if inside is None else seen * inside, reach), next(layers))
                seen = self._within(seen, UNSIGNED if place < len(block) else SIGNED)
            states = self._within(states + self.drop(seen), SIGNED)
        return f.log_softmax(self._dense(states, self.out), -1)

    def _dense(self, states: Tensor, layer: nn.Linear) -> Tensor:
        """Apply a layer; training rounds its weights as the written network will."""
        weight, bias = layer.weight, layer.bias
        if self.training:
            steps = weight.detach().abs().amax(1).clamp(min=LEAST) / WEIGHT
            zeros = torch.zeros_like(steps, dtype=torch.int32)
            weight = torch.fake_quantize_per_channel_affine(weight, steps, zeros, 0, -WEIGHT, WEIGHT)
        return f.linear(states, weight, bias)

    def _within(self, states: Tensor, steps: Steps) -> Tensor:
        """Clip states to the range of bytes; training also rounds them, with straight-through gradients."""
        step, zero = float(steps[0]), int(steps[1])
        if self.training:
            return torch.fake_quantize_per_tensor_affine(states.float(), step, zero, 0, 255)
        return states.clamp(-zero * step, (255 - zero) * step)


def _beside(states: Tensor, reach: int) -> Tensor:
    """Concatenate each word with those ``reach`` before and after it, padded with zeros."""
    wide = f.pad(states, (0, 0, reach, reach))
    return torch.cat((wide[:, : -2 * reach], states, wide[:, 2 * reach :]), -1)


def arrays_of(network: Convolutions) -> dict[str, NDArray[Any]]:
    """Return the tables of words, gaps and claims; those of words are 8-bit rows with a step each."""
    whole, steps = in_bytes(floats(network.table.weight))
    return {
        "table": whole,
        "steps": steps,
        "gaps": floats(network.gaps.weight),
        "claims": floats(network.claims.weight),
    }
