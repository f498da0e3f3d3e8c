"""What a graph in bytes says is near what PyTorch says, and no number in it goes further than bytes do."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from plainsight.detect.convolution.vectors import to_bytes  # noqa: E402
from plainsight.detect.learned import log_softmax  # noqa: E402
from plainsight.lab.train.convolutional.graph import to_onnx  # noqa: E402
from plainsight.lab.train.convolutional.network import SIGNED, Convolutions, Shape  # noqa: E402
from plainsight.model import load_model  # noqa: E402


def network(*, vectors: int = 16) -> Convolutions:
    torch.manual_seed(3)
    shape = Shape(vectors=vectors, width=16, inner=8, reach=((1, 2), (3,)), rows=64)
    return Convolutions(shape, claims=3, tags=5).eval()


def scores(made: Convolutions, words: torch.Tensor, *, exact: bool) -> np.ndarray:
    session = onnxruntime.InferenceSession(to_onnx(made, exact=exact), providers=["CPUExecutionProvider"])
    given = words.numpy() if exact else to_bytes(words.numpy(), float(SIGNED[0]))
    found, others = session.run(["scores", "others"], {"words": given})
    np.testing.assert_array_equal(others, found[:, 1:].max(axis=1))
    return log_softmax(found)


@pytest.mark.parametrize("vectors", [16, 8])
@pytest.mark.parametrize("length", [1, 3, 200])
@pytest.mark.parametrize("spread", [1.0, 30.0])
@pytest.mark.parametrize(("exact", "near"), [(True, 1e-4), (False, 0.1)])
def test_a_graph_says_what_pytorch_says(vectors, length, spread, exact, near):
    made, words = network(vectors=vectors), spread * torch.randn(length, vectors)
    with torch.no_grad():
        np.testing.assert_allclose(scores(made, words, exact=exact), made(words[None])[0].numpy(), atol=near)


def test_in_training_numbers_and_weights_are_rounded_as_in_bytes():
    made, words = network(vectors=8), torch.randn(200, 8)
    made.drop.p = 0.0
    with torch.no_grad():
        rounded, free = (made.train(mode)(words[None])[0].numpy() for mode in (True, False))
    found = scores(made, words, exact=False)
    assert np.median(np.abs(found - rounded)) < 1e-5  # but for halves, which may go up or down
    assert np.median(np.abs(found - free)) > 1e-3


def test_0_is_the_same_byte_in_training():
    step, zero = SIGNED
    assert to_bytes(np.zeros(1, np.float32), float(step)) == zero


def test_what_is_cut_off_still_lets_others_learn():
    made = network().train()
    words = torch.tensor([[[9.0] * 8 + [0.5] * 8]], requires_grad=True)
    made(words)[..., 0].sum().backward()
    assert words.grad is not None
    assert not words.grad[..., :8].any()
    assert words.grad[..., 8:].any()


def test_all_before_the_last_layer_is_in_bytes():
    kinds = [node.op_type for node in onnx.load_from_string(to_onnx(network(vectors=8))).graph.node]
    conv = ["QLinearConv"]
    blocks = [*conv * 2, "QLinearAdd", *conv, "QLinearAdd"]
    assert kinds == [
        "Reshape",
        *conv,
        *blocks,
        "Reshape",
        "MatMulIntegerToFloat",
        "Slice",
        "ReduceMax",
    ]


@pytest.mark.parametrize("name", ["conv-en", "wide-en"])
def test_bundled_graphs_are_built_as_new_ones(name):
    model = load_model(name, kind="convolution")
    reach = tuple(map(tuple, model.manifest["network"]["reach"]))
    shape = Shape(**{**model.manifest["network"], "reach": reach})
    made = Convolutions(shape, claims=3, tags=len(model.manifest["tags"]))
    bundled, new = (
        onnx.load_from_string(content).graph
        for content in ((model.folder / "network.onnx").read_bytes(), to_onnx(made))
    )
    assert [(node.op_type, node.attribute) for node in bundled.node] == [
        (node.op_type, node.attribute) for node in new.node
    ]
    assert (bundled.input, bundled.output) == (new.input, new.output)
    sizes = [[(each.data_type, each.dims) for each in graph.initializer] for graph in (bundled, new)]
    assert sizes[0] == sizes[1]
    assert model.manifest["step"] == SIGNED[0]
