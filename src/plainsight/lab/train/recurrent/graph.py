"""Write a recurrent network as an ONNX graph, from plain arrays: ours as trained, and those of others.

All sequences are laid out as places by sequences, as the LSTM of ONNX wants them; its gates come in the order
input, output, forget, cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Context", "Dense", "Lstm", "Weights", "to_onnx"]

Floats = NDArray[np.float32]

_OPSET, _IR = 17, 8  # what onnxruntime has run since 2022


@dataclass(frozen=True, slots=True)
class Lstm:
    """The weights of a recurrent layer: directions by gates by what they look at.

    ``coupled``: what the input gate lets in, the forget gate lets out (S77); its own weights do not count.
    ``hidden`` and ``cell`` are the states to begin with, directions by one by units.
    """

    inputs: Floats
    states: Floats
    bias: Floats
    direction: str = "bidirectional"
    coupled: bool = False
    hidden: Floats | None = None
    cell: Floats | None = None

    @property
    def units(self) -> int:
        """The units of each direction."""
        return int(self.states.shape[2])


@dataclass(frozen=True, slots=True)
class Dense:
    """A layer of inputs by outputs."""

    weights: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Context:
    """A language model to read with: characters to words, then a stack of layers in each direction."""

    alphabet: Floats
    speller: Lstm
    forward: Sequence[Lstm]
    backward: Sequence[Lstm]
    mix: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A network: what each token is, in this order (context, characters, columns), layers, and scores."""

    columns: Mapping[str, Floats]
    alphabet: Floats | None = None
    speller: Lstm | None = None
    context: Context | None = None
    layers: Sequence[Lstm] = field(default_factory=tuple)
    residual: bool = False
    hidden: Dense | None = None
    output: Dense


class _Graph:
    """Nodes and constants, named as they come."""

    def __init__(self, *, packed: bool) -> None:
        self.packed = packed
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.given: dict[str, Any] = {}

    def input(self, name: str, kind: int, *shape: str) -> str:
        self.given[name] = helper.make_tensor_value_info(name, kind, shape)
        return name

    def constant(self, values: NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        """Add a node and return the name of its last output; those before it are left out."""
        name = f"n{len(self.nodes)}"
        names = [""] * (outputs - 1) + [name]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{name}", **attributes))
        return name

    def dense(self, inputs: str, layer: Dense) -> str:
        return self.node(
            "Add", self.node("MatMul", inputs, self.constant(layer.weights)), self.constant(layer.bias)
        )

    def lookup(self, vectors: Floats, numbers: str) -> str:
        if not self.packed:
            return self.node("Gather", self.constant(vectors), numbers)
        scale = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12) / 127
        steps = self.constant(np.rint(vectors / scale).astype(np.int8))
        whole = self.node("Cast", self.node("Gather", steps, numbers), to=TensorProto.FLOAT)
        return self.node("Mul", whole, self.node("Gather", self.constant(scale.astype(np.float32)), numbers))

    def together(self, parts: Sequence[str]) -> str:
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=-1)

    def lstm(self, inputs: str, layer: Lstm, lengths: str, *, last: bool = False) -> str:
        """Return the states at each place, or the last ones, the directions beside one another."""
        directions, width = len(layer.states), len(layer.states) * layer.units
        states: list[str] = []
        if layer.hidden is not None and layer.cell is not None:
            sequences = self.node("Shape", lengths)
            sizes = (self.constant(np.array([directions])), sequences, self.constant(np.array([layer.units])))
            shape = self.node("Concat", *sizes, axis=0)
            states = [
                self.node("Expand", self.constant(begin.reshape(directions, 1, layer.units)), shape)
                for begin in (layer.hidden, layer.cell)
            ]
        made = self.node(
            "LSTM", inputs, *(self.constant(part) for part in (layer.inputs, layer.states, layer.bias)),
            lengths, *states, outputs=2 if last else 1, hidden_size=layer.units, direction=layer.direction,
            input_forget=int(layer.coupled),
        )  # fmt: skip
        if last:  # directions by sequences by units
            turned, kept = self.node("Transpose", made, perm=[1, 0, 2]), [0]
        else:  # places by directions by sequences by units
            turned, kept = self.node("Transpose", made, perm=[0, 2, 1, 3]), [0, 0]
        return self.node("Reshape", turned, self.constant(np.array([*kept, width])))

    def spelt(self, alphabet: Floats, speller: Lstm) -> str:
        """Return what the characters of each token's word come to."""
        lengths = self.input("character_lengths", TensorProto.INT32, "words")
        characters = self.input("characters", TensorProto.INT64, "longest", "words")
        read = self.node("Gather", self.constant(alphabet), characters)
        which = self.input("which", TensorProto.INT64, "places", "sequences")
        return self.node("Gather", self.lstm(read, speller, lengths, last=True), which)


def to_onnx(weights: Weights, *, packed: bool = False) -> bytes:
    """Return the network as a file's content: numbers of tokens in, ``scores`` of all tags out.

    ``packed`` keeps the vectors of columns as bytes, each with a scale of its own.
    """
    graph = _Graph(packed=packed)
    lengths = graph.input("lengths", TensorProto.INT32, "sequences")
    parts = []
    if weights.context:
        parts.append(_context(graph, weights.context, lengths))
    if weights.alphabet is not None and weights.speller is not None:
        parts.append(graph.spelt(weights.alphabet, weights.speller))
    for column, vectors in weights.columns.items():
        given = graph.input(column, TensorProto.INT64, "places", "sequences")
        parts.append(graph.lookup(vectors, given))
    states, outputs = graph.together(parts), []
    for layer in weights.layers:
        states = graph.lstm(states, layer, lengths)
        outputs.append(states)
    if weights.residual:
        for earlier in outputs[:-1]:
            states = graph.node("Add", earlier, states)
    if weights.hidden:
        states = graph.node("Tanh", graph.dense(states, weights.hidden))
    scores = graph.node("Identity", graph.dense(states, weights.output))
    graph.nodes[-1].output[0] = scores = "scores"
    made = helper.make_tensor_value_info(scores, TensorProto.FLOAT, ["places", "sequences", "tags"])
    whole = helper.make_graph(graph.nodes, "bilstm", list(graph.given.values()), [made], graph.constants)
    model = helper.make_model(
        whole, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR, producer_name="plainsight"
    )
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _context(graph: _Graph, context: Context, lengths: str) -> str:
    """Return the language model's states at each token: both directions of all layers, mixed."""
    words = graph.spelt(context.alphabet, context.speller)
    mixed: list[str] = []
    for stack in (context.forward, context.backward):
        states, parts = words, []
        for share, layer in zip(context.mix, stack, strict=True):
            states = graph.lstm(states, layer, lengths)
            parts.append(graph.node("Mul", states, graph.constant(np.array(share, np.float32))))
        total = parts[0]
        for part in parts[1:]:
            total = graph.node("Add", total, part)
        mixed.append(total)
    return graph.together(mixed)
