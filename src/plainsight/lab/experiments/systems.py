"""The systems that experiments train and test: detectors with a trainer, unions of them, and policies.

A detector with a trainer (`plainsight.detect.base.Trainable`), built-in or a plugin's, is part of all
experiments. ``A+B`` is the union of two detectors: all that either finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

import plainsight
from plainsight import registry
from plainsight.config import Policy, load_policy
from plainsight.detect.base import Detector, Learned
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.lab.train import trainers
from plainsight.models import models_of
from plainsight.pipeline import Pipeline

Settings = Mapping[str, Any]

_BATCH = 64
_UNIONS = {"union": "bilstm+crf"}  # of the 2016 paper

VARIANTS: Mapping[str, Mapping[str, Settings]] = MappingProxyType(
    {
        "crf": {
            name: {"feature_set": name}
            for name in ("carafe-i", "carafe-i+l", "carafe-i+rc", "carafe-all", "plainsight")
        },
        "bilstm": {
            "whole": {},
            "no sequence optimisation": {"transitions": False},
            "no token embeddings": {"words": False},
            "no character embeddings": {"characters": False},
            "BIO": {"scheme": "BIO"},
        },
        "charlm": {f"order {order}": {"order": order} for order in (8, 6, 4)},
        "convolution": {"whole": {}, "no claims": {"claims": False}, "half the width": {"width": 64}},
        "transformer": {"whole": {}, "no claims": {"claims": False}, "lower case": {"text": "lower"}},
    }
)
"""The variants that an ablation compares, for each detector."""


def parts_of(name: str) -> list[str]:
    """Return the detectors of a union, or the detector itself; refuse what cannot be trained.

    >>> parts_of("crf+charlm")
    ['crf', 'charlm']
    """
    parts = _UNIONS.get(name, name).split("+")
    known = [plugin for plugin in registry.names("trainers") if plugin in registry.names("detectors")]
    for part in parts:
        if part not in known:
            raise UsageError(f"no trainable detector {part!r}{suggest(part, [*known, *_UNIONS])}")
    return parts


def train(name: str, documents: Sequence[Document], folder: Path, settings: Settings) -> None:
    """Train a detector and write its model folder."""
    with redirect_stdout(StringIO()):  # some libraries print while they train
        trainers.find_trainer(name)(documents, folder, **trainers.complete(name, settings))


def build(name: str, model: Path, **options: Any) -> Detector:
    """Return the detector with a model."""
    detector: Detector = registry.create("detectors", name, model=str(model), **options)
    return detector


def has_bias(name: str) -> bool:
    """Tell whether a detector, or all of a union, have a bias that can be swept."""
    return all(isinstance(build(part, Path()), Learned) for part in parts_of(name))


def settings_of(name: str) -> dict[str, tuple[type, ...]]:
    """Return the settings of a trainer, or of all of a union, with their types."""
    return {key: types for part in parts_of(name) for key, types in trainers.options_of(part).items()}


def settings_for(part: str, settings: Settings) -> dict[str, Any]:
    """Return the settings for one of several detectors: ``KEY`` if it has it, ``DETECTOR.KEY`` if meant."""
    known = trainers.options_of(part)
    common = {key: value for key, value in settings.items() if key in known}
    return common | {
        key.removeprefix(f"{part}."): value for key, value in settings.items() if key.startswith(f"{part}.")
    }


def settings_within(name: str, settings: Settings) -> dict[str, Any]:
    """Return those of some settings that a detector has, or any of a union."""
    parts = parts_of(name)
    if len(parts) == 1:
        return settings_for(parts[0], settings)
    known = {key for part in parts for key in _keys(part)}
    return {key: value for key, value in settings.items() if key in known}


def _keys(part: str) -> list[str]:
    return [key for option in trainers.options_of(part) for key in (option, f"{part}.{option}")]


def check_settings(names: str | Sequence[str], settings: Settings) -> None:
    """Refuse settings that no trainer has, that have another type, or that are missing."""
    parts = [part for name in ([names] if isinstance(names, str) else names) for part in parts_of(name)]
    known = {key for part in parts for key in _keys(part)}
    for key in settings:
        if key not in known:
            raise UsageError(f"training {' and '.join(parts)} has no setting {key!r}{suggest(key, known)}")
    for part in parts:
        own = settings_for(part, settings)
        trainers.check_options(part, own)
        if "init" not in own and (missing := trainers.missing_options(part, own)):
            raise UsageError(f"training {part} needs the setting {missing[0]}: --set {missing[0]}=...")


def detected(detector: Detector, documents: Sequence[Document]) -> list[list[Span]]:
    """Return the spans that a detector finds in each note."""
    batches = (documents[first : first + _BATCH] for first in range(0, len(documents), _BATCH))
    return [spans for batch in batches for spans in detector.detect(batch)]


def checksum(model: Path) -> str:
    """Return the checksum of a model's manifest, which covers all its files; a bundled model is its name."""
    manifest = model / "manifest.json"
    return sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else str(model)


@dataclass(frozen=True)
class System:
    """A system to test: a policy's name or file, or a detector and the folder of its model."""

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
        if len(parts_of(detector)) > 1 or not (Path(folder) / "manifest.json").is_file():
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
