"""Model folders: a manifest, arrays and checksums, but no pickle and no code.

``manifest.json`` describes the model (kind, labels, settings, scores, how it was made) and holds the SHA-256
of every other file; ``arrays.npz`` holds numbers. Bundled models are loaded by name, others by path.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from plainsight.errors import UsageError, suggest
from plainsight.shipped import PACKAGE, read_shipped

_MANIFEST, _ARRAYS = "manifest.json", "arrays.npz"
_FORMAT = 1
_BUNDLED = PACKAGE / "data" / "models"


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model: its manifest, its numpy arrays and its folder."""

    manifest: Mapping[str, Any]
    arrays: Mapping[str, Any]
    folder: Path


def bundled_models() -> list[str]:
    """Return the names of the models inside the package."""
    return sorted(path.parent.name for path in _BUNDLED.glob(f"*/{_MANIFEST}"))


def read_manifest(source: str | Path) -> dict[str, Any]:
    """Return the manifest of a bundled model, by name, or of a model folder, by path."""
    return _manifest(_folder(source))


def load_model(source: str | Path, *, kind: str) -> Model:
    """Load a bundled model, by name, or a model folder, by path, and check its files."""
    return _load(_folder(source), kind)


def _folder(source: str | Path) -> Path:
    return _BUNDLED / str(source) if str(source) in bundled_models() else Path(source)


def _manifest(folder: Path) -> dict[str, Any]:
    if not (folder / _MANIFEST).is_file():
        raise UsageError(f"no model at {folder}{suggest(str(folder), bundled_models())}")
    try:
        bundled = folder.parent == _BUNDLED
        path = f"data/models/{folder.name}/{_MANIFEST}"
        manifest = json.loads(read_shipped(path) if bundled else (folder / _MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: the manifest cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        own = manifest.get("format") if isinstance(manifest, dict) else None
        raise UsageError(f"{folder}: a model of format {own!r}, not {_FORMAT}")
    if not isinstance(manifest.get("files"), dict) or _ARRAYS not in manifest["files"]:
        raise UsageError(f"{folder}: the manifest has no checksum of {_ARRAYS}")
    return manifest


def _load(folder: Path, kind: str) -> Model:
    import numpy as np  # here, so that manifests can be read without it

    manifest = _manifest(folder)
    if manifest.get("kind") != kind:
        raise UsageError(f"{folder}: a model for {manifest.get('kind')!r}, not for {kind!r}")
    for name, checksum in manifest["files"].items():
        try:
            content = (folder / Path(name).name).read_bytes()
        except OSError:
            raise UsageError(f"{folder}: {name} is missing") from None
        if hashlib.sha256(content).hexdigest() != checksum:
            raise UsageError(f"{folder}: {name} is not the file the manifest describes")
    with np.load(folder / _ARRAYS, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Model(manifest, arrays, folder)


def save_model(
    folder: Path, *, kind: str, manifest: Mapping[str, Any], arrays: Mapping[str, Any]
) -> dict[str, Any]:
    """Write a model folder that only its owner can read, and return its manifest.

    Files that are already in the folder become part of the model. The manifest is removed first and written
    last, so a half-written folder is no model.
    """
    import numpy as np

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    (folder / _MANIFEST).unlink(missing_ok=True)
    np.savez_compressed(folder / _ARRAYS, allow_pickle=False, **dict(arrays))
    checksums = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }
    made_with = {"plainsight": _version(), "numpy": np.__version__}
    record = {"format": _FORMAT, "kind": kind, **manifest, "made_with": made_with, "files": checksums}
    temporary = folder / f".{_MANIFEST}"
    temporary.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(folder / _MANIFEST)
    for path in folder.iterdir():
        if path.is_file():
            path.chmod(0o600)
    return record


def _version() -> str:
    try:
        return version("plainsight")
    except PackageNotFoundError:  # a source tree that is not installed
        return "unknown"
