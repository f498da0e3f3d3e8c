"""Check an output against its manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from plainsight.errors import FormatError, UsageError
from plainsight.run.keys import Key
from plainsight.run.manifest import checksum, signature


class Check(NamedTuple):
    """One thing that was looked at; ``good`` is None where it could not be."""

    what: str
    good: bool | None
    said: str


def read_record(path: Path) -> dict[str, Any]:
    """Read a manifest."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"no manifest at {path}: name an output that plainsight wrote") from None
    except (OSError, ValueError, RecursionError):
        raise FormatError("not a manifest", str(path)) from None
    if not isinstance(record, dict) or "output_sha256" not in record:
        raise FormatError("not a manifest", str(path))
    inputs = record.get("input_sha256", {})
    sums = [record["output_sha256"], *(inputs.values() if isinstance(inputs, dict) else [0])]
    is_whole = all(one is None or isinstance(one, str) for one in sums)
    if not is_whole or not isinstance(record.get("set_aside", 0), int):
        raise FormatError("a damaged manifest", str(path))
    return record


def verify(
    output: Path, record: dict[str, Any], *, quarantine: Path, ledger: Path, key: Key | None
) -> Iterator[Check]:
    """Yield what is as the manifest says and what is not."""
    yield _signature(record, key)
    if record["output_sha256"] is None:
        yield Check("output", None, "without a checksum, for it is no file or folder")
    elif not output.exists():
        yield Check("output", False, f"nothing at {output}")
    else:
        same = checksum(output) == record["output_sha256"]
        yield Check("output", same, "as written" if same else "changed since it was written")
    aside, found = record.get("set_aside", 0), checksum(quarantine) if quarantine.exists() else None
    if aside or found:
        same = found == record.get("quarantine_sha256")
        yield Check("quarantine", same, f"{aside} set aside" if same else "missing or changed")
    unfinished = any(ledger.glob("*.part"))
    yield Check(
        "run", not unfinished, "an unfinished run continues with its command" if unfinished else "finished"
    )


def check_inputs(record: dict[str, Any]) -> Iterator[Check]:
    """Yield whether the inputs are still those that were read."""
    for name, before in record.get("input_sha256", {}).items():
        path = Path(name)
        if not _is_here(path):
            yield Check(f"input {name}", None, "not here")
        else:
            same = checksum(path) == before
            yield Check(f"input {name}", same, "as read" if same else "changed since it was read")


def _is_here(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long
        return False


def _signature(record: dict[str, Any], key: Key | None) -> Check:
    if "signature" not in record:
        good = None if key is None else False
        return Check("manifest", good, "not signed: the run had no key that was kept")
    if key is None:
        return Check("manifest", None, "signed; give the key to check it")
    same = record["signature"] == signature(record, key.secret)
    return Check("manifest", same, "signed with this key" if same else "changed, or signed with another key")
