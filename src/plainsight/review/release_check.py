"""Check a release later: its signature, and that no byte of any of its files was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plainsight.errors import FormatError
from plainsight.review.signing import is_signed, public_fingerprint
from plainsight.run.manifest import checksum
from plainsight.run.verify import Check

FORMAT = "plainsight release 1"
NOTES, RECORD, REPORT, SIGNATURE = "notes.jsonl", "release.json", "report.html", "signature.json"
"""The files of a release."""


def is_release(folder: Path) -> bool:
    """Whether a folder is a release."""
    return (folder / RECORD).is_file() and (folder / SIGNATURE).is_file()


def check_release(folder: Path, *, public: str | None = None) -> Iterator[Check]:
    """Yield what is as it was signed and what is not; ``public`` is the key that the person should have."""
    data = (folder / RECORD).read_bytes()
    signed = _json(folder / SIGNATURE, (folder / SIGNATURE).read_bytes())
    key, signature = str(signed.get("public_key")), str(signed.get("signature"))
    good = is_signed(data, signature, key)
    yield Check("signature", good, "as signed" if good else "release.json was changed since it was signed")
    record = _json(folder / RECORD, data)
    if record.get("format") != FORMAT:
        yield Check("format", False, "not a release of this version")
        return
    signer = record.get("signer") or {}
    if signer.get("public_key") != key:
        yield Check("signer", False, "signature.json names another key than release.json")
    elif public is None:
        said = f"{signer.get('name')}, key {public_fingerprint(key)}: compare it, or give --public-key"
        yield Check("signer", None, said)
    else:
        same = key == public
        yield Check("signer", same, f"{signer.get('name')}, " + ("the key given" if same else "another key"))
    yield from _files(folder, record.get("files") or {})


def _files(folder: Path, files: dict[str, Any]) -> Iterator[Check]:
    for name in (NOTES, REPORT):
        if name not in files:
            yield Check(name, False, "not named in release.json")
    for name, about in files.items():
        path = folder / name
        if Path(name).name != name or not path.is_file() or path.is_symlink():
            yield Check(name, False, "missing")
        else:
            same = checksum(path) == about.get("sha256")
            yield Check(name, same, "as signed" if same else "changed since it was signed")
    known = {RECORD, SIGNATURE, *files}
    for path in sorted(folder.iterdir()):
        if path.name not in known:
            yield Check(path.name, False, "was not part of the release")


def _json(path: Path, data: bytes) -> dict[str, Any]:
    try:
        record = json.loads(data)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise FormatError("not part of a release", str(path))
    return record
