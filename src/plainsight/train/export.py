"""From PyTorch to ONNX: a network in bytes, for onnxruntime, without what only training needs."""

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import nn

__all__ = ["export"]

_OPERATIONS = 17  # of ONNX; everything since 2022 runs them


def export(
    network: nn.Module, path: Path, *, inputs: Sequence[str], output: str = "scores", exact: bool = False
) -> None:
    """Write a network whose inputs are whole numbers of any count and length; in bytes unless ``exact``."""
    network.to("cpu").eval()
    given = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in inputs)
    sizes: Mapping[str, Mapping[int, str]] = {name: {0: "notes", 1: "pieces"} for name in (*inputs, output)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns of its own exporters
        whole = path if exact else Path(folder) / "network.onnx"
        torch.onnx.export(
            network,
            given,
            str(whole),
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes={name: dict(axes) for name, axes in sizes.items()},
            opset_version=_OPERATIONS,
            dynamo=False,
        )
        if not exact:
            _in_bytes(whole, path)


def _in_bytes(whole: Path, path: Path) -> None:
    """Store weights as bytes, with a scale for each channel; activations are rounded as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().setLevel(logging.ERROR)
    quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)
