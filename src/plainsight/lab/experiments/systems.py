"""The systems that experiments train and test: trainable detectors, and policies.

A detector becomes trainable by one entry in `TRAINABLE`. Its function takes notes with spans and the folder
for the model, then settings by name. Its class takes ``model`` and its other options by name.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import plainsight
from plainsight.combine import combine
from plainsight.config import Policy, load_policy
from plainsight.detect.base import Detector, Learned
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.labels import LABELS
from plainsight.models import models_of
from plainsight.pipeline import Pipeline

Settings = Mapping[str, Any]

_BATCH = 64
_TYPES = {"bool": bool, "int": int, "float": float, "str": str, "Literal": str, "Scheme": str}
"""The types that a setting may have, by their names in annotations."""


@dataclass(frozen=True, slots=True)
class Trainable:
    """Where trainer and detector are (``module:name``), and the variants that an ablation compares."""

    trainer: str
    detector: str
    variants: Mapping[str, Settings] = field(default_factory=dict)


TRAINABLE: Mapping[str, Trainable] = MappingProxyType(
    {
        "crf": Trainable(
            "plainsight.lab.train.crf:train_crf",
            "plainsight.lab.detect.crf:Crf",
            {
                name: {"feature_set": name}
                for name in ("carafe-i", "carafe-i+l", "carafe-i+rc", "carafe-all", "plainsight")
            },
        ),
        "bilstm": Trainable(
            "plainsight.lab.train.bilstm:train_bilstm",
            "plainsight.lab.detect.bilstm:Bilstm",
            {
                "whole": {},
                "no sequence optimisation": {"transitions": False},
                "no token embeddings": {"words": False},
                "no character embeddings": {"characters": False},
                "BIO": {"scheme": "BIO"},
            },
        ),
        "charlm": Trainable(
            "plainsight.lab.train.charlm:train_charlm",
            "plainsight.lab.detect.charlm:Charlm",
            {f"order {order}": {"order": order} for order in (8, 6, 4)},
        ),
        "convolution": Trainable(
            "plainsight.lab.train.convolution:train_convolution",
            "plainsight.detect.convolution:Convolution",
            {"whole": {}, "no claims": {"claims": False}, "half the width": {"width": 64}},
        ),
        "union": Trainable(f"{__name__}:train_union", f"{__name__}:Union"),
    }
)
"""Every trainable detector by name."""


def trainable(name: str) -> Trainable:
    """Return the entry of a detector."""
    if name not in TRAINABLE:
        raise UsageError(f"no trainable detector {name!r}{suggest(name, TRAINABLE)}")
    return TRAINABLE[name]


def train(name: str, documents: Sequence[Document], folder: Path, settings: Settings) -> None:
    """Train a detector and write its model folder."""
    with redirect_stdout(StringIO()):  # some libraries print while they train
        _load(name, trainable(name).trainer)(documents, folder, **settings)


def build(name: str, model: Path, **options: Any) -> Detector:
    """Return the detector with a model."""
    detector: Detector = _load(name, trainable(name).detector)(model=str(model), **options)
    return detector


def has_bias(name: str) -> bool:
    """Tell whether a detector has a bias that can be swept."""
    return isinstance(build(name, Path()), Learned)


def settings_of(name: str) -> dict[str, tuple[type, ...]]:
    """Return the settings of a trainer with their types; parameters of other types are not settings."""
    if name == Union.name:
        return {key: types for part in Union.parts for key, types in settings_of(part).items()}
    parameters = inspect.signature(_load(name, trainable(name).trainer)).parameters
    return {key: types for key, parameter in parameters.items() if (types := _types(parameter))}


def check_settings(name: str, settings: Settings) -> None:
    """Refuse settings that the trainer does not have, or that have another type."""
    known = settings_of(name)
    for key, value in settings.items():
        if key not in known:
            raise UsageError(f"training {name} has no setting {key!r}{suggest(key, known)}")
        if type(value) not in known[key] and not (float in known[key] and type(value) is int):
            types = " or ".join(kind.__name__ for kind in known[key])
            raise UsageError(f"training {name}: {key} is of type {types}")


def _types(parameter: inspect.Parameter) -> tuple[type, ...]:
    """Return the types that a parameter takes, by its default or else its annotation."""
    if isinstance(parameter.default, tuple(_TYPES.values())):
        return (type(parameter.default),)
    if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
        return ()
    parts = [part.partition("[")[0] for part in str(parameter.annotation).split(" | ")]
    return tuple(dict.fromkeys(_TYPES[part] for part in parts if part in _TYPES))


def _load(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("plainsight"):
            raise
        raise UsageError(
            f"experiments with {name} need {error.name}: pip install 'plainsight[train]'"
        ) from None


def detected(detector: Detector, documents: Sequence[Document]) -> list[list[Span]]:
    """Return the spans that a detector finds in each note."""
    batches = (documents[first : first + _BATCH] for first in range(0, len(documents), _BATCH))
    return [spans for batch in batches for spans in detector.detect(batch)]


def checksum(model: Path) -> str:
    """Return the checksum of a model's manifest, which covers all its files; a bundled model is its name."""
    manifest = model / "manifest.json"
    return sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else str(model)


