"""Read the structured records of patients, which the patient detector matches in their notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plainsight.document import Patient
from plainsight.errors import DataError, FormatError


def read_patients(path: Path) -> dict[str, Patient]:
    """Return patients by id, from a JSON file (one or a list), JSON lines, or a folder of such files."""
    files = sorted(path.rglob("*.json*")) if path.is_dir() else [path]
    patients: dict[str, Patient] = {}
    for file in files:
        for where, record in _records(file):
            try:
                patient = Patient.from_json(record)
            except (DataError, TypeError, ValueError, AttributeError, RecursionError) as error:
                reason = str(error) if isinstance(error, DataError) else "not a patient record"
                raise FormatError(reason, where) from None
            patients[patient.id] = patient
    if not patients:
        raise FormatError("no patient records", str(path))
    return patients


def _records(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield each record of a file, with its position."""
    number = 0
    try:
        content = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".json":
            whole = json.loads(content)
            for number, record in enumerate(whole if isinstance(whole, list) else [whole], start=1):
                yield f"{file}, record {number}", record
            return
        for number, line in enumerate(content.split("\n"), start=1):
            if line.strip():
                yield f"{file}:{number}", json.loads(line)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", str(file)) from None
    except (ValueError, RecursionError):  # not UTF-8, not JSON, brackets without end
        raise FormatError("not JSON that can be read", f"{file}:{number or 1}") from None
