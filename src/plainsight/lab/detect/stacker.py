"""The detectors average and stacker: combinations of several learned models.

Each model gives every tag a probability at every token. For each label, a combination adds up the models'
log-probabilities with weights, adds a constant, and normalises. ``average`` takes the weights of its policy.
``stacker`` has weights and constants of each label that were fitted on annotated notes, so before any bias
its probabilities are calibrated. Where no model sees anything, neither does the combination.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Floats, Ints
from plainsight.detect.convolution import Convolution
from plainsight.detect.learned import (
    Margins,
    ModelLabels,
    Scored,
    claims_of,
    decode_margins,
    log_softmax,
    with_margins,
)
from plainsight.detect.possible import with_possible
from plainsight.detect.transformer import Transformer
from plainsight.document import Document, Span
from plainsight.errors import UsageError
from plainsight.lab.detect.bilstm import Bilstm
from plainsight.lab.detect.crf import Crf, reading
from plainsight.lab.detect.trained import require_model
from plainsight.model import Model, bundled_models, load_model, read_manifest
from plainsight.text.tags import OUTSIDE
from plainsight.text.tokens import tokenize

Probabilities = Callable[[Sequence[Document]], Sequence[NDArray[Any]]]

AT_A_TIME = 64
"""Notes of a batch: the probabilities of more would take up too much memory."""

_LEAST = 1e-5  # floor of a probability, so that no model overrules all others
_SURELY = 1e-3  # tokens for which no model gives an identifier more than this are skipped
_NEVER = -20.0  # log-probability of tags other than O at skipped tokens
_SCORE_FIELDS = (
    "files",
    "tags",
    "bias",
    "claims",
    "feature_set",
    "text",
)  # what the scores of a model depend on


class _Combination(ABC):
    """Tag tokens by a combination of several models."""

    name: ClassVar[str]
    labels = ModelLabels()
    needs: ClassVar[tuple[str, ...]] = ()
    bias: float | None

    @property
    @abstractmethod
    def manifest(self) -> Mapping[str, Any]:
        """The labels of all models, and the bias."""

    @cached_property
    @abstractmethod
    def _members(self) -> list[Probabilities]: ...

    @cached_property
    @abstractmethod
    def _pool(self) -> Pool: ...

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        return self._decoded(self._margins(documents))

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document; the models run the detectors that they need."""
        return self.detect(documents)

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        """Return the spans found in each document, and the other tokens that may be identifiers."""
        tags = self._pool.shared.tags
        return with_possible(self._decoded, self._margins(documents), tags, source=self.name)

    def _margins(self, documents: Sequence[Document]) -> Iterator[Margins]:
        """Yield the scores of each note, by all models."""
        for first in range(0, len(documents), AT_A_TIME):
            yield from with_margins(
                self._scores(documents[first : first + AT_A_TIME]), self._pool.shared.tags
            )

    def _scores(self, documents: Sequence[Document]) -> Iterator[Scored]:
        pool = self._pool
        probabilities = zip(*(member(documents) for member in self._members), strict=True)
        for document, each in zip(documents, probabilities, strict=True):
            yield tokenize(document.text), pool.scores(pool.shared.logarithms(each))

    def _decoded(self, notes: Iterable[Margins]) -> list[list[Span]]:
        bias = self.manifest["bias"] if self.bias is None else self.bias
        return decode_margins(notes, self._pool.shared.tags, bias=bias, source=self.name)


class Average(_Combination):
    """Tag tokens by the mean of several models.

    ``model`` are folders or names of crf, convolution, bilstm and transformer models, ``weights`` their
    weights, equal if not given. ``bias`` is added to the score of ``O`` at every token: below 0 more is
    found, above 0 less; the biases of crf and bilstm models count as well.
    """

    name: ClassVar[str] = "average"

    def __init__(
        self, *, model: str | Sequence[str] = (), weights: Sequence[float] = (), bias: float = 0.0
    ) -> None:
        self.model = model
        self.weights = weights
        self.bias = bias

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """The labels of all models, and the bias."""
        labels = {label for model in self._models for label in read_manifest(model)["labels"]}
        return {"labels": sorted(labels), "bias": self.bias}

    @property
    def _models(self) -> list[str]:
        if not self.model:
            raise UsageError("average has no model of its own: name those that it is to average")
        return [self.model] if isinstance(self.model, str) else list(self.model)

    @cached_property
    def _members(self) -> list[Probabilities]:
        return [probabilities_of(model) for model in self._models]

    @cached_property
    def _pool(self) -> Pool:
        shared = SharedTags([read_manifest(model)["tags"] for model in self._models])
        return mean_pool(shared, self.weights)


class Stacker(_Combination):
    """Tag tokens by a weighted combination of several models.

    ``model`` is the folder of a stacker, which records the models that it was fitted with. ``bias`` is added
    to the score of ``O`` at every token: below 0 more is found, above 0 less; None takes the stacker's own.
    """

    name: ClassVar[str] = "stacker"

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
        tags = [record["tags"] for record in self.manifest["members"]]
        return Pool(SharedTags(tags, self.manifest["labels"]), arrays["weights"], arrays["constants"])


