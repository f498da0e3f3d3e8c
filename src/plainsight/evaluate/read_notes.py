"""Read notes with spans, in any format and under any label scheme: gold standards and systems' output."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from plainsight import registry
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.pairs import bare_id
from plainsight.formats.base import Format
from plainsight.formats.guess import guess
from plainsight.formats.standoff import annotated, marks_of
from plainsight.formats.unique import unique
from plainsight.labels import from_ours, to_ours

_SCORED = ("i2b2-2014", "meddocan")
"""The formats of challenges whose scripts count marks that the formats refuse elsewhere."""


def read_notes(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the domain's word
    labels: str | None = None,
    patient_from_name: str | None = None,
    patient_folders: bool = False,
    keep_overlaps: bool = False,
) -> list[Document]:
    """Return the notes of a path. A note that cannot be read is an error, since a score must not skip it.

    ``labels`` names the scheme (`plainsight.labels.SCHEMES`) whose labels become ours. A note without a
    patient may get one from its id: the first group of the pattern ``patient_from_name``, or its first
    folder. A table holds its spans in the column ``spans``. Overlapping spans are refused, or kept for
    `formats.standoff.marks_of`; then marks that only the official scripts count are read, too.
    """
    if not path.exists():
        raise UsageError(f"no input at {path}")
    name = format or guess(path)
    options = {"scored": True} if keep_overlaps and name in _SCORED else {}
    reader: Format = registry.create("formats", name, **options)
    pattern = _pattern(patient_from_name, "patients")
    documents = []
    for item in unique(reader.read(path)):
        if not isinstance(item, Document):
            raise DataError(f"{item.where or item.id}: {item.reason}")
        if not keep_overlaps and marks_of(item) != item.spans:
            raise DataError(f"note {item.id}: marks overlap")
        if item.patient_id is None and pattern and (hit := pattern.search(item.id)):
            item = replace(item, patient_id=hit[1])
        elif item.patient_id is None and patient_folders and "/" in item.id:
            item = replace(item, patient_id=item.id.partition("/")[0])
        documents.append(relabelled(item, labels) if labels else item)
    return documents


def sentence_counts(folder: Path, ids: Iterable[str]) -> dict[str, int]:
    """Return the number of sentences of each note, as MEDDOCAN's script counts them: lines of ``ID.ann``.

    ``folder`` is ``sentence_splitted`` of the corpus; of an id that has folders only the last part counts.
    """
    counts = {}
    for name in ids:
        bare = bare_id(name).rpartition("/")[2]
        try:
            with (folder / f"{bare}.ann").open("rb") as lines:
                counts[name] = sum(1 for _ in lines)
        except FileNotFoundError:
            raise DataError(f"note {name}: its sentences are not in {folder}") from None
    return counts


def with_note_types(documents: Sequence[Document], type_from_name: str | None) -> list[Document]:
    """Return the notes with their types: the first group of a pattern over their ids."""
    pattern = _pattern(type_from_name, "note types")
    return [
        replace(document, meta={**document.meta, "note_type": hit[1]})
        if pattern and (hit := pattern.search(document.id))
        else document
        for document in documents
    ]


def _pattern(text: str | None, what: str) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise UsageError(f"the pattern for {what} cannot be read: {error}") from None
    if pattern.groups < 1:
        raise UsageError(f"the pattern for {what} needs a group: '^(p[0-9]+)-'")
    return pattern


def relabelled(document: Document, scheme: str) -> Document:
    """Return a note under our labels, without the spans whose labels have no counterpart here."""
    return _renamed(document, lambda label: to_ours(scheme, label))


def with_only(document: Document, labels: Collection[str]) -> Document:
    """Return a note without the spans of other labels."""
    return _renamed(document, lambda label: label if label in labels else None)


def coarsened(document: Document, scheme: str) -> Document:
    """Return a note with only the labels that a scheme distinguishes.

    Labels that the scheme has as one become the most general of them.
    """

    def name(label: str) -> str | None:
        theirs = from_ours(scheme, label)
        return to_ours(scheme, theirs) if theirs else None

    return _renamed(document, name)


def _renamed(document: Document, name: Callable[[str], str | None]) -> Document:
    marks = [replace(span, label=label) for span in marks_of(document) if (label := name(span.label))]
    renamed = annotated(document.id, document.text, marks, document.meta)
    return replace(document, spans=renamed.spans, meta=renamed.meta)
