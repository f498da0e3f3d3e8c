"""The quarantine file: which notes were set aside, why and where; never what they say."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

from plainsight.document import SetAside
from plainsight.formats.files import atomic_file

__all__ = ["Quarantine"]


class Quarantine:
    """List notes as they are set aside; the file appears when the run ends, and only if there are any."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self.first: list[SetAside] = []
        self._open = ExitStack()
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.__exit__(*error)  # type: ignore[arg-type]

    def add(self, item: SetAside) -> None:
        """Write down one note."""
        if self._file is None:
            temporary = self._open.enter_context(atomic_file(self.path))
            self._file = self._open.enter_context(temporary.open("w", encoding="utf-8"))
        self.count += 1
        if len(self.first) < 5:
            self.first.append(item)
        self._file.write(json.dumps({"id": item.id, "reason": item.reason, "where": item.where}) + "\n")
