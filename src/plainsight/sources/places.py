"""Places that hold notes and are named by a URL: databases, and files of other machines.

`place` converts what a user types to a path. A URL becomes a path of a kind of its own, so that commands,
formats and the ledger take it like any other path. Its `str` shows no password. What works with files of this
machine alone refuses such a path instead of looking for a file of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, Never
from urllib.parse import unquote

from plainsight.errors import FormatError, UsageError
from plainsight.formats.urls import UrlPath, without_password

DATABASES = ("postgresql", "sqlite", "duckdb", "mysql", "mariadb", "mssql", "oracle")
"""The kinds of databases that a URL may name; for those after DuckDB, install a driver of SQLAlchemy."""

REMOTE = 'files of other machines need the package fsspec: pip install "plainsight[remote]"'

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9.-]*)(?:\+[A-Za-z0-9]+)?://")
_VISIBLE_AT_ONCE = ("sftp", "ssh", "ftp", "smb", "hdfs", "webhdfs", "arrow_hdfs")


def place(text: str) -> Path:
    """Return the path of a file or folder, of a database, or of a remote file or folder.

    >>> place("notes/1.txt").name, str(place("postgresql://reader:secret@db/notes"))
    ('1.txt', 'postgresql://reader@db/notes')
    """
    found = _SCHEME.match(text)
    if found is None:
        return Path(text)
    scheme = found[1].lower()
    if scheme in ("file", "local"):
        return Path(unquote(text[found.end() :]))
    if scheme in DATABASES:
        return Database(text)
    try:
        from fsspec import available_protocols
    except ModuleNotFoundError:
        raise UsageError(REMOTE) from None
    if scheme not in available_protocols():
        kinds = ", ".join(f"{kind}://" for kind in (*DATABASES[:3], "s3", "gs", "abfs", "sftp"))
        raise UsageError(f"an address cannot begin with {scheme}://; it can with {kinds} and others")
    return Remote(text)


class Database(UrlPath):
    """A table of a database: ``postgresql://reader@db/hospital#notes``.

    ``table`` is what follows the ``#``, perhaps with a schema before it. ``url`` is the rest, as SQLAlchemy
    writes it.
    """

    format: ClassVar[str | None] = "sql"

    _whole: str

    def __new__(cls, url: str) -> Database:
        """Take the URL of a database, with a table."""
        self: Database = super().__new__(cls, url)
        self._whole = url
        return self

    def __init__(self, url: str) -> None:
        """Do nothing: the path is made."""

    @property
    def name(self) -> str:
        """The name of the database, with the table."""
        return self.beside.name

    @property
    def parent(self) -> Path:
        """The folder in which the command runs: a database has none."""
        return Path()

    def __reduce__(self) -> tuple[Any, ...]:
        return Database, (self._whole,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Database) and self._whole == other._whole

    def __hash__(self) -> int:
        return hash(self._whole)

    def __str__(self) -> str:
        return without_password(self._whole)

    @property
    def url(self) -> str:
        """The URL of the database, with its password."""
        return self._whole.partition("#")[0]

    @property
    def table(self) -> str | None:
        """The name of the table, if one is named."""
        return self._whole.partition("#")[2] or None

    @property
    def file(self) -> Path | None:
        """The file of a database that is in a file."""
        kind, _, rest = self.url.partition("://")
        name = rest.removeprefix("/").partition("?")[0]
        is_file = kind.partition("+")[0] in ("sqlite", "duckdb") and name not in ("", ":memory:")
        return Path(name) if is_file else None

    @property
    def beside(self) -> Path:
        """Where the files go that a run writes beside its output: beside the database, or here."""
        name = self.file or Path(without_password(self.url).rstrip("/").rpartition("/")[2] or "database")
        return name.with_name(f"{name.name}.{self.table}") if self.table else name

    def exists(self, *_: Any, **__: Any) -> bool:
        """Whether the table exists and holds anything."""
        from plainsight.sources.database import has_rows

        return has_rows(self)

    def is_file(self, *_: Any, **__: Any) -> bool:
        """Return False."""
        return False

    is_dir = is_file


class Remote(UrlPath):
    """A file or folder that fsspec opens: ``s3://bucket/notes.parquet``.

    Credentials and addresses of servers come from fsspec's settings: ``FSSPEC_S3_KEY`` and others in the
    environment, or what the storage's own library finds.
    """

    @property
    def url(self) -> str:
        """The URL, made of the parts of the path."""
        first, *rest = self.parts
        return f"{first}//{'/'.join(rest)}"

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs
        except ModuleNotFoundError:
            raise UsageError(REMOTE) from None
        try:
            system, path = url_to_fs(self.url)
        except ImportError as error:  # fsspec says which package opens this kind
            raise UsageError(f"{self}: {error}") from None
        except Exception as error:
            raise UsageError(f"{self}: cannot be opened ({type(error).__name__})") from None
        return system, path

    def __reduce__(self) -> tuple[Any, ...]:
        return Remote, tuple(self.parts)

    def _ask(self, question: str) -> Any:
        system, path = self._opened
        try:
            return getattr(system, question)(path)
        except OSError as error:
            raise _failed(self, error) from None

    def exists(self, *_: Any, **__: Any) -> bool:
        """Ask the storage."""
        return bool(self._ask("exists"))

    def is_file(self, *_: Any, **__: Any) -> bool:
        """Ask the storage."""
        return bool(self._ask("isfile"))

    def is_dir(self, *_: Any, **__: Any) -> bool:
        """Ask the storage."""
        return bool(self._ask("isdir"))

    @property
    def beside(self) -> Path:
        """Where the files go that a run writes beside its output: the folder that the command runs in."""
        return Path(self.name)

    def relative_to(self, *other: Any) -> Any:
        """Return the path from a folder to this, which is no URL."""
        return PurePosixPath(str(self)).relative_to(PurePosixPath(str(Remote(*other))))

    def size(self) -> int | None:
        """Return a file's size, if the storage says it."""
        return int(size) if (size := self._ask("size")) is not None else None

    def iterdir(self) -> Iterator[Remote]:
        """Yield the files and folders of a folder."""
        system, path = self._opened
        own = path.rstrip("/")
        for name in system.ls(path, detail=False):
            if (found := name.rstrip("/")) != own:  # object stores may list the folder itself
                yield self / found.rpartition("/")[2]

    def open(self, mode: str = "r", *_: Any, **__: Any) -> Any:
        """Open a file to read its bytes; writing goes through `upload`."""
        if mode != "rb":
            _refuse(self, "can only be opened to read bytes")
        system, path = self._opened
        try:
            return system.open(path, "rb")
        except OSError as error:
            raise _failed(self, error) from None

    def read_bytes(self) -> bytes:
        """Return a file's bytes."""
        with self.open("rb") as file:
            return bytes(file.read())

    def upload(self, source: Path) -> None:
        """Put a file of this machine here: whole, or not at all.

        Object stores show a file when all of it has arrived. Elsewhere it arrives under another name.
        """
        system, path = self._opened
        folder, _, name = path.rpartition("/")
        protocols = {system.protocol} if isinstance(system.protocol, str) else set(system.protocol)
        try:
            if folder:
                system.makedirs(folder, exist_ok=True)
            if protocols.isdisjoint(_VISIBLE_AT_ONCE):
                system.put_file(str(source), path)
                return
            system.put_file(str(source), f"{folder}/.plainsight-{name}.tmp")
            system.mv(f"{folder}/.plainsight-{name}.tmp", path)
        except OSError as error:
            raise _failed(self, error) from None

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove a file."""
        if self.exists():
            self._ask("rm_file")
        elif not missing_ok:
            _refuse(self, "does not exist")


def _failed(path: UrlPath, error: OSError) -> OSError:
    """Return an error of the storage that names the file without a password."""
    return OSError(error.errno, error.strerror or type(error).__name__, str(path))


def _refuse(path: UrlPath, reason: str) -> Never:
    raise FormatError(reason, str(path))
