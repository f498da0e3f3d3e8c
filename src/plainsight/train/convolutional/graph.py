"""Write a convolutional network as an ONNX graph.

By hand, for in bytes words are then rounded before they are laid beside their neighbours, not after: half the
time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from plainsight.train.convolutional.network import Convolutions

__all__ = ["to_onnx"]

_OPERATIONS, _FORMAT = 17, 8  # of ONNX; everything since 2022 runs them
_OWN = "com.microsoft"  # onnxruntime's own operations
_END = np.iinfo(np.int64).max


def to_onnx(network: Convolutions, *, exact: bool = False) -> bytes:
    """Return a file's content: vectors of ``words`` in, ``scores`` out; in bytes, unless ``exact``."""
    graph = _Graph(exact)
    words = helper.make_tensor_value_info("words", TensorProto.FLOAT, ["words", network.shape.width])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["words", network.out.out_features])
    states = "words"
    for reach, norm, layer in zip(network.shape.reach, network.norms, network.layers, strict=True):
        seen = graph.node("Relu", graph.dense(graph.normed(states, norm), layer, reach))
        states = graph.node("Add", states, seen)
    graph.node("LogSoftmax", graph.dense(graph.normed(states, network.norm), network.out), axis=1)
    graph.nodes[-1].output[0] = "scores"
    made = helper.make_graph(graph.nodes, "convolution", [words], [scores], graph.constants)
    known = [helper.make_opsetid("", _OPERATIONS), helper.make_opsetid(_OWN, 1)]
    model = helper.make_model(made, opset_imports=known, ir_version=_FORMAT, producer_name="plainsight")
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


class _Graph:
    """Nodes and constants, named as they come."""

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, values: NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.several(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def several(
        self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        names = [f"n{len(self.nodes)}.{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def normed(self, states: str, norm: Any) -> str:
        weight, bias = self.constant(_floats(norm.weight)), self.constant(_floats(norm.bias))
        return self.node("LayerNormalization", states, weight, bias, epsilon=float(norm.eps))

    def dense(self, states: str, layer: Any, reach: int = 0) -> str:
        """Return what a layer makes of words, or of words and those so far before and after."""
        weights, bias = _floats(layer.weight).T, self.constant(_floats(layer.bias))
        if self.exact:
            zero = self.constant(np.zeros((), np.float32))
            seen = self.beside(states, zero, reach) if reach else states
            return self.node("Add", self.node("MatMul", seen, self.constant(weights)), bias)
        rounded, step, zero = self.several("DynamicQuantizeLinear", states, outputs=3)
        seen = self.beside(rounded, zero, reach) if reach else rounded
        steps = np.maximum(np.abs(weights).max(axis=0), 1e-12) / 127
        whole = self.constant(np.rint(weights / steps).astype(np.int8))
        zeros = self.constant(np.zeros(len(steps), np.int8))
        given = (seen, whole, step, self.constant(steps.astype(np.float32)), zero, zeros, bias)
        return self.node("MatMulIntegerToFloat", *given, domain=_OWN)

    def beside(self, states: str, zero: str, reach: int) -> str:
        """Lay each word between those so far before and after it; beyond a note's ends there is nothing."""
        first, begin, end = (self.constant(np.array([at])) for at in (0, 2 * reach, _END))
        wide = self.node("Pad", states, self.constant(np.array([reach, 0, reach, 0])), zero)
        before = self.node("Slice", wide, first, self.constant(np.array([-2 * reach])), first)
        after = self.node("Slice", wide, begin, end, first)
        return self.node("Concat", before, states, after, axis=1)


def _floats(values: Any) -> NDArray[np.float32]:
    made: NDArray[np.float32] = values.detach().float().cpu().numpy()
    return made
