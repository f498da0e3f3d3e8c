"""The trained models behind a policy's detectors: which they are, and the same policy with others.

A detector has models if it is `plainsight.detect.base.Learned`, which says what its options mean.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from plainsight import registry
from plainsight.config import Choice, Policy
from plainsight.detect.base import Learned
from plainsight.model import read_manifest


def models_of(policy: Policy) -> dict[str, str]:
    """Return one checksum over all model files for each detector of a policy that has models."""
    found = {}
    for choice in policy.detectors:
        if sources := sources_of(choice):
            files = [_parts(read_manifest(source)) for source in sources]
            found[choice.name] = hashlib.sha256(repr(files).encode()).hexdigest()
    return found


def _parts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the checksums of a model's files, and of the models that it is a stacker of."""
    members = [("member", record["checksum"]) for record in manifest.get("members", ())]
    return sorted(manifest["files"].items()) + members


def takes_models(detector: str) -> bool:
    """Whether the detector of that name can be given models."""
    return _learned(Choice(detector)) is not None


def sources_of(choice: Choice) -> list[str]:
    """Return the names or folders of a detector's models."""
    learned = _learned(choice)
    if learned is None:
        return []
    given = learned.model
    return [str(given)] if isinstance(given, str | Path) else [str(source) for source in given]


def with_models(choice: Choice, sources: Sequence[str]) -> Choice:
    """Return a learned detector with other models; its other options stay."""
    model = sources[0] if len(sources) == 1 else list(sources)
    return replace(choice, options={**choice.options, "model": model})


def with_bias_moved(choice: Choice, by: float) -> Choice:
    """Return a learned detector that finds more (``by`` below 0) or less; any other as it is."""
    learned = _learned(choice)
    if learned is None:
        return choice
    own = learned.bias
    if own is None:
        own = fmean(read_manifest(source)["bias"] for source in sources_of(choice))
    return replace(choice, options={**choice.options, "bias": own + by})


def _learned(choice: Choice) -> Learned | None:
    detector = registry.create("detectors", choice.plugin, **choice.options)
    return detector if isinstance(detector, Learned) else None
