"""How far two annotators agree, and whether a system errs where they do not.

Agreement is Cohen's kappa over the tokens of the text (``O`` where nothing is marked): with labels, or marked
against unmarked. Both sides leave nearly all tokens unmarked, which chance explains; kappa takes that out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Figures, ratio
from plainsight.text.tokens import scorer_tokens

OUTSIDE = "O"
"""The label of a token that no span touches."""


@dataclass(frozen=True, slots=True)
class Agreement(Figures):
    """Cohen's kappa of two sides over all tokens, with labels and without."""

    tokens: int
    kappa: float | None
    kappa_marked: float | None


@dataclass(frozen=True, slots=True)
class Audit(Figures):
    """Where a system errs, token by token, and what a second annotator says there."""

    annotators: Agreement
    errors: int
    ambiguous: int
    kappa_on_errors: float | None

    @property
    def ambiguous_share(self) -> float | None:
        """The share of the system's errors on which the annotators themselves disagree."""
        return ratio(self.ambiguous, self.errors)


def agreement(pairs: Iterable[Pair]) -> Agreement:
    """Return how far gold and found agree: two annotators, or an annotator and a system."""
    gold: list[str] = []
    found: list[str] = []
    for pair in pairs:
        gold += token_labels(pair.text, pair.gold)
        found += token_labels(pair.text, pair.found)
    return _agreement(gold, found)


def audit(pairs: Sequence[Pair], second: Sequence[Pair]) -> Audit:
    """Return what a second annotator (``found`` of ``second``, the same notes) says of a system's errors.

    An error is a token whose label differs between the gold standard and the system. It is ambiguous where
    the second annotator's label differs from the gold standard's, too.
    """
    if [pair.id for pair in pairs] != [pair.id for pair in second]:
        raise ValueError("the second annotator must have marked the same notes, in the same order")
    gold, found, again = (
        [label for pair in side for label in token_labels(pair.text, getattr(pair, name))]
        for side, name in ((pairs, "gold"), (pairs, "found"), (second, "found"))
    )
    wrong = [(one, two) for one, other, two in zip(gold, found, again, strict=True) if one != other]
    return Audit(
        annotators=_agreement(gold, again),
        errors=len(wrong),
        ambiguous=sum(one != two for one, two in wrong),
        kappa_on_errors=cohen_kappa([one for one, _ in wrong], [two for _, two in wrong]),
    )


def token_labels(text: str, spans: Sequence[Span]) -> list[str]:
    """Return the label of each token of a text: that of the first span that touches it."""
    labels = []
    ordered = sorted(spans)
    index = 0
    for start, end in scorer_tokens(text):
        while index < len(ordered) and ordered[index].end <= start:
            index += 1
        inside = index < len(ordered) and ordered[index].start < end
        labels.append(ordered[index].label if inside else OUTSIDE)
    return labels


def _agreement(gold: Sequence[str], found: Sequence[str]) -> Agreement:
    marked = ([label if label == OUTSIDE else "marked" for label in side] for side in (gold, found))
    return Agreement(len(gold), cohen_kappa(gold, found), cohen_kappa(*marked))


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return how far two annotators agree beyond chance; None where chance alone is perfect.

    >>> cohen_kappa(["A", "A", "B", "B"], ["A", "A", "B", "A"])
    0.5
    """
    if len(first) != len(second):
        raise ValueError("both annotators judge the same items")
    items = len(first)
    agreed = sum(one == two for one, two in zip(first, second, strict=True)) * items
    ones, twos = Counter(first), Counter(second)
    by_chance = sum(count * twos[label] for label, count in ones.items())
    return ratio(agreed - by_chance, items * items - by_chance)
