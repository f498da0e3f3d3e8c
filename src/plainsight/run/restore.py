"""Put back originals that identify nobody, where the owner of the notes consents.

The consent names the release by its checksum, and each replacement to undo by its offsets in the released
text. Nothing else changes. If anything does not fit, nothing is restored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from plainsight.document import Document, SetAside
from plainsight.errors import DataError, FormatError, suggest
from plainsight.pipeline import Item
from plainsight.run.manifest import checksum
from plainsight.run.mapping import Entry, digest

_KEYS = ("owner", "date", "purpose", "released_sha256", "spans")
_SPAN_KEYS = ("id", "start", "end")


@dataclass(frozen=True, slots=True)
class Consent:
    """What the owner of the originals allows: the release's checksum, and offsets by note."""

    released: str
    spans: Mapping[str, frozenset[tuple[int, int]]]

    def __len__(self) -> int:
        return sum(map(len, self.spans.values()))

    def check(self, path: Path) -> None:
        """Refuse a release that the consent is not for."""
        found = checksum(path)
        if found != self.released:
            raise DataError(f"the consent is for another release: {path} has the checksum {found}")


def read_consent(path: Path) -> Consent:
    """Read and check a consent file."""
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        raise FormatError("not JSON that can be read", str(path)) from None
    _known(record, _KEYS, str(path))
    for key in ("owner", "date", "purpose"):
        if not isinstance(record[key], str) or not record[key].strip():
            raise FormatError(f"{key} is empty or not a string", str(path))
    try:
        date.fromisoformat(record["date"])
    except ValueError:
        raise FormatError("date is not a date like 2026-11-15", str(path)) from None
    released = record["released_sha256"]
    if not isinstance(released, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", released):
        raise FormatError("released_sha256 is not a SHA-256 of 64 hexadecimal digits", str(path))
    if not isinstance(record["spans"], list) or not record["spans"]:
        raise FormatError("spans is not a list, or is empty", str(path))
    spans: dict[str, set[tuple[int, int]]] = {}
    for number, span in enumerate(record["spans"], start=1):
        where = f"{path}, span {number}"
        _known(span, _SPAN_KEYS, where)
        note, start, end = (span[key] for key in _SPAN_KEYS)
        if type(note) not in (str, int) or type(start) is not int or type(end) is not int:
            raise FormatError("id is a note's id, start and end are whole numbers", where)
        spans.setdefault(str(note), set()).add((start, end))
    return Consent(released.lower(), {note: frozenset(offsets) for note, offsets in spans.items()})


def _known(record: Any, keys: tuple[str, ...], where: str) -> None:
    """Require exactly these keys."""
    if not isinstance(record, dict):
        raise FormatError("not a JSON object", where)
    for key in record:
        if key not in keys:
            raise FormatError(f"unknown key {key!r}{suggest(key, keys)}", where)
    if missing := [key for key in keys if key not in record]:
        raise FormatError(f"{' and '.join(missing)} missing", where)


def restore(items: Iterable[Item], entries: Iterable[Entry], consent: Consent) -> Iterator[Document]:
    """Yield the released notes with the originals put back that the consent names.

    ``entries`` hold the digest of each released text and what was replaced in it: from a mapping, or from
    de-identifying the originals again. Every released note must match its entry exactly.
    """
    digests: dict[str, bytes] = {}
    originals: dict[str, dict[tuple[int, int], str]] = {}
    for entry in entries:
        digests[entry.id] = entry.digest
        if entry.id in consent.spans:
            found = originals[entry.id] = {}
            for (
                start,
                end,
                original,
            ) in entry.originals:  # empty replacements side by side share their offsets
                found[start, end] = found.get((start, end), "") + original
    for note, spans in consent.spans.items():
        if note not in originals:
            raise DataError(f"the consent names note {note!r}, of which nothing is known")
        for start, end in sorted(spans):
            if (start, end) not in originals[note]:
                raise DataError(f"note {note!r}: {start} to {end} is not the place of a replacement")
    left = set(originals)
    for item in items:
        if isinstance(item, SetAside):
            raise DataError(f"{item.where or item.id}: {item.reason}")
        if digests.get(item.id) != digest(item.text):
            problem = "does not come from these originals, this key and this policy; nothing was restored"
            raise DataError(f"note {item.id!r} {problem}")
        left.discard(item.id)
        wanted = consent.spans.get(item.id)
        yield _restored(item, {span: originals[item.id][span] for span in wanted}) if wanted else item
    if left:
        raise DataError(f"the consent names note {min(left)!r}, which the release does not have")


def _restored(document: Document, originals: Mapping[tuple[int, int], str]) -> Document:
    """Put originals back, and move the spans after them."""
    pieces: list[str] = []
    last = 0
    for (start, end), original in sorted(originals.items()):
        pieces += document.text[last:start], original
        last = end
    pieces.append(document.text[last:])
    spans = []
    for span in document.spans:
        if (span.start, span.end) not in originals:
            moved = sum(
                len(original) - (end - start)
                for (start, end), original in originals.items()
                if end <= span.start
            )
            spans.append(replace(span, start=span.start + moved, end=span.end + moved))
    return replace(document, text="".join(pieces), spans=tuple(spans))
