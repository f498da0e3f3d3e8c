"""Import optional packages, or say how to install them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plainsight.errors import UsageError


def need(module: str, install: str) -> Any:
    """Import a module; if it is missing, raise an error with the command that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != module.partition(".")[0]:
            raise
        raise UsageError(f"this needs {install}: pip install {install}") from None
