"""Check a release later: its signature, and that no byte of any of its files was changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from plainsight.errors import FormatError
from plainsight.review.signing import is_signed, public_fingerprint
from plainsight.run.manifest import checksum
from plainsight.run.verify import Check

FORMAT = "plainsight release 1"
NOTES, RECORD, REPORT, SIGNATURE = "notes.jsonl", "release.json", "report.html", "signature.json"
"""The files of a release."""

Part = TypeVar("Part")


class _Signed(msgspec.Struct):
    """What counts of `SIGNATURE`."""

    public_key: str
    signature: str


class _Signer(msgspec.Struct):
    name: str
    public_key: str


class _File(msgspec.Struct):
    sha256: str


class _Record(msgspec.Struct):
    """What is checked of `RECORD`."""

    format: str
    signer: _Signer
    files: dict[str, _File]


def is_release(folder: Path) -> bool:
    """Whether a folder is a release."""
    return (folder / RECORD).is_file() and (folder / SIGNATURE).is_file()


def check_release(folder: Path, *, public: str | None = None) -> Iterator[Check]:
    """Yield what is as it was signed and what is not; ``public`` is the key that the person should have."""
    data = (folder / RECORD).read_bytes()
    signed = _decoded(folder / SIGNATURE, (folder / SIGNATURE).read_bytes(), _Signed)
    key = signed.public_key
    good = is_signed(data, signed.signature, key)
    yield Check("signature", good, "as signed" if good else "release.json was changed since it was signed")
    record = _decoded(folder / RECORD, data, _Record)
    if record.format != FORMAT:
        yield Check("format", False, "not a release of this version")
        return
    name = record.signer.name
    if record.signer.public_key != key:
        yield Check("signer", False, "signature.json names another key than release.json")
    elif public is None:
        said = f"{name}, key {public_fingerprint(key)}: compare it, or give --public-key"
        yield Check("signer", None, said)
    else:
        same = key == public
        yield Check("signer", same, f"{name}, " + ("the key given" if same else "another key"))
    yield from _files(folder, record.files)


def _files(folder: Path, files: dict[str, _File]) -> Iterator[Check]:
    there = sorted(folder.iterdir())
    for name in (NOTES, REPORT):
        if name not in files:
            yield Check(name, False, "not named in release.json")
    for name, about in files.items():
        path = folder / name
        if Path(name).name != name or path not in there or not path.is_file() or path.is_symlink():
            yield Check(name, False, "missing")
        else:
            same = checksum(path) == about.sha256
            yield Check(name, same, "as signed" if same else "changed since it was signed")
    known = {RECORD, SIGNATURE, *files}
    for path in there:
        if path.name not in known:
            yield Check(path.name, False, "was not part of the release")


def _decoded(path: Path, data: bytes, kind: type[Part]) -> Part:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise FormatError("not part of a release, or damaged", str(path)) from None
