"""Paths that are URLs: they go where paths go, show no password, and are no files of this machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from plainsight.errors import UsageError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9.+-]*://")
_PASSWORD = re.compile(r"(://[^/@\s:]*):\S*@")
_PARAMETERS = re.compile(r"\?[^#]*")


def without_password(text: str) -> str:
    """Return a text without the password and the parameters of a URL in it, if there is one.

    >>> without_password("postgresql://reader:p@ss@db:5432/hospital?sslpassword=x#notes")
    'postgresql://reader@db:5432/hospital#notes'
    >>> without_password("--output=sqlite:///notes.db"), without_password("notes.csv")
    ('--output=sqlite:///notes.db', 'notes.csv')
    """
    found = _SCHEME.search(text)
    if found is None:
        return text
    url = _PASSWORD.sub(r"\1@", text[found.start() :])
    return text[: found.start()] + _PARAMETERS.sub("", url)


class UrlPath(type(Path())):  # type: ignore[misc]
    """A path that is not on this machine's disks; `plainsight.sources.places` has the kinds of them."""

    format: ClassVar[str | None] = None
    """The format that all paths of this kind have."""

    @property
    def url(self) -> str:
        """The URL, with a password if it has one: for opening it, never for showing."""
        raise NotImplementedError

    @property
    def beside(self) -> Path:
        """The path on this machine for the files that a run writes beside its output, without an ending."""
        raise NotImplementedError

    def upload(self, source: Path) -> None:
        """Put a file of this machine here."""
        raise UsageError(f"{self}: not a file")

    def __str__(self) -> str:
        return without_password(self.url)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __fspath__(self) -> str:
        raise UsageError(f"{self}: not a file of this machine, and this takes only those")

    def absolute(self) -> Any:
        """Return the same path: a URL is absolute."""
        return self

    def resolve(self, strict: bool = False) -> Any:
        """Return the same path: there are no links to follow."""
        return self

    def is_symlink(self) -> bool:
        """Return False."""
        return False
