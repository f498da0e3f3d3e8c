"""Each label's figures where it is found under whatever label: what matters to privacy, label by label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import Unit, tokens_of
from plainsight.evaluate.tally import Tally

__all__ = ["UNLABELLED", "by_any_label"]


def by_any_label(pairs: Iterable[Pair], scorer: str = "binary-token") -> dict[str, Tally]:
    """Count for each label its gold units, and those found under any label; its claims, and the right ones.

    So a label's recall is the share of its units that do not leak, and its precision the share of what was
    claimed under it that identifies somebody at all. ``scorer`` is one that looks at no label.
    """
    units = UNLABELLED[scorer]
    gold, gold_hits, found, found_hits = (Counter[str]() for _ in range(4))
    for pair in pairs:
        wanted, claimed = units(pair.text, pair.gold), units(pair.text, pair.found)
        _count(wanted, claimed, gold, gold_hits)
        _count(claimed, wanted, found, found_hits)
    return {
        label: Tally(gold[label], gold_hits[label], found[label], found_hits[label])
        for label in sorted(gold.keys() | found.keys())
    }


def _count(units: set[Unit], others: set[Unit], counts: Counter[str], hits: Counter[str]) -> None:
    places = {(start, end) for _, start, end in others}
    for label, start, end in units:
        counts[label] += 1
        hits[label] += (start, end) in places


def _spans(_: str, spans: Sequence[Span]) -> set[Unit]:
    return {(span.label, span.start, span.end) for span in spans}


def _characters(_: str, spans: Sequence[Span]) -> set[Unit]:
    return {(span.label, place, place + 1) for span in spans for place in range(span.start, span.end)}


UNLABELLED: Mapping[str, Callable[[str, Sequence[Span]], set[Unit]]] = {
    "binary-token": tokens_of,
    "binary-strict": _spans,
    "character": _characters,
}
"""The scorers that look at no label, and what they count."""
