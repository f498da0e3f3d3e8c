"""Systems side by side, components within one, note types against each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.errors import judge
from plainsight.evaluate.leaks import gold_tokens, marked, words
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import ratio

__all__ = ["Disagreement", "by_note_type", "contributions", "disagreements", "note_type"]

_UNNAMED = "unnamed"


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
    marks = marked(pair.text, pair.found)
    return {
        span
        for span in pair.gold
        if all(all(marks[start:end]) for start, end in words(pair.text, span.start, span.end))
    }


def contributions(pairs: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Count for each detector the gold tokens it covered, and those that no other detector did (S131).

    What a detector claimed is in the spans' claims; a span without any is its own source's. Spans of which
    nobody says who found them are ``unnamed``, and if there are no others there is nothing to tell apart.
    """
    found, alone = Counter[str](), Counter[str]()
    for pair in pairs:
        claims: dict[str, list[Span]] = defaultdict(list)
        for span in pair.found:
            for claim in span.claims or (span,):
                claims[claim.detector or _UNNAMED].append(claim)
        marks = {name: marked(pair.text, theirs) for name, theirs in claims.items()}
        found.update(dict.fromkeys(marks, 0))  # one that covered nothing is listed, too
        for start, end in gold_tokens(pair):
            who = [name for name in marks if all(marks[name][start:end])]
            found.update(who)
            if len(who) == 1:
                alone[who[0]] += 1
    if found.keys() <= {_UNNAMED}:
        return {}
    return {name: {"found": found[name], "alone": alone[name]} for name in sorted(found)}


def by_note_type(pairs: Sequence[Pair]) -> dict[str, dict[str, Any]]:
    """Return for each note type its misses, identifiers, notes with a miss, notes and their share (S170)."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        judgements = [judgement for judgement in judge(pair) if judgement.gold]
        missed = sum(1 for judgement in judgements if judgement.kind == "missing")
        row = rows[note_type(pair)]
        row["errors"] += missed
        row["identifiers"] += len(judgements)
        row["notes_with_errors"] += missed > 0
        row["notes"] += 1
    ordered = sorted(rows, key=lambda name: (-rows[name]["errors"], name))
    return {
        name: {**rows[name], "share": ratio(rows[name]["notes_with_errors"], rows[name]["notes"])}
        for name in ordered
    }


def note_type(pair: Pair) -> str:
    """Return the type of a note, ``unknown`` where its meta has none."""
    return str(pair.meta.get("note_type") or "unknown")
