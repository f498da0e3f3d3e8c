"""Files that are compressed, by the ending of their name: gzip, bzip2, xz, Zstandard."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from pathlib import Path
from typing import Any, BinaryIO, cast

from plainsight.errors import UsageError

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
"""The endings of compressed files."""

_LEVEL = 6
_ZSTD_LEVEL = 3
_ZSTD_INPUT = 1024  # bytes at once: even a file made for it unpacks them to 32 MB at most


def compressed(path: Path) -> bool:
    """Whether a file is compressed, by its name."""
    return path.suffix.lower() in COMPRESSIONS


def also_compressed(*suffixes: str) -> tuple[str, ...]:
    """Return suffixes, and after them each one with the ending of every compression.

    >>> also_compressed(".csv")
    ('.csv', '.csv.gz', '.csv.bz2', '.csv.xz', '.csv.zst')
    """
    return (*suffixes, *(suffix + ending for suffix in suffixes for ending in COMPRESSIONS))


def decompressing(file: BinaryIO, ending: str) -> BinaryIO:
    """Return a stream of the decompressed bytes of an open file; closing it closes the file."""
    if ending == ".zst":
        return io.BufferedReader(_Zstandard(file))
    opened: Any
    if ending == ".gz":
        opened = gzip.GzipFile(fileobj=file, mode="rb")
    else:
        opened = bz2.BZ2File(file) if ending == ".bz2" else lzma.LZMAFile(file)  # noqa: SIM115
    return cast("BinaryIO", _Closing(opened, file))


def compressing(file: BinaryIO, ending: str) -> BinaryIO:
    """Return a stream that writes compressed bytes to an open file; closing it leaves the file open.

    The same bytes are always compressed to the same: there is no name and no time in them.
    """
    if ending == ".zst":
        compressor = _zstandard().ZstdCompressor(level=_ZSTD_LEVEL)
        return cast("BinaryIO", compressor.stream_writer(file, closefd=False))
    if ending == ".gz":
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=_LEVEL, mtime=0)
        return cast("BinaryIO", packed)
    kind: Any = bz2.BZ2File if ending == ".bz2" else lzma.LZMAFile
    return cast("BinaryIO", kind(file, "wb"))


def _zstandard() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise UsageError(
            'files that end in .zst need the package zstandard: pip install "plainsight[remote]"'
        ) from None
    return zstandard


class _Closing(io.BufferedReader):
    """A buffered stream that closes the file below it, too."""

    def __init__(self, opened: Any, file: BinaryIO) -> None:
        super().__init__(opened)
        self._file = file

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._file.close()


class _Zstandard(io.RawIOBase):
    """The decompressed bytes of a file; damage is an `OSError`, and a file that breaks off an `EOFError`."""

    def __init__(self, file: BinaryIO) -> None:
        self._library = _zstandard()
        self._file = file
        self._packed = self._bytes = b""
        self._frame: Any = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._bytes and self._read_some():
            pass
        size = min(len(buffer), len(self._bytes))
        buffer[:size], self._bytes = self._bytes[:size], self._bytes[size:]
        return size

    def _read_some(self) -> bool:
        """Decompress some more bytes; the library's own reader takes a file that breaks off for whole."""
        self._packed = self._packed or self._file.read(_ZSTD_INPUT)
        if not self._packed:
            if self._frame is not None:
                raise EOFError("the file breaks off")
            return False
        if self._frame is None:
            self._frame = self._library.ZstdDecompressor().decompressobj()
        try:
            self._bytes = self._frame.decompress(self._packed)
        except self._library.ZstdError:
            raise OSError("damaged Zstandard data") from None
        self._packed = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return True

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
