"""The manifest of a run: what was done, with which settings, lists and versions; never note text."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import plainsight
from plainsight.config import Policy
from plainsight.formats.files import atomic_file
from plainsight.locale import locale_names
from plainsight.run.keys import keyed_operations
from plainsight.run.output import Account

_PACKAGES = ("numpy", "onnxruntime")


def write_manifest(
    path: Path,
    *,
    name: str,
    began: datetime,
    command: Sequence[str],
    inputs: Sequence[Path],
    output: Path,
    account: Account,
    about: Mapping[str, Any],
    policy: Policy | None,
) -> dict[str, Any]:
    """Write the manifest of a command and return it; ``about`` holds what the command adds."""
    record = {
        "plainsight": plainsight.__version__,
        "verb": name,
        "command": list(command),
        "began": began.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "input_sha256": {str(path): checksum(path) for path in inputs},
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
        **dict.fromkeys(_PACKAGES),
        **{package: version(package) for package in _PACKAGES if find_spec(package)},
        "platform": platform.platform(),
    }


def consistency(policy: Policy) -> str | None:
    """Return the scopes in which equal originals get equal replacements; None if no operation takes a key."""
    return ", ".join(sorted({operation.consistency for operation in keyed_operations(policy)})) or None


def data_checksums() -> dict[str, str]:
    """Return a checksum for each set of bundled data and for each shipped locale.

    For data it is that of the source file, which holds the checksums of all other files.
    """
    package = Path(__file__).parents[1]
    data = package / "data"
    checksums = {}
    for source in sorted(data.rglob("source*.toml")):
        checksums[source.relative_to(data).as_posix().removesuffix("/source.toml")] = checksum(source)
    return checksums | {f"locale/{name}": checksum(package / "locale" / name) for name in locale_names()}


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file; for a folder, of the lines that sha256sum prints for its files.

    The files are sorted by the bytes of their names, and named by their paths inside the folder.
    """
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    files = {file.relative_to(path).as_posix(): file for file in path.rglob("*") if file.is_file()}
    digest = hashlib.sha256()
    for name in sorted(files, key=lambda name: name.encode("utf-8", "surrogateescape")):
        digest.update(f"{checksum(files[name])}  {name}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
