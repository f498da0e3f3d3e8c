"""What a graph in bytes says is near what PyTorch says, once it is known how far numbers go."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnxruntime = pytest.importorskip("onnxruntime")
torch.set_num_threads(1)

from plainsight.train.convolutional.extents import measured  # noqa: E402
from plainsight.train.convolutional.graph import to_onnx  # noqa: E402
from plainsight.train.convolutional.network import Convolutions, Shape, arrays_of  # noqa: E402


def network(*, vectors: int = 16) -> Convolutions:
    torch.manual_seed(3)
    shape = Shape(vectors=vectors, width=16, reach=((1, 2), (3,)), rows=64)
    return Convolutions(shape, claims=3, tags=5).eval()


def notes(width: int) -> list[torch.Tensor]:
    made = [torch.randn(length, width) for length in (200, 300, 40, 3, 1)]
    return [words - words.mean(1, keepdim=True) for words in made]


@pytest.mark.parametrize("vectors", [16, 8])
@pytest.mark.parametrize(("exact", "near"), [(True, 1e-4), (False, 0.25)])
def test_a_graph_says_what_pytorch_says(vectors, exact, near):
    made, some = network(vectors=vectors), notes(vectors)
    made.extents.copy_(measured(made, some[:2]))
    session = onnxruntime.InferenceSession(to_onnx(made, exact=exact), providers=["CPUExecutionProvider"])
    for words in some:
        [found] = session.run(["scores"], {"words": words.numpy()})
        with torch.no_grad():
            np.testing.assert_allclose(found, made(words[None])[0].numpy(), atol=near)


def test_numbers_go_as_far_as_those_of_a_note_do_on_average():
    made, some = network(vectors=8), notes(8)
    extents = measured(made, some)
    assert extents.shape == made.extents.shape == (1 + 3 + 2 + 1, 2)
    torch.testing.assert_close(extents[0, 1], torch.stack([words.max() for words in some]).mean())
    assert extents[2, 0] == 0.0  # what is below is cut off between two layers
    torch.testing.assert_close(measured(made, some[:1])[6, 1], _last(made, some[0]).max())


def _last(made: Convolutions, words: torch.Tensor) -> torch.Tensor:
    caught: list[torch.Tensor] = []
    hook = made.norm.register_forward_hook(lambda module, given, out: caught.append(out))
    with torch.no_grad():
        made(words[None])
    hook.remove()
    return caught[0]


def test_a_network_that_was_not_measured_is_not_written_in_bytes():
    with pytest.raises(ValueError, match="measured"):
        to_onnx(network())


@pytest.mark.parametrize("vectors", [16, 8])
def test_vectors_as_wide_as_layers_have_a_mean_of_0(vectors):
    arrays = arrays_of(network(vectors=vectors))
    table = arrays["table"] * arrays["steps"][:, None]
    means = [np.abs(rows.mean(axis=1)).max() for rows in (table, arrays["gaps"], arrays["claims"])]
    assert (max(means) < 0.01) == (vectors == 16)
