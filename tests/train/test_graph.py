"""Sums of bytes are exact on every processor, also where two products are added in 16 bits."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from plainsight.train.graph import Graph  # noqa: E402

WEIGHTS = {"MatMulIntegerToFloat": 1, "QLinearConv": 3}
"""Which input of an operation is its weights."""


@pytest.mark.parametrize("rows", [1, 40])
def test_the_largest_bytes_by_the_largest_weights(rows):
    layer = torch.nn.Linear(64, 16)
    layer.weight.data = torch.tensor([1.0, -1.0] * 8)[:, None].repeat(1, 64)
    layer.bias.data.zero_()
    graph = Graph()
    inputs = {"states": ("rows", 64)}
    content = graph.content(
        graph.dense("states", layer), ("rows", 16), inputs=inputs, kind=onnx.TensorProto.FLOAT
    )
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    [found] = session.run(["scores"], {"states": np.full((rows, 64), 255.0, np.float32)})
    np.testing.assert_allclose(found, np.tile([64 * 255.0, -64 * 255.0], (rows, 8)))


@pytest.mark.parametrize("model", ["conv-en", "wide-en", "gte-en"])
def test_bundled_weights_leave_room_for_two_products(model):
    network = files("plainsight") / "data" / "models" / model / "network.onnx"
    graph = onnx.load_from_string(network.read_bytes()).graph
    constants = {constant.name: constant for constant in graph.initializer}
    weights = [
        onnx.numpy_helper.to_array(constants[node.input[WEIGHTS[node.op_type]]])
        for node in graph.node
        if node.op_type in WEIGHTS
    ]
    assert weights
    assert max(int(np.abs(its.astype(int)).max()) for its in weights) == 64
