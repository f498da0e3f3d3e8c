"""Plain text: one file is one note, a folder is many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from plainsight.document import Document, SetAside
from plainsight.formats.base import OpenSink
from plainsight.formats.encodings import decode, encode, encoding_of
from plainsight.formats.files import file_per_note, read_notes
from plainsight.formats.guess import refuse_container


@dataclass(kw_only=True)
class PlainText:
    """Text files: encoding, byte-order mark and line ends stay unchanged.

    ``encoding`` declares how the input is encoded; when not given it is detected. ``suffix`` chooses which
    files of a folder are notes (``".note"``; ``""`` takes them all).
    """

    name: ClassVar[str] = "text"
    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".text")
    one_note_a_file: ClassVar[bool] = True

    encoding: str | None = None
    suffix: str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the note of each file."""
        return read_notes(path, self._suffixes, self._parse)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for one note or a folder for many; spans are not written."""
        return file_per_note(path, self._suffixes, lambda note: encode(note.text, encoding_of(note.meta)))

    @property
    def _suffixes(self) -> tuple[str, ...]:
        return self.suffixes if self.suffix is None else (self.suffix.lower(),)

    def _parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        text, encoding = decode(data, where, self.encoding)
        refuse_container(text, where)
        return Document(id, text, meta=encoding.meta)
