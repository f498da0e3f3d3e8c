"""Choose a bias by cross-validation (S36, S37): how readily it is said that a token identifies nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import Scored, labelled
from plainsight.document import Document
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import score
from plainsight.evaluate.tally import EMPTY, Tally
from plainsight.lab.detect.crf.chain import Chain
from plainsight.lab.detect.crf.channels import Note
from plainsight.text.tags import decode

__all__ = ["BIASES", "Sweep", "fold_of", "some_of", "sweep", "sweep_of"]

BIASES = tuple(step / 4 for step in range(-16, 9))
"""From -4, which finds most, to 2."""

_SAME = 0.002  # F that differ by no more are the same: with a few thousand identifiers it is chance

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What each bias finds in notes that were not learnt from: entities, and tokens whatever their label."""

    entities: Mapping[float, Tally]
    tokens: Mapping[float, Tally]

    def __add__(self, other: Sweep) -> Sweep:
        return Sweep(
            {bias: self.entities.get(bias, EMPTY) + tally for bias, tally in other.entities.items()},
            {bias: self.tokens.get(bias, EMPTY) + tally for bias, tally in other.tokens.items()},
        )

    def best(self, *, recall: float | None = None) -> float:
        """Return the bias with the highest entity F; or the greatest one that finds enough of all tokens.

        Among those about as good it is the lowest, for what is missed is worse than what is hidden in vain.
        Where no bias finds enough, it is the one that finds most.
        """
        if recall is None:
            highest = max(tally.f or 0.0 for tally in self.entities.values())
            return min(bias for bias, tally in self.entities.items() if (tally.f or 0.0) >= highest - _SAME)
        enough = [bias for bias, tally in self.tokens.items() if (tally.recall or 0.0) >= recall]
        return max(enough, default=min(self.tokens))

    def to_json(self) -> list[dict[str, Any]]:
        """Return precision, recall and F of every bias."""
        return [
            {"bias": bias, "entities": _figures(self.entities[bias]), "tokens": _figures(self.tokens[bias])}
            for bias in self.entities
        ]


def _figures(tally: Tally) -> dict[str, float | None]:
    figures = {"precision": tally.precision, "recall": tally.recall, "f": tally.f}
    return {name: value if value is None else round(value, 4) for name, value in figures.items()}


NOTHING = Sweep(MappingProxyType({}), MappingProxyType({}))


def sweep_of(documents: Sequence[Document], told: Sequence[Scored], tags: Sequence[str]) -> Sweep:
    """Label notes at every bias and count, given the logarithm of each tag's probability at each token."""
    entities, tokens = {}, {}
    for bias in BIASES:
        pairs = [
            Pair(document.id, document.text, document.spans, tuple(spans))
            for document, spans in zip(documents, labelled(told, tags, bias=bias, source=""), strict=True)
        ]
        entities[bias], tokens[bias] = (score(pairs, name).micro for name in ("strict", "binary-token"))
    return Sweep(entities, tokens)


def sweep(notes: Sequence[Note], emissions: Sequence[Floats], chain: Chain, tags: Sequence[str]) -> Sweep:
    """Do the same for a CRF, which labels by its own chain."""
    entities, tokens = {}, {}
    for bias in BIASES:
        for scores in emissions:
            scores[:, chain.outside] += np.float32(bias)
        pairs = [
            Pair(
                note.document.id,
                note.document.text,
                note.document.spans,
                tuple(decode([tags[label] for label in path], note.tokens)),
            )
            for note, path in zip(notes, chain.best(emissions), strict=True)
        ]
        for scores in emissions:
            scores[:, chain.outside] -= np.float32(bias)
        entities[bias] = score(pairs, "strict").micro
        tokens[bias] = score(pairs, "binary-token").micro
    return Sweep(entities, tokens)


def fold_of(documents: Sequence[Document], folds: int) -> list[int]:
    """Return each note's fold; a patient's notes share one, and neither order nor chance matters."""
    owners = [_owner(document) for document in documents]
    number = {owner: place % folds for place, owner in enumerate(sorted(set(owners)))}
    return [number[owner] for owner in owners]


def some_of(documents: Sequence[Document], sizes: Sequence[int], most: int) -> list[int]:
    """Return the places of notes, whole patients, of together about so many tokens; in the order given."""
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
