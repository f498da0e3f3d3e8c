"""What every format is: bytes to a stream of documents, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

from plainsight.document import Document, SetAside

__all__ = ["Format"]


@runtime_checkable
class Format(Protocol):
    """Read and write notes.

    ``read`` streams: memory does not grow with the input. A note that cannot be read is yielded as a
    `SetAside` naming file and line, and the ones after it still come; only when nothing at all can be
    read does `read` raise a `FormatError`. ``write`` consumes a stream and leaves either the whole
    output or none. A format that cannot hold every note offers ``render(document)`` as well, which raises
    a `FormatError` for one it cannot hold; such a note is set aside and the others are written. Options
    are keyword-only and typed.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    """File-name endings that suggest this format, with the dot: ``(".jsonl", ".ndjson")``."""

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the documents of a file or folder."""
        ...

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write documents to a file or folder."""
        ...
