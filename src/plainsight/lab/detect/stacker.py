"""The stacker detector: several learned models together, each counting as much as notes have shown (S130).

Each model gives every tag a probability at every token. Of a label, the models' logarithms are added up with
weights of this label, and a constant; what comes out is scaled to probabilities again. Weights and constants
were fitted on annotated notes, so that, before any bias, the probabilities are as often right as they say.
Where no model sees anything, neither does the stacker.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import ModelLabels, labelled
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.average import Probabilities, Together, probabilities_of
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, bundled_models, load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import tokenize

__all__ = ["AT_A_TIME", "Pool", "Stacker", "groups_of", "in_question", "member_record", "spread"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

AT_A_TIME = 64
"""Notes that models are asked about together: what they say of more would take up room."""

_SURELY = 1e-3  # where no model leaves more than this for an identifier, there is nothing to weigh
_NEVER = -20.0  # the logarithm of a tag's probability there
_COUNTS = ("files", "tags", "bias", "claims", "feature_set")  # what a model's word depends on


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
        return load_model(require_model(self.name, self.model), kind=self.name)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the model says of itself."""
        return self._loaded.manifest

    @cached_property
    def _members(self) -> list[Probabilities]:
        return [probabilities_of(_place(record, self._loaded.folder)) for record in self.manifest["members"]]

    @cached_property
    def _pool(self) -> Pool:
        arrays = self._loaded.arrays
        tags_of = [record["tags"] for record in self.manifest["members"]]
        return Pool(Together(tags_of), arrays["weights"], arrays["constants"])

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        made: list[list[Span]] = []
        for first in range(0, len(documents), AT_A_TIME):
            made += self._detect(documents[first : first + AT_A_TIME])
        return made

    def _detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        pool = self._pool
        bias = self.manifest["bias"] if self.bias is None else self.bias
        said = zip(*(ask(documents) for ask in self._members), strict=True)
        notes = (
            (tokenize(document.text), pool.scores(pool.together.logarithms(each)))
            for document, each in zip(documents, said, strict=True)
        )
        return labelled(notes, pool.together.tags, bias=bias, source=self.name)


@dataclass(frozen=True)
class Pool:
    """How much each model counts (``weights``: models by groups of tags), and what is added to each group.

    A weight may be below 0: of two models that err alike, one corrects the other.
    """

    together: Together
    weights: NDArray[Any]
    constants: NDArray[Any]

    def scores(self, logarithms: Floats) -> Floats:
        """Return the logarithm of each tag's probability at each token, given those of each model."""
        tags = self.together.tags
        places = in_question(logarithms, tags)
        return spread(self.weighed(logarithms[:, places]), places, logarithms.shape[1], tags)

    def weighed(self, logarithms: Floats) -> Floats:
        """Do as `scores` does at tokens that are in question."""
        group = groups_of(self.together.tags)
        weights, constants = (part.astype(np.float32) for part in (self.weights, self.constants))
        total = np.einsum("mnt,mt->nt", logarithms, weights[:, group]) + constants[group]
        total -= total.max(axis=1, keepdims=True, initial=-np.inf)
        made: Floats = total - np.log(np.exp(total).sum(axis=1, keepdims=True))
        return made


def in_question(logarithms: Floats, tags: Sequence[str]) -> Ints:
    """Return the places of tokens that may identify somebody, by what one model says at least."""
    return np.flatnonzero((logarithms[:, :, tags.index(OUTSIDE)] < np.log1p(-_SURELY)).any(axis=0))


def spread(rows: Floats, places: Ints, count: int, tags: Sequence[str]) -> Floats:
    """Return the scores of all tokens of a note, given those of tokens in question: the others are ``O``."""
    made = np.full((count, len(tags)), _NEVER, np.float32)
    made[:, tags.index(OUTSIDE)] = 0.0
    made[places] = rows
    return made


def groups_of(tags: Sequence[str]) -> Ints:
    """Return the number of each tag's group: 0 is ``O``'s, the others are the labels' in their order."""
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    return np.array([0 if tag == OUTSIDE else 1 + labels.index(tag[2:]) for tag in tags])


def member_record(source: str, folder: Path) -> dict[str, Any]:
    """Return what a stacker in a folder keeps of a model: where it is, its tags, and a checksum of it.

    A folder is kept by the way that leads to it, so both may be moved together.
    """
    manifest = read_manifest(source)
    if source in bundled_models():
        place = {"bundled": source}
    else:
        place = {"folder": Path(os.path.relpath(Path(source).resolve(), folder.resolve())).as_posix()}
    return {**place, "tags": manifest["tags"], "checksum": _checksum(manifest)}


def _place(record: Mapping[str, Any], folder: Path) -> str:
    """Return where a model is, if it is still the one that the stacker was fitted with."""
    source: str = record.get("bundled") or str(folder.resolve() / record["folder"])
    if _checksum(read_manifest(source)) != record["checksum"]:
        raise UsageError(f"{source}: not the model that the stacker was fitted with: train the stacker again")
    return source


def _checksum(manifest: Mapping[str, Any]) -> str:
    counts = {name: manifest[name] for name in _COUNTS if name in manifest}
    return hashlib.sha256(json.dumps(counts, sort_keys=True).encode()).hexdigest()
