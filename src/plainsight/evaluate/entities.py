"""Recall by entity: a person is hidden only if every mention of them is.

Mentions are of one entity if their marks have the same id (``{{PATIENT#anna|Anna}}``) in the notes of one
patient. A mark without an id stands for what is written: the same words under the same label in the same note
are one entity. That splits ``Ann Roe`` and ``Mrs. Roe``, so ids give the stricter figure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plainsight.document import Span
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.tally import Figures, ratio
from plainsight.text.rare_words import marked, words


@dataclass(frozen=True, slots=True)
class Entities(Figures):
    """How many entities there are, and how many are hidden in every mention; of all, and of repeated ones."""

    entities: int = 0
    hidden: int = 0
    repeated: int = 0
    repeated_hidden: int = 0

    @property
    def recall(self) -> float | None:
        """The share of entities of which every mention is hidden."""
        return ratio(self.hidden, self.entities)

    @property
    def repeated_recall(self) -> float | None:
        """The same share of those that are mentioned more than once."""
        return ratio(self.repeated_hidden, self.repeated)

    def __add__(self, other: Entities) -> Entities:
        return Entities(
            self.entities + other.entities,
            self.hidden + other.hidden,
            self.repeated + other.repeated,
            self.repeated_hidden + other.repeated_hidden,
        )


def entities(pairs: Iterable[Pair]) -> dict[str, Entities]:
    """Return how many entities of each label are hidden; an entity with several labels has its first."""
    mentions: dict[tuple[str, ...], list[bool]] = {}
    label_of: dict[tuple[str, ...], str] = {}
    for pair in pairs:
        found = marked(pair.text, pair.found)
        for span in pair.gold:
            key = _entity(pair, span)
            label_of.setdefault(key, span.label)
            hidden = all(all(found[start:end]) for start, end in words(pair.text, span.start, span.end))
            mentions.setdefault(key, []).append(hidden)
    counts: dict[str, Entities] = {}
    for key, each in mentions.items():
        label, hidden, repeated = label_of[key], all(each), len(each) > 1
        counts[label] = counts.get(label, Entities()) + Entities(1, hidden, repeated, repeated and hidden)
    return dict(sorted(counts.items()))


def _entity(pair: Pair, span: Span) -> tuple[str, ...]:
    if span.entity:
        return ("", pair.patient_id or pair.id, span.entity)
    spelt = pair.text[span.start : span.end].casefold().split()
    return ("=", pair.id, span.label, *spelt)
