"""The libraries of the ``train`` extra."""

from __future__ import annotations

from importlib.util import find_spec

from plainsight.errors import UsageError


def require(what: str, *names: str) -> None:
    """Say how to install what is missing."""
    if missing := [name for name in names if find_spec(name) is None]:
        raise UsageError(f"{what} needs {', '.join(missing)}: pip install 'plainsight[train]'")


def require_network_libraries() -> None:
    """Say how to install what training a network needs."""
    require("training a network", "torch", "onnx", "onnxruntime")
