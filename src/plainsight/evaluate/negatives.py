"""The official token F of the 2006 challenge, in which tokens that nobody marked count as right (S45).

Every token of the text has a label, ``O`` where no span covers it. The figure is the mean of the labels' F,
weighted by how many tokens of the gold standard bear the label; since nearly all bear ``O``, it is close to 1
for any system, and so `with_negatives` gives the same mean over identifiers alone beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Tally
from plainsight.text.tokens import scorer_tokens

__all__ = ["OUTSIDE", "WithNegatives", "token_labels", "with_negatives"]

OUTSIDE = "O"
"""The label of a token that no span touches."""


@dataclass(frozen=True, slots=True)
class WithNegatives:
    """The weighted token F, with unmarked tokens and without them."""

    f: float | None
    f_identifiers: float | None
    tokens: int
    accuracy: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def with_negatives(pairs: Sequence[Pair]) -> WithNegatives:
    """Return the 2006 challenge's token figures over all notes."""
    gold, found, hits = Counter[str](), Counter[str](), Counter[str]()
    for pair in pairs:
        for one, two in zip(
            *(token_labels(pair.text, side) for side in (pair.gold, pair.found)), strict=True
        ):
            gold[one] += 1
            found[two] += 1
            hits[one] += one == two
    tallies = {label: Tally(gold[label], hits[label], found[label], hits[label]) for label in gold}
    tokens = gold.total()
    return WithNegatives(
        f=_weighted(tallies),
        f_identifiers=_weighted({label: tally for label, tally in tallies.items() if label != OUTSIDE}),
        tokens=tokens,
        accuracy=hits.total() / tokens if tokens else None,
    )


def _weighted(tallies: dict[str, Tally]) -> float | None:
    support = sum(tally.gold for tally in tallies.values())
    if not support:
        return None
    return sum(tally.gold * (tally.f or 0.0) for tally in tallies.values()) / support


def token_labels(text: str, spans: Sequence[Span]) -> list[str]:
    """Return the label of each token of a text: that of the first span that touches it.

    Two annotators' labels of the same notes are what their kappa is made of.
    """
    labels = []
    ordered = sorted(spans)
    place = 0
    for start, end in scorer_tokens(text):
        while place < len(ordered) and ordered[place].end <= start:
            place += 1
        inside = place < len(ordered) and ordered[place].start < end
        labels.append(ordered[place].label if inside else OUTSIDE)
    return labels
