"""Write an encoder as an ONNX graph that reads one window at a time: no padding, so no mask.

Only the pieces that are asked about go through the last layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from plainsight.lab.train.encoder import Encoder, distances
from plainsight.lab.train.onnx_graph import RUNTIME, Graph, floats


def to_onnx(network: Encoder, *, exact: bool = False) -> bytes:
    """Return a file's content: pieces in, ``scores`` of the ``asked`` out; in bytes, unless ``exact``."""
    return build(Graph(exact=exact), network)


def build(graph: Graph, network: Encoder) -> bytes:
    """Build a graph and return its content."""
    states = graph.layer_norm(_read(graph, network), network.ready)
    apart = _apart(graph, network)
    *others, last = network.layers
    for layer in others:
        states = _layer(graph, states, states, layer, apart)
    asked = graph.node("Gather", states, "asked", axis=1)
    states = _layer(graph, asked, states, last, [part and _rows(graph, part) for part in apart])
    weights, bias = (graph.constant(floats(part)) for part in (network.out.weight.T, network.out.bias))
    scores = graph.node("Add", graph.node("MatMul", states, weights), bias)  # too few to gain by bytes
    optional = {"claim": network.claim, "lists": network.lists}
    for name in ("pieces", "case", "gap", *(name for name, part in optional.items() if part is not None)):
        graph.input(name, TensorProto.INT64, 1, "pieces")
    graph.input("asked", TensorProto.INT64, "asked")
    return graph.content({"scores": (scores, (1, "asked", network.shape.tags))})


def _read(graph: Graph, network: Encoder) -> str:
    """Return the sum of all embeddings of a piece."""
    places = graph.constant(floats(network.places.weight)[network.shape.offset :] + floats(network.kind))
    start = graph.constant(np.array([0]))
    states = graph.embedding("pieces", floats(network.pieces.weight))
    here = graph.node("Slice", places, start, graph.node("Shape", "pieces", start=1), start)
    states = graph.node("Add", states, here)
    for name, table in (("case", network.case), ("gap", network.gap), ("claim", network.claim)):
        if table is not None:
            found = graph.node("Gather", graph.constant(floats(table.weight)), name)
            states = graph.node("Add", states, found)
    if network.lists is not None:
        states = graph.node("Add", states, _listed(graph, floats(network.lists.weight.T)))
    return states


def _listed(graph: Graph, table: NDArray[np.float32]) -> str:
    """Return the summed embeddings of the lists of a piece, which are the bits of a number."""
    number = graph.node("Unsqueeze", "lists", graph.constant(np.array([-1])))
    halved = graph.node("Div", number, graph.constant(1 << np.arange(len(table))))
    bits = graph.node("Mod", halved, graph.constant(np.array([2])))
    return graph.node("MatMul", graph.node("Cast", bits, to=TensorProto.FLOAT), graph.constant(table))


def _apart(graph: Graph, network: Encoder) -> list[str]:
    """Return the attention bias of each head for the distance of two pieces, if there is one."""
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


def _rows(graph: Graph, apart: str) -> str:
    """Keep only the rows of the pieces that are asked about."""
    return graph.node("Gather", apart, "asked", axis=2)


def _layer(graph: Graph, asked: str, states: str, layer: Any, apart: Sequence[str]) -> str:
    """Apply attention and a hidden layer to the states that are asked about."""
    width = layer.query.out_features
    if asked == states:
        three = graph.dense(states, layer.query, layer.key, layer.value)
        query, *others = graph.several("Split", three, graph.constant(np.full(3, width)), outputs=3, axis=2)
    else:
        query, both = graph.dense(asked, layer.query), graph.dense(states, layer.key, layer.value)
        others = graph.several("Split", both, graph.constant(np.full(2, width)), outputs=2, axis=2)
    seen = graph.node("MultiHeadAttention", query, *others, *apart, domain=RUNTIME, num_heads=layer.heads)
    asked = graph.layer_norm(graph.node("Add", asked, graph.dense(seen, layer.mixed)), layer.attended)
    bent = "Gelu" if graph.exact else "FastGelu"  # nearly the same, and twice as fast on ARM
    inner = graph.node(bent, graph.dense(asked, layer.wide), domain=RUNTIME)
    return graph.layer_norm(graph.node("Add", asked, graph.dense(inner, layer.narrow)), layer.done)
