"""The ledger of rounds: one line of JSON for each, with scores and no word of any note."""

from __future__ import annotations

import json
import os
from typing import Any

from plainsight.errors import DataError
from plainsight.site.folder import Site


def add_round(site: Site, record: dict[str, Any]) -> None:
    """Write a round at the end of the ledger."""
    line = json.dumps(record, ensure_ascii=False) + "\n"
    handle = os.open(site.rounds, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def read_rounds(site: Site) -> list[dict[str, Any]]:
    """Return all rounds, the first one first."""
    if not site.rounds.is_file():
        return []
    records = []
    for number, line in enumerate(site.rounds.read_bytes().splitlines(), start=1):
        try:
            record = json.loads(line)
        except ValueError:  # no JSON, or no UTF-8
            record = None
        if not isinstance(record, dict) or "round" not in record:
            raise DataError(f"{site.rounds}: line {number} is damaged; mend or delete that line")
        records.append(record)
    return records
