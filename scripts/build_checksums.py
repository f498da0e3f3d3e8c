#!/usr/bin/env python3
"""Write src/plainsight/checksums.txt: the SHA-256 of every list, vocabulary, policy and locale that ships.

    python scripts/build_checksums.py          # after a change of any of them
    cd src/plainsight && sha256sum -c checksums.txt

The scripts that build lists run this at their end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "plainsight"


def checked_files(package: Path = PACKAGE) -> Iterator[Path]:
    """Yield the files of the package that are data; of models only the manifests, which list the rest."""
    for folder in ("data", "locale"):
        for path in sorted((package / folder).rglob("*")):
            is_data = path.is_file() and path.suffix not in (".py", ".pyc")
            if is_data and not path.name.startswith(".") and _is_listed(path):
                yield path


def _is_listed(path: Path) -> bool:
    return path.name == "manifest.json" or path.parent.parent.name != "models"


def write_checksums(package: Path = PACKAGE) -> Path:
    """Write the checksums of a package's files in the form of sha256sum."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(package).as_posix()}\n"
        for path in checked_files(package)
    ]
    target = package / "checksums.txt"
    target.write_text("".join(lines), encoding="ascii")
    return target


if __name__ == "__main__":
    print(write_checksums())
