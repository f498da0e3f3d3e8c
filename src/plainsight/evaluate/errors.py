"""What kind of error: every span of either side is judged once; the tables count the judgements (S55–S61).

Spans that touch are aligned one to one. An aligned pair is ``correct``, or a ``type`` error (another label,
whatever the extent), or an ``extent`` error (the same label, other edges: ``short``, ``long`` or ``both``);
what is left is ``missing`` or ``spurious``. A type error is harmless to privacy, a long extent safe, a short
one exposes text, a missing span everything (S11).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import aligned
from plainsight.evaluate.tally import f_score, ratio

__all__ = [
    "Judgement",
    "PerNote",
    "confusion",
    "errors_per_note",
    "extents",
    "figures_by_label",
    "judge",
    "kinds",
    "missed_by_label",
]

Kind = Literal["correct", "type", "extent", "missing", "spurious"]
Extent = Literal["", "short", "long", "both"]

MISSING, SPURIOUS = "missing", "spurious"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One span of the gold standard, one of the system, or two that belong together, and what they show."""

    kind: Kind
    gold: Span | None
    found: Span | None
    extent: Extent = ""


def judge(pair: Pair) -> list[Judgement]:
    """Judge every span of both sides, in the order of the text."""
    return [_judged(one, two) for one, two in aligned(pair.gold, pair.found)]


def _judged(gold: Span | None, found: Span | None) -> Judgement:
    if gold is None or found is None:
        return Judgement("missing" if gold else "spurious", gold, found)
    short = found.start > gold.start or found.end < gold.end
    long = found.start < gold.start or found.end > gold.end
    extent: Extent = "both" if short and long else "short" if short else "long" if long else ""
    if gold.label != found.label:
        return Judgement("type", gold, found, extent)
    return Judgement("extent" if extent else "correct", gold, found, extent)


def kinds(judgements: Iterable[Judgement]) -> dict[str, dict[str, Any]]:
    """Count the errors of each kind, with their share of all errors (S55)."""
    counts = Counter(judgement.kind for judgement in judgements)
    errors = counts.total() - counts["correct"]
    names: tuple[Kind, ...] = ("type", "extent", "missing", "spurious")
    return {name: {"count": counts[name], "share": ratio(counts[name], errors)} for name in names}


def confusion(judgements: Iterable[Judgement]) -> dict[str, dict[str, int]]:
    """Return gold label to found label to count, with a ``missing`` column and a ``spurious`` row (S56).

    Extents are ignored: a span found too short or too long counts as found.
    """
    table: dict[str, Counter[str]] = {}
    for judgement in judgements:
        row = judgement.gold.label if judgement.gold else SPURIOUS
        column = judgement.found.label if judgement.found else MISSING
        table.setdefault(row, Counter())[column] += 1
    return {row: dict(sorted(table[row].items())) for row in sorted(table)}


def extents(judgements: Iterable[Judgement]) -> dict[str, dict[str, int]]:
    """Count for each label the spans found too short, too long, or shifted (S58)."""
    table: dict[str, Counter[str]] = {}
    for judgement in judgements:
        if judgement.kind == "extent" and judgement.gold:
            table.setdefault(judgement.gold.label, Counter())[judgement.extent] += 1
    return {
        label: {extent: table[label][extent] for extent in ("short", "long", "both")}
        for label in sorted(table)
    }


def missed_by_label(judgements: Iterable[Judgement]) -> dict[str, dict[str, Any]]:
    """Count for each label what is missing and what is spurious (S57, S163).

    Missing also as a share of the label's own spans and of all labels' (its part in the loss of recall),
    spurious as a share of what was claimed under the label. The most missed come first.
    """
    key, missing, claims, spurious = (Counter[str]() for _ in range(4))
    for judgement in judgements:
        if judgement.gold:
            key[judgement.gold.label] += 1
            missing[judgement.gold.label] += judgement.kind == "missing"
        if judgement.found:
            claims[judgement.found.label] += 1
            spurious[judgement.found.label] += judgement.kind == "spurious"
    labels = sorted(key.keys() | claims.keys(), key=lambda label: (-missing[label], label))
    return {
        label: {
            "key": key[label],
            "missing": missing[label],
            "missing_share": ratio(missing[label], key[label]),
            "missing_share_of_all": ratio(missing[label], key.total()),
            "spurious": spurious[label],
            "spurious_share": ratio(spurious[label], claims[label]),
        }
        for label in labels
    }


def figures_by_label(judgements: Iterable[Judgement]) -> dict[str, dict[str, Any]]:
    """Return precision, recall and F with the extent ignored, by the formula of S60.

    Recall is correct / key; precision is correct / (correct + type errors of that key row + spurious). The
    row ``all`` takes type errors for correct, as the published table does.
    """
    key, correct, typed, spurious = (Counter[str]() for _ in range(4))
    for judgement in judgements:
        if judgement.gold:
            label = judgement.gold.label
            key[label] += 1
            correct[label] += judgement.kind in ("correct", "extent")
            typed[label] += judgement.kind == "type"
        elif judgement.found:
            spurious[judgement.found.label] += 1
    rows = {
        label: _row(correct[label], key[label], correct[label] + typed[label] + spurious[label])
        for label in sorted(key.keys() | spurious.keys())
    }
    right = correct.total() + typed.total()
    rows["all"] = _row(right, key.total(), right + spurious.total())
    return rows


def _row(right: int, key: int, claimed: int) -> dict[str, Any]:
    precision, recall = ratio(right, claimed), ratio(right, key)
    return {"key": key, "precision": precision, "recall": recall, "f": f_score(precision, recall)}


@dataclass(frozen=True, slots=True)
class PerNote:
    """The notes with this many misses: how many, and what they add up to (S167)."""

    errors: int
    notes: int
    cumulative_errors: int
    coverage: float | None
    kinds: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the row by column."""
        return {name: getattr(self, name) for name in self.__slots__}


def errors_per_note(pairs: Sequence[Pair]) -> list[PerNote]:
    """Count the notes by how many identifiers were missed in them.

    Coverage is the share of all identifiers that is found, or lies in notes with no more misses than that, so
    the last row's is 1; kinds is the mean number of different labels among a note's misses.
    """
    notes, labels = Counter[int](), Counter[int]()
    total = 0
    for pair in pairs:
        spans = [judgement for judgement in judge(pair) if judgement.gold]
        missed = [judgement.gold.label for judgement in spans if judgement.gold and not judgement.found]
        total += len(spans)
        notes[len(missed)] += 1
        labels[len(missed)] += len(set(missed))
    all_missed = sum(errors * count for errors, count in notes.items())
    rows, seen = [], 0
    for errors in sorted(notes):
        seen += errors * notes[errors]
        coverage = ratio(total - all_missed + seen, total)
        mean = ratio(labels[errors], notes[errors]) if errors else None
        rows.append(PerNote(errors, notes[errors], seen, coverage, mean))
    return rows