def probabilities_of(model: str) -> Probabilities:
    """Return a function that gives the probability of every tag of a model at every token of notes."""
    manifest = read_manifest(model)
    kind = manifest["kind"]
    if kind == Crf.name and reading(manifest)["tokens"] == "plainsight":
        return Crf(model=model).probabilities
    if kind == Convolution.name:
        return partial(_of_scores, Convolution(model=model))
    if kind == Transformer.name:
        return partial(_of_scores, Transformer(model=model))
    if kind == Bilstm.name and manifest["network"]["tokens"] == "plainsight":
        return Bilstm(model=model).probabilities
    if kind in (Crf.name, Bilstm.name):
        raise UsageError(
            f"{model} has tokens of its own: only models with the tokens plainsight are combined"
        )
    raise UsageError(f"a {kind} model cannot be averaged with others: {model}")


def _of_scores(detector: Convolution | Transformer, documents: Sequence[Document]) -> list[Floats]:
    claims = claims_of(detector.needs if detector.manifest["claims"] else (), documents)
    return [np.exp(detector.scores(*pair)[1]) for pair in zip(documents, claims, strict=True)]


@dataclass(frozen=True)
class SharedTags:
    """Maps the tags of several models to one set: ``O``, ``B-`` and ``I-`` of all labels.

    With ``labels``, tags of other labels count as ``O``.
    """

    tags_of: Sequence[Sequence[str]]
    labels: Collection[str] | None = None

    @cached_property
    def tags(self) -> list[str]:
        """All tags, in the order of the scores."""
        labels = sorted({tag[2:] for tags in self.tags_of for tag in tags if tag != OUTSIDE})
        labels = [label for label in labels if self.labels is None or label in self.labels]
        return [OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI")]

    @cached_property
    def groups(self) -> Ints:
        """The group of each tag: 0 for ``O``, then one for each label."""
        return (np.arange(len(self.tags)) + 1) // 2

    @cached_property
    def _maps(self) -> list[Floats]:
        place = {tag: at for at, tag in enumerate(self.tags)}
        maps = []
        for tags in self.tags_of:
            into = np.zeros((len(tags), len(place)), np.float32)
            into[np.arange(len(tags)), [place.get(_bio(tag), 0) for tag in tags]] = 1.0
            maps.append(into)
        return maps

    def logarithms(self, probabilities: Sequence[NDArray[Any]]) -> Floats:
        """Return each model's log-probability of each shared tag at each token of a note."""
        return np.stack(
            [
                np.log(np.maximum(own.astype(np.float32) @ into, _LEAST))
                for into, own in zip(self._maps, probabilities, strict=True)
            ]
        )


def _bio(tag: str) -> str:
    """Return a tag of BIOES as one of BIO."""
    return tag if tag == OUTSIDE else f"{'B' if tag[0] in 'BSU' else 'I'}{tag[1:]}"


@dataclass(frozen=True)
class Pool:
    """The weight of each model for each group of tags, and a constant for each group.

    A weight may be negative: of two models that make the same errors, one corrects the other. With
    ``against_outside``, models are combined by how much likelier than ``O`` they find a tag.
    """

    shared: SharedTags
    weights: NDArray[Any]
    constants: NDArray[Any]
    against_outside: bool = False

    def scores(self, logarithms: Floats) -> Floats:
        """Combine the log-probabilities of the models, for all tokens of a note."""
        places = in_question(logarithms)
        return self.spread(self.combine(logarithms[:, places]), places, logarithms.shape[1])

    def combine(self, logarithms: Floats) -> Floats:
        """Combine the log-probabilities of the models at tokens in question."""
        group = self.shared.groups
        weights, constants = (part.astype(np.float32) for part in (self.weights, self.constants))
        if self.against_outside:
            logarithms = logarithms - logarithms[:, :, :1]
        total = np.einsum("mnt,mt->nt", logarithms, weights[:, group]) + constants[group]
        return log_softmax(total) if len(total) else total

    def spread(self, rows: Floats, places: Ints, count: int) -> Floats:
        """Return the scores of all tokens of a note, given those in question: the others are ``O``."""
        made = np.full((count, len(self.shared.tags)), _NEVER, np.float32)
        made[:, 0] = 0.0
        made[places] = rows
        return made


def mean_pool(shared: SharedTags, weights: Sequence[float] = ()) -> Pool:
    """Return the weighted mean of all models; those that do not know a label do not count for it.

    So of models with different labels each finds what it finds alone.
    """
    if weights and len(weights) != len(shared.tags_of):
        raise UsageError("each model has its weight, or none has one")
    own = np.array(weights or [1.0] * len(shared.tags_of))
    labels = ["", *(tag[2:] for tag in shared.tags[1::2])]  # in the order of the groups
    knows = np.array(
        [[label in {"", *(tag[2:] for tag in tags)} for label in labels] for tags in shared.tags_of]
    )
    share = own[:, None] * knows
    total = share.sum(axis=0)
    constants = np.where(total > 0, 0.0, _NEVER)  # labels that only models without weight know
    return Pool(shared, share / np.where(total > 0, total, 1.0), constants, against_outside=True)


def in_question(logarithms: Floats) -> Ints:
    """Return the places of tokens that at least one model finds suspicious."""
    return np.flatnonzero((logarithms[:, :, 0] < np.log1p(-_SURELY)).any(axis=0))


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
    fields = {name: manifest[name] for name in _SCORE_FIELDS if name in manifest}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
