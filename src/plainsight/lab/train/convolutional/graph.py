"""Write a convolutional network as an ONNX graph.

Its states stay in the range of bytes (`network`), so the input and all layers but the last use 8-bit
integers, with onnxruntime's own operations. An unsigned byte rectifies by itself, and a sum that is too large
for a byte is clipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from plainsight.lab.train.convolutional.network import SIGNED, UNSIGNED, Convolutions
from plainsight.lab.train.onnx_graph import RUNTIME, Graph, Steps, floats, weights_in_bytes

_END = np.iinfo(np.int64).max


def to_onnx(network: Convolutions, *, exact: bool = False) -> bytes:
    """Return a file's content: vectors of ``words`` in, as bytes (see `SIGNED`) unless ``exact``.

    The outputs are the ``scores`` of all tags, and ``others``, the best score besides ``O``. Where
    that is low, as at most words, probabilities are not needed.
    """
    return build(Graph(exact=exact), network)


def build(graph: Graph, network: Convolutions) -> bytes:
    """Build a graph and return its content."""
    scores = (_in_floats if graph.exact else _in_bytes)(graph, network)
    first, last = (graph.constant(np.array([at])) for at in (1, _END))
    others = graph.node("Slice", scores, first, last, graph.constant(np.array([1])))
    outputs = {
        "scores": (scores, ("words", network.out.out_features)),
        "others": (graph.node("ReduceMax", others, axes=[1], keepdims=0), ("words",)),
    }
    graph.input(
        "words", TensorProto.FLOAT if graph.exact else TensorProto.UINT8, "words", network.shape.vectors
    )
    return graph.content(outputs)


def _in_floats(graph: Graph, network: Convolutions) -> str:
    """Build the network with floats, clipped to the range of bytes."""
    states = _cut_off(graph, "words", SIGNED)
    if network.widened is not None:
        states = _cut_off(graph, graph.dense(states, network.widened), SIGNED)
    for block in _blocks(network):
        seen = states
        for reach, layer, steps in block:
            seen = _cut_off(graph, graph.dense(_beside(graph, seen, reach), layer), steps)
        states = _cut_off(graph, graph.node("Add", states, seen), SIGNED)
    return graph.dense(states, network.out)


def _in_bytes(graph: Graph, network: Convolutions) -> str:
    """Build the network with 8-bit integers."""
    one_note = graph.constant(np.array([1, -1, network.shape.vectors]))
    states = graph.node("Reshape", "words", one_note)
    if network.widened is not None:
        states = _convolved(graph, states, 0, network.widened, SIGNED, SIGNED)
    for block in _blocks(network):
        seen, given = states, SIGNED
        for reach, layer, steps in block:
            seen, given = _convolved(graph, seen, reach, layer, given, steps), steps
        three = [_constants(graph, SIGNED) for _ in range(3)]
        states = graph.node("QLinearAdd", states, *three[0], seen, *three[1], *three[2], domain=RUNTIME)
    states = graph.node("Reshape", states, graph.constant(np.array([-1, network.shape.width])))
    return graph.integer_product([states, *_constants(graph, SIGNED)], network.out)


def _blocks(network: Convolutions) -> Iterator[list[tuple[int, Any, Steps]]]:
    """Yield the layers of each block: the reach, the layer, and the steps of its output."""
    layers = iter(network.layers)
    for block in network.shape.reach:
        steps = [*[UNSIGNED] * (len(block) - 1), SIGNED]
        yield [(reach, next(layers), its) for reach, its in zip(block, steps, strict=True)]


def _constants(graph: Graph, steps: Steps) -> list[str]:
    return [graph.constant(part) for part in steps]


def _cut_off(graph: Graph, states: str, steps: Steps) -> str:
    step, zero = steps
    least, most = (np.float32((end - int(zero)) * step) for end in (0, 255))
    return graph.node("Clip", states, graph.constant(least), graph.constant(most))


def _beside(graph: Graph, states: str, reach: int) -> str:
    """Concatenate each word with those ``reach`` before and after it, padded with zeros."""
    first, begin, end, back = (graph.constant(np.array([at])) for at in (0, 2 * reach, _END, -2 * reach))
    wide = graph.node("Pad", states, graph.constant(np.array([reach, 0, reach, 0])))
    before = graph.node("Slice", wide, first, back, first)
    after = graph.node("Slice", wide, begin, end, first)
    return graph.node("Concat", before, states, after, axis=1)


def _convolved(graph: Graph, states: str, reach: int, layer: Any, given: Steps, made: Steps) -> str:
    """Apply a layer to each word and, with a reach, to those so far before and after it."""
    whole, steps = weights_in_bytes(floats(layer.weight))
    seen = 3 if reach else 1
    weights = whole.reshape(len(whole), seen, -1).transpose(0, 2, 1)
    bias = np.rint(floats(layer.bias) / (given[0] * steps)).astype(np.int32)
    zeros = np.zeros(len(whole), np.int8)
    constants: list[NDArray[Any]] = [*given, weights, steps, zeros, *made, bias]
    return graph.node(
        "QLinearConv",
        states,
        *map(graph.constant, constants),
        domain=RUNTIME,
        channels_last=1,
        kernel_shape=[seen],
        dilations=[reach or 1],
        pads=[reach, reach],
        strides=[1],
    )
