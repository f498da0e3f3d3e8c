"""Training that can be stopped and goes on: weights on their way, kept beside the model to be."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from plainsight.document import Document

__all__ = ["Checkpoint", "Reached", "signature"]

_SECONDS = 30.0


class Reached(NamedTuple):
    """How far a fit has come."""

    iteration: int
    weights: NDArray[np.float64]


def signature(documents: Sequence[Document], settings: Mapping[str, Any]) -> str:
    """Return what tells one training from another: a digest of its notes, in order, and its settings."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for document in documents:
        spans = [(span.start, span.end, span.label) for span in document.spans]
        digest.update(json.dumps((document.id, document.text, spans)).encode())
    return digest.hexdigest()


class Checkpoint:
    """A folder of fits by name, each with the weights it has reached. It holds numbers, no note text.

    What another training left there does not count.
    """

    def __init__(self, folder: Path, of: str) -> None:
        self.folder, self._of = folder, of
        self._reached: dict[str, Reached] = {}
        self._written = time.monotonic()

    def get(self, name: str) -> Reached | None:
        """Return how far a fit came before; None if it has not begun."""
        try:
            with np.load(self.folder / f"{name}.npz", allow_pickle=False) as stored:
                if str(stored["of"]) == self._of:
                    return Reached(int(stored["iteration"]), stored["weights"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            pass  # none, or one that was cut short: begin anew
        return None

    def put(self, name: str, reached: Reached) -> None:
        """Remember how far a fit has come; write it now and then."""
        self._reached[name] = reached
        if time.monotonic() - self._written > _SECONDS:
            self.write(name)

    def write(self, name: str) -> None:
        """Write how far a fit has come."""
        if (reached := self._reached.pop(name, None)) is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f".{name}.npz"
        np.savez(temporary, of=np.array(self._of), iteration=reached.iteration, weights=reached.weights)
        temporary.replace(self.folder / f"{name}.npz")
        self._written = time.monotonic()

    def clear(self) -> None:
        """Forget everything: the model is done."""
        shutil.rmtree(self.folder, ignore_errors=True)
