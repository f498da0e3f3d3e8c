"""The notes that the attacker gets: identifiers are replaced, but a few originals are left in."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plainsight.document import Document, Span
from plainsight.lab.synth.pieces import rewrite
from plainsight.labels import CATEGORY_OF
from plainsight.replace.base import Operation
from plainsight.replace.surrogate.operation import Surrogate

Consistency = Literal["patient", "site", "note", "none"]
CONSISTENCIES: tuple[Consistency, ...] = ("patient", "note", "none")
Maker = Callable[[bytes, Consistency], Operation]
Place = tuple[int, int]
"""Which note, and which of its spans."""

NAMES = ("PATIENT", "DOCTOR")
KINDS: Mapping[str, Collection[str]] = {
    "names": NAMES,
    "numbers": [label for label, category in CATEGORY_OF.items() if category in ("ID", "CONTACT")],
    "places": ("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION_OTHER"),
    "organisations": ("HOSPITAL", "ORGANIZATION"),
}
"""The labels of each kind of identifier that an attacker may look at."""


def surrogate(key: bytes, consistency: Consistency = "patient") -> Operation:
    """Return the operation that is attacked."""
    return Surrogate(key=key, consistency=consistency)


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """A name or another identifier in a released note; ``left`` says whether it is an original."""

    note: int
    span: Span
    text: str
    scope: str
    left: bool

    def __repr__(self) -> str:
        return f"Name({self.note}, {self.span.start}, {self.span.end})"  # never the text


def key_of(seed: int, purpose: str) -> bytes:
    """Return a key for an experiment; it is not secret."""
    return hashlib.sha256(f"plainsight attack {purpose} {seed}".encode()).digest()


def scope_of(document: Document) -> str:
    """Return the patient of a note; a note without one is a scope of its own."""
    return document.patient_id if document.patient_id is not None else f"note {document.id}"


def by_scope(documents: Sequence[Document], parts: int, seed: int) -> list[list[Document]]:
    """Deal the notes into parts, all notes of a patient into the same one."""
    groups: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        groups[scope_of(document)].append(document)
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    return [[note for name in order[part::parts] for note in groups[name]] for part in range(parts)]


MISSED = "missed"
"""The source of a gold span that a policy did not find: its text is always left in."""


def with_missed(gold: Document, found: Document) -> Document:
    """Return a note with what a policy found in it, and the gold spans that it missed altogether."""
    missed = [
        replace(span, source=MISSED)
        for span in gold.spans
        if not any(other.start < span.end and span.start < other.end for other in found.spans)
    ]
    return replace(found, spans=tuple(sorted((*found.spans, *missed))))


def names_only(document: Document) -> Document:
    """Return a note in which only names are marked, which is quicker to replace."""
    return replace(document, spans=tuple(span for span in document.spans if span.label in NAMES))


def name_places(documents: Sequence[Document], labels: Collection[str] = NAMES) -> list[Place]:
    """Return the places of all names, or of other labels."""
    return [
        (note, number)
        for note, document in enumerate(documents)
        for number, span in enumerate(document.spans)
        if span.label in labels
    ]


def leave_by_chance(
    documents: Sequence[Document], share: float, seed: int, labels: Collection[str] = NAMES
) -> set[Place]:
    """Choose the names, or others, that are left in: a share of all, at least one."""
    places = name_places(documents, labels)
    return set(random.Random(seed).sample(places, min(len(places), max(1, round(share * len(places))))))


def release(
    gold: Sequence[Document], surrogates: Sequence[Sequence[str]], left: Collection[Place] = ()
) -> list[Document]:
    """Return the notes with their surrogates; originals that are left in have the score 0."""
    released = []
    for note, (document, texts) in enumerate(zip(gold, surrogates, strict=True)):
        replacements = [
            (replace(span, score=0.0), document.text[span.start : span.end])
            if (note, number) in left
            else (replace(span, score=1.0), text)
            for number, (span, text) in enumerate(zip(document.spans, texts, strict=True))
        ]
        released.append(rewrite(document, replacements))
    return released


def visible_names(released: Sequence[Document], labels: Collection[str] = NAMES) -> list[Name]:
    """Return the names of released notes, or other labels, as a careful reader sees them."""
    return [
        Name(note, span, document.text[span.start : span.end], scope_of(document), span.score == 0.0)
        for note, document in enumerate(released)
        for span in document.spans
        if span.label in labels
    ]
