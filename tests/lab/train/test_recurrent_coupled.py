"""The LSTM with coupled gates: PyTorch and ONNX against the paper's equations, written out in numpy."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch
from onnx import TensorProto
from onnxruntime import InferenceSession

from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.train.bilstm import train_bilstm
from plainsight.lab.train.onnx_graph import Graph
from plainsight.lab.train.recurrent.coupled import CoupledLstm
from plainsight.lab.train.recurrent.graph import _layer, _lstm

LENGTHS = [5, 1, 3]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_way(layer, way, rows):
    """Run the cell over the rows of one sequence; return its states."""
    given, states, bias, peepholes = (
        getattr(layer, f"{name}_{way}").detach().numpy().astype(float)
        for name in ("inputs", "states", "bias", "peepholes")
    )
    h = c = np.zeros(layer.hidden_size)
    made = []
    for x in rows:
        i, o, new = np.split(given @ x + states @ h + bias, 3)
        i = sigmoid(i + peepholes[0] * c)
        c = (1 - i) * c + i * np.tanh(new)
        h = sigmoid(o + peepholes[1] * c) * np.tanh(c)
        made.append(h)
    return np.array(made)


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return CoupledLstm(4, 3).eval()


@pytest.fixture
def wanted(layer, inputs):
    """Return the states of each sequence, both directions side by side."""
    return [
        np.hstack([one_way(layer, "forward", rows), one_way(layer, "backward", rows[::-1])[::-1]])
        for rows in (inputs[:length, place] for place, length in enumerate(LENGTHS))
    ]


@pytest.fixture
def inputs():
    return np.random.default_rng(0).normal(size=(5, 3, 4)).astype(np.float32) * 2


def test_pytorch_follows_the_equations(layer, inputs, wanted):
    found, last = layer(torch.from_numpy(inputs), torch.tensor(LENGTHS), 0.0)
    for place, states in enumerate(wanted):
        length = LENGTHS[place]
        assert found[:length, place].detach().numpy() == pytest.approx(states, abs=1e-6)
        assert (found[length:, place] == 0).all()
        assert last[0, place].detach().numpy() == pytest.approx(states[-1, :3], abs=1e-6)
        assert last[1, place].detach().numpy() == pytest.approx(states[0, 3:], abs=1e-6)


@pytest.mark.parametrize(("exact", "error"), [(True, 1e-6), (False, 0.05)])
def test_onnx_follows_the_equations(layer, inputs, wanted, exact, error):
    graph = Graph(exact=exact)
    lengths = graph.input("lengths", TensorProto.INT32, "sequences")
    given = graph.input("inputs", TensorProto.FLOAT, "places", "sequences", 4)
    made = _lstm(graph, given, _layer(layer), lengths)
    content = graph.content({"states": (made, ("places", "sequences", 6))})
    session = InferenceSession(content)
    [found] = session.run(None, {"inputs": inputs, "lengths": np.array(LENGTHS, np.int32)})
    for place, states in enumerate(wanted):
        assert found[: LENGTHS[place], place] == pytest.approx(states, abs=error)


@pytest.mark.server  # takes long
def test_a_network_with_coupled_gates_learns(notes, tmp_path):
    options = {"optimiser": "adam", "rate": 0.01, "batch": 4, "epochs": 25, "patience": 0}
    manifest = train_bilstm(notes(10), tmp_path / "m", gates="coupled", **options)
    assert manifest["training"]["gates"] == "coupled"
    found = Bilstm(model=str(tmp_path / "m")).detect(notes(10))
    marked = [{(s.start, s.end, s.label) for s in note.spans} for note in notes(10)]
    right = sum(
        (span.start, span.end, span.label) in those
        for those, spans in zip(marked, found, strict=True)
        for span in spans
    )
    assert right > 0.9 * sum(map(len, marked))


def test_unknown_gates_are_refused(notes, tmp_path):
    with pytest.raises(UsageError, match="unknown gates 'couple'; did you mean 'coupled'"):
        train_bilstm(notes(2), tmp_path / "m", gates="couple")
