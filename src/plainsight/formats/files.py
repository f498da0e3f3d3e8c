"""Files and folders of notes.

Most formats store one note per file. They share this code: which files of a folder are notes and what their
ids are, and outputs that appear only when complete. `encodings` decodes the bytes.
"""

from __future__ import annotations

import errno
import io
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.base import FunctionSink, Sink
from plainsight.formats.compression import compressed, compressing, decompressing
from plainsight.formats.encodings import READ_ERRORS
from plainsight.formats.limits import cause, limited, refuse_large
from plainsight.formats.staging import sync, sync_folder, temporary
from plainsight.formats.urls import UrlPath

# --- which files, which ids -------------------------------------------------------------------------------


def note_files(path: Path, suffixes: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Yield each note file of a path and its id.

    A file is yielded whatever its suffix. A folder is walked recursively in sorted order for files that
    end in one of ``suffixes`` (in any case; ``""`` takes every file); hidden files and folders, links to
    folders and special files are skipped. Ids are described at `note_id`.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if not path.is_dir():
        yield path, note_id(path.name, suffixes)
        return
    pending = [(path, True)]
    while pending:
        entry, is_folder = pending.pop()  # as it was when it was listed: it may have been deleted since
        relative = entry.relative_to(path).as_posix()
        if is_folder:
            try:
                children = sorted(entry.iterdir(), reverse=True)
            except OSError:
                yield entry, relative  # reading it raises the reason, so that the loss is reported
                continue
            visible = [(child, child.is_dir()) for child in children if not child.name.startswith(".")]
            pending += [(child, folder) for child, folder in visible if not (folder and child.is_symlink())]
        elif _ends(entry.name, suffixes) and (entry.is_file() or not entry.exists()):  # gone, or a dead link
            yield entry, note_id(relative, suffixes)


def _ends(name: str, suffixes: Sequence[str]) -> bool:
    """Whether a name has one of the suffixes, in any case, and something before it."""
    lowered = name.lower()
    return any(lowered.endswith(suffix) and len(lowered) > len(suffix) for suffix in suffixes)


def note_id(relative: str, suffixes: Sequence[str]) -> str:
    """Return the id of the note in a file: its relative path, without the first suffix if it has that.

    When what is left would itself end in one of the suffixes, or the file has another of them, the whole
    name is the id. So two files never share an id, and `file_name` finds the way back.

    >>> [note_id(name, (".txt", ".text")) for name in ("a/1.txt", "a/1.text", "a/1.txt.txt")]
    ['a/1', 'a/1.text', 'a/1.txt.txt']
    """
    stem = relative.removesuffix(suffixes[0])
    bare = (
        stem != relative and stem and not stem.endswith("/") and not _ends(stem.rpartition("/")[2], suffixes)
    )
    return stem if bare else relative


def file_name(id: str, suffixes: Sequence[str]) -> str:  # noqa: A002 - the domain's word
    """Return the relative file name of an id: the inverse of `note_id`.

    >>> [file_name(id, (".txt", ".text")) for id in ("a/1", "a/1.text", "a/1.txt.txt")]
    ['a/1.txt', 'a/1.text', 'a/1.txt.txt']
    """
    return id if _ends(id.rpartition("/")[2], suffixes) else id + suffixes[0]


_RESERVED = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{device}{digit}" for device in ("com", "lpt") for digit in range(1, 10)]
)


def safe_path(folder: Path, id: str) -> Path:  # noqa: A002 - the domain's word
    """Return ``folder/id``, refusing ids that would leave the folder or cannot be a file's name."""
    reason = ""
    for part in id.split("/"):
        if part in ("", ".", ".."):
            reason = "an empty part, '.' or '..'"
        elif part.startswith("."):
            reason = "a hidden name, which would not be read again"
        elif os.name == "nt" and part.partition(".")[0].rstrip().lower() in _RESERVED:
            reason = "a reserved device name"
    if "\0" in id:
        reason = "a NUL character"
    elif os.name == "nt" and set(id) & set('\\:*?"<>|'):
        reason = "a character that file names cannot have"
    elif max(len(part.encode("utf-8", "surrogatepass")) for part in id.split("/")) > 255:
        reason = "a name longer than 255 bytes"
    if reason:
        raise FormatError(f"note id {_short(id)} cannot be a file name: it has {reason}")
    return folder / id


