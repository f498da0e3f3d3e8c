"""An ONNX graph written by hand, node by node: what networks in bytes share.

By hand, for an exporter rounds what need not be rounded and keeps what only training needs; so a network is a
third faster, or more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

__all__ = ["LEAST", "OWN", "WEIGHT", "Graph", "Steps", "floats", "in_bytes", "weights_in_bytes"]

OWN = "com.microsoft"
"""Where onnxruntime's own operations are."""

_OPERATIONS, _FORMAT = 17, 8  # of ONNX; everything since 2022 runs them
_BYTE = 127

WEIGHT = 64
"""The most that a weight becomes which bytes are multiplied by."""

LEAST = 1e-12
"""What counts as the largest number of a row of zeros, which has no step otherwise."""

Size = int | str
Steps = tuple[NDArray[Any], NDArray[Any]]
"""The step of whole numbers, and which of them is 0."""


class Graph:
    """Nodes and constants, named as they come; weights are whole numbers in bytes, unless ``exact``."""

    def __init__(self, *, exact: bool = False) -> None:
        self.exact = exact
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, values: NDArray[Any] | np.float32) -> str:
        """Return the name of an array."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Return the name of what an operation makes."""
        return self.several(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def several(
        self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Return the names of all that an operation makes."""
        names = [f"n{len(self.nodes)}.{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def normed(self, states: str, norm: Any) -> str:
        """Return states with a mean of 0 and a spread of 1, as a norm of PyTorch scales them.

        Part by part, for onnxruntime's own norm adds up number by number: on ARM that takes twice as long.
        """
        about = self.node("Sub", states, self.node("ReduceMean", states, axes=[-1], keepdims=1))
        # one row of numbers, not a column: to add to each of a column takes ten times as long
        spread = self.node("ReduceMean", self.node("Mul", about, about), axes=[-1], keepdims=0)
        least = self.constant(np.float32(norm.eps))
        share = self.node("Reciprocal", self.node("Sqrt", self.node("Add", spread, least)))
        made = self.node("Mul", about, self.node("Unsqueeze", share, self.constant(np.array([-1]))))
        scaled = self.node("Mul", made, self.constant(floats(norm.weight)))
        return self.node("Add", scaled, self.constant(floats(norm.bias)))

    def dense(self, states: str, *layers: Any) -> str:
        """Return what layers of PyTorch make of states, side by side."""
        if self.exact:
            made = self.node("MatMul", states, self.constant(_beside(layers, "weight").T))
            return self.node("Add", made, self.constant(_beside(layers, "bias")))
        return self.product(self.rounded(states), *layers)

    def rounded(self, states: str) -> list[str]:
        """Return states in bytes, their step and their zero."""
        return self.several("DynamicQuantizeLinear", states, outputs=3)

    def product(self, rounded: Sequence[str], *layers: Any) -> str:
        """Return what layers make of states in bytes; each of their outputs has a step of its own."""
        states, step, zero = rounded
        whole, steps = weights_in_bytes(_beside(layers, "weight"))
        weights, zeros = self.constant(whole.T), self.constant(np.zeros(len(steps), np.int8))
        bias = self.constant(_beside(layers, "bias"))
        given = (states, weights, step, self.constant(steps), zero, zeros, bias)
        return self.node("MatMulIntegerToFloat", *given, domain=OWN)

    def looked_up(self, rows: str, table: NDArray[np.float32]) -> str:
        """Return rows of a table by their numbers."""
        if self.exact:
            return self.node("Gather", self.constant(table), rows)
        whole, steps = in_bytes(table)
        found = self.node("Cast", self.node("Gather", self.constant(whole), rows), to=TensorProto.FLOAT)
        return self.node("Mul", found, self.node("Gather", self.constant(steps[:, None]), rows))

    def content(
        self,
        outputs: Mapping[str, tuple[str, Sequence[Size]]],
        *,
        inputs: Mapping[str, Sequence[Size]],
        kind: int,
    ) -> bytes:
        """Return a file's content: inputs of one kind and outputs by name, with their sizes."""
        new = {made: name for name, (made, _) in outputs.items()}
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [new.get(name, name) for name in names]
        wanted = [helper.make_tensor_value_info(name, kind, given) for name, given in inputs.items()]
        made = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
            for name, (_, sizes) in outputs.items()
        ]
        graph = helper.make_graph(self.nodes, "network", wanted, made, self.constants)
        known = [helper.make_opsetid("", _OPERATIONS), helper.make_opsetid(OWN, 1)]
        model = helper.make_model(graph, opset_imports=known, ir_version=_FORMAT, producer_name="plainsight")
        onnx.checker.check_model(model)
        content: bytes = model.SerializeToString()
        return content


def in_bytes(rows: NDArray[np.float32], *, most: int = _BYTE) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows in whole numbers, up to ``most``, and the step of each."""
    steps = np.maximum(np.abs(rows).max(axis=1), LEAST) / most
    return np.rint(rows / steps[:, None]).astype(np.int8), steps.astype(np.float32)


def weights_in_bytes(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return the same of weights, which bytes are multiplied by, up to 64.

    Where a processor has no instruction for such sums (x86-64 without VNNI), onnxruntime adds two products in
    16 bits, and what is more is cut off. 2 * 255 * 64 is not: so a network says the same everywhere.
    """
    return in_bytes(rows, most=WEIGHT)


def _beside(layers: Sequence[Any], part: str) -> NDArray[np.float32]:
    return np.concatenate([floats(getattr(layer, part)) for layer in layers])


def floats(values: Any) -> NDArray[np.float32]:
    """Return a tensor of PyTorch as an array."""
    made: NDArray[np.float32] = values.detach().float().cpu().numpy()
    return made
