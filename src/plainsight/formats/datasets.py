"""Datasets: folders of tables that stay folders of tables.

A dataset is a folder with any number of files of one format, perhaps in folders that are columns
(``year=2024/part-0.parquet``, as Hive and Spark write them). Such a column is a column like any other: the
policy decides whether it is released. The output has one file for each file of the input, numbered, for names
of files may identify somebody, and in the same folders where their columns are released.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import OpenSink, Sink
from plainsight.formats.files import atomic_folder

_PART = "_part"
_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True, slots=True)
class Part:
    """The file that a note comes from: its number, its ending, and the columns that its folders are."""

    number: int
    ending: str
    columns: Mapping[str, str | None]


def part_of(file: Path, folder: Path, number: int, suffixes: Sequence[str]) -> Part | None:
    """Return what the place of a file in a folder says; None for a file that was given alone.

    >>> part_of(Path("notes/year=2024/ward=A%2FB/x.csv"), Path("notes"), 3, (".csv",))
    Part(number=3, ending='.csv', columns={'year': '2024', 'ward': 'A/B'})
    """
    if file == folder:
        return None
    name = file.name.lower()
    ending = max((suffix for suffix in suffixes if name.endswith(suffix)), key=len, default="")
    columns = {}
    for step in file.relative_to(folder).parts[:-1]:
        column, equals, value = step.partition("=")
        if equals and column and not column.startswith("_"):
            columns[unquote(column)] = None if value == _NULL else unquote(value)
    return Part(number, ending, columns)


def in_part(item: Document | SetAside, part: Part | None) -> Document | SetAside:
    """Return a note with the file that it comes from, and with the columns that its folders are."""
    if part is None or isinstance(item, SetAside):
        return item
    added = {name: value for name, value in part.columns.items() if name not in item.meta}
    own = part if len(added) == len(part.columns) else replace(part, columns=added)
    return replace(item, meta={**item.meta, **added, _PART: own})


@contextmanager
def file_or_dataset(
    path: Path, suffixes: Sequence[str], open_file: Callable[[Path], OpenSink]
) -> Iterator[Sink]:
    """Open a file; or a folder, if the notes come from one and the path does not end like a file."""
    is_file = path.name.lower().endswith(tuple(suffixes)) or (path.exists() and not path.is_dir())
    with ExitStack() as stack:
        if is_file:
            yield stack.enter_context(open_file(path))
            return
        sink = _FirstNoteDecides(path, suffixes, open_file, stack)
        try:
            yield sink
            sink.finish()
        except BaseException:
            sink.abandon()
            raise


class _FirstNoteDecides:
    """Write to a file or, if the first note comes from a dataset, to a folder of files."""

    def __init__(
        self, path: Path, suffixes: Sequence[str], open_file: Callable[[Path], OpenSink], stack: ExitStack
    ) -> None:
        self._path, self._suffixes, self._open_file, self._stack = path, suffixes, open_file, stack
        self._folder: Path | None = None
        self._file: ExitStack | None = None
        self._sink: Sink | None = None
        self._name = ""

    def write(self, document: Document) -> None:
        """Write a note."""
        part = document.meta.get(_PART)
        if self._sink is None and self._folder is None:
            if isinstance(part, Part) or self._path.is_dir():
                self._folder = self._stack.enter_context(atomic_folder(self._path))
            else:
                self._sink = self._stack.enter_context(self._open_file(self._path))
        if self._folder is None:
            assert self._sink is not None
            self._sink.write(document)
            return
        known = part if isinstance(part, Part) else Part(0, "", {})
        name = self._file_name(document, known)
        if name != self._name:
            self._close()
            self._file = ExitStack()
            self._name, self._sink = name, self._file.enter_context(self._open_file(self._folder / name))
        assert self._sink is not None
        inside = {key: value for key, value in document.meta.items() if key not in known.columns}
        self._sink.write(replace(document, meta=inside))

    def _file_name(self, document: Document, part: Part) -> str:
        steps = []
        for column, value in part.columns.items():
            if column not in document.meta:
                continue
            if document.meta[column] != value:
                raise FormatError(
                    f"column {column!r} names folders: it can be kept or left out, not replaced"
                )
            steps.append(f"{quote(column, safe=' ')}={_NULL if value is None else quote(value, safe=' ')}")
        ending = part.ending if part.ending in self._suffixes else self._suffixes[0]
        return "/".join([*steps, f"part-{part.number:05}{ending}"])

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def abandon(self) -> None:
        """Leave the last file as an error leaves it."""
        if self._file is not None:
            with suppress(BaseException):
                self._file.__exit__(*sys.exc_info())

    def finish(self) -> None:
        """Close the last file; without any note, write an empty one."""
        self._close()
        if self._sink is None:
            with self._open_file(self._path):
                pass
