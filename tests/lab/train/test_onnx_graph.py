"""Sums of bytes are exact on every processor, also where two products are added in 16 bits."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from plainsight.lab.train.convolutional.graph import to_onnx  # noqa: E402
from plainsight.lab.train.convolutional.network import Convolutions, Shape  # noqa: E402
from plainsight.lab.train.onnx_graph import Graph  # noqa: E402

WEIGHTS = {"MatMulIntegerToFloat": 1, "QLinearConv": 3}
"""Which input of an operation is its weights."""


def largest_weight(content: bytes) -> int:
    """The largest weight that bytes are multiplied by, whichever its sign."""
    graph = onnx.load_from_string(content).graph
    constants = {constant.name: constant for constant in graph.initializer}
    names = [node.input[WEIGHTS[node.op_type]] for node in graph.node if node.op_type in WEIGHTS]
    return max(int(np.abs(onnx.numpy_helper.to_array(constants[name]).astype(int)).max()) for name in names)


@pytest.mark.parametrize("rows", [1, 40])
def test_the_largest_bytes_by_the_largest_weights(rows):
    layer = torch.nn.Linear(64, 16)
    layer.weight.data = torch.tensor([1.0, -1.0] * 8)[:, None].repeat(1, 64)
    layer.bias.data.zero_()
    graph = Graph()
    graph.input("states", onnx.TensorProto.FLOAT, "rows", 64)
    outputs = {"scores": (graph.dense("states", layer), ("rows", 16))}
    content = graph.content(outputs)
    assert largest_weight(content) == 64  # where a processor has room for more, sums are exact anyway
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    [found] = session.run(["scores"], {"states": np.full((rows, 64), 255.0, np.float32)})
    np.testing.assert_allclose(found, np.tile([64 * 255.0, -64 * 255.0], (rows, 8)))


def test_convolutions_leave_room_as_well():
    torch.manual_seed(0)
    shape = Shape(vectors=8, width=16, inner=16, reach=((1, 2),), rows=16)
    assert largest_weight(to_onnx(Convolutions(shape, claims=3, tags=5).eval())) == 64


@pytest.mark.parametrize("model", ["conv-en", "wide-en", "gte-en"])
def test_bundled_weights_leave_room_for_two_products(model):
    network = files("plainsight") / "data" / "models" / model / "network.onnx"
    assert largest_weight(network.read_bytes()) == 64
