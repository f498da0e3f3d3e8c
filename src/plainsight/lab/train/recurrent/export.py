"""Write a fitted network for use: an ONNX graph, and the same with bytes for weights."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from plainsight.lab.train.recurrent.architecture import Architecture
from plainsight.lab.train.recurrent.graph import Context, Dense, Lstm, Weights, to_onnx
from plainsight.lab.train.recurrent.language import LanguageModel
from plainsight.lab.train.recurrent.layers import Parts

__all__ = ["quantised", "weights_of"]

Floats = NDArray[np.float32]


def weights_of(
    parts: Parts,
    architecture: Architecture,
    *,
    context: LanguageModel | None = None,
) -> Weights:
    """Return a network's weights as plain arrays."""
    return Weights(
        columns={column: _floats(parts[f"column-{column}"].weight) for column in architecture.columns},
        alphabet=_floats(parts["signs"].weight) if architecture.spelt else None,
        speller=_lstm(parts["speller"]) if architecture.spelt else None,
        context=_context(context) if context else None,
        layers=[_lstm(parts[f"layer-{place}"]) for place in range(len(architecture.layers))],
        residual=architecture.residual,
        hidden=_dense(parts["hidden"]) if architecture.hidden else None,
        output=_dense(parts["output"]),
    )


def quantised(weights: Weights) -> bytes:
    """Return the network with bytes for weights, computed with bytes."""
    quantization: Any = import_module("onnxruntime.quantization")
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        model = onnx.load_model_from_string(to_onnx(weights, packed=True))
        # as if it had been prepared, which it need not be: else there is a warning at each call
        onnx.helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
        onnx.save_model(model, whole)
        quantization.quantize_dynamic(
            whole,
            small,
            op_types_to_quantize=["LSTM", "MatMul"],
            weight_type=quantization.QuantType.QInt8,
            per_channel=True,
        )
        return small.read_bytes()


def _context(model: LanguageModel) -> Context:
    stacks = [
        [_lstm(model.parts[f"{way}-{place}"], direction=direction) for place in range(model.layers)]
        for way, direction in (("forward", "forward"), ("backward", "reverse"))
    ]
    return Context(
        _floats(model.parts["signs"].weight),
        _lstm(model.parts["speller"]),
        stacks[0],
        stacks[1],
        [1 / model.layers] * model.layers,
    )


def _lstm(layer: Any, *, direction: str = "bidirectional") -> Lstm:
    """Return a layer with its gates in ONNX's order."""
    ways = ("", "_reverse") if layer.bidirectional else ("",)
    inputs, states, bias = [], [], []
    for way in ways:
        inputs.append(_gates(getattr(layer, f"weight_ih_l0{way}")))
        states.append(_gates(getattr(layer, f"weight_hh_l0{way}")))
        both = [_gates(getattr(layer, f"bias_{part}_l0{way}")) for part in ("ih", "hh")]
        bias.append(np.concatenate(both))
    return Lstm(np.stack(inputs), np.stack(states), np.stack(bias), direction=direction)


def _gates(values: Any) -> Floats:
    into, forget, cell, out = np.split(_floats(values), 4)
    return np.concatenate((into, out, forget, cell))


def _dense(layer: Any) -> Dense:
    return Dense(np.ascontiguousarray(_floats(layer.weight).T), _floats(layer.bias))


def _floats(values: Any) -> Floats:
    made: Floats = values.detach().cpu().float().numpy()
    return made
