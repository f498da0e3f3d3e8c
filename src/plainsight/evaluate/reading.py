"""Read the gold standard and a system's output, in any format, under any label scheme, into pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plainsight.document import Document
from plainsight.evaluate.gold import read_notes
from plainsight.evaluate.pairs import Pair, Unmatched, pair_up
from plainsight.formats.standoff import annotated, marks_of
from plainsight.labels import from_ours, to_ours

__all__ = ["coarsened", "read_marked", "read_pairs", "relabelled"]


def read_pairs(
    gold: Path,
    found: Path,
    *,
    gold_format: str | None = None,
    found_format: str | None = None,
    gold_labels: str | None = None,
    found_labels: str | None = None,
    unmatched: Unmatched = "refuse",
) -> list[Pair]:
    """Read both sides and match their notes by id.

    Formats that are not named are told from the files. A label scheme (`plainsight.labels.SCHEMES`) turns a
    side's labels into ours; without one they are compared as they stand.
    """
    return pair_up(
        read_marked(gold, format=gold_format, labels=gold_labels),
        read_marked(found, format=found_format, labels=found_labels),
        unmatched=unmatched,
    )


def read_marked(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002 - the domain's word
    labels: str | None = None,
) -> list[Document]:
    """Read notes with all their marks, nested and overlapping ones as well, under our labels."""
    documents = read_notes(path, format=format, keep_overlaps=True)
    return documents if labels is None else [relabelled(document, labels) for document in documents]


def relabelled(document: Document, scheme: str) -> Document:
    """Return a note under our labels; marks of what we do not mark are dropped."""
    return _renamed(document, lambda label: to_ours(scheme, label))


def coarsened(document: Document, scheme: str) -> Document:
    """Return a note of ours with labels told apart as a scheme does: of those it has as one, the general."""

    def name(label: str) -> str | None:
        theirs = from_ours(scheme, label)
        return to_ours(scheme, theirs) if theirs else None

    return _renamed(document, name)


def _renamed(document: Document, name: Callable[[str], str | None]) -> Document:
    named = ((span, name(span.label)) for span in marks_of(document))
    marks = [replace(span, label=label) for span, label in named if label]
    made = annotated(document.id, document.text, marks, "keep", document.meta)
    return replace(document, spans=made.spans, meta=made.meta)
