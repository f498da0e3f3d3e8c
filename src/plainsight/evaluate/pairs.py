"""Gold standard and system side by side: the same notes, matched by id, with the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError
from plainsight.pipeline import Item

__all__ = ["Pair", "pair_up"]


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """One note with the spans of the gold standard and those of a system, each sorted; they may overlap."""

    id: str
    text: str
    gold: tuple[Span, ...]
    found: tuple[Span, ...]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Pair(id={self.id!r}, {len(self.gold)} gold, {len(self.found)} found)"

    def only(self, labels: Iterable[str]) -> Pair:
        """Return the pair with the spans of these labels alone."""
        kept = frozenset(labels)
        return replace(
            self,
            gold=tuple(span for span in self.gold if span.label in kept),
            found=tuple(span for span in self.found if span.label in kept),
        )

    def mapped(self, to: Callable[[str], str | None]) -> Pair:
        """Return the pair under other labels; spans whose label maps to nothing are dropped."""
        return replace(self, gold=_mapped(self.gold, to), found=_mapped(self.found, to))


def _mapped(spans: Iterable[Span], to: Callable[[str], str | None]) -> tuple[Span, ...]:
    named = ((span, to(span.label)) for span in spans)
    return tuple(replace(span, label=label) for span, label in named if label)


def pair_up(gold: Iterable[Item], found: Iterable[Item]) -> list[Pair]:
    """Match the notes of both sides by id, in the order of the gold standard.

    A note that only one side has, that could not be read, or whose text differs is an error that names the
    note and the place, never its text.
    """
    system = {document.id: document for document in map(_read, found)}
    pairs = []
    for document in map(_read, gold):
        other = system.pop(document.id, None)
        if other is None:
            raise DataError(f"note {document.id} of the gold standard is not among the system's notes")
        _same_text(document, other)
        pairs.append(Pair(document.id, document.text, document.spans, other.spans, document.meta))
    if system:
        raise DataError(
            f"note {min(system)} of the system is not in the gold standard ({len(system)} such notes)"
        )
    if not pairs:
        raise DataError("there are no notes to evaluate")
    return pairs


def _read(item: Item) -> Document:
    if isinstance(item, SetAside):
        raise DataError(f"note {item.id} cannot be read: {item.reason}")
    return item


def _same_text(gold: Document, found: Document) -> None:
    if gold.text == found.text:
        return
    same = zip(gold.text, found.text, strict=False)
    place = next((place for place, (one, two) in enumerate(same) if one != two), None)
    if place is None:
        place = min(len(gold.text), len(found.text))
    line = gold.text.count("\n", 0, place) + 1
    raise DataError(f"the texts of note {gold.id} differ from character {place} on (line {line})")
