"""The quarantine file: which notes were set aside, why and where; never what they say."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

from plainsight.document import SetAside
from plainsight.formats.files import atomic_file

_SHOWN = 5


class Quarantine:
    """List notes as they are set aside; the file appears when the run ends, and only if there are any.

    ``first`` holds the first of them; all of them when there is no file.
    """

    def __init__(self, path: Path | None) -> None:
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
        self.count += 1
        if self.path is None or len(self.first) < _SHOWN:
            self.first.append(item)
        if self.path is None:
            return
        if self._file is None:
            temporary = self._open.enter_context(atomic_file(self.path))
            self._file = self._open.enter_context(temporary.open("w", encoding="utf-8"))
        self._file.write(json.dumps({"id": item.id, "reason": item.reason, "where": item.where}) + "\n")
