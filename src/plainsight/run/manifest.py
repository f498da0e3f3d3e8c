"""The manifest of a run: what was done, with which settings, lists and versions; never what notes say."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plainsight.config import Policy
from plainsight.formats.files import atomic_file
from plainsight.run.local import Account

__all__ = ["data_checksums", "write_manifest"]


def write_manifest(path: Path, *, verb: str, policy: Policy, account: Account) -> dict[str, Any]:
    """Write the manifest and return it."""
    record = {
        "plainsight": version("plainsight"),
        "verb": verb,
        **account.to_json(),
        "data": data_checksums(),
        "policy": policy.to_toml(),
    }
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def data_checksums() -> dict[str, str]:
    """Return a checksum for each folder of bundled data: of its source.toml, which names every file's own."""
    folders = (resources.files("plainsight") / "data").iterdir()
    sources = {folder.name: folder / "source.toml" for folder in folders if folder.is_dir()}
    return {
        name: hashlib.sha256(source.read_bytes()).hexdigest()
        for name, source in sorted(sources.items())
        if source.is_file()
    }
