"""The network in PyTorch: parts by name, and functions that run them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as f
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from plainsight.lab.detect.bilstm.inputs import Piece, feed
from plainsight.lab.train.loop import device
from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.corpus import NO_TAG, Corpus
from plainsight.lab.train.recurrent.coupled import CoupledLstm

Parts = Any
"""A module of modules: `torch.nn.ModuleDict`."""


class Batch(NamedTuple):
    """Sequences side by side: the inputs of the network, and the gold tags. Lengths stay on the CPU."""

    inputs: dict[str, Tensor]
    tags: Tensor


def batch_of(corpus: Corpus, pieces: Sequence[Piece]) -> Batch:
    """Return pieces of a corpus as a batch; shorter ones repeat their last token, without a tag."""
    where = set_up_device()
    arrays = feed(corpus.inputs, pieces)
    starts, stops = np.array([(piece.start, piece.stop) for piece in pieces]).T
    places = starts + np.arange((stops - starts).max())[:, None]
    tags = np.where(places < stops, corpus.tags[np.minimum(places, stops - 1)], NO_TAG)
    inputs = {
        name: torch.from_numpy(array) if "lengths" in name else torch.from_numpy(array).to(where)
        for name, array in arrays.items()
    }
    return Batch(inputs, torch.from_numpy(tags).to(where))


_LEAST = 1e-20  # relative weight of a transition


def set_up_device() -> torch.device:
    """Return the GPU if there is one; make it multiply in the reduced precision of its own LSTM."""
    where = device()
    if where.type == "cuda":
        torch.set_float32_matmul_precision("high")
    return where


def new_parts(
    architecture: Architecture, *, rows: Mapping[str, int], signs: int, context: int, tags: int
) -> Parts:
    """Return a network with random weights; ``rows`` are those of each column, ``context`` a width."""
    parts: dict[str, Any] = {}
    width = context
    for column, size in architecture.columns.items():
        parts[f"column-{column}"] = nn.Embedding(rows[column] + 1, size)
        nn.init.uniform_(parts[f"column-{column}"].weight, -((3 / size) ** 0.5), (3 / size) ** 0.5)
        width += size
    if architecture.spelt:
        parts["signs"] = nn.Embedding(signs + 1, architecture.characters)
        parts["speller"] = _new_lstm(architecture, architecture.characters, architecture.spelt)
        width += 2 * architecture.spelt
    for place, units in enumerate(architecture.layers):
        parts[f"layer-{place}"] = _new_lstm(architecture, width, units)
        width = 2 * units
    if architecture.hidden:
        parts["hidden"] = nn.Linear(width, architecture.hidden)
        width = architecture.hidden
    parts["output"] = nn.Linear(width, tags)
    made = nn.ModuleDict(parts)
    if architecture.transitions == "learned":
        made.register_parameter("transitions", nn.Parameter(torch.zeros(tags, tags)))
    for name, value in made.named_parameters():
        if "bias_ih" in name:  # begin with an open forget gate
            units = len(value) // 4
            value.data[units : 2 * units] = 1.0
    return made


def _new_lstm(architecture: Architecture, inputs: int, units: int) -> nn.Module:
    if architecture.gates == "coupled":
        return CoupledLstm(inputs, units)
    return nn.LSTM(inputs, units, bidirectional=True)


def scores(
    parts: Parts, architecture: Architecture, given: Mapping[str, Tensor], context: Tensor | None
) -> Tensor:
    """Return the scores of all tags: places by sequences by tags."""
    inputs = [] if context is None else [context]
    if architecture.spelt:
        inputs.append(spelt(parts["signs"], parts["speller"], given))
    inputs += [parts[f"column-{column}"](given[column]) for column in architecture.columns]
    states, outputs = torch.cat(inputs, -1), []
    for place, dropout in enumerate(architecture.dropout):
        states = f.dropout(states, dropout, parts.training)
        layer = parts[f"layer-{place}"]
        states = run_lstm(layer, states, given["lengths"], architecture.state_dropout[place])[0]
        outputs.append(states)
    if architecture.residual:
        states = torch.stack(outputs).sum(0)
    if architecture.hidden:
        states = torch.tanh(parts["hidden"](states))
    made: Tensor = parts["output"](states)
    return made


def spelt(signs: Any, speller: Any, given: Mapping[str, Tensor]) -> Tensor:
    """Return the vector of each token's characters: the last state of each direction."""
    _, last = run_lstm(speller, signs(given["characters"]), given["character_lengths"], 0.0)
    words: Tensor = last.transpose(0, 1).flatten(1)
    return words[given["which"]]


def run_lstm(layer: Any, inputs: Tensor, lengths: Tensor, state_dropout: float) -> tuple[Tensor, Tensor]:
    """Return a layer's states at each place, and its last ones.

    In training, drop some of the recurrent weights. That is like dropping states, but the GPU's own LSTM can
    run it.
    """
    if isinstance(layer, CoupledLstm):
        found: tuple[Tensor, Tensor] = layer(inputs, lengths.cpu(), state_dropout)
        return found
    packed = pack_padded_sequence(inputs, lengths.cpu(), enforce_sorted=False)
    if layer.training and state_dropout:
        kept = [getattr(layer, name) for name in layer._flat_weights_names]
        weights = [
            f.dropout(value, state_dropout) if "weight_hh" in name else value
            for name, value in zip(layer._flat_weights_names, kept, strict=True)
        ]
        zeros = inputs.new_zeros(len(weights) // 4, len(lengths), layer.hidden_size)
        data, last, _ = torch._VF.lstm(
            packed.data, packed.batch_sizes, (zeros, zeros), weights, True, 1, 0.0, True, layer.bidirectional
        )
        made = packed._replace(data=data)
        last = last[:, packed.unsorted_indices]
    else:
        made, (last, _) = layer(packed)
    return pad_packed_sequence(made)[0], last


def chain_loss(found: Tensor, transitions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
    """Return minus the log-probability of each sequence's tags among all labellings.

    The forward pass works on probabilities that sum to 1 at each place, not on logarithms, so that a step is
    one product of matrices.
    """
    inside = (torch.arange(len(found))[:, None] < lengths.cpu()).to(found.device)
    right = found.gather(2, tags.clamp(min=0)[..., None])[..., 0]
    steps = transitions[tags[:-1].clamp(min=0), tags[1:].clamp(min=0)]
    score = (right * inside).sum(0) + (steps * inside[1:]).sum(0)
    top, highest = found.detach().amax(2, keepdim=True), transitions.detach().max()
    weights, step = (found - top).exp(), (transitions - highest).exp().clamp(min=_LEAST)
    state, logs = weights[0], []
    for place in range(len(found)):
        if place:
            state = (state @ step) * weights[place]
        total = state.sum(1, keepdim=True)
        state = state / total
        logs.append(total.log() + top[place])
    whole = (torch.stack(logs)[..., 0] * inside).sum(0) + highest * (inside.sum(0) - 1)
    return whole - score
