"""Read and write ward books: many notes in one text file, a line ``=== ID`` before each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from plainsight import Document, FormatError, SetAside
from plainsight.formats.base import OpenSink
from plainsight.formats.files import one_file, read_files

__all__ = ["WardBook"]

_HEADER = "=== "


class WardBook:
    """Notes in one text file, each after a line with its id."""

    name: ClassVar[str] = "ward-book"
    suffixes: ClassVar[tuple[str, ...]] = (".book",)

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a book, or of all books in a folder."""
        return read_files(path, self.suffixes, _read_book)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a book, which gets each note after its header; it appears when the block ends well."""
        return one_file(path, _rendered)


def _read_book(path: Path, _id: str) -> Iterator[Document | SetAside]:
    """Yield one document for each header line; text before the first is set aside."""
    note: str | None = None
    lines: list[str] = []
    with path.open("rb") as book:
        for number, raw in enumerate(book, start=1):
            try:
                line = raw.decode()
            except UnicodeDecodeError:
                raise FormatError("not UTF-8", f"{path}:{number}") from None
            if line.startswith(_HEADER):
                if note is not None:
                    yield _note(note, lines)
                note, lines = line.removeprefix(_HEADER).rstrip("\n"), []
            elif note is not None:
                lines.append(line)
            else:
                yield SetAside(f"line {number}", "text before the first note", f"{path}:{number}")
    if note is not None:
        yield _note(note, lines)


def _rendered(document: Document) -> bytes:
    """Return a note as it stands in a book; a note that a book cannot hold is refused, and set aside."""
    if "\n" in document.id or f"\n{_HEADER}" in f"\n{document.text}":
        raise FormatError("a line that looks like a header", f"note {document.id!r}")
    try:
        return f"{_HEADER}{document.id}\n{document.text}\n".encode()
    except UnicodeEncodeError:
        raise FormatError("text that is not valid Unicode", f"note {document.id!r}") from None


def _note(id: str, lines: list[str]) -> Document:  # noqa: A002
    """Take away the line end that every note in a book has."""
    return Document(id, "".join(lines).removesuffix("\n"))
