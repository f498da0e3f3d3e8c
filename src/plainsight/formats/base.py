"""The protocol of a format: it reads documents from a path, and opens a path to write documents to.

Formats keep in a document's ``meta`` what the input says beside the note. Plain keys hold data: a table's
other columns, a JSON line's other keys. They may identify somebody, so a policy decides which of them pass.

Keys with a leading underscore say how the note was stored (its encoding, the table's header and quoting).
They belong to the format that set them: a pipeline carries them untouched, the same format reads them when
it writes, and no other format writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from plainsight.document import Document, SetAside
from plainsight.errors import DataError


class Sink(Protocol):
    """An output that is open for writing.

    ``write`` takes one note. It raises a `FormatError` for a note that the format cannot hold; nothing of
    that note is written, and the sink takes the next one.
    """

    @property
    def write(self) -> Callable[[Document], object]:
        """Write one note."""
        ...


OpenSink = AbstractContextManager[Sink]
"""A context manager that gives a sink: ``with format.open(path) as sink``."""


@dataclass(frozen=True, slots=True)
class FunctionSink:
    """A sink made of one function."""

    write: Callable[[Document], object]


@runtime_checkable
class Format(Protocol):
    """Read and write notes.

    One note goes from input to output like this::

        with writer.open(output) as sink:
            for item in pipeline.deidentify(reader.read(source)):
                if isinstance(item, Document):
                    sink.write(item)

    The constructor takes the user's options, keyword-only and typed. All other settings are in the
    signatures below.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    """File-name endings that suggest this format, with the dot: ``(".jsonl", ".ndjson")``."""

    # A format that writes one file for each note into a folder also has a class attribute
    # ``one_note_a_file = True``: later runs with ``--update`` then add files, not parts of a table.

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the notes of a file or folder, one at a time: memory does not grow with the input.

        A note that cannot be read is yielded as a `SetAside` that names file and line, and the next one
        follows. `read` raises a `FormatError` only when nothing at all can be read.
        """
        ...

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file or folder to write notes to; it appears when the block ends, or not at all on an error.

        ``span_column`` asks a table for a column ``spans``, and ``explain`` asks for the claims behind each
        span. A format without such a thing ignores the setting.
        """
        ...


def has_one_note_a_file(format: Format) -> bool:  # noqa: A002 - the domain's word
    """Whether a format writes one file for each note."""
    return bool(getattr(format, "one_note_a_file", False))


def write_all(
    format: Format,  # noqa: A002 - the domain's word
    items: Iterable[Document | SetAside],
    path: Path,
    *,
    span_column: bool = False,
    explain: bool = False,
) -> None:
    """Write all notes to a path, or nothing: a note set aside or refused by the format is an error."""
    with format.open(path, span_column=span_column, explain=explain) as sink:
        for item in items:
            if isinstance(item, SetAside):
                raise DataError(f"{item.where or item.id}: {item.reason}")
            sink.write(item)


def free_key(name: str, taken: Collection[str]) -> str:
    """Return a plain meta key for something the input calls ``name``, unlike those already taken.

    >>> free_key("unit", []), free_key("_unit", []), free_key("unit", ["unit"])
    ('unit', 'x_unit', 'x_unit')
    """
    if not name.startswith("_") and name not in taken:
        return name
    key = f"x_{name.lstrip('_')}"
    while key in taken:
        key = f"x_{key}"
    return key


def plain_meta(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain keys of a document's meta.

    >>> plain_meta({"note_type": "letter", "_encoding": "cp1252"})
    {'note_type': 'letter'}
    """
    return {key: value for key, value in meta.items() if not key.startswith("_")}
