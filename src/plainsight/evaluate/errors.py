"""Kinds of errors: judge every span of either side once, and count the judgements in tables.

Spans that touch are aligned one to one. An aligned pair is ``correct``, a ``type`` error (another label,
whatever the extent) or an ``extent`` error (the same label, other edges: ``short``, ``long`` or ``both``). A
span without a partner is ``missing`` or ``spurious``. A type error does no harm to privacy, a long extent is
safe, a short one exposes text, a missing span everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any, Literal

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import aligned
from plainsight.evaluate.tally import f_score, ratio
from plainsight.lists import load
from plainsight.text.rare_words import marked, surprise, words

Kind = Literal["correct", "type", "extent", "missing", "spurious"]
Extent = Literal["", "short", "long", "both"]

COMMON_BITS = 17.0
"""A word in small letters with no more bits is common: at least about one in a hundred thousand words."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A gold span, a system's span, or two that are aligned, and the kind of error they make."""

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
    """Count the errors of each kind, with their share of all errors."""
    counts = Counter(judgement.kind for judgement in judgements)
    errors = counts.total() - counts["correct"]
    names: tuple[Kind, ...] = ("type", "extent", "missing", "spurious")
    return {name: {"count": counts[name], "share": ratio(counts[name], errors)} for name in names}


def confusion(judgements: Iterable[Judgement]) -> dict[str, dict[str, int]]:
    """Return gold label to found label to count, with a ``missing`` column and a ``spurious`` row.

    Extents are ignored: a span found too short or too long counts as found.
    """
    counts = Counter(
        (j.gold.label if j.gold else "spurious", j.found.label if j.found else "missing") for j in judgements
    )
    table: dict[str, dict[str, int]] = {}
    for row, column in sorted(counts):
        table.setdefault(row, {})[column] = counts[row, column]
    return table


def extents(judgements: Iterable[Judgement]) -> dict[str, dict[str, int]]:
    """Count for each label the spans found too short, too long, or shifted."""
    wrong = ((j.gold.label, j.extent) for j in judgements if j.kind == "extent" and j.gold)
    return _by_label(wrong, ("short", "long", "both"))


def remainders(pairs: Iterable[Pair]) -> dict[str, dict[str, int]]:
    """Count for each label what spans found too short leave in the open.

    Of ``Elm Street Nursing Home`` with only ``Elm Street`` marked, ``Nursing Home`` stays: common words. Of
    ``John Smith`` with only ``John`` marked, ``Smith`` is revealing. Common are frequent words in small
    letters and the generic words of organisations' names; any other word, and a number of more than
    one digit, is revealing.
    """
    left = []
    for pair in pairs:
        marks = marked(pair.text, pair.found)
        for judgement in judge(pair):
            gold = judgement.gold
            if gold and judgement.kind == "extent" and judgement.extent != "long":
                gold_words = words(pair.text, gold.start, gold.end)
                open_words = [pair.text[start:end] for start, end in gold_words if not all(marks[start:end])]
                left.append((gold.label, _remainder(open_words)))
    return _by_label(left, ("no word", "common words", "revealing"))