def _short(id: str) -> str:  # noqa: A002 - the domain's word
    return repr(id) if len(id) <= 80 else f"{id[:40]!r}… of {len(id)} characters"


# --- reading and writing one note per file ----------------------------------------------------------------


def read_bytes(file: Path) -> bytes:
    """Return a file's bytes, or raise a `FormatError` with the reason."""
    try:
        refuse_large(file)
        return file.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", str(file)) from None


def open_bytes(file: Path) -> BinaryIO:
    """Open a file to read its bytes, decompressed when its name ends like one of a compressed file."""
    try:
        opened = cast("BinaryIO", file.open("rb"))
        if compressed(file):
            return limited(decompressing(opened, file.suffix.lower()), opened)
        return opened
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", str(file)) from None


@contextmanager
def atomic_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write bytes like `atomic_file`, compressed when its name says so."""
    with atomic_file(path) as temporary, temporary.open("w+b", buffering=1 << 20) as file:
        if not compressed(path):
            yield file
            return
        with compressing(file, path.suffix.lower()) as packed:
            yield packed


def _unreadable(error: BaseException, file: Path) -> FormatError:
    return FormatError(f"cannot be read further ({cause(error)})", str(file))


def set_aside(id: str, error: DataError, where: str) -> SetAside:  # noqa: A002 - the domain's word
    """Convert an error about one note to a `SetAside`."""
    if isinstance(error, FormatError):
        return SetAside(id, error.reason, error.where or where)
    return SetAside(id, str(error), where)


def read_notes(
    path: Path, suffixes: Sequence[str], parse: Callable[[str, bytes, str], Document]
) -> Iterator[Document | SetAside]:
    """Yield ``parse(id, data, where)`` of each file that holds one note; a note that fails is set aside."""
    return read_files(path, suffixes, lambda file, note: iter([parse(note, read_bytes(file), str(file))]))


def read_files(
    path: Path, suffixes: Sequence[str], read: Callable[[Path, str], Iterator[Document | SetAside]]
) -> Iterator[Document | SetAside]:
    """Yield the notes of a file, or of the files of a folder in order.

    ``read`` takes a file and the id that it would have as a note. A file of a folder that cannot be read is
    set aside whole. For a single file the error is raised, and also for a path without any note.
    """
    single, found = not path.is_dir(), False
    for file, id in note_files(path, suffixes):  # noqa: A001 - the domain's word
        try:
            for item in read(file, id):
                found = True
                yield item
        except (DataError, *READ_ERRORS) as error:
            known = error if isinstance(error, DataError) else _unreadable(error, file)
            if single:
                raise known from None
            found = True
            yield set_aside(id, known, str(file))
    if not found:
        wanted = " or ".join(suffix or "visible" for suffix in suffixes)
        raise FormatError("no notes" if single else f"no notes: no {wanted} files, or empty ones", str(path))


@contextmanager
def one_file(
    path: Path, render: Callable[[Document], bytes], *, head: bytes = b"", foot: bytes = b""
) -> Iterator[Sink]:
    """Open a file that takes ``render(document)`` of many notes, between a head and a foot."""
    with atomic_bytes(path) as file:
        file.write(head)
        yield FunctionSink(lambda document: file.write(render(document)))
        file.write(foot)


@contextmanager
def file_per_note(path: Path, suffixes: Sequence[str], render: Callable[[Document], bytes]) -> Iterator[Sink]:
    """Open a path that takes ``render(document)`` of each note: one note as a file, many as a folder.

    A path that ends in one of the suffixes is a file and takes one note. Any other path is a folder, which
    holds `file_name` of every id. But a single note goes to a file if the path has a suffix of its own
    (``note.md``) and is no folder yet.
    """
    is_file = not path.is_dir() and (path.exists() or _ends(path.name, suffixes))
    may_be_file = is_file or (path.suffix != "" and not path.is_dir())
    first: list[tuple[str, bytes]] = []
    folder: Path | None = None
    with ExitStack() as stack:

        def put(document: Document) -> None:
            nonlocal folder
            name, data = file_name(document.id, suffixes), render(document)
            if may_be_file and not first:
                safe_path(path, name)
                first.append((name, data))
                return
            if is_file:
                raise UsageError(f"{path.name}: a file takes one note and there are more; give a folder")
            if folder is None:
                folder = stack.enter_context(atomic_folder(path))
                if first:
                    create(folder, *first[0])
            create(folder, name, data)

        yield FunctionSink(put)
        if first and folder is None:
            with atomic_file(path) as temporary:
                temporary.write_bytes(first[0][1])
        elif folder is None and not is_file:
            stack.enter_context(atomic_folder(path))


def create(folder: Path, name: str, data: bytes) -> None:
    """Write a new file into a folder, making the folders between; a second file of that name is refused."""
    target = safe_path(folder, name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
    except FileExistsError:
        raise FormatError(f"two notes would be written to {_short(name)}") from None
    except OSError as error:
        if error.errno not in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EILSEQ, errno.EINVAL):
            raise
        raise FormatError(f"note cannot be written to {_short(name)}: {error.strerror}") from None
    except UnicodeEncodeError:
        raise FormatError(f"note id {_short(name)} cannot be a file name") from None


# --- files in memory ---------------------------------------------------------------------------------------


class MemoryFile(type(Path())):  # type: ignore[misc]
    """A path whose bytes are in memory: formats read and write it like a file.

    >>> file = MemoryFile("stdin")
    >>> file.data = b"Seen."
    >>> file.open("rb").read()
    b'Seen.'
    """

    data: bytes = b""

    def exists(self, *_: Any, **__: Any) -> bool:
        """Return True."""
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


class _Written(io.BytesIO):
    """Collect what is written; the file in memory gets it when this is closed."""

    def __init__(self, file: MemoryFile) -> None:
        super().__init__()
        self._path = file

    def close(self) -> None:
        if not self.closed:
            self._path.data = self.getvalue()
        super().close()


# --- whole or not at all ----------------------------------------------------------------------------------


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to, which replaces the target when the block ends well.

    It is beside the target, has a neutral name and only its owner can read it; an error removes it.
    A device or named pipe is written directly.
    """
    if isinstance(path, MemoryFile):
        yield path
        return
    if isinstance(path, UrlPath):
        with temporary(Path(tempfile.gettempdir())) as unfinished:
            yield unfinished
            path.upload(unfinished)
        return
    target = Path(os.path.realpath(path))  # through a link, replace what it points to
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise UsageError(f"{path}: is a folder, not a file")
        yield target
        return
    with _beside(target, path) as unfinished:
        yield unfinished
        sync(unfinished)
        unfinished.replace(target)
        sync_folder(target.parent)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Make a new folder that appears only when the block ends well.

    If the folder exists already, the new files move into it and replace those of the same name; its other
    files stay.
    """
    if isinstance(path, MemoryFile):
        raise UsageError(f"{path}: this format writes a folder; give one with --output")
    if isinstance(path, UrlPath):
        with temporary(Path(tempfile.gettempdir()), is_folder=True) as folder:
            yield folder
            for root, _, names in os.walk(folder):
                for name in sorted(names):
                    file = Path(root, name)
                    (path / file.relative_to(folder).as_posix()).upload(file)
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_dir():
        raise UsageError(f"{path}: is a file, not a folder")
    with _beside(target, path, is_folder=True) as folder:
        yield folder
        made = [Path(root, name) for root, _, names in os.walk(folder) for name in names]
        for file in made:
            sync(file)
        if target.exists():
            for file in made:
                goal = target / file.relative_to(folder)
                goal.parent.mkdir(parents=True, exist_ok=True)
                file.replace(goal)
        else:
            folder.replace(target)
        sync_folder(target.parent)


@contextmanager
def _beside(target: Path, path: Path, *, is_folder: bool = False) -> Iterator[Path]:
    """Make a temporary file or folder beside a target that the user calls ``path``."""
    with ExitStack() as stack:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            made = stack.enter_context(temporary(target.parent, is_folder=is_folder))
        except OSError as error:
            raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
        yield made
