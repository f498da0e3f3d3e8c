"""Temporary files and folders beside an output, and the last step that gives the output its name.

A temporary is locked while its process lives. The system drops the lock with the process, so a temporary
that nobody holds was left behind by a run that was killed, and the next run removes it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plainsight.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows: no locks, so nothing is removed there
    fcntl = None  # type: ignore[assignment]

_PREFIX, _SUFFIX = ".plainsight-", ".tmp"  # says nothing about the input
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux's renameat2


def lock(path: Path) -> int | None:
    """Open and lock a file or folder; return its handle, or None if another process holds it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:  # a file system without locks
        pass
    return handle


@contextmanager
def temporary(folder: Path, *, is_folder: bool = False) -> Iterator[Path]:
    """Make a file or folder that only its owner can read, locked until the block ends and it is removed."""
    while True:
        if is_folder:
            name = tempfile.mkdtemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        else:
            made, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
            os.close(made)
        path = Path(name)
        with suppress(FileNotFoundError):  # another run took it for a left-over before it was locked
            handle = lock(path)
            if handle is not None and path.exists():
                break
            if handle is not None:
                os.close(handle)
    try:
        yield path
    finally:
        os.close(handle)
        remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> int:
    """Remove the temporaries of runs that were killed from a folder; return how many there were."""
    if fcntl is None:
        return 0
    count = 0
    with suppress(OSError), os.scandir(folder) as entries:
        names = [e.name for e in entries if e.name.startswith(_PREFIX) and e.name.endswith(_SUFFIX)]
        for name in names:
            path = folder / name
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not ours to remove if this fails
                    remove(path)
                    count += 1
                finally:
                    os.close(handle)
    return count


class Staged:
    """An output that is written under its own name in a temporary folder, and moved into place when complete.

    ``path`` is where to write it. `place` gives the output its name: a file or folder that was there is
    replaced whole or not at all.
    """

    def __init__(self, target: Path, folder: Path, *, as_folder: bool) -> None:
        self.target, self._folder = target, folder
        self.path = folder / target.name
        if as_folder or target.is_dir():  # formats look whether the path is a file or a folder
            self.path.mkdir()
        elif target.exists():
            self.path.touch()

    def place(self) -> None:
        """Move what was written to where it belongs, at once."""
        for made in sorted(self._folder.iterdir(), key=lambda path: path == self.path):
            goal = self.target.parent / made.name  # beside the output itself, a format may write more files
            replace_whole(made, goal)
        sync_folder(self.target.parent)


@contextmanager
def staged(path: Path, *, as_folder: bool = False) -> Iterator[Staged]:
    """Give an output to write to, or an empty folder; what is not placed when the block ends is removed."""
    target = Path(os.path.realpath(path))  # through a link, replace what it points to
    if target.is_dir() and os.path.ismount(target):
        raise UsageError(f"{path}: cannot be replaced, for it is a mount point; give a folder inside it")
    try:
        with temporary(target.parent, is_folder=True) as folder:
            yield Staged(target, folder, as_folder=as_folder)
    except PermissionError as error:
        if error.filename is None or Path(error.filename).parent != target.parent:
            raise
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def replace_whole(new: Path, old: Path) -> None:
    """Give ``new`` the name ``old``, in one step; what had that name is removed."""
    if not old.is_dir() and not new.is_dir():
        new.replace(old)
        return
    if not old.exists():
        new.rename(old)
        return
    if not _exchanged(new, old):  # no such call here: two steps, and back if the second fails
        aside = old.with_name(f"{_PREFIX}{old.name}.old")  # no left-over: nothing removes it after a crash
        old.rename(aside)
        try:
            new.rename(old)
        except OSError:
            aside.rename(old)
            raise
        new = aside
    remove(new)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two names in one step; return whether the system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    here = -100  # AT_FDCWD
    if rename(here, os.fsencode(one), here, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(other))


def sync(file: Path) -> None:
    """Force a file to disk; a failure to do so is an error like any other."""
    with file.open("rb+") as stream:
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to disk, where the system can."""
    with suppress(OSError):  # Windows opens no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
