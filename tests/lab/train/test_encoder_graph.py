"""The graph written by hand says what the network in PyTorch says, with claims and lists and without."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from plainsight.lab.train.encoder import Encoder, Shape  # noqa: E402
from plainsight.lab.train.encoder_graph import to_onnx  # noqa: E402
from plainsight.text.vocabulary import FLAG_BITS  # noqa: E402


@pytest.mark.parametrize(("claims", "lists"), [(0, False), (3, False), (0, True), (3, True)])
@pytest.mark.parametrize("offset", [0, 2])  # RoBERTa's places begin at 2
@pytest.mark.parametrize(("exact", "off"), [(True, 1e-5), (False, 0.1)])
def test_onnx_says_what_pytorch_says(claims, lists, offset, exact, off):
    onnxruntime = pytest.importorskip("onnxruntime")
    torch.manual_seed(1)
    shape = Shape(
        vocabulary=50,
        positions=64,
        offset=offset,
        layers=2,
        width=32,
        heads=4,
        inner=64,
        claims=claims,
        lists=lists,
        tags=5,
    )
    network = Encoder(shape).eval()
    random = np.random.default_rng(1)
    given = {"pieces": random.integers(0, 50, (1, 20)), "case": random.integers(0, 3, (1, 20))}
    given |= {"gap": random.integers(0, 4, (1, 20)), "claim": random.integers(0, claims + 1, (1, 20))}
    given["lists"] = random.integers(0, 1 << FLAG_BITS, (1, 20))
    mask = np.ones((1, 20), np.int64)
    with torch.no_grad():
        wanted = network(*(torch.from_numpy(part) for part in (*given.values(), mask))).numpy()
    session = onnxruntime.InferenceSession(to_onnx(network, exact=exact), providers=["CPUExecutionProvider"])
    names = [wish.name for wish in session.get_inputs()]
    assert ("claim" in names, "lists" in names) == (bool(claims), lists)
    for asked in (np.arange(20), np.array([3, 4, 17])):
        given["asked"] = asked
        [found] = session.run(["scores"], {name: given[name] for name in names})
        np.testing.assert_allclose(found, wanted[:, asked], atol=off)