def _by_label(cases: Iterable[tuple[str, str]], kinds: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count (label, kind) cases into a row a label."""
    counts = Counter(cases)
    labels = sorted({label for label, _ in counts})
    return {label: {kind: counts[label, kind] for kind in kinds} for label in labels}


def _remainder(left: Sequence[str]) -> str:
    if not left:
        return "no word"
    return "revealing" if any(map(_revealing, left)) else "common words"


def _revealing(word: str) -> bool:
    if word.isdecimal():
        return len(word) > 1
    return word.lower() not in _generic_words() and not (word.islower() and surprise(word) <= COMMON_BITS)


@cache
def _generic_words() -> frozenset[str]:
    return frozenset(word for entry in load("facility_words")["word"] for word in entry.split())


def missed_by_label(judgements: Iterable[Judgement]) -> dict[str, dict[str, Any]]:
    """Count for each label what is missing and what is spurious, the most missed first.

    Missing is also given as a share of the label's own spans and of all spans (its part in the loss of
    recall), spurious as a share of the label's claims.
    """
    listed = list(judgements)
    key, missing = _gold_labels(listed), _gold_labels(listed, "missing")
    claims = Counter(j.found.label for j in listed if j.found)
    spurious = Counter(j.found.label for j in listed if j.found and not j.gold)
    return {
        label: {
            "key": key[label],
            "missing": missing[label],
            "missing_share": ratio(missing[label], key[label]),
            "missing_share_of_all": ratio(missing[label], key.total()),
            "spurious": spurious[label],
            "spurious_share": ratio(spurious[label], claims[label]),
        }
        for label in sorted(key.keys() | claims.keys(), key=lambda label: (-missing[label], label))
    }


def figures_by_label(judgements: Iterable[Judgement]) -> dict[str, dict[str, Any]]:
    """Return precision, recall and F with the extent ignored, as the 2007 paper counts them.

    Recall is correct / key; precision is correct / (correct + type errors of that key row + spurious). The
    row ``all`` takes type errors for correct, as the published table does.
    """
    listed = list(judgements)
    key, correct = _gold_labels(listed), _gold_labels(listed, "correct", "extent")
    typed = _gold_labels(listed, "type")
    spurious = Counter(j.found.label for j in listed if j.found and not j.gold)
    rows = {
        label: _row(correct[label], key[label], correct[label] + typed[label] + spurious[label])
        for label in sorted(key.keys() | spurious.keys())
    }
    right = correct.total() + typed.total()
    rows["all"] = _row(right, key.total(), right + spurious.total())
    return rows


def _gold_labels(judgements: Iterable[Judgement], *kinds: Kind) -> Counter[str]:
    """Count the gold labels of judgements of these kinds, or of all."""
    return Counter(j.gold.label for j in judgements if j.gold and (not kinds or j.kind in kinds))


def _row(right: int, key: int, claimed: int) -> dict[str, Any]:
    precision, recall = ratio(right, claimed), ratio(right, key)
    return {"key": key, "precision": precision, "recall": recall, "f": f_score(precision, recall)}


def errors_per_note(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Count the notes by how many identifiers were missed in them.

    Coverage is the share of all identifiers that were found or lie in notes with at most that many misses;
    the last row's is 1. Kinds is the mean number of different labels among a note's misses.
    """
    total = 0
    notes: dict[int, list[int]] = {}  # misses to the number of missed labels of each note
    for pair in pairs:
        spans = [judgement for judgement in judge(pair) if judgement.gold]
        missed = _gold_labels(spans, "missing")
        total += len(spans)
        notes.setdefault(missed.total(), []).append(len(missed))
    found = total - sum(errors * len(labels) for errors, labels in notes.items())
    rows, seen = list[dict[str, Any]](), 0
    for errors, labels in sorted(notes.items()):
        seen += errors * len(labels)
        coverage, mean = ratio(found + seen, total), fmean(labels) if errors else None
        row = {"errors": errors, "notes": len(labels), "cumulative_errors": seen}
        rows.append({**row, "coverage": coverage, "kinds": mean})
    return rows


def errors_per_note_type(pairs: Sequence[Pair]) -> dict[str, dict[str, Any]]:
    """Return for each note type its misses, identifiers, notes with a miss, notes and their share."""
    rows: dict[str, Counter[str]] = {}
    for pair in pairs:
        kinds = [judgement.kind for judgement in judge(pair) if judgement.gold]
        missed = kinds.count("missing")
        rows.setdefault(pair.note_type, Counter()).update(
            {"errors": missed, "identifiers": len(kinds), "notes_with_errors": int(missed > 0), "notes": 1}
        )
    ordered = sorted(rows.items(), key=lambda row: (-row[1]["errors"], row[0]))
    return {name: {**row, "share": ratio(row["notes_with_errors"], row["notes"])} for name, row in ordered}
