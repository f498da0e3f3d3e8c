"""Gold standard and system side by side: the same notes, matched by id, with the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Literal

from plainsight.document import CONFIDENCE, Document, SetAside, Span
from plainsight.errors import DataError
from plainsight.formats.base import plain_meta
from plainsight.formats.standoff import WrittenMark, marks_of, written_marks
from plainsight.pipeline import Item
from plainsight.profiles import in_profile

Unmatched = Literal["refuse", "skip"]
"""What happens to notes that one side lacks: an error, or they do not count, as in the official scripts."""

_SUFFIXES = (".txt", ".text", ".xml", ".ann", ".json", ".sgml")
"""Endings of file names that some tools leave on ids."""


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """One note with the marks of the gold standard and those of a system.

    Marks may overlap and come in any order. ``meta`` joins what both sides say of the note; the gold standard
    wins. ``written`` holds the marks of both sides' files where both have XML elements, for the official
    figures.
    """

    id: str
    text: str
    gold: tuple[Span, ...]
    found: tuple[Span, ...]
    meta: Mapping[str, Any] = field(default_factory=dict)
    written: tuple[tuple[WrittenMark, ...], tuple[WrittenMark, ...]] | None = None
    patient_id: str | None = None

    def __repr__(self) -> str:
        return f"Pair(id={self.id!r}, {len(self.gold)} gold, {len(self.found)} found)"

    @property
    def note_type(self) -> str:
        """The type of the note, ``unknown`` where its meta has none."""
        return str(self.meta.get("note_type") or "unknown")

    def only(self, labels: Iterable[str]) -> Pair:
        """Return the pair with the spans of these labels alone."""
        wanted = frozenset(labels)
        return self._with(
            tuple(span for span in self.gold if span.label in wanted),
            tuple(span for span in self.found if span.label in wanted),
        )

    def in_group(self, name: str) -> Pair:
        """Return the pair with what a label group marks alone, by its rules finer than a label."""
        gold, found = (tuple(in_profile(name, self.text, side)) for side in (self.gold, self.found))
        return self._with(gold, found)

    def _with(self, gold: tuple[Span, ...], found: tuple[Span, ...]) -> Pair:
        """Return the pair with a part of its spans, and of the marks that were written so."""
        written = self.written and (_among(self.written[0], gold), _among(self.written[1], found))
        return replace(self, gold=gold, found=found, written=written)


def _among(marks: tuple[WrittenMark, ...], spans: tuple[Span, ...]) -> tuple[WrittenMark, ...]:
    kept = {(span.label, span.start, span.end) for span in spans}
    return tuple(mark for mark in marks if (mark.label or mark.element, mark.start, mark.end) in kept)


def spellings(labels: Iterable[str]) -> set[str]:
    """Return labels as we write them and as i2b2-2014 does (``LOCATION-OTHER``)."""
    return {form for label in labels for form in (label, label.replace("_", "-"))}


def pair_up(gold: Iterable[Item], found: Iterable[Item], *, unmatched: Unmatched = "refuse") -> list[Pair]:
    """Match the notes of both sides by id, in the order of the gold standard.

    Ids that differ only in a suffix (``110-01`` and ``110-01.xml``) match if no other note could. A note that
    only one side has (unless ``unmatched`` skips it), that could not be read, or whose text differs is an
    error that names the note and the offset, never its text.
    """
    pairs = [_pair(one, two) for one, two in _matched(_read(gold), _read(found), unmatched)]
    if not pairs:
        raise DataError("there are no notes to evaluate")
    return pairs


def _read(items: Iterable[Item]) -> dict[str, Document]:
    documents: dict[str, Document] = {}
    for item in items:
        if isinstance(item, SetAside):
            raise DataError(f"note {item.id} cannot be read: {item.reason}")
        if item.id in documents:
            raise DataError(f"two notes have the id {item.id}")
        documents[item.id] = item
    return documents


def _matched(
    gold: dict[str, Document], found: dict[str, Document], unmatched: Unmatched
) -> Iterator[tuple[Document, Document]]:
    bare_gold, bare_found = _by_bare_id(gold), _by_bare_id(found)
    used = set[str]()
    for name, document in gold.items():
        bare = bare_id(name)
        other = found.get(name) or (bare_found.get(bare) if bare in bare_gold else None)
        if other is not None and other.id not in used:
            used.add(other.id)
            yield document, other
        elif unmatched == "refuse":
            raise DataError(f"note {name} of the gold standard is not among the system's notes")
    left = found.keys() - used
    if left and unmatched == "refuse":
        raise DataError(
            f"note {min(left)} of the system is not in the gold standard ({len(left)} such notes)"
        )


def _by_bare_id(documents: dict[str, Document]) -> dict[str, Document]:
    """Return the notes by their ids without suffix, as far as only one note has it."""
    bare: dict[str, list[Document]] = {}
    for name, document in documents.items():
        bare.setdefault(bare_id(name), []).append(document)
    return {name: those[0] for name, those in bare.items() if len(those) == 1}


def bare_id(name: str) -> str:
    """Return an id without an ending that some tools leave on it."""
    return next((name[: -len(end)] for end in _SUFFIXES if name.lower().endswith(end)), name)


def _pair(gold: Document, found: Document) -> Pair:
    if gold.text != found.text:
        both = enumerate(zip_longest(gold.text, found.text))
        at = next(at for at, (one, two) in both if one != two)
        line = gold.text.count("\n", 0, at) + 1
        raise DataError(f"the texts of note {gold.id} differ from character {at} on (line {line})")
    meta = {**plain_meta(found.meta), **plain_meta(gold.meta)}
    if CONFIDENCE in found.meta:  # the system's own, not that of what the gold notes were made from
        meta[CONFIDENCE] = found.meta[CONFIDENCE]
    ours, theirs = written_marks(gold), written_marks(found)
    written = None if ours is None or theirs is None else (ours, theirs)
    return Pair(gold.id, gold.text, marks_of(gold), marks_of(found), meta, written, gold.patient_id)
