"""Files in memory, for standard input and output: note text never goes to a temporary file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any


class MemoryFile(type(Path())):  # type: ignore[misc]
    """A path whose bytes are in memory: formats read and write it like a file.

    >>> file = MemoryFile("stdin")
    >>> file.data = b"Seen."
    >>> file.open("rb").read()
    b'Seen.'
    """

    data: bytes = b""

    def exists(self, *_: Any, **__: Any) -> bool:
        """Return True: nothing on the disk is asked."""
        return True

    def is_file(self, *_: Any, **__: Any) -> bool:
        """Return False: it is not a file on the disk."""
        return False

    def is_dir(self, *_: Any, **__: Any) -> bool:
        """Return False."""
        return False

    def open(self, mode: str = "r", *_: Any, **__: Any) -> Any:
        """Open the bytes for reading, or for writing them anew."""
        return io.BytesIO(self.data) if "r" in mode else _Written(self)

    def read_bytes(self) -> bytes:
        """Return the bytes."""
        return self.data

    def write_bytes(self, data: Any) -> int:
        """Replace the bytes."""
        self.data = bytes(data)
        return len(self.data)


class _Written(io.BytesIO):
    """What is written to a file in memory, which gets it when this is closed."""

    def __init__(self, file: MemoryFile) -> None:
        super().__init__()
        self._path = file

    def close(self) -> None:
        if not self.closed:
            self._path.data = self.getvalue()
        super().close()
