"""The policy of a run: by name, with the models and the recall that the user asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from plainsight.config import Choice, Policy, load_policy
from plainsight.errors import UsageError
from plainsight.labels import LABELS
from plainsight.model import read_manifest
from plainsight.models import takes_models, with_bias_moved, with_models


class Recall(StrEnum):
    """How ready learned detectors are to find something."""

    BALANCED = "balanced"
    HIGH = "high"
    MAX = "max"


# Added to the bias. On notes that no network was trained on, token recall and precision of balanced are
# 0.993 and 0.978, 0.996 and 0.962, 0.998 and 0.925 (benchmarks/recall_dial.py).
_BIAS_CHANGE: Mapping[Recall, float] = {Recall.BALANCED: 0.0, Recall.HIGH: -1.5, Recall.MAX: -3.5}


def choose_policy(
    name: str, models: Sequence[Path] = (), *, recall: Recall = Recall.BALANCED, replacing: bool = False
) -> Policy:
    """Load a policy and give its detectors these models; a detector it lacks is added.

    The first model of a kind takes the place of the policy's detectors of that kind; others of the kind run
    beside it. Models with labels other than ours work without the policy's detectors: those with the same
    labels by their mean, others by union. No operation is known for such labels: ``replacing`` refuses them.
    """
    policy = load_policy(name)
    foreign: list[str] = []
    by_kind: dict[str, list[str]] = {}
    for folder in models:
        manifest = read_manifest(folder)
        kind = str(manifest.get("kind"))
        if not takes_models(kind):
            raise UsageError(f"{folder}: detector {kind!r} takes no model")
        unknown = sorted(set(manifest.get("labels", ())) - set(LABELS))
        if unknown and replacing:
            raise UsageError(
                f"{folder}: {unknown[0]} is not one of our labels, so no operation is known for it: "
                "train with --labels"
            )
        if unknown:
            foreign.append(str(folder))
        else:
            by_kind.setdefault(kind, []).append(str(folder))
    for kind, folders in by_kind.items():
        policy = _with_models(policy, kind, folders)
    if foreign:
        if len(foreign) < len(models):
            raise UsageError(f"{foreign[0]}: a model with other labels works only with such models")
        policy = _only_models(policy, foreign)
    return policy if recall is Recall.BALANCED else _with_bias(policy, _BIAS_CHANGE[recall])


def _only_models(policy: Policy, models: list[str]) -> Policy:
    """Return a policy with these models alone: by their mean, or by union if their labels differ."""
    manifests = [read_manifest(model) for model in models]
    alike = len({frozenset(manifest["labels"]) for manifest in manifests}) == 1
    if len(models) > 1 and alike:
        detectors = [with_models(Choice("average"), models)]
    else:
        by_kind: dict[str, list[str]] = {}
        for manifest, model in zip(manifests, models, strict=True):
            by_kind.setdefault(str(manifest["kind"]), []).append(model)
        detectors = [choice for kind, folders in by_kind.items() for choice in _side_by_side(kind, folders)]
    return replace(
        policy,
        labels=frozenset(label for manifest in manifests for label in manifest["labels"]),
        group=None,
        detectors=tuple(detectors),
        vote=1,
        precedence=None,
        routes=MappingProxyType({}),
        thresholds=MappingProxyType({}),
        propagate=False,
        calibration=None,
    )


def _with_bias(policy: Policy, by: float) -> Policy:
    """Move the bias of every detector that has one."""
    detectors = tuple(with_bias_moved(choice, by) for choice in policy.detectors)
    if detectors == policy.detectors:
        raise UsageError(f"policy {policy.name!r} has no learned detector whose recall could be raised")
    calibration = policy.calibration and policy.calibration.with_bias_moved(by)
    return replace(policy, detectors=detectors, calibration=calibration)


def _with_models(policy: Policy, kind: str, models: Sequence[str]) -> Policy:
    """Put one detector for each model in the place of the policy's detectors of a kind, or at the end."""
    known = [choice.plugin for choice in policy.detectors]
    at = known.index(kind) if kind in known else len(known)
    others = [choice for choice in policy.detectors if choice.plugin != kind]
    detectors = (*others[:at], *_side_by_side(kind, models), *others[at:])
    return replace(policy, detectors=detectors, calibration=None)


def _side_by_side(kind: str, models: Sequence[str]) -> list[Choice]:
    """Return a detector of a kind for each model; the second is called ``KIND-2``."""
    first, *others = models
    numbered = enumerate(others, start=2)
    return [Choice(kind, {"model": first}), *(Choice(f"{kind}-{n}", {"model": m}, kind) for n, m in numbered)]
