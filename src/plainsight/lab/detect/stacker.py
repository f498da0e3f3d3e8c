"""The stacker detector: a weighted combination of several learned models.

Each model gives every tag a probability at every token. For each label, the stacker adds up the models'
log-probabilities with weights of that label, adds a constant, and normalises. Weights and constants are
fitted on annotated notes, so before any bias the probabilities are calibrated. Where no model sees anything,
neither does the stacker.
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

from plainsight.arrays import Floats, Ints
from plainsight.detect.learned import ModelLabels, decode_scores
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.average import Probabilities, SharedTags, probabilities_of
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, bundled_models, load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import tokenize

AT_A_TIME = 64
"""Notes of a batch: the probabilities of more would take up too much memory."""

_SURELY = 1e-3  # tokens for which no model gives an identifier more than this are skipped
_NEVER = -20.0  # log-probability of tags other than O at skipped tokens
_COUNTS = ("files", "tags", "bias", "claims", "feature_set")  # what the scores of a model depend on


class Stacker:
    """Tag tokens by a weighted combination of several models.

    ``model`` is the folder of a stacker, which records the models that it was fitted with. ``bias`` is added
    to the score of ``O`` at every token: below 0 more is found, above 0 less; None takes the stacker's own.
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
        """The model's manifest."""
        return self._loaded.manifest

    @cached_property
    def _members(self) -> list[Probabilities]:
        return [probabilities_of(_place(record, self._loaded.folder)) for record in self.manifest["members"]]

    @cached_property
    def _pool(self) -> Pool:
        arrays = self._loaded.arrays
        tags_of = [record["tags"] for record in self.manifest["members"]]
        return Pool(SharedTags(tags_of), arrays["weights"], arrays["constants"])

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
        return decode_scores(notes, pool.together.tags, bias=bias, source=self.name)


@dataclass(frozen=True)
class Pool:
    """The weight of each model for each group of tags, and a constant for each group.

    A weight may be negative: of two models that make the same errors, one corrects the other.
    """

    together: SharedTags
    weights: NDArray[Any]
    constants: NDArray[Any]

    def scores(self, logarithms: Floats) -> Floats:
        """Combine the log-probabilities of the models, for all tokens of a note."""
        tags = self.together.tags
        places = in_question(logarithms, tags)
        return spread(self.weighed(logarithms[:, places]), places, logarithms.shape[1], tags)

    def weighed(self, logarithms: Floats) -> Floats:
        """Combine the log-probabilities of the models at tokens in question."""
        group = groups_of(self.together.tags)
        weights, constants = (part.astype(np.float32) for part in (self.weights, self.constants))
        total = np.einsum("mnt,mt->nt", logarithms, weights[:, group]) + constants[group]
        total -= total.max(axis=1, keepdims=True, initial=-np.inf)
        made: Floats = total - np.log(np.exp(total).sum(axis=1, keepdims=True))
        return made


def in_question(logarithms: Floats, tags: Sequence[str]) -> Ints:
    """Return the places of tokens that at least one model finds suspicious."""
    return np.flatnonzero((logarithms[:, :, tags.index(OUTSIDE)] < np.log1p(-_SURELY)).any(axis=0))


def spread(rows: Floats, places: Ints, count: int, tags: Sequence[str]) -> Floats:
    """Return the scores of all tokens of a note, given those in question: the others are ``O``."""
    made = np.full((count, len(tags)), _NEVER, np.float32)
    made[:, tags.index(OUTSIDE)] = 0.0
    made[places] = rows
    return made


def groups_of(tags: Sequence[str]) -> Ints:
    """Return the group of each tag: 0 for ``O``, then one for each label."""
    labels = sorted({tag[2:] for tag in tags if tag != OUTSIDE})
    return np.array([0 if tag == OUTSIDE else 1 + labels.index(tag[2:]) for tag in tags])


def member_record(source: str, folder: Path) -> dict[str, Any]:
    """Return what a stacker records of a model: where it is, its tags, and a checksum.

    A folder is recorded relative to the stacker's, so both may be moved together.
    """
    manifest = read_manifest(source)
    if source in bundled_models():
        place = {"bundled": source}
    else:
        place = {"folder": Path(os.path.relpath(Path(source).resolve(), folder.resolve())).as_posix()}
    return {**place, "tags": manifest["tags"], "checksum": _checksum(manifest)}


def _place(record: Mapping[str, Any], folder: Path) -> str:
    """Return where a model is; refuse one that has changed since the stacker was fitted."""
    source: str = record.get("bundled") or str(folder.resolve() / record["folder"])
    if _checksum(read_manifest(source)) != record["checksum"]:
        raise UsageError(f"{source}: not the model that the stacker was fitted with: train the stacker again")
    return source


def _checksum(manifest: Mapping[str, Any]) -> str:
    counts = {name: manifest[name] for name in _COUNTS if name in manifest}
    return hashlib.sha256(json.dumps(counts, sort_keys=True).encode()).hexdigest()
