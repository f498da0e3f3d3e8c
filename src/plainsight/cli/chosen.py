"""The policy of a run: by name, with the models the user names in the places of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from plainsight import registry
from plainsight.config import Choice, Policy, load_policy
from plainsight.errors import UsageError
from plainsight.labels import LABELS
from plainsight.model import read_manifest

__all__ = ["choose_policy", "models_of"]


def choose_policy(name: str, models: Sequence[Path], *, replacing: bool = False) -> Policy:
    """Load a policy and give its detectors these models; a detector it lacks is added.

    A model with labels of its own works alone, for its labels and those of the other detectors are not
    about the same things. Nor can such labels be replaced: ``replacing`` refuses them.
    """
    policy = load_policy(name)
    for folder in models:
        manifest = read_manifest(folder)
        kind, labels = str(manifest.get("kind")), frozenset(manifest.get("labels", ()))
        if "model" not in registry.options("detectors", kind):
            raise UsageError(f"{folder}: detector {kind!r} takes no model")
        choice = Choice(kind, MappingProxyType({"model": str(folder)}))
        foreign = sorted(labels - set(LABELS))
        if not foreign:
            policy = _with(policy, choice)
        elif replacing:
            raise UsageError(
                f"{folder}: {foreign[0]} is not one of our labels, so no operation is known for it: "
                "train with --labels"
            )
        elif len(models) > 1:
            raise UsageError(f"{folder}: a model with labels of its own works alone")
        else:
            policy = replace(
                policy,
                labels=labels,
                group=None,
                detectors=(choice,),
                vote=1,
                precedence=None,
                routes=MappingProxyType({}),
                propagate=False,
            )
    return policy


def _with(policy: Policy, choice: Choice) -> Policy:
    """Put a detector in the place of the policy's own of that name, or behind all of them."""
    names = [known.name for known in policy.detectors]
    detectors = [choice if known.name == choice.name else known for known in policy.detectors]
    return replace(policy, detectors=(*detectors, *([] if choice.name in names else [choice])))


def models_of(policy: Policy) -> dict[str, str]:
    """Return a checksum of each model that a policy's detectors use, for the manifest of a run."""
    found = {}
    for choice in policy.detectors:
        option = registry.options("detectors", choice.name).get("model")
        if option is not None:
            source = str(choice.options.get("model", option.default))
            found[choice.name] = str(read_manifest(source)["files"]["arrays.npz"])
    return found
