"""The notes that the attacker gets: identifiers are replaced, but a few originals are left in."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plainsight.document import Document, Span
from plainsight.replace.base import Operation
from plainsight.replace.surrogate.operation import Surrogate

Consistency = Literal["patient", "note", "none"]
CONSISTENCIES: tuple[Consistency, ...] = ("patient", "note", "none")
Maker = Callable[[bytes, Consistency], Operation]
Place = tuple[int, int]
"""Which note, and which of its spans."""

_NAMES = ("PATIENT", "DOCTOR")


def surrogate(key: bytes, consistency: Consistency = "patient") -> Operation:
    """Return the operation that is attacked."""
    return Surrogate(key=key, consistency=consistency)


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """A name that stands in a released note, where all can see it; ``left`` is what the attacker asks."""

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
    """Return whose note it is; a note without a patient stands alone."""
    return document.patient_id if document.patient_id is not None else f"note {document.id}"


def by_scope(documents: Sequence[Document], parts: int, seed: int) -> list[list[Document]]:
    """Deal the notes into parts, all notes of a patient into the same one."""
    groups: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        groups[scope_of(document)].append(document)
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    return [[note for name in order[part::parts] for note in groups[name]] for part in range(parts)]


def names_only(document: Document) -> Document:
    """Return a note in which only names are marked, which is quicker to replace."""
    return replace(document, spans=tuple(span for span in document.spans if span.label in _NAMES))


def name_places(documents: Sequence[Document]) -> list[Place]:
    """Return the places of all names."""
    return [
        (note, number)
        for note, document in enumerate(documents)
        for number, span in enumerate(document.spans)
        if span.label in _NAMES
    ]


def leave_by_chance(documents: Sequence[Document], share: float, seed: int) -> set[Place]:
    """Choose the names that are left in: a share of all, at least one."""
    places = name_places(documents)
    return set(random.Random(seed).sample(places, min(len(places), max(1, round(share * len(places))))))


def release(
    gold: Sequence[Document], surrogates: Sequence[Sequence[str]], left: Collection[Place] = ()
) -> list[Document]:
    """Return the notes with their surrogates in place; spans mark all identifiers, left ones by score 0."""
    released = []
    for note, (document, texts) in enumerate(zip(gold, surrogates, strict=True)):
        pieces: list[str] = []
        spans: list[Span] = []
        last = length = 0
        for number, (span, made) in enumerate(zip(document.spans, texts, strict=True)):
            stays = (note, number) in left
            inside = document.text[span.start : span.end] if stays else made
            pieces += document.text[last : span.start], inside
            length += span.start - last
            if inside:
                spans.append(Span(length, length + len(inside), span.label, 0.0 if stays else 1.0))
            length += len(inside)
            last = span.end
        pieces.append(document.text[last:])
        released.append(replace(document, text="".join(pieces), spans=tuple(spans), patient=None))
    return released


def visible_names(released: Sequence[Document]) -> list[Name]:
    """Return the names of released notes, as a careful reader sees them."""
    return [
        Name(note, span, document.text[span.start : span.end], scope, span.score == 0.0)
        for note, document in enumerate(released)
        for scope in (scope_of(document),)
        for span in document.spans
        if span.label in _NAMES
    ]


def names_of(
    gold: Sequence[Document], surrogates: Sequence[Sequence[str]], left: Collection[Place]
) -> list[Name]:
    """Return the names that `release` would show, without writing the notes; spans are the gold ones."""
    return [
        Name(note, span, document.text[span.start : span.end] if stays else made, scope, stays)
        for note, (document, texts) in enumerate(zip(gold, surrogates, strict=True))
        for scope in (scope_of(document),)
        for number, (span, made) in enumerate(zip(document.spans, texts, strict=True))
        if span.label in _NAMES
        for stays in ((note, number) in left,)
    ]
