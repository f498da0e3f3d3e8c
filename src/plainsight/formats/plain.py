"""Plain text: one file is one note, a folder is many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside
from plainsight.formats.encodings import decode, encode, encoding_of
from plainsight.formats.files import file_name, read_notes, safe_path, write_notes

__all__ = ["PlainText"]


class PlainText:
    """Text files: encoding, byte-order mark and line ends stay as they are.

    ``encoding`` declares how the input is encoded; when not given it is found out. ``suffix`` chooses which
    files of a folder are notes (``".note"``; ``""`` takes them all).
    """

    name: ClassVar[str] = "text"
    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".text")

    def __init__(self, *, encoding: str | None = None, suffix: str | None = None) -> None:
        self.encoding = encoding
        self.suffix = suffix

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each file."""
        return read_notes(path, self._suffixes, self._parse)

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write one note to a file, many to a folder; spans are not written."""
        write_notes(documents, path, self._suffixes, self.render)

    def render(self, document: Document) -> bytes:
        """Return a note's file; a note whose id cannot be a file's name is refused."""
        safe_path(Path(), file_name(document.id, self._suffixes))
        return encode(document.text, *encoding_of(document.meta))

    @property
    def _suffixes(self) -> tuple[str, ...]:
        return self.suffixes if self.suffix is None else (self.suffix.lower(),)

    def _parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        decoded = decode(data, where, self.encoding)
        return Document(id, decoded.text, meta=decoded.meta)
