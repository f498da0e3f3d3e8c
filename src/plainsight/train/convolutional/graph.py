"""Write a convolutional network as an ONNX graph.

In bytes, the layers of a block are convolutions of whole numbers, which onnxruntime does without laying words
beside their neighbours; steps are fixed beforehand (`extents`), and a byte that begins at 0 cuts off what is
below, so nothing else is done between two layers. Norms see no difference between states and the same states
less their mean; words have a mean of 0, all that is added later has one by its weights, and no norm need look
for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from plainsight.train.convolutional.network import Convolutions
from plainsight.train.graph import OWN, Extent, Graph, Steps, floats, in_bytes, step_within

__all__ = ["to_onnx"]

_END = np.iinfo(np.int64).max


def to_onnx(network: Convolutions, *, exact: bool = False) -> bytes:
    """Return a file's content: vectors of ``words`` in, ``scores`` out; in bytes, unless ``exact``.

    Words have a mean of 0, unless layers are wider than words.
    """
    if not exact and not network.extents.any():
        raise ValueError("how far this network's numbers go has not been measured")
    graph = Graph(exact=exact)
    extents: Iterator[Extent] = iter(network.extents.tolist())
    states = "words"
    if network.widened is not None:
        states = _dense(graph, states, _centred(network.widened), extents)
    layers = iter(network.layers)
    for norm, block in zip(network.norms, network.shape.reach, strict=True):
        *first, last = [next(layers) for _ in block]
        seen = graph.normed(states, norm, centred=True)
        look = _look if exact else _look_in_bytes
        states = graph.node("Add", states, look(graph, seen, block, [*first, _centred(last)], extents))
    out = _dense(graph, graph.normed(states, network.norm, centred=True), network.out, extents)
    scores = graph.node("LogSoftmax", out, axis=1)
    inputs = {"words": ("words", network.shape.vectors)}
    return graph.content(scores, ("words", network.out.out_features), inputs=inputs, kind=TensorProto.FLOAT)


def _centred(layer: Any) -> Any:
    """Return a layer that makes the same less its mean."""
    made = deepcopy(layer)
    made.weight.data -= layer.weight.data.mean(0)
    made.bias.data -= layer.bias.data.mean()
    return made


def _dense(graph: Graph, states: str, layer: Any, extents: Iterator[Extent]) -> str:
    """Return what a layer makes of states."""
    if graph.exact:
        return graph.dense(states, layer)
    return graph.product(graph.rounded_within(states, next(extents)), layer)


def _look(
    graph: Graph, states: str, block: Sequence[int], layers: Sequence[Any], extents: Iterator[Extent]
) -> str:
    """Return what the layers of a block make of words and of those so far before and after."""
    for place, (reach, layer) in enumerate(zip(block, layers, strict=True)):
        rectified = graph.node("Relu", states) if place else states
        states = graph.dense(_beside(graph, rectified, reach), layer)
    return states


def _beside(graph: Graph, states: str, reach: int) -> str:
    """Lay each word between those so far before and after it; beyond a note's ends there is nothing."""
    first, begin, end, back = (graph.constant(np.array([at])) for at in (0, 2 * reach, _END, -2 * reach))
    wide = graph.node("Pad", states, graph.constant(np.array([reach, 0, reach, 0])))
    before = graph.node("Slice", wide, first, back, first)
    after = graph.node("Slice", wide, begin, end, first)
    return graph.node("Concat", before, states, after, axis=1)


def _look_in_bytes(
    graph: Graph, states: str, block: Sequence[int], layers: Sequence[Any], extents: Iterator[Extent]
) -> str:
    """Return the same; all between is in bytes."""
    width = layers[-1].out_features
    steps = step_within(next(extents))
    rounded = graph.node("QuantizeLinear", states, *map(graph.constant, steps))
    rounded = graph.node("Reshape", rounded, graph.constant(np.array([1, -1, width])))  # of one note
    for reach, layer in zip(block, layers, strict=True):
        given, steps = steps, step_within(next(extents))
        rounded = _convolved(graph, rounded, reach, layer, given, steps)
    rounded = graph.node("Reshape", rounded, graph.constant(np.array([-1, width])))
    return graph.node("DequantizeLinear", rounded, *map(graph.constant, steps))


def _convolved(graph: Graph, states: str, reach: int, layer: Any, given: Steps, made: Steps) -> str:
    """Return what a layer makes of words and of those so far before and after, bytes of bytes."""
    whole, steps = in_bytes(floats(layer.weight))
    weights = whole.reshape(len(whole), 3, -1).transpose(0, 2, 1)
    bias = np.rint(floats(layer.bias) / (given[0] * steps)).astype(np.int32)
    zeros = np.zeros(len(whole), np.int8)
    constants: list[NDArray[Any]] = [*given, weights, steps, zeros, *made, bias]
    return graph.node(
        "QLinearConv",
        states,
        *map(graph.constant, constants),
        domain=OWN,
        channels_last=1,
        kernel_shape=[3],
        dilations=[reach],
        pads=[reach, reach],
        strides=[1],
    )
