"""The manifest of a run: what was done, with which settings, lists and versions; never what notes say."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import plainsight
from plainsight.config import Policy
from plainsight.formats.files import atomic_file
from plainsight.locale import locale_names
from plainsight.run.checksum import checksum
from plainsight.run.keys import keyed_operations
from plainsight.run.output import Account


def write_manifest(
    path: Path,
    *,
    verb: str,
    began: datetime,
    command: Sequence[str],
    inputs: Sequence[Path],
    output: Path,
    account: Account,
    about: Mapping[str, Any],
    policy: Policy | None,
) -> dict[str, Any]:
    """Write the manifest and return it; ``about`` is what the verb has to say."""
    record = {
        "plainsight": plainsight.__version__,
        "verb": verb,
        "command": list(command),
        "began": began.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "input_sha256": {str(place): checksum(place) for place in inputs},
        "output_sha256": checksum(output) if output.exists() else None,
        **about,
        **account.to_json(),
        "data": data_checksums(),
        **({"policy": policy.to_toml()} if policy else {}),
    }
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def versions() -> dict[str, str | None]:
    """Return the versions of what a result depends on; None for a package that is not installed."""
    return {
        "plainsight": plainsight.__version__,
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "onnxruntime")},
        "platform": platform.platform(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def consistency(policy: Policy) -> str | None:
    """Say within what the same original gets the same replacement; None when no operation takes a key."""
    return ", ".join(sorted({operation.consistency for operation in keyed_operations(policy)})) or None


def data_checksums() -> dict[str, str]:
    """Return a checksum for each set of bundled data and for each shipped locale.

    For data it is that of the source file, which names the checksum of every other file.
    """
    package = Path(__file__).parents[1]
    data = package / "data"
    found = {
        source.relative_to(data).as_posix().removesuffix("/source.toml"): sha256(
            source.read_bytes()
        ).hexdigest()
        for source in sorted(data.rglob("source*.toml"))
    }
    locales = {f"locale/{name}": checksum(package / "locale" / name) for name in locale_names()}
    return found | locales
