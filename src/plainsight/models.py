"""Which models a policy uses."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plainsight import registry
from plainsight.config import Choice, Policy
from plainsight.model import read_manifest

__all__ = ["models_of", "sources_of"]


def models_of(policy: Policy) -> dict[str, str]:
    """Return a checksum of the models of each detector of a policy that has any: all their files count."""
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


def sources_of(choice: Choice) -> list[str]:
    """Return the names or folders of a detector's models."""
    option = registry.options("detectors", choice.name).get("model")
    if option is None:
        return []
    given = choice.options.get("model", option.default)
    return [str(given)] if isinstance(given, str | Path) else [str(source) for source in given]
