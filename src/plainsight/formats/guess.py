"""Which format a path is in: by its name, by what a folder holds, by a look at the first bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from plainsight import registry
from plainsight.errors import FormatError, PluginError
from plainsight.formats.encodings import first_bytes
from plainsight.formats.files import note_files, open_bytes

_FILES = 100  # of a folder are looked at

_TAGGED = re.compile(r"[^\t\n]*\S[\t ]+(?:O|[BIESLU]-\S+)[\t ]*\r?")
SIGNS: Mapping[str, re.Pattern[str]] = {
    "parquet": re.compile(r"\APAR1"),
    "i2b2-2014": re.compile(r"<deIdi2b2\b"),
    "meddocan": re.compile(r"<MEDDOCAN\b"),
    "i2b2-2006": re.compile(r"<RECORD\s|<PHI\s+TYPE"),
    "muc": re.compile(r"<DOC\b|<(?:ENAMEX|TIMEX|NUMEX)\s"),
    "jsonl": re.compile(r'\A\ufeff?\s*\{.*"text"\s*:', re.DOTALL),
    "inline": re.compile(r"\{\{[A-Z][A-Z0-9_]*\|.+?\}\}", re.DOTALL),
    "conll": re.compile(rf"\A\ufeff?(?:{_TAGGED.pattern}\n){{2}}"),
}
"""How the beginning of a file gives a format away; the most telling come first."""


def guess(path: Path, kinds: Mapping[str, type[Any]] | None = None) -> str:
    """Return the name of the format that a path is in, or would be in when it is written.

    ``kinds`` are the formats to choose from, by name; all that are registered when not given.
    """
    known = kinds if kinds is not None else _registered()
    found = _of_folder(path, known) if path.is_dir() else _of_file(path, known)
    if len(found) == 1:
        return found.pop()
    reason = f"may be {' or '.join(sorted(found))}" if found else "is in no known format"
    raise FormatError(f"{reason}; name one of: {', '.join(known)}", str(path))


def by_suffix(path: Path, default: str) -> str:
    """Return the format that a file's name asks for; the default when it fits, or when no other does.

    >>> by_suffix(Path("clean.csv"), "jsonl"), by_suffix(Path("clean"), "jsonl")
    ('csv', 'jsonl')
    """
    found = _by_suffix(path, _registered())
    return default if default in found or len(found) != 1 else found.pop()


def _registered() -> dict[str, type[Any]]:
    kinds = {}
    for name in registry.names("formats"):
        try:
            kinds[name] = registry.resolve("formats", name)
        except PluginError:  # a broken plugin must not stop other formats
            continue
    return kinds


def _of_folder(path: Path, known: Mapping[str, type[Any]]) -> set[str]:
    """Guess from the files of a folder; those that no format claims do not count."""
    files = [file for file, _ in islice(note_files(path, ("",)), _FILES)]
    found = {name for file in files if _by_suffix(file, known) for name in _of_file(file, known)}
    if "brat" in found and found <= {"brat", "text", "inline"}:
        return {"brat"}  # a text without its marks is still one of them
    return {"inline"} if found == {"inline", "text"} else found  # a note without identifiers has no marks


def _of_file(file: Path, known: Mapping[str, type[Any]]) -> set[str]:
    found = _by_suffix(file, known)
    if "brat" in known and found & {"brat", "text"} and _has_pair(file):
        return {"brat"}
    if len(found) == 1:
        return found
    if file.exists():
        head = _head(file)
        telling = [name for name, sign in SIGNS.items() if name in (found or known) and sign.search(head)]
        if telling:
            return {telling[0]}
    return {"text"} if "text" in found else found


def _by_suffix(file: Path, known: Mapping[str, type[Any]]) -> set[str]:
    """Return the formats that claim the longest ending of a file's name."""
    name = file.name.lower()
    claims = [(len(end), kind) for kind in known for end in known[kind].suffixes if name.endswith(end)]
    longest = max((length for length, _ in claims), default=0)
    return {kind for length, kind in claims if length == longest}


def _has_pair(file: Path) -> bool:
    """Whether a text has its brat marks beside it, or marks their text."""
    other = {".txt": ".ann", ".ann": ".txt"}.get(file.suffix.lower())
    return other is not None and file.with_suffix(other).exists()


def _head(file: Path) -> str:
    data = first_bytes(lambda: open_bytes(file))
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data.decode("utf-16" if wide else "utf-8", "replace")
