"""Write an encoder as an ONNX graph that reads one window at a time: no padding, so no mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto

from plainsight.train.encoder import Encoder, distances
from plainsight.train.graph import OWN, Graph, floats

__all__ = ["to_onnx"]


def to_onnx(network: Encoder, *, exact: bool = False) -> bytes:
    """Return a file's content: numbers of pieces in, ``scores`` out; in bytes, unless ``exact``."""
    graph = Graph(exact=exact)
    states = graph.normed(_read(graph, network), network.ready)
    apart = _apart(graph, network)
    for layer in network.layers:
        states = _layer(graph, states, layer, apart)
    weights, bias = (graph.constant(floats(part)) for part in (network.out.weight.T, network.out.bias))
    scores = graph.node("Add", graph.node("MatMul", states, weights), bias)  # too few to gain by bytes
    inputs = ("pieces", "case", "gap", "claim") if network.claim is not None else ("pieces", "case", "gap")
    size = (1, "pieces")
    return graph.content(
        scores, (*size, network.shape.tags), inputs=inputs, kind=TensorProto.INT64, given=size
    )


def _read(graph: Graph, network: Encoder) -> str:
    """Return the sum of all that is known of a piece before it is seen among others."""
    places = graph.constant(floats(network.places.weight)[network.shape.offset :] + floats(network.kind))
    start = graph.constant(np.array([0]))
    states = graph.looked_up("pieces", floats(network.pieces.weight))
    here = graph.node("Slice", places, start, graph.node("Shape", "pieces", start=1), start)
    states = graph.node("Add", states, here)
    for name, table in (("case", network.case), ("gap", network.gap), ("claim", network.claim)):
        if table is not None:
            found = graph.node("Gather", graph.constant(floats(table.weight)), name)
            states = graph.node("Add", states, found)
    return states


def _apart(graph: Graph, network: Encoder) -> list[str]:
    """Return what each head makes of how far apart two pieces are, if the network looks at that."""
    if network.apart is None:
        return []
    most = network.shape.positions - network.shape.offset
    kinds = graph.constant(distances(most, network.shape.distances).numpy().astype(np.int32))
    size = graph.node("Shape", "pieces", start=1)
    here = graph.node(
        "Slice",
        kinds,
        graph.constant(np.zeros(2, np.int64)),
        graph.node("Concat", size, size, axis=0),
        graph.constant(np.arange(2)),
    )
    found = graph.node("Gather", graph.constant(floats(network.apart.weight)), here)
    heads_first = graph.node("Transpose", found, perm=[2, 0, 1])
    return ["", "", graph.node("Unsqueeze", heads_first, graph.constant(np.array([0])))]


def _layer(graph: Graph, states: str, layer: Any, apart: Sequence[str]) -> str:
    """Return what attention, then a hidden layer, make of states."""
    three = graph.dense(states, layer.query, layer.key, layer.value)
    sizes = graph.constant(np.full(3, layer.query.out_features))
    parts = graph.several("Split", three, sizes, outputs=3, axis=2)
    seen = graph.node("MultiHeadAttention", *parts, *apart, domain=OWN, num_heads=layer.heads)
    states = graph.normed(graph.node("Add", states, graph.dense(seen, layer.mixed)), layer.attended)
    bent = "Gelu" if graph.exact else "FastGelu"  # all but the same, and on ARM twice as quick
    inner = graph.node(bent, graph.dense(states, layer.wide), domain=OWN)
    return graph.normed(graph.node("Add", states, graph.dense(inner, layer.narrow)), layer.done)
