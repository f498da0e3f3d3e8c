"""Read the lists, vocabularies, policies and locales that ship with the package, and check each.

A word taken out of a list lets names through, so a file that is not the one that was tested is refused.
``checksums.txt`` beside this module holds the SHA-256 of every file; ``scripts/build_checksums.py`` writes
it. The files of models are listed in the models' own manifests, and the manifests here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from plainsight.errors import UsageError

PACKAGE = Path(__file__).parent
CHECKSUMS = PACKAGE / "checksums.txt"


def read_shipped(path: str) -> bytes:
    """Return the bytes of a file of the package, given by its path there: ``data/policies/fast.toml``."""
    try:
        content = (PACKAGE / path).read_bytes()
    except OSError as error:
        raise UsageError(f"{PACKAGE / path}: cannot be read: {error.strerror}; {_ADVICE}") from None
    if hashlib.sha256(content).hexdigest() != checksums().get(path):
        raise UsageError(f"{PACKAGE / path}: not the file that plainsight ships; {_ADVICE}")
    return content


_ADVICE = "install plainsight again, or after a change of its source run scripts/build_checksums.py"


@cache
def checksums() -> Mapping[str, str]:
    """Return the SHA-256 of every checked file of the package by its path there."""
    try:
        lines = CHECKSUMS.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise UsageError(f"{CHECKSUMS}: cannot be read: {error.strerror}; {_ADVICE}") from None
    return {path: checksum for checksum, _, path in (line.partition("  ") for line in lines)}


def folder_checksums() -> dict[str, str]:
    """Return a checksum for each folder of shipped data and each locale: ``lexicons``, ``locale/en_US``.

    It is the SHA-256 of the lines that sha256sum prints for the folder's checked files, sorted by name.
    """
    folders: dict[str, list[str]] = {}
    for path, checksum in sorted(checksums().items()):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder.removeprefix("data/"), []).append(f"{checksum}  {name}\n")
    return {folder: hashlib.sha256("".join(lines).encode()).hexdigest() for folder, lines in folders.items()}
