"""Load a model's network with onnxruntime."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plainsight.errors import UsageError
from plainsight.model import Model


def session_of(model: Model, threads: int) -> Any:
    """Return an onnxruntime session for a model's ``network.onnx`` with this number of threads."""
    try:
        onnxruntime = import_module("onnxruntime")
    except ImportError:
        kind = model.manifest["kind"]
        raise UsageError(f"{kind} needs onnxruntime: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False  # one plan of memory for each length of a note would be kept for ever
    path = model.folder / "network.onnx"
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
