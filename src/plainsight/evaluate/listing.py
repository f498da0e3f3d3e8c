"""Lists of cases to look at: errors, likely misses, disagreements of two systems; with text where allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.comparison import disagreements
from plainsight.evaluate.errors import judge
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.review import Likely, likely_misses

__all__ = ["DISAGREEMENTS", "ERRORS", "LIKELY", "TEXT", "list_disagreements", "list_errors", "list_likely"]

ERRORS = (
    "note", "kind", "extent",
    "gold_label", "gold_start", "gold_end", "found_label", "found_start", "found_end", "source", "score",
)  # fmt: skip
LIKELY = Likely._fields
DISAGREEMENTS = ("note", "label", "start", "end", "found_by", "missed_by")
TEXT = ("before", "text", "after")
"""The further columns of a list in which text is allowed."""

_BEFORE, _AFTER = 60, 40

Row = tuple[Any, ...]


def list_errors(pairs: Iterable[Pair], *, show_text: bool = False) -> Iterator[Row]:
    """Yield what is not right, in the order of the notes: the columns of `ERRORS`, then of `TEXT`."""
    for pair in pairs:
        for judgement in judge(pair):
            gold, found = judgement.gold, judgement.found
            if judgement.kind == "correct":
                continue
            row = (
                pair.id, judgement.kind, judgement.extent, *_edges(gold), *_edges(found),
                *((found.source, found.score) if found else ("", "")),
            )  # fmt: skip
            shown = gold or found
            yield (*row, *_context(pair.text, shown)) if show_text and shown else row


def list_likely(pairs: Sequence[Pair], *, show_text: bool = False) -> Iterator[Row]:
    """Yield rare words that the system did not mark (S63): the columns of `LIKELY`, then of `TEXT`."""
    texts = {pair.id: pair.text for pair in pairs}
    for entry in likely_misses(pairs):
        yield (*entry, *_around(texts[entry.note], entry.start, entry.end)) if show_text else tuple(entry)


def list_disagreements(systems: Mapping[str, Sequence[Pair]], *, show_text: bool = False) -> Iterator[Row]:
    """Yield what the first system found and another did not, or the other way round (S96).

    The columns are those of `DISAGREEMENTS`, then of `TEXT`; system by system, label by label.
    """
    first, *others = systems
    texts = {pair.id: pair.text for pair in systems[first]}
    for other in others:
        for entry in disagreements({first: systems[first], other: systems[other]}):
            missed_by = other if entry.found_by == first else first
            span = entry.span
            row = (entry.id, span.label, span.start, span.end, entry.found_by, missed_by)
            yield (*row, *_context(texts[entry.id], span)) if show_text else row


def _edges(span: Span | None) -> Row:
    return (span.label, span.start, span.end) if span else ("", "", "")


def _context(text: str, span: Span) -> tuple[str, str, str]:
    return _around(text, span.start, span.end)


def _around(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return what stands before a place, there, and after it, on one line."""
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    return _one_line(before), _one_line(text[start:end]), _one_line(after)


def _one_line(text: str) -> str:
    return " ".join(text.split())
