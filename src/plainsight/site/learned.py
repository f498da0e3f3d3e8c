"""The model that a site learned: which one is in use, and how a policy takes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight import registry
from plainsight.config import Choice, Policy
from plainsight.detect.learned import TokenScorer
from plainsight.errors import DataError
from plainsight.model import read_manifest
from plainsight.models import sources_of
from plainsight.site.folder import Site, write_private

_CORRECTED = "corrected"

WITHOUT_TRANSFORMER = "without_transformer"
"""The entry of a model's manifest that says that it was learned for the fast network of a cascade alone."""

NO_DOUBT = {"doubt": 1.0}
"""The setting of a cascade whose transformer reads nothing."""


def model_in_use(site: Site) -> Path | None:
    """Return the folder of the model that the site uses, if it has learned one."""
    pointer = site.models / "current"
    if not pointer.is_file():
        return None
    folder = site.models / Path(pointer.read_text(encoding="utf-8", errors="replace").strip()).name
    if not (folder / "manifest.json").is_file():
        raise DataError(f"{pointer} names a model that is not there: learn again, or delete the file")
    return folder


def use_model(site: Site, name: str) -> None:
    """Use a model of the site from now on."""
    write_private(site.models / "current", f"{name}\n".encode())


def scoring_detector(policy: Policy) -> Choice | None:
    """Return the detector of a policy whose scores can be corrected, if there is one."""
    for choice in policy.detectors:
        kind = registry.resolve("detectors", choice.plugin)
        if choice.plugin != _CORRECTED and isinstance(kind, type) and issubclass(kind, TokenScorer):
            return choice
    return None


def with_corrections(policy: Policy, folder: Path) -> Policy:
    """Return a policy whose network is corrected; the detector keeps its name, bias and labels."""
    network = scoring_detector(policy)
    if network is None:
        return policy
    settings = {key: value for key, value in network.options.items() if key not in ("model", "bias")}
    if read_manifest(str(folder)).get(WITHOUT_TRANSFORMER):
        settings |= NO_DOUBT
    options: dict[str, Any] = {"model": [str(folder), *sources_of(network)], "base": network.plugin}
    options |= {"settings": settings} if settings else {}
    options |= {"bias": network.options["bias"]} if "bias" in network.options else {}
    corrected = replace(network, options=options, kind=_CORRECTED)
    detectors = tuple(corrected if choice is network else choice for choice in policy.detectors)
    return replace(policy, detectors=detectors)


def learned_part(policy: Policy, site: Site) -> Policy:
    """Add the site's model to a policy."""
    folder = model_in_use(site)
    return policy if folder is None else with_corrections(policy, folder)
