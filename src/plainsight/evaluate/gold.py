"""Read gold notes: notes with spans, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from plainsight import registry
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.formats.base import Format
from plainsight.formats.guess import guess
from plainsight.formats.unique import unique

__all__ = ["read_notes", "typed"]


def read_notes(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the domain's word
    patient_from_name: str | None = None,
    patient_folders: bool = False,
    keep_overlaps: bool = False,
) -> list[Document]:
    """Return the notes of a path; one that cannot be read is an error, for a measure must not skip it.

    A note that names no patient may get one from its id: the first group of a pattern, or the first folder.
    A table's marks are in its column ``spans``. Marks that overlap are refused, or kept as the format can
    (`formats.standoff.marks_of`).
    """
    if not path.exists():
        raise UsageError(f"no input at {path}")
    name = format or guess(path)
    wanted = {"spans": "spans", "overlaps": "keep" if keep_overlaps else "refuse"}
    known = registry.options("formats", name)
    options = {key: value for key, value in wanted.items() if key in known}
    reader: Format = registry.create("formats", name, **options)
    return list(_owned(reader, path, _pattern(patient_from_name), patient_folders))


def typed(documents: list[Document], type_from_name: str | None) -> list[Document]:
    """Return notes with their types, where their ids tell them: the first group of a pattern."""
    pattern = _pattern(type_from_name, "note types")
    if pattern is None:
        return documents
    hits = ((document, pattern.search(document.id)) for document in documents)
    return [
        replace(document, meta={**document.meta, "note_type": hit[1]}) if hit else document
        for document, hit in hits
    ]


def _pattern(text: str | None, what: str = "patients") -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise UsageError(f"the pattern for {what} cannot be read: {error}") from None
    if pattern.groups < 1:
        raise UsageError(f"the pattern for {what} needs a group: '^(p[0-9]+)-'")
    return pattern


def _owned(
    reader: Format, path: Path, pattern: re.Pattern[str] | None, patient_folders: bool
) -> Iterator[Document]:
    for item in unique(reader.read(path)):
        if not isinstance(item, Document):
            raise DataError(f"{item.where or item.id}: {item.reason}")
        if item.patient_id is None and pattern and (hit := pattern.search(item.id)):
            item = replace(item, patient_id=hit[1])
        elif item.patient_id is None and patient_folders and "/" in item.id:
            item = replace(item, patient_id=item.id.partition("/")[0])
        yield item
