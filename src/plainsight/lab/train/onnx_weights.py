"""Read the weights of a written network back, to continue training from it.

A model holds its network as an ONNX graph, in bytes unless it is exact. `GraphReader` builds the same graph
once more, but takes the constants of the stored one and puts them into the network of PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from plainsight.errors import UsageError
from plainsight.lab.train.onnx_graph import Graph


class GraphReader(Graph):
    """A graph whose constants come from a stored one; those of layers and tables go into the network.

    The network must be on the CPU: its arrays share their memory with its parameters.
    """

    def __init__(self, model: Path, *, exact: bool) -> None:
        super().__init__(exact=exact)
        self._where = model
        graph = onnx.load(str(model / "network.onnx")).graph
        self.stored: list[NDArray[Any]] = [numpy_helper.to_array(constant) for constant in graph.initializer]
        self.convolved: list[list[NDArray[Any]]] = []

    def constant(self, values: NDArray[Any] | np.float32) -> str:
        """Put the stored array into an array that shares its memory with a parameter."""
        stored = self.stored[len(self.constants)] if len(self.constants) < len(self.stored) else None
        if stored is None or stored.shape != np.shape(values):
            raise UsageError(f"{self._where}: its network is of another kind than this version trains")
        if isinstance(values, np.ndarray) and values.dtype == np.float32 and values.ndim:
            values[...] = stored
        return super().constant(values)

    def dense(self, states: str, *layers: Any) -> str:
        """Read linear layers side by side."""
        first = len(self.constants)
        made = super().dense(states, *layers)
        if self.exact:
            self._fill(layers, self.stored[first].T, self.stored[first + 1])
        return made

    def integer_product(self, states: Sequence[str], *layers: Any) -> str:
        """Read linear layers in bytes."""
        first = len(self.constants)
        made = super().integer_product(states, *layers)
        whole, _, bias, steps = self.stored[first : first + 4]
        self._fill(layers, whole.T * steps[:, None], bias)
        return made

    def embedding(self, rows: str, table: NDArray[np.float32]) -> str:
        """Read a table."""
        first = len(self.constants)
        made = super().embedding(rows, table)
        if not self.exact:
            table[...] = self.stored[first] * self.stored[first + 1]
        return made

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Remember the constants of convolutions."""
        if kind == "QLinearConv":
            self.convolved.append([self.stored[int(name.removeprefix("c"))] for name in inputs[1:]])
        return super().node(kind, *inputs, domain=domain, **attributes)

    def _fill(self, layers: Sequence[Any], weight: NDArray[Any], bias: NDArray[Any]) -> None:
        edges = np.cumsum([layer.out_features for layer in layers])[:-1]
        parts = (np.split(np.array(part, np.float32), edges) for part in (weight, bias))
        with torch.no_grad():
            for layer, own, constant in zip(layers, *parts, strict=True):
                layer.weight.copy_(torch.from_numpy(own))
                layer.bias.copy_(torch.from_numpy(constant))


def with_tags(layer: torch.nn.Linear, had: Sequence[str], wanted: Sequence[str]) -> torch.nn.Linear:
    """Return a last layer for other tags; the weights of those that it had stay, others are new."""
    made = torch.nn.Linear(layer.in_features, len(wanted))
    with torch.no_grad():
        for place, tag in enumerate(wanted):
            if tag in had:
                made.weight[place] = layer.weight[had.index(tag)]
                made.bias[place] = layer.bias[had.index(tag)]
    return made
