"""A model folder: a manifest, arrays, and a checksum of everything. No pickle, nothing that runs.

``manifest.json`` says what the model is (kind, labels, settings, scores, how it was made) and the SHA-256 of
every other file; ``arrays.npz`` holds numbers. Bundled models are in the package and loaded by name, others
by path.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.errors import UsageError, suggest

__all__ = ["Model", "bundled_models", "load_model", "save_model"]

_MANIFEST, _ARRAYS = "manifest.json", "arrays.npz"
_FORMAT = 1

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Model:
    """A model as loaded: what it says of itself, its arrays, and where its files are."""

    manifest: Mapping[str, Any]
    arrays: Arrays
    folder: Path


def bundled_models() -> list[str]:
    """Return the names of the models inside the package."""
    folder = files("plainsight.data") / "models"
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if (entry / _MANIFEST).is_file())


def load_model(source: str | Path, *, kind: str) -> Model:
    """Load and check a model: a bundled one's name, or the path of a folder."""
    known = bundled_models()
    if str(source) in known:
        with as_file(files("plainsight.data") / "models" / str(source)) as folder:
            return _load(folder, kind)
    if not (Path(source) / _MANIFEST).is_file():
        raise UsageError(f"no model at {source}{suggest(str(source), known)}")
    return _load(Path(source), kind)


def _load(folder: Path, kind: str) -> Model:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: the manifest cannot be read: {error}") from None
    if manifest.get("format") != _FORMAT:
        raise UsageError(f"{folder}: a model of format {manifest.get('format')!r}, not {_FORMAT}")
    if manifest.get("kind") != kind:
        raise UsageError(f"{folder}: a model for {manifest.get('kind')!r}, not for {kind!r}")
    for name, checksum in manifest["files"].items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            raise UsageError(f"{folder}: {name} is missing") from None
        if hashlib.sha256(content).hexdigest() != checksum:
            raise UsageError(f"{folder}: {name} is not the file the manifest describes")
    with np.load(folder / _ARRAYS, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Model(manifest, arrays, folder)


def save_model(folder: Path, *, kind: str, manifest: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a model folder; further files that are already in it are covered by the manifest as well."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / _ARRAYS, allow_pickle=False, **dict(arrays))
    checksums = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != _MANIFEST
    }
    record = {"format": _FORMAT, "kind": kind, **manifest, "files": checksums}
    (folder / _MANIFEST).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
