"""Each label's figures where it is found under whatever label: what matters to privacy, label by label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.tally import EMPTY, Tally, total

__all__ = ["by_any_label"]


def by_any_label(pairs: Iterable[Pair], scorer: str = "binary-token") -> dict[str, Tally]:
    """Count for each label its gold units, and those found under any label; its claims, and the right ones.

    So a label's recall is the share of its units that do not leak, and its precision the share of what was
    claimed under it that identifies somebody at all. ``scorer`` is one that looks at no label.
    """
    count = SCORERS[scorer]
    sums: dict[str, Tally] = {}
    for pair in pairs:
        for label in {span.label for span in (*pair.gold, *pair.found)}:
            wanted = total(count(replace(pair, gold=_of(pair.gold, label))).values())
            claimed = total(count(replace(pair, found=_of(pair.found, label))).values())
            tally = Tally(wanted.gold, wanted.gold_hits, claimed.found, claimed.found_hits)
            sums[label] = sums.get(label, EMPTY) + tally
    return dict(sorted(sums.items()))


def _of(spans: Sequence[Span], label: str) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.label == label)
