"""A system under test: a policy, or one trained detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import plainsight
from plainsight.config import Policy, load_policy
from plainsight.detect.base import Detector
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import checksum, detected
from plainsight.models import models_of
from plainsight.pipeline import Pipeline


@dataclass(frozen=True)
class System:
    """A policy's name or file; or a trainable detector and the folder of its model."""

    name: str
    policy: str = ""
    detector: str = ""
    model: str = ""

    @classmethod
    def of_policy(cls, source: str) -> System:
        """Return the system that a policy describes."""
        return cls(load_policy(source).name, policy=source)

    @classmethod
    def of_model(cls, given: str) -> System:
        """Return a detector with its model, given as ``DETECTOR=FOLDER``."""
        detector, _, folder = given.partition("=")
        trainers.trainable(detector)
        if not (Path(folder) / "manifest.json").is_file():
            raise UsageError(f"{given!r}: a model is given as DETECTOR=FOLDER, such as crf=models/mine")
        return cls(f"{detector} {Path(folder).name}", detector=detector, model=folder)

    def key(self) -> dict[str, Any]:
        """Return what identifies the system, models included."""
        key = {"plainsight": plainsight.__version__, "system": self.name}
        if self.detector:
            return {**key, "detector": self.detector, "model": checksum(Path(self.model))}
        return {**key, "policy": self._policy.to_toml(), "models": models_of(self._policy)}

    def to_json(self) -> Mapping[str, str]:
        """Return what another process needs to build it."""
        return {"name": self.name, "policy": self.policy, "detector": self.detector, "model": self.model}

    def find(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return what it finds in each note; a policy sees the notes of a patient together."""
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
        return trainers.build(self.detector, Path(self.model))
