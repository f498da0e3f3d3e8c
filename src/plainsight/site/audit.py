"""What still leaks, estimated from notes that were drawn at random and read: with an interval, always.

Chosen notes are the worst ones, so they say nothing about all notes. The audit sample does, and it is never
learned from, so it judges an old model and a new one alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainsight.evaluate.leaks import leaks
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.shares import Share, binomial_share, clustered_share
from plainsight.evaluate.tally import Figures, Tally, total

SCORERS = {"strict": "strict", "token": "binary-token"}
"""What is counted: exact spans with their labels, and identifying tokens under any label."""


@dataclass(frozen=True, slots=True)
class Scores(Figures):
    """Precision, recall and F of one scorer, and the errors behind them."""

    precision: float | None
    recall: float | None
    f: float | None
    missed: float
    wrong: float

    @classmethod
    def of(cls, tally: Tally) -> Scores:
        """Return the figures of counts."""
        missed, wrong = tally.gold - tally.gold_hits, tally.found - tally.found_hits
        return cls(tally.precision, tally.recall, tally.f, missed, wrong)


@dataclass(frozen=True, slots=True)
class Audit(Figures):
    """What a random sample of notes says about all of them.

    ``leaking_notes`` is the share of notes with any leak, with an exact binomial interval. ``leaked`` is the
    share of identifying tokens that leak, with an interval that knows that those of a note leak together.
    """

    notes: int
    leaking_notes: Share
    leaked: Share
    strict: Scores
    token: Scores


def audit(pairs: Sequence[Pair]) -> Audit:
    """Return what notes with right and found spans say."""
    clean = sum(leaks([pair]).leaked == 0 for pair in pairs)
    by_note = {name: score(pairs, scorer).by_note for name, scorer in SCORERS.items()}
    tokens = by_note["token"]
    leaked = clustered_share(
        [tally.gold - tally.gold_hits for tally in tokens], [tally.gold for tally in tokens]
    ).share
    return Audit(
        notes=len(pairs),
        leaking_notes=binomial_share(len(pairs) - clean, len(pairs)),
        leaked=leaked,
        strict=Scores.of(total(by_note["strict"])),
        token=Scores.of(total(by_note["token"])),
    )
