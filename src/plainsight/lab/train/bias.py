"""Choose the bias of a detector on notes that it has not learnt from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from plainsight.detect.learned import Scored, TokenScorer, claims_of, decode_scores
from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.evaluate.scorers import score
from plainsight.evaluate.tally import EMPTY, Tally
from plainsight.lab.train.scores import figures, pairs_of

BIASES = tuple(step / 4 for step in range(-16, 9))
"""From -4, which finds most, to 2."""

_HELD_OUT = 5  # one patient in so many, to choose a bias
_SAME = 0.002  # a smaller difference of F is chance, with a few thousand identifiers


@dataclass(frozen=True, slots=True)
class Sweep:
    """Counts at each bias, on held-out notes: of entities, and of tokens whatever their label."""

    entities: Mapping[float, Tally]
    tokens: Mapping[float, Tally]

    def __add__(self, other: Sweep) -> Sweep:
        return Sweep(
            {bias: self.entities.get(bias, EMPTY) + tally for bias, tally in other.entities.items()},
            {bias: self.tokens.get(bias, EMPTY) + tally for bias, tally in other.tokens.items()},
        )

    def best(self, *, recall: float | None = None) -> float:
        """Return the bias with the highest entity F, or the highest bias that reaches a token ``recall``.

        Of several with about the same F, return the lowest: a missed identifier is worse than a false alarm.
        If no bias reaches the recall, return the lowest.
        """
        if recall is None:
            highest = max(tally.f or 0.0 for tally in self.entities.values())
            return min(bias for bias, tally in self.entities.items() if (tally.f or 0.0) >= highest - _SAME)
        enough = [bias for bias, tally in self.tokens.items() if (tally.recall or 0.0) >= recall]
        return max(enough, default=min(self.tokens))

    def to_manifest(self, *, notes: int, recall: float | None, folds: int = 1) -> dict[str, Any]:
        """Return what a manifest says of the choice: the bias, and how it was chosen on so many notes."""
        choice = {"folds": folds, "notes": notes, "recall": recall, "sweep": self.to_json()}
        return {"bias": self.best(recall=recall), "bias_choice": choice}

    def to_json(self) -> list[dict[str, Any]]:
        """Return precision, recall and F of every bias."""
        return [
            {"bias": bias, "entities": figures(self.entities[bias]), "tokens": figures(self.tokens[bias])}
            for bias in self.entities
        ]


NOTHING = Sweep(MappingProxyType({}), MappingProxyType({}))


def sweep_of(documents: Sequence[Document], scored: Sequence[Scored], tags: Sequence[str]) -> Sweep:
    """Label notes at every bias and count, given the log-probability of each tag at each token."""
    return sweep(documents, lambda bias: decode_scores(scored, tags, bias=bias, source=""))


def sweep_with(detector: TokenScorer, documents: Sequence[Document]) -> Sweep:
    """Label notes at every bias with a network, which runs once, and count."""
    claims = claims_of(detector.needs if detector.manifest["claims"] else (), documents)
    return sweep_of(documents, list(detector.scores_of(documents, claims)), detector.manifest["tags"])


def sweep(
    documents: Sequence[Document],
    detect: Callable[[float], Sequence[Sequence[Span]]],
    biases: Sequence[float] = BIASES,
) -> Sweep:
    """Count what is found at every bias."""
    entities, tokens = {}, {}
    for bias in biases:
        pairs = pairs_of(documents, detect(bias))
        entities[bias], tokens[bias] = (score(pairs, name).micro for name in ("strict", "binary-token"))
    return Sweep(entities, tokens)


def fold_of(documents: Sequence[Document], folds: int) -> list[int]:
    """Return each note's fold. A patient's notes share one; the order of the notes does not matter."""
    owners = [_owner(document) for document in documents]
    number = {owner: place % folds for place, owner in enumerate(sorted(set(owners)))}
    return [number[owner] for owner in owners]


def hold_out(documents: Sequence[Document], folds: int) -> tuple[list[Document], list[Document]]:
    """Split notes by patient: those to train on, and about one patient in ``folds`` to hold out."""
    parts: tuple[list[Document], list[Document]] = ([], [])
    for document, fold in zip(documents, fold_of(documents, folds), strict=True):
        parts[fold == 0].append(document)
    return parts


def parts_for_bias(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Return the notes to learn from and the notes to choose a bias on; refuse too few of either."""
    parts = hold_out(documents, _HELD_OUT)
    if not all(any(document.spans for document in part) for part in parts):
        raise DataError("too few notes to choose a bias on: give one, --bias 0 to begin with")
    return parts


def some_of(documents: Sequence[Document], sizes: Sequence[int], most: int) -> list[int]:
    """Return the places of notes of whole patients with about ``most`` tokens together, in their order."""
    order = sorted(range(len(documents)), key=lambda place: _owner(documents[place]))
    taken: list[int] = []
    room = most
    for place in order:
        if room <= 0 and _owner(documents[place]) != _owner(documents[taken[-1]]):
            break
        taken.append(place)
        room -= sizes[place]
    return sorted(taken)


def _owner(document: Document) -> str:
    owner = document.id if document.patient_id is None else f"patient {document.patient_id}"
    return hashlib.sha256(owner.encode("utf-8", "surrogatepass")).hexdigest()
