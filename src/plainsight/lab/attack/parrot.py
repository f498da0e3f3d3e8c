"""The parrot attack: imitate the de-identifier, and suspect the names that the imitation does not mark.

The name is that of Carrell et al. (2019). The de-identifier missed the names that are left in. A tagger
trained on the released notes to do the same may miss them again. Three attackers look at all names that a
careful reader sees in the released notes:

- ``rerun`` runs the public tool on them, and suspects what it does not mark;
- ``parrot`` trains a CRF on half of the notes, with the tool's marks as labels, and suspects names of the
  other half to which it gives little probability;
- ``counts`` suspects names whose words stand just once in the patient's notes, for surrogates repeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.lab.attack.imitation import imitate, require_crf
from plainsight.lab.attack.name_features import least_seen, occurrences
from plainsight.lab.attack.release import (
    CONSISTENCIES,
    Consistency,
    Maker,
    Place,
    by_scope,
    key_of,
    leave_by_chance,
    name_places,
    names_only,
    release,
    surrogate,
    visible_names,
)
from plainsight.lab.attack.statistics import Flagged, flagged
from plainsight.pipeline import Pipeline

Attacker = Literal["rerun", "parrot", "counts"]

_TOOL = "fast"  # the policy whose detectors everybody can run


@dataclass(frozen=True, slots=True)
class Parroted:
    """What one attacker found out about one release."""

    consistency: Consistency
    left_in: str
    attacker: Attacker
    result: Flagged

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        about = {"consistency": self.consistency, "left_in": self.left_in, "attacker": self.attacker}
        return {**about, **self.result.to_json()}


def parrot(
    gold: Sequence[Document],
    *,
    consistencies: Sequence[Consistency] = CONSISTENCIES,
    shares: Sequence[float] = (0.05,),
    with_missed: bool = True,
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Parroted]:
    """Attack releases with a share of the names left in by chance, and with those the tool really misses."""
    require_crf()
    learnt, judged = by_scope([names_only(document) for document in gold], 2, seed)
    ordered, cut = learnt + judged, len(learnt)
    leaks: dict[str, set[Place]] = {
        f"{share:.0%} by chance": leave_by_chance(ordered, share, seed) for share in shares
    }
    if with_missed:
        leaks["missed by the tool"] = missed(ordered)
    found = []
    for consistency in consistencies:
        surrogates = make(key_of(seed, "released"), consistency).replace(ordered)
        for left_in, left in leaks.items():
            released = release(ordered, surrogates, left)
            for attacker, result in _attack(released, cut).items():
                found.append(Parroted(consistency, left_in, attacker, result))
    return found


def missed(gold: Sequence[Document]) -> set[Place]:
    """Return the names that the tool does not find in the notes as they are: of a name, any letter."""
    marks = _marks(gold)
    return {
        (note, number)
        for note, number in name_places(gold)
        if not _covered(gold[note].spans[number], marks[note])
    }


def _marks(documents: Sequence[Document]) -> list[list[Span]]:
    """Return what the public tool marks, of any label."""
    bare = [replace(document, spans=(), patient=None) for document in documents]
    found = Pipeline(load_policy(_TOOL)).detect(bare)
    return [list(item.spans) if isinstance(item, Document) else [] for item in found]


def _covered(span: Span, marks: Sequence[Span]) -> bool:
    return any(mark.start < span.end and span.start < mark.end for mark in marks)


def _attack(released: Sequence[Document], cut: int) -> dict[Attacker, Flagged]:
    names = visible_names(released)
    truths = [name.left for name in names]
    marks = _marks(released)
    unmarked = [float(not _covered(name.span, marks[name.note])) for name in names]
    counts = occurrences(names)
    once = [-float(least_seen(name, counts)) for name in names]
    probabilities = imitate(released[:cut], marks[:cut], released[cut:])
    judged = [name for name in names if name.note >= cut]
    doubts = [1.0 - _probability(name.span, probabilities[name.note - cut]) for name in judged]
    return {
        "rerun": flagged(unmarked, truths, 0.5),
        "parrot": flagged(doubts, [name.left for name in judged], 0.5),
        "counts": flagged(once, truths, -1.5),
    }


def _probability(span: Span, marked: Mapping[tuple[int, int], float]) -> float:
    """Return the highest probability that the imitation gives to a token of a name."""
    inside = (chance for (start, end), chance in marked.items() if start < span.end and span.start < end)
    return max(inside, default=0.0)
