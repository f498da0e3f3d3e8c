"""Build ONNX graphs node by node, with 32-bit floats or with 8-bit integers.

Exporters round what need not be rounded and keep what only training needs. Graphs built by hand run a third
faster, or more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

RUNTIME = "com.microsoft"
"""The domain of onnxruntime's own operations."""

_OPSET, _IR = 17, 8  # onnxruntime has run both since 2022
_BYTE = 127

WEIGHT = 64
"""The largest absolute value of an 8-bit weight.

On x86-64 without VNNI, onnxruntime adds two products in 16 bits and cuts off what is larger. 2 * 255 * 64 is
not, so a network gives the same scores on every processor.
"""

LEAST = 1e-12
"""The least step of a row of zeros."""

Size = int | str
Steps = tuple[NDArray[Any], NDArray[Any]]
"""The step of 8-bit numbers, and which of them stands for 0."""


class Graph:
    """Nodes and constants; weights are 8-bit integers unless ``exact``."""

    def __init__(self, *, exact: bool = False) -> None:
        self.exact = exact
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: dict[str, Any] = {}

    def input(self, name: str, kind: int, *sizes: Size) -> str:
        """Declare an input and return its name."""
        self.inputs[name] = helper.make_tensor_value_info(name, kind, sizes)
        return name

    def constant(self, values: NDArray[Any] | np.float32) -> str:
        """Add an array and return its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(values, order="C"), name))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operation and return the name of its output."""
        return self.several(kind, *inputs, outputs=1, domain=domain, **attributes)[0]

    def several(
        self, kind: str, *inputs: str, outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add an operation and return the names of its outputs."""
        names = [f"n{len(self.nodes)}.{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def layer_norm(self, states: str, norm: Any) -> str:
        """Normalise states as a LayerNorm of PyTorch does.

        Operation by operation: onnxruntime's own norm takes twice as long on ARM.
        """
        about = self.node("Sub", states, self.node("ReduceMean", states, axes=[-1], keepdims=1))
        # a row of numbers, not a column: adding to each of a column takes ten times as long
        spread = self.node("ReduceMean", self.node("Mul", about, about), axes=[-1], keepdims=0)
        least = self.constant(np.float32(norm.eps))
        share = self.node("Reciprocal", self.node("Sqrt", self.node("Add", spread, least)))
        made = self.node("Mul", about, self.node("Unsqueeze", share, self.constant(np.array([-1]))))
        scaled = self.node("Mul", made, self.constant(floats(norm.weight)))
        return self.node("Add", scaled, self.constant(floats(norm.bias)))

    def dense(self, states: str, *layers: Any) -> str:
        """Apply linear layers side by side."""
        if self.exact:
            made = self.node("MatMul", states, self.constant(_beside(layers, "weight").T))
            return self.node("Add", made, self.constant(_beside(layers, "bias")))
        return self.integer_product(self.several("DynamicQuantizeLinear", states, outputs=3), *layers)

    def integer_product(self, states: Sequence[str], *layers: Any) -> str:
        """Apply linear layers to 8-bit states, given with their step and zero."""
        values, step, zero = states
        whole, steps = weights_in_bytes(_beside(layers, "weight"))
        weights, zeros = self.constant(whole.T), self.constant(np.zeros(len(steps), np.int8))
        bias = self.constant(_beside(layers, "bias"))
        given = (values, weights, step, self.constant(steps), zero, zeros, bias)
        return self.node("MatMulIntegerToFloat", *given, domain=RUNTIME)

    def embedding(self, rows: str, table: NDArray[np.float32]) -> str:
        """Look up rows of a table by their numbers."""
        if self.exact:
            return self.node("Gather", self.constant(table), rows)
        whole, steps = in_bytes(table)
        found = self.node("Cast", self.node("Gather", self.constant(whole), rows), to=TensorProto.FLOAT)
        return self.node("Mul", found, self.node("Gather", self.constant(steps[:, None]), rows))

    def lstm(
        self,
        inputs: str,
        weights: Sequence[NDArray[np.float32]],
        lengths: str,
        *states: str,
        peepholes: NDArray[np.float32] | None = None,
        **options: Any,
    ) -> list[str]:
        """Apply an LSTM; return its states at each place, and the last ones.

        ``weights`` are those of the inputs, those of the states, and the bias, as ONNX lays them out.
        """
        *matrices, bias = weights
        more = [] if peepholes is None else [*[""] * (2 - len(states)), self.constant(peepholes)]
        if self.exact:
            given = [self.constant(part) for part in weights]
            return self.several("LSTM", inputs, *given, lengths, *states, *more, outputs=2, **options)
        packed = [_lstm_in_bytes(part) for part in matrices]
        scales = [
            self.constant(part) for _, steps in packed for part in (steps, np.zeros_like(steps, np.int8))
        ]
        given = [self.constant(whole) for whole, _ in packed]
        begin = [*states, *[""] * (2 - len(states))]
        last = more[-1] if more else ""
        inputs_of = (inputs, *given, self.constant(bias), lengths, *begin, last, *scales)
        return self.several("DynamicQuantizeLSTM", *inputs_of, outputs=2, domain=RUNTIME, **options)

    def content(self, outputs: Mapping[str, tuple[str, Sequence[Size]]]) -> bytes:
        """Return the file's content; ``outputs`` gives each one's name in the graph, and its sizes."""
        new = {made: name for name, (made, _) in outputs.items()}
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [new.get(name, name) for name in names]
        made = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)
            for name, (_, sizes) in outputs.items()
        ]
        graph = helper.make_graph(self.nodes, "network", list(self.inputs.values()), made, self.constants)
        known = [helper.make_opsetid("", _OPSET), helper.make_opsetid(RUNTIME, 1)]
        model = helper.make_model(graph, opset_imports=known, ir_version=_IR, producer_name="plainsight")
        onnx.checker.check_model(model)
        content: bytes = model.SerializeToString()
        return content


def in_bytes(rows: NDArray[np.float32], *, most: int = _BYTE) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows as integers up to ``most``, and the step of each row."""
    steps = np.maximum(np.abs(rows).max(axis=1), LEAST) / most
    return np.rint(rows / steps[:, None]).astype(np.int8), steps.astype(np.float32)


def weights_in_bytes(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return weights as integers up to `WEIGHT`, and the step of each row."""
    return in_bytes(rows, most=WEIGHT)


def _lstm_in_bytes(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return weights of directions by gates by inputs as onnxruntime wants them: inputs by gates."""
    directions, gates, inputs = weights.shape
    whole, steps = weights_in_bytes(weights.reshape(-1, inputs))
    return whole.reshape(weights.shape).transpose(0, 2, 1), steps.reshape(directions, gates)


def _beside(layers: Sequence[Any], part: str) -> NDArray[np.float32]:
    return np.concatenate([floats(getattr(layer, part)) for layer in layers])


def floats(values: Any) -> NDArray[np.float32]:
    """Return a tensor of PyTorch, or an array, as an array of floats."""
    made: NDArray[np.float32] = (
        values.detach().float().cpu().numpy() if hasattr(values, "detach") else np.asarray(values, np.float32)
    )
    return made
