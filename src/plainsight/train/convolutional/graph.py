"""Write a convolutional network as an ONNX graph.

In bytes, words are rounded before they are laid beside their neighbours, not after: half the time. Norms see
no difference between states and the same states less their mean; so that is taken off once, all that is added
later has a mean of 0 by its weights, and no norm need look for it.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from onnx import TensorProto

from plainsight.train.convolutional.network import Convolutions
from plainsight.train.graph import Graph

__all__ = ["to_onnx"]

_END = np.iinfo(np.int64).max


def to_onnx(network: Convolutions, *, exact: bool = False) -> bytes:
    """Return a file's content: vectors of ``words`` in, ``scores`` out; in bytes, unless ``exact``."""
    graph = Graph(exact=exact)
    if network.widened is None:
        states = graph.centred("words")
    else:
        states = graph.dense("words", _centred(network.widened))
    layers = iter(network.layers)
    for norm, block in zip(network.norms, network.shape.reach, strict=True):
        seen = graph.normed(states, norm, centred=True)
        for place, reach in enumerate(block, start=1):
            layer = next(layers)
            if place < len(block):
                seen = graph.node("Relu", _around(graph, seen, reach, layer))
            else:
                seen = _around(graph, seen, reach, _centred(layer))
        states = graph.node("Add", states, seen)
    out = graph.dense(graph.normed(states, network.norm, centred=True), network.out)
    scores = graph.node("LogSoftmax", out, axis=1)
    inputs = {"words": ("words", network.shape.vectors)}
    return graph.content(scores, ("words", network.out.out_features), inputs=inputs, kind=TensorProto.FLOAT)


def _centred(layer: Any) -> Any:
    """Return a layer that makes the same less its mean."""
    made = deepcopy(layer)
    made.weight.data -= layer.weight.data.mean(0)
    made.bias.data -= layer.bias.data.mean()
    return made


def _around(graph: Graph, states: str, reach: int, layer: Any) -> str:
    """Return what a layer makes of words and of those so far before and after."""
    if graph.exact:
        zero = graph.constant(np.zeros((), np.float32))
        return graph.dense(_beside(graph, states, zero, reach), layer)
    rounded, step, zero = graph.rounded(states)
    return graph.product((_beside(graph, rounded, zero, reach), step, zero), layer)


def _beside(graph: Graph, states: str, zero: str, reach: int) -> str:
    """Lay each word between those so far before and after it; beyond a note's ends there is nothing."""
    first, begin, end, back = (graph.constant(np.array([at])) for at in (0, 2 * reach, _END, -2 * reach))
    wide = graph.node("Pad", states, graph.constant(np.array([reach, 0, reach, 0])), zero)
    before = graph.node("Slice", wide, first, back, first)
    after = graph.node("Slice", wide, begin, end, first)
    return graph.node("Concat", before, states, after, axis=1)
