"""Models of detectors that have no bundled one."""

from __future__ import annotations

from plainsight.errors import UsageError


def require_model(detector: str, model: str) -> str:
    """Return the model's folder, or say how to get one."""
    if not model:
        raise UsageError(
            f"{detector} has no bundled model: train one with 'plainsight train {detector}' "
            "and pass its folder as model"
        )
    return model