def train_union(documents: Sequence[Document], folder: Path, **settings: Any) -> None:
    """Train a network and a CRF; each takes the settings that it has."""
    for part in Union.parts:
        own = {key: value for key, value in settings.items() if key in settings_of(part)}
        train(part, documents, folder / part, own)
    manifest = {"kind": Union.name, "parts": {part: checksum(folder / part) for part in Union.parts}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


class Union:
    """A recurrent network and a CRF as one learner, under the same ``bias``: all that either finds.

    It is no plugin, because a policy with both detectors does the same.
    """

    name: ClassVar[str] = "union"
    labels: ClassVar[frozenset[str]] = frozenset(LABELS)
    parts: ClassVar[tuple[str, ...]] = ("bilstm", "crf")

    def __init__(self, *, model: str, bias: float | None = None) -> None:
        self.model = model
        self.bias = bias

    @cached_property
    def _detectors(self) -> list[Detector]:
        return [build(part, Path(self.model, part), bias=self.bias) for part in self.parts]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document; overlaps are settled as in policies."""
        found = zip(documents, *(part.detect(documents) for part in self._detectors), strict=True)
        return [list(combine([*one, *two], document.text)) for document, one, two in found]


@dataclass(frozen=True)
class System:
    """A system to test: a policy's name or file, or a trainable detector and the folder of its model."""

    name: str
    policy: str = ""
    detector: str = ""
    model: str = ""

    @classmethod
    def of_policy(cls, source: str) -> System:
        """Return the system that a policy describes."""
        return cls(load_policy(source).name, policy=source)

    @classmethod
    def of_model(cls, text: str) -> System:
        """Return a detector with its model from ``DETECTOR=FOLDER``."""
        detector, _, folder = text.partition("=")
        trainable(detector)
        if not (Path(folder) / "manifest.json").is_file():
            raise UsageError(f"{text!r}: a model is given as DETECTOR=FOLDER, such as crf=models/mine")
        return cls(f"{detector} {Path(folder).name}", detector=detector, model=folder)

    def key(self) -> dict[str, Any]:
        """Return what identifies the system, models included."""
        key = {"plainsight": plainsight.__version__, "system": self.name}
        if self.detector:
            return {**key, "detector": self.detector, "model": checksum(Path(self.model))}
        return {**key, "policy": self._policy.to_toml(), "models": models_of(self._policy)}

    def to_json(self) -> dict[str, str]:
        """Return the arguments that build it in another process."""
        return asdict(self)

    def find(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each note; a policy sees the notes of a patient together."""
        if self.detector:
            return detected(self._detector, documents)
        order = sorted(range(len(documents)), key=lambda place: documents[place].patient_id or "")
        found: list[list[Span]] = [[] for _ in documents]
        items = self._pipeline.detect(documents[place] for place in order)
        for place, item in zip(order, items, strict=True):
            if not isinstance(item, Document):
                raise DataError(f"note {item.id} cannot be measured: {item.reason}")
            found[place] = list(item.spans)
        return found

    @cached_property
    def _policy(self) -> Policy:
        return load_policy(self.policy)

    @cached_property
    def _pipeline(self) -> Pipeline:
        return Pipeline(self._policy)

    @cached_property
    def _detector(self) -> Detector:
        return build(self.detector, Path(self.model))
