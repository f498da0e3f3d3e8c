"""Read and change the trained models of a policy's detectors.

A detector has models if it is a `plainsight.detect.base.Learned`.
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
    """Return a checksum over all model files of each learned detector of a policy, or over its rules."""
    checksums = {}
    for choice in policy.detectors:
        if sources := sources_of(choice):
            files = [_parts(read_manifest(source)) for source in sources]
            checksums[choice.name] = hashlib.sha256(repr(files).encode()).hexdigest()
        elif rules := choice.options.get("rules"):
            checksums[choice.name] = hashlib.sha256(Path(rules).read_bytes()).hexdigest()
    if policy.filter is not None:
        checksums["filter"] = hashlib.sha256(repr(_parts(read_manifest(policy.filter))).encode()).hexdigest()
    return checksums


def _parts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the checksums of a model's files and, for a stacker, of its member models."""
    members = [("member", record["checksum"]) for record in manifest.get("members", ())]
    return sorted(manifest["files"].items()) + members


def takes_models(detector: str) -> bool:
    """Whether a detector has a ``model`` option."""
    return _learned(Choice(detector)) is not None


def sources_of(choice: Choice) -> list[str]:
    """Return the names or folders of a detector's models."""
    learned = _learned(choice)
    if learned is None:
        return []
    model = learned.model
    return [str(model)] if isinstance(model, str | Path) else [str(source) for source in model]


def with_models(choice: Choice, sources: Sequence[str]) -> Choice:
    """Return a learned detector with other models; its other options stay."""
    model = sources[0] if len(sources) == 1 else list(sources)
    return replace(choice, options={**choice.options, "model": model})


def with_bias_moved(choice: Choice, by: float) -> Choice:
    """Return a learned detector with ``by`` added to its bias; below 0 finds more. Others stay the same."""
    learned = _learned(choice)
    if learned is None:
        return choice
    own = learned.bias
    if own is None:
        own = fmean(read_manifest(source).get("bias", 0.0) for source in sources_of(choice))
    return replace(choice, options={**choice.options, "bias": own + by})


def _learned(choice: Choice) -> Learned | None:
    detector = registry.create("detectors", choice.plugin, **choice.options)
    return detector if isinstance(detector, Learned) else None
