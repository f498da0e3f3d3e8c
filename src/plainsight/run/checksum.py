"""The SHA-256 of a file or a folder."""

from __future__ import annotations

import hashlib
from pathlib import Path


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder, that of the lines which sha256sum prints for its files.

    The files are in the order of their names' bytes, and each is named by its path inside the folder.
    """
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    files = {file.relative_to(path).as_posix(): file for file in path.rglob("*") if file.is_file()}
    digest = hashlib.sha256()
    for name in sorted(files, key=lambda name: name.encode("utf-8", "surrogateescape")):
        digest.update(f"{checksum(files[name])}  {name}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
