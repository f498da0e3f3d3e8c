"""Checkpoints: the state of an interrupted training, kept beside the model folder."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Document

Arrays = Mapping[str, NDArray[Any]]

_SECONDS = 30.0


def signature(documents: Sequence[Document], settings: Mapping[str, Any]) -> str:
    """Return a digest of the training notes, in order, and the settings."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for document in documents:
        spans = [(span.start, span.end, span.label) for span in document.spans]
        digest.update(json.dumps((document.id, document.text, spans)).encode())
    return digest.hexdigest()


class Checkpoint:
    """The folder ``MODEL.part`` with arrays of numbers by name; it holds no note text.

    Arrays of a training with another ``signature`` are ignored.
    """

    def __init__(self, model: Path, signature: str, *, prefix: str = "") -> None:
        self.folder, self._signature = model.with_name(model.name + ".part"), signature
        self._model, self._prefix = model, prefix
        self._written = time.monotonic()

    def part(self, prefix: str) -> Checkpoint:
        """Return the checkpoint of a part of the training, with names of its own."""
        return Checkpoint(self._model, self._signature, prefix=f"{self._prefix}{prefix}-")

    def load(self, name: str) -> dict[str, NDArray[Any]] | None:
        """Return the arrays saved under a name, or None."""
        try:
            with np.load(self.folder / f"{self._prefix}{name}.npz", allow_pickle=False) as stored:
                if str(stored["signature"]) == self._signature:
                    return {key: stored[key] for key in stored.files if key != "signature"}
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            pass  # missing or cut short
        return None

    def due(self) -> bool:
        """Tell whether the last save is some time ago."""
        return time.monotonic() - self._written > _SECONDS

    def save(self, name: str, arrays: Arrays) -> None:
        """Write arrays under a name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f".{self._prefix}{name}.npz"
        np.savez(temporary, signature=np.array(self._signature), **arrays)  # type: ignore[arg-type]
        temporary.replace(self.folder / f"{self._prefix}{name}.npz")
        self._written = time.monotonic()

    def clear(self) -> None:
        """Delete the folder: the model is done."""
        shutil.rmtree(self.folder, ignore_errors=True)
