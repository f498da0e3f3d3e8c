"""What the shell offers after Tab: policies, formats and models by name, or files of the user."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plainsight import registry
from plainsight.config import built_in_policies
from plainsight.model import bundled_models


def complete_policy(incomplete: str) -> list[str]:
    """Return the built-in policies and the TOML files that begin as typed."""
    files = (path for path in _beginning(incomplete) if path.is_dir() or path.suffix == ".toml")
    return _matching(incomplete, built_in_policies(), files)


def complete_format(incomplete: str) -> list[str]:
    """Return the formats that begin as typed."""
    return _matching(incomplete, registry.names("formats"), ())


def complete_model(incomplete: str) -> list[str]:
    """Return the bundled models and the folders that begin as typed."""
    return _matching(incomplete, bundled_models(), (path for path in _beginning(incomplete) if path.is_dir()))


def _beginning(typed: str) -> list[Path]:
    """Return the visible files and folders whose path begins as typed."""
    folder, _, begun = typed.rpartition("/")
    root = Path(folder or ("/" if typed.startswith("/") else "."))
    try:
        paths = sorted(path for path in root.iterdir() if path.name.startswith(begun))
    except OSError:
        return []
    return [path for path in paths if begun or not path.name.startswith(".")]


def _matching(typed: str, names: Iterable[str], paths: Iterable[Path]) -> list[str]:
    shown = [f"{path}/" if path.is_dir() else str(path) for path in paths]
    return [name for name in (*names, *shown) if name.startswith(typed)]
