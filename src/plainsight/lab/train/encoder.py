"""The encoder in PyTorch: BERT, RoBERTa or MPNet with further inputs beside the pieces."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as f

from plainsight.detect.transformer.note_pieces import CASES, GAPS
from plainsight.text.vocabulary import FLAG_BITS

_FAR = 128  # pieces: larger distances count as this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a network.

    ``distances`` is the number of relative distances that attention distinguishes, as MPNet's does. With
    ``lists``, the network also sees which lists a word is in.
    """

    vocabulary: int
    positions: int
    offset: int = 0
    layers: int = 6
    width: int = 384
    heads: int = 12
    inner: int = 1536
    epsilon: float = 1e-12
    distances: int = 0
    claims: int = 0
    lists: bool = False
    tags: int

    def to_json(self) -> dict[str, Any]:
        """Return the shape as a manifest holds it."""
        return asdict(self)


class _Layer(nn.Module):
    """Attention, then a hidden layer; each is added to its input and the sum normalised."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query, self.key, self.value, self.mixed = (nn.Linear(shape.width, shape.width) for _ in range(4))
        self.wide = nn.Linear(shape.width, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.width)
        self.attended = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.done = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = states.shape
        query, key, value = (
            part(states).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        seen = f.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=self.dropout.p if self.training else 0.0
        )
        seen = self.mixed(seen.transpose(1, 2).reshape(batch, length, width))
        states = self.attended(states + self.dropout(seen))
        done: Tensor = self.done(states + self.dropout(self.narrow(f.gelu(self.wide(states)))))
        return done


class Encoder(nn.Module):
    """Scores each tag for every piece, given pieces, cases, gaps, claims and lists."""

    def __init__(self, shape: Shape, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.pieces = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Embedding(shape.positions, shape.width)
        self.case = nn.Embedding(CASES, shape.width)
        self.gap = nn.Embedding(GAPS, shape.width)
        self.claim = nn.Embedding(shape.claims + 1, shape.width) if shape.claims else None
        self.lists = nn.Linear(FLAG_BITS, shape.width, bias=False) if shape.lists else None
        self.apart = nn.Embedding(shape.distances, shape.heads) if shape.distances else None
        self.kind = nn.Parameter(torch.zeros(shape.width))
        self.ready = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.layers = nn.ModuleList(_Layer(shape, dropout) for _ in range(shape.layers))
        self.out = nn.Linear(shape.width, shape.tags)
        self.dropout = nn.Dropout(dropout)
        for added in (self.case, self.gap, self.claim, self.lists):
            if added is not None:
                nn.init.normal_(added.weight, std=0.005)  # small: pre-trained weights keep working

    def forward(
        self, pieces: Tensor, case: Tensor, gap: Tensor, claim: Tensor, lists: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the scores of all tags; ``mask`` is 1 where there is a piece."""
        scores: Tensor = self.out(self.dropout(self.states(pieces, case, gap, claim, lists, mask)))
        return scores

    def states(
        self, pieces: Tensor, case: Tensor, gap: Tensor, claim: Tensor, lists: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the last hidden state of every piece."""
        places = torch.arange(pieces.shape[1], device=pieces.device) + self.shape.offset
        read = self.pieces(pieces) + self.places(places) + self.kind + self.case(case) + self.gap(gap)
        if self.claim is not None:
            read = read + self.claim(claim)
        if self.lists is not None:
            bits = lists[..., None] >> torch.arange(FLAG_BITS, device=lists.device, dtype=lists.dtype) & 1
            read = read + self.lists(bits.to(read.dtype))
        states: Tensor = self.dropout(self.ready(read))
        hidden = (1.0 - mask[:, None, None, :].to(states.dtype)) * -10_000.0
        if self.apart is not None:
            far = distances(pieces.shape[1], self.shape.distances).to(pieces.device)
            hidden = hidden + self.apart(far).permute(2, 0, 1).to(states.dtype)
        where = pieces.device.type
        if torch.is_autocast_enabled(where):  # once, and not in every layer
            hidden = hidden.to(torch.get_autocast_dtype(where))
        for layer in self.layers:
            states = layer(states, hidden)
        return states


def distances(count: int, kinds: int) -> Tensor:
    """Return the bucket of the distance between any two of ``count`` pieces; half of the buckets look ahead.

    Half of these hold one distance each, the others ever larger ranges.
    """
    apart = torch.arange(count)[None, :] - torch.arange(count)[:, None]
    half = kinds // 2
    exact = half // 2
    size = apart.abs()
    share = (size.clamp(min=1).float() / exact).log() / math.log(_FAR / exact)
    far = (exact + (share * (half - exact)).long()).clamp(max=half - 1)
    return torch.where(size < exact, size, far) + half * (apart > 0)
