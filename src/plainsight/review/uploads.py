"""Read notes from a file that a browser sent: in memory alone, so that no other file holds their text.

The name of the file only helps to guess its format. An archive is read entry by entry, nothing is unpacked to
the disk, and an entry whose name would leave a folder is refused with the whole archive.
"""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from plainsight import registry
from plainsight.document import Document
from plainsight.errors import FormatError
from plainsight.formats.files import MemoryFile
from plainsight.formats.guess import guess
from plainsight.formats.limits import ExpansionError, longest_note, refuse_expansion
from plainsight.formats.unique import unique
from plainsight.pipeline import Item

_MOST_ENTRIES = 200_000
_LARGEST = 1 << 30
_NAME = "the file"


def uploaded(name: str, data: bytes, format: str | None = None) -> Iterator[Item]:  # noqa: A002 - the domain's word
    """Yield the notes of a file, or of the files of a ZIP archive, each id once."""
    suffixes = "".join(PurePosixPath(name.replace("\\", "/")).suffixes[-2:])
    if suffixes.lower().endswith(".zip") and data[:2] == b"PK":
        return unique(_archived(data, format))
    return unique(_notes(f"upload{suffixes}" if suffixes.isascii() else "upload", data, format))


def _notes(name: str, data: bytes, format: str | None) -> Iterator[Item]:  # noqa: A002
    file = MemoryFile(name)
    file.data = data
    return iter(registry.create("formats", format or guess(file)).read(file))


def _archived(data: bytes, format: str | None) -> Iterator[Item]:  # noqa: A002
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries, len(data))
            for entry in entries:
                path = PurePosixPath(entry.filename)
                if any(part.startswith(".") or part == "__MACOSX" for part in path.parts):
                    continue
                folder = "" if path.parent == PurePosixPath(".") else f"{path.parent}/"
                for item in _notes(path.name, archive.read(entry), format):
                    yield replace(item, id=f"{folder}{item.id}") if isinstance(item, Document) else item
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError):
        raise FormatError("not an archive that can be read", _NAME) from None


def _check(entries: list[zipfile.ZipInfo], packed: int) -> None:
    """Refuse an archive with names that leave a folder, links, or too much in it."""
    if len(entries) > _MOST_ENTRIES:
        raise FormatError("the archive has too many entries", _NAME)
    for number, entry in enumerate(entries, start=1):
        path = PurePosixPath(entry.filename)
        if (
            path.is_absolute()
            or ".." in path.parts
            or set(entry.filename) & {"\\", "\0", ":"}
            or stat.S_ISLNK(entry.external_attr >> 16)
        ):
            raise FormatError(f"entry {number} of the archive would leave its folder", _NAME)
        if entry.file_size > longest_note():
            raise FormatError(f"entry {number} of the archive is too long", _NAME)
    size = sum(entry.file_size for entry in entries)
    try:
        refuse_expansion(size, max(packed, 1))
    except ExpansionError as error:
        raise FormatError(str(error), _NAME) from None
    if size > _LARGEST:
        raise FormatError("the archive holds too much", _NAME)
