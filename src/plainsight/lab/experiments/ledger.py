"""The ledger: every run of an experiment, one JSON line each, so that none is done twice.

A run is known by its settings. An interrupted experiment that is started again does only the runs that are
missing. Lines hold settings, figures and spans, never note text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.errors import DataError

RESULTS = "results.jsonl"

Json = Mapping[str, Any]


class Ledger:
    """The runs in a folder; ``run`` does what is not there yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        """The file with all runs."""
        return self.folder / RESULTS

    def __contains__(self, settings: Json) -> bool:
        return key_of(settings) in self._known

    def run(self, settings: Json, work: Callable[[], Json]) -> Json:
        """Return the result of the run with these settings: the one that is known, or what ``work`` gives."""
        key = key_of(settings)
        if key not in self._known:
            line = json.dumps({"key": key, "settings": settings, "result": work()}, ensure_ascii=False)
            self._append(line)
            self._known[key] = json.loads(line)["result"]
        return self._known[key]

    @cached_property
    def _known(self) -> dict[str, Json]:
        known = {}
        for number, line in enumerate(self._whole().splitlines(), 1):
            try:
                record = json.loads(line)
                known[record["key"]] = record["result"]
            except (ValueError, KeyError, TypeError):
                raise DataError(f"{self.path}, line {number}: not a result of an experiment") from None
        return known

    def _whole(self) -> bytes:
        """Return all whole lines; one that was cut off when a run was killed does not count."""
        content = self.path.read_bytes() if self.path.exists() else b""
        return content[: content.rfind(b"\n") + 1]

    def _append(self, line: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        whole = len(self._whole())
        with self.path.open("ab") as file:
            file.truncate(whole)
            file.write(line.encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def key_of(settings: Json) -> str:
    """Return the name of a run: the same settings, in whatever order, give the same one.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    True
    """
    return sha256(json.dumps(settings, sort_keys=True).encode("utf-8")).hexdigest()[:16]


def summary(documents: Sequence[Document]) -> dict[str, Any]:
    """Return the number and checksum of notes, which identify them without revealing anything."""
    checksum = sha256()
    for document in documents:
        spans = [(span.start, span.end, span.label) for span in document.spans]
        content = (document.id, document.patient_id, document.text, spans)
        checksum.update(json.dumps(content).encode("ascii"))
    return {"notes": len(documents), "sha256": checksum.hexdigest()}
