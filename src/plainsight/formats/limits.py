"""Limits on what a reader takes in, against files that are made to exhaust memory or time.

Two environment variables change them: ``PLAINSIGHT_MAX_NOTE_MB``, how long one note (a line of a table, a
file with one note) may be, and ``PLAINSIGHT_MAX_EXPANSION``, how many times its size a compressed file may
grow when it is read.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, BinaryIO, Final

from plainsight.errors import FormatError, UsageError

_NOTE: Final = "PLAINSIGHT_MAX_NOTE_MB", 64
_EXPANSION: Final = "PLAINSIGHT_MAX_EXPANSION", 200
_FREE = 64 << 20  # bytes that any compressed file may grow to
_STEP = 1 << 13  # bytes at once: when a damaged byte follows, at most so many good ones are lost


class ExpansionError(OSError):
    """A compressed file grows beyond the limit."""


def longest_note() -> int:
    """Return how many bytes, or characters, one note may have."""
    return _setting(*_NOTE) << 20


def too_long() -> str:
    """Say why a note is set aside for its length."""
    return f"longer than {_setting(*_NOTE)} MB; {_NOTE[0]} allows more"


def refuse_large(file: Path) -> None:
    """Raise a `FormatError` for a file that would be read whole and is longer than a note may be."""
    if file.is_file() and file.stat().st_size > longest_note():
        raise FormatError(too_long(), str(file))


def limited(stream: Any, packed: BinaryIO) -> BinaryIO:
    """Return a stream of decompressed bytes that fails when it grows too much over the ``packed`` file.

    Closing it closes both.
    """
    return io.BufferedReader(_Limited(stream, packed), 1 << 16)


def refuse_expansion(size: int, packed: int, times: int | None = None) -> None:
    """Raise an `ExpansionError` if a file of ``packed`` bytes may not grow to this size."""
    if size > _FREE and size > (times := times or _setting(*_EXPANSION)) * packed:
        raise ExpansionError(f"it grows to over {times} times its size; {_EXPANSION[0]} allows more")


class _Limited(io.RawIOBase):
    def __init__(self, stream: Any, packed: BinaryIO) -> None:
        self._stream, self._packed = stream, packed
        self._times = _setting(*_EXPANSION)
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read1(min(len(buffer), _STEP))
        buffer[: len(data)] = data
        self._size += len(data)
        refuse_expansion(self._size, self._packed.tell(), self._times)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            self._packed.close()
        super().close()


def cause(error: BaseException) -> str:
    """Say why a file cannot be read further, without what the error's own message may hold of it."""
    return str(error) if isinstance(error, ExpansionError) else type(error).__name__


def _setting(name: str, default: int) -> int:
    given = os.environ.get(name, "")
    if given and not (given.isascii() and given.isdigit() and 0 < int(given) < 1 << 31):
        raise UsageError(f"{name} is not a whole number above 0")
    return int(given or default)
