"""Write a recurrent network as an ONNX graph: ours, or an imported one.

Sequences are laid out as places by sequences, as the LSTM of ONNX wants them; its gates come in the order
input, output, forget, cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import TensorProto

from plainsight.arrays import Floats
from plainsight.lab.train.onnx_graph import Graph, floats
from plainsight.lab.train.recurrent.architecture import Architecture

if TYPE_CHECKING:
    from plainsight.lab.train.recurrent.language import LanguageModel


@dataclass(frozen=True, slots=True)
class Lstm:
    """The weights of a recurrent layer: directions by gates by inputs.

    ``coupled``: what the input gate lets in, the forget gate lets out; its own weights do not count.
    ``peepholes`` are those of the input, output and forget gate of each direction, one number for each unit.
    ``hidden`` and ``cell`` are the states to begin with, directions by one by units.
    """

    inputs: Floats
    states: Floats
    bias: Floats
    direction: str = "bidirectional"
    coupled: bool = False
    peepholes: Floats | None = None
    hidden: Floats | None = None
    cell: Floats | None = None

    @property
    def units(self) -> int:
        """The units of each direction."""
        return int(self.states.shape[2])


@dataclass(frozen=True, slots=True)
class Dense:
    """A linear layer, of outputs by inputs; a Linear of PyTorch serves as well."""

    weight: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Context:
    """A language model as input: characters to words, then a stack of layers in each direction."""

    alphabet: Floats
    speller: Lstm
    forward: Sequence[Lstm]
    backward: Sequence[Lstm]
    mix: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A network: the vectors of a token (context, characters, columns), layers, and linear layers on top."""

    columns: Mapping[str, Floats]
    alphabet: Floats | None = None
    speller: Lstm | None = None
    context: Context | None = None
    layers: Sequence[Lstm] = field(default_factory=tuple)
    residual: bool = False
    hidden: Any = None
    output: Any


def to_onnx(weights: Weights, *, exact: bool = False) -> bytes:
    """Return the network as a file's content: numbers of tokens in, ``scores`` of all tags out."""
    graph = Graph(exact=exact)
    lengths = graph.input("lengths", TensorProto.INT32, "sequences")
    parts = []
    if weights.context:
        parts.append(_context(graph, weights.context, lengths))
    if weights.alphabet is not None and weights.speller is not None:
        parts.append(_spelt(graph, weights.alphabet, weights.speller))
    for column, vectors in weights.columns.items():
        given = graph.input(column, TensorProto.INT64, "places", "sequences")
        parts.append(graph.embedding(given, vectors))
    states, outputs = _together(graph, parts), []
    for layer in weights.layers:
        states = _lstm(graph, states, layer, lengths)
        outputs.append(states)
    if weights.residual:
        for earlier in outputs[:-1]:
            states = graph.node("Add", earlier, states)
    if weights.hidden:
        states = graph.node("Tanh", graph.dense(states, weights.hidden))
    scores = graph.dense(states, weights.output)
    return graph.content({"scores": (scores, ("places", "sequences", "tags"))})


