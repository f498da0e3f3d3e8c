"""The stacker detector: several learned models together, each counting as much as notes have shown (S130).

Each model gives every tag a probability at every token. Of a label, the models' logarithms are added up with
weights of this label, and a constant; what comes out is scaled to probabilities again. Weights and constants
were fitted on annotated notes, so that the probabilities are as often right as they say.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.average import Probabilities, Together, probabilities_of
from plainsight.detect.learned import ModelLabels, labelled
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.model import Model, bundled_models, load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import tokenize

__all__ = ["Pool", "Stacker", "groups_of", "member"]

Floats = NDArray[np.float32]


class Stacker:
    """Label every token by what several models say, weighed as a model of how they err has it.

    ``model`` is the folder of a stacker, which knows the models that it was fitted with. ``bias`` is added to
    the score of ``O`` at every token: below 0 more is found, above 0 less; None is what was chosen when it
    was fitted.
    """

    name: ClassVar[str] = "stacker"
    labels = ModelLabels()

    def __init__(self, *, model: str = "", bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def _loaded(self) -> Model:
        if not self.model:
            raise UsageError("there is no bundled stacker: train one, plainsight train stacker")
        return load_model(self.model, kind=self.name)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the model says of itself."""
        return self._loaded.manifest

    @cached_property
    def _members(self) -> list[Probabilities]:
        return [probabilities_of(_found(one, self._loaded.folder)) for one in self.manifest["members"]]

    @cached_property
    def _pool(self) -> Pool:
        arrays = self._loaded.arrays
        tags_of = [one["tags"] for one in self.manifest["members"]]
        return Pool(Together(tags_of), arrays["weights"], arrays["constants"])

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        bias = self.manifest["bias"] if self.bias is None else self.bias
        said = zip(*(member(documents) for member in self._members), strict=True)
        notes = (
            (tokenize(document.text), self._pool.scores(self._pool.together.logarithms(each)))
            for document, each in zip(documents, said, strict=True)
        )
        return labelled(notes, self._pool.together.tags, bias=bias, source=self.name)


@dataclass(frozen=True)
class Pool:
    """How much each model counts (``weights``: models by groups of tags), and what is added to each group."""

    together: Together
    weights: NDArray[Any]
    constants: NDArray[Any]

    def scores(self, logarithms: Floats) -> Floats:
        """Return the logarithm of each tag's probability at each token, given those of each model."""
        group = groups_of(self.together.tags)
        weights, constants = (part.astype(np.float32) for part in (self.weights, self.constants))
        total = np.einsum("mnt,mt->nt", logarithms, weights[:, group]) + constants[group]
        total -= total.max(axis=1, keepdims=True, initial=-np.inf)
        made: Floats = total - np.log(np.exp(total).sum(axis=1, keepdims=True))
        return made


def groups_of(tags: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each tag's group: 0 is ``O``'s, the others are the labels' in their order."""
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    return np.array([0 if tag == OUTSIDE else 1 + labels.index(tag[2:]) for tag in tags])


def member(source: str, folder: Path) -> dict[str, Any]:
    """Return what a stacker in a folder keeps of a model: where it is, its tags, and a checksum of it.

    A folder is kept by the way that leads to it, so both may be moved together.
    """
    manifest = read_manifest(source)
    near = source if source in bundled_models() else os.path.relpath(source, folder)
    return {"source": near, "tags": manifest["tags"], "checksum": _checksum(manifest)}


def _found(member: Mapping[str, Any], folder: Path) -> str:
    """Return where a member is, if it is still the one that the stacker was fitted with."""
    source = member["source"]
    place = source if source in bundled_models() else str(folder / source)
    if _checksum(read_manifest(place)) != member["checksum"]:
        raise UsageError(f"{place}: not the model that the stacker was fitted with: train the stacker again")
    return place


def _checksum(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(manifest["files"].items())).encode()).hexdigest()
