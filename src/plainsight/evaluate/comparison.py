"""Systems side by side, components within one, note types against each other, and what was likely missed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.errors import judge
from plainsight.evaluate.leaks import leaked_tokens, surprise
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio
from plainsight.text.tokens import scorer_tokens

__all__ = ["Disagreement", "by_note_type", "contributions", "disagreements", "likely_misses"]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An identifier that one system found and the other missed (S96)."""

    id: str
    span: Span
    found_by: str


def disagreements(pairs: Mapping[str, Sequence[Pair]]) -> list[Disagreement]:
    """List the identifiers found by exactly one of two systems, by label, then note.

    A span is found when none of its tokens leaks, whatever label the system gave it.
    """
    (first, ones), (second, twos) = pairs.items()
    listed = []
    for one, two in zip(ones, twos, strict=True):
        by_one, by_two = _found(one), _found(two)
        listed += [Disagreement(one.id, span, first) for span in by_one - by_two]
        listed += [Disagreement(two.id, span, second) for span in by_two - by_one]
    return sorted(listed, key=lambda entry: (entry.span.label, entry.id, entry.span))


def _found(pair: Pair) -> set[Span]:
    leaked = leaked_tokens(pair)
    return {
        span for span in pair.gold if not any(span.start < end and start < span.end for start, end in leaked)
    }


def contributions(pairs: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Count for each detector the gold tokens it covered, and those that no other detector did (S131).

    What a detector claimed is in the spans' claims; a span without any is its own source's.
    """
    found, alone = Counter[str](), Counter[str]()
    for pair in pairs:
        by_detector: dict[str, bytearray] = {}
        for span in pair.found:
            for claim in span.claims or (span,):
                marks = by_detector.setdefault(claim.detector, bytearray(len(pair.text)))
                marks[claim.start : claim.end] = b"\1" * (claim.end - claim.start)
        for span in pair.gold:
            for start, end in scorer_tokens(pair.text[span.start : span.end]):
                place = slice(span.start + start, span.start + end)
                who = [name for name, marks in by_detector.items() if all(marks[place])]
                found.update(who)
                if len(who) == 1:
                    alone[who[0]] += 1
    return {name: {"found": found[name], "alone": alone[name]} for name in sorted(found)}


def by_note_type(pairs: Sequence[Pair]) -> dict[str, dict[str, Any]]:
    """Return for each note type its misses, identifiers, notes with a miss, notes and their share (S170)."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        missed = sum(1 for judgement in judge(pair) if judgement.kind == "missing")
        row = rows[str(pair.meta.get("note_type") or "unknown")]
        row["errors"] += missed
        row["identifiers"] += len(pair.gold)
        row["notes_with_errors"] += missed > 0
        row["notes"] += 1
    ordered = sorted(rows, key=lambda name: (-rows[name]["errors"], name))
    return {
        name: {**rows[name], "share": ratio(rows[name]["notes_with_errors"], rows[name]["notes"])}
        for name in ordered
    }


def likely_misses(
    documents: Iterable[Document], *, least_bits: float = 26.0
) -> list[tuple[str, int, int, float]]:
    """List rare capitalised words that nobody marked: note id, start, end and bits, rarest first (S63)."""
    listed = []
    for document in documents:
        marked = bytearray(len(document.text))
        for span in document.spans:
            marked[span.start : span.end] = b"\1" * (span.end - span.start)
        for start, end in scorer_tokens(document.text):
            word = document.text[start:end]
            if word[0].isupper() and word.isalpha() and len(word) > 2 and not any(marked[start:end]):
                bits = surprise(word)
                if bits >= least_bits:
                    listed.append((document.id, start, end, bits))
    return sorted(listed, key=lambda entry: (-entry[3], entry[0], entry[1]))