def _together(graph: Graph, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else graph.node("Concat", *parts, axis=-1)


def _lstm(graph: Graph, inputs: str, layer: Lstm, lengths: str, *, last: bool = False) -> str:
    """Return the states at each place, or the last ones, with the directions side by side."""
    directions = len(layer.states)
    states: list[str] = []
    if layer.hidden is not None and layer.cell is not None:
        sizes = [graph.constant(np.array([size])) for size in (directions, layer.units)]
        shape = graph.node("Concat", sizes[0], graph.node("Shape", lengths), sizes[1], axis=0)
        states = [
            graph.node("Expand", graph.constant(begin.reshape(directions, 1, layer.units)), shape)
            for begin in (layer.hidden, layer.cell)
        ]
    weights = (layer.inputs, layer.states, layer.bias)
    options = {"direction": layer.direction, "hidden_size": layer.units, "input_forget": int(layer.coupled)}
    every, final = graph.lstm(inputs, weights, lengths, *states, peepholes=layer.peepholes, **options)
    if last:  # directions by sequences by units
        turned, same = graph.node("Transpose", final, perm=[1, 0, 2]), [0]
    else:  # places by directions by sequences by units
        turned, same = graph.node("Transpose", every, perm=[0, 2, 1, 3]), [0, 0]
    return graph.node("Reshape", turned, graph.constant(np.array([*same, directions * layer.units])))


def _spelt(graph: Graph, alphabet: Floats, speller: Lstm) -> str:
    """Return the vector of each token's word, made from its characters."""
    lengths = graph.input("character_lengths", TensorProto.INT32, "words")
    characters = graph.input("characters", TensorProto.INT64, "longest", "words")
    read = graph.node("Gather", graph.constant(alphabet), characters)
    which = graph.input("which", TensorProto.INT64, "places", "sequences")
    return graph.node("Gather", _lstm(graph, read, speller, lengths, last=True), which)


def _context(graph: Graph, context: Context, lengths: str) -> str:
    """Return the language model's states at each token: both directions of all layers, mixed."""
    words = _spelt(graph, context.alphabet, context.speller)
    mixed: list[str] = []
    for stack in (context.forward, context.backward):
        states, parts = words, []
        for share, layer in zip(context.mix, stack, strict=True):
            states = _lstm(graph, states, layer, lengths)
            parts.append(graph.node("Mul", states, graph.constant(np.array(share, np.float32))))
        total = parts[0]
        for part in parts[1:]:
            total = graph.node("Add", total, part)
        mixed.append(total)
    return _together(graph, mixed)


# --- from PyTorch -----------------------------------------------------------------------------------------


def weights_of(parts: Any, architecture: Architecture, *, context: LanguageModel | None = None) -> Weights:
    """Return the weights of a fitted network."""
    return Weights(
        columns={column: floats(parts[f"column-{column}"].weight) for column in architecture.columns},
        alphabet=floats(parts["signs"].weight) if architecture.spelt else None,
        speller=_layer(parts["speller"]) if architecture.spelt else None,
        context=_language_model(context) if context else None,
        layers=[_layer(parts[f"layer-{place}"]) for place in range(len(architecture.layers))],
        residual=architecture.residual,
        hidden=parts["hidden"] if architecture.hidden else None,
        output=parts["output"],
    )


def _language_model(model: LanguageModel) -> Context:
    forward, backward = (
        [_layer(model.parts[f"{way}-{place}"], direction=direction) for place in range(model.layers)]
        for way, direction in (("forward", "forward"), ("backward", "reverse"))
    )
    alphabet, speller = floats(model.parts["signs"].weight), _layer(model.parts["speller"])
    return Context(alphabet, speller, forward, backward, [1 / model.layers] * model.layers)


def _layer(layer: Any, *, direction: str = "bidirectional") -> Lstm:
    """Return a recurrent layer with its gates in ONNX's order."""
    if hasattr(layer, "peepholes_forward"):
        return _coupled_layer(layer)

    def stacked(*names: str) -> Floats:
        ways = ("", "_reverse") if layer.bidirectional else ("",)
        return np.stack(
            [np.concatenate([_gates(getattr(layer, f"{name}_l0{way}")) for name in names]) for way in ways]
        )

    return Lstm(
        stacked("weight_ih"), stacked("weight_hh"), stacked("bias_ih", "bias_hh"), direction=direction
    )


def _coupled_layer(layer: Any) -> Lstm:
    """Return a `CoupledLstm`; the weights of its forget gate are zeros, for that gate follows the other."""

    def stacked(name: str) -> Floats:
        ways = [floats(getattr(layer, f"{name}_{way}")) for way in ("forward", "backward")]
        parts = [np.split(value, 3) for value in ways]
        return np.stack([np.concatenate((i, o, np.zeros_like(i), c)) for i, o, c in parts])

    bias = stacked("bias")
    peepholes = [floats(getattr(layer, f"peepholes_{way}")) for way in ("forward", "backward")]
    return Lstm(
        stacked("inputs"),
        stacked("states"),
        np.concatenate((bias, np.zeros_like(bias)), axis=1),
        coupled=True,
        peepholes=np.stack([np.concatenate((i, o, np.zeros_like(i))) for i, o in peepholes]),
    )


def _gates(values: Any) -> Floats:
    into, forget, cell, out = np.split(floats(values), 4)
    return np.concatenate((into, out, forget, cell))
