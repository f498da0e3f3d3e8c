"""The manifest of a run: what was done, with which settings, lists and versions; never note text."""

from __future__ import annotations

import getpass
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
from plainsight.formats.urls import UrlPath
from plainsight.locale import load_locale
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.run.keys import keyed_operations
from plainsight.run.output import Account
from plainsight.shipped import folder_checksums

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
    quarantine: Path | None = None,
    secret: bytes | None = None,
) -> dict[str, Any]:
    """Write the manifest of a command and return it; ``about`` holds what the command adds.

    With a ``secret`` it is signed: whoever has the key can tell whether it was changed.
    """
    record = {
        "plainsight": plainsight.__version__,
        "verb": name,
        "command": list(command),
        "began": began.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "user": _user(),
        "host": platform.node(),
        "versions": versions(),
        "input_sha256": {str(path): None if isinstance(path, UrlPath) else checksum(path) for path in inputs},
        "output_sha256": None if isinstance(output, UrlPath) or not output.exists() else checksum(output),
        "quarantine_sha256": checksum(quarantine) if quarantine and quarantine.exists() else None,
        **about,
        **account.to_json(),
        "data": folder_checksums(),
        **({"policy": policy.to_toml(), "site_files": site_files(policy)} if policy else {}),
    }
    if secret is not None:
        record["signature"] = signature(record, secret)
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return record


def signature(record: Mapping[str, Any], secret: bytes) -> str:
    """Return what only the holder of the key can write below a manifest."""
    signed = {name: value for name, value in record.items() if name != "signature"}
    return Keyed.from_secret(secret).child("manifest").digest(json.dumps(signed, sort_keys=True)).hex()


def _user() -> str | None:
    """Return the name of who runs this; a container may have none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return None


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


def site_files(policy: Policy) -> dict[str, str]:
    """Return a checksum for each file of the site's own that a policy names, such as its lists."""
    options = [choice.options for choice in (*policy.detectors, *policy.operations.values())]
    paths = {Path(given[key]) for given in options for key in ("census", "rules", "lists") if given.get(key)}
    for name in {given["locale"] for given in options if given.get("locale")}:
        paths.update(load_locale(name).site_folders)
    if policy.site is not None:  # known and accepted sentences
        paths.update(Path(policy.site).glob("*.sealed"))
    return {str(path): checksum(path) for path in sorted(paths)}


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
        line = f"{checksum(files[name])}  {name}"
        if "\n" in name or "\\" in name:  # as sha256sum does: no name can pass for two lines
            line = "\\" + line.replace("\\", r"\\").replace("\n", r"\n")
        digest.update(f"{line}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
