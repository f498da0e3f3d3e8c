"""The distinguisher: rank the names of released notes by how unlike a surrogate they look.

The attacker has notes and the public tool. He de-identifies his notes with his own keys, leaves a few names
in, and trains a classifier to distinguish them from surrogates: by lists, frequencies, letters and format,
and, with ``context``, by how often their words occur in the patient's notes. Then he ranks the names of the
released notes. An area of 0.5 means that he learnt nothing.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainsight.document import Document
from plainsight.lab.attack.name_features import context_features, occurrences, word_features
from plainsight.lab.attack.release import (
    Consistency,
    Maker,
    Name,
    by_scope,
    key_of,
    leave_by_chance,
    names_of,
    names_only,
    surrogate,
)
from plainsight.lab.attack.statistics import Classifier, Features, Mean, auc, mean, train

_KEYS = 2  # of each half, whether it is the attacker's own or the one that is attacked
_LESSONS = 12  # releases of his own that he learns from, each with other names left in
_LEFT_IN_LESSONS = 0.05


@dataclass(frozen=True, slots=True)
class Distinguished:
    """How well originals are distinguished from surrogates; an area of 0.5 is chance."""

    consistency: Consistency
    context: bool
    share: float
    area: Mean | None
    telling: tuple[tuple[str, float], ...]

    def to_json(self) -> dict[str, object]:
        """Return plain data."""
        area = self.area
        return {
            "consistency": self.consistency,
            "context": self.context,
            "share_left": self.share,
            "auc": None if area is None else round(area.value, 4),
            "low": None if area is None else round(area.low, 4),
            "high": None if area is None else round(area.high, 4),
            "repetitions": 0 if area is None else area.repetitions,
            "random": 0.5,
            "telling": {name: round(weight, 3) for name, weight in self.telling},
        }


def distinguish(
    gold: Sequence[Document],
    *,
    consistency: Consistency = "patient",
    share: float = 0.01,
    seeds: int = 30,
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Distinguished]:
    """Attack each half of the notes with what was learnt on the other half, many times over.

    Return the results by looks alone, and by looks and counts.
    """
    halves = by_scope([names_only(document) for document in gold], 2, seed)
    releases = [
        [make(key_of(seed + number, f"half {part}"), consistency).replace(half) for number in range(_KEYS)]
        for part, half in enumerate(halves)
    ]
    return [
        _distinguish(halves, releases, consistency, context=context, share=share, seeds=seeds, seed=seed)
        for context in (False, True)
    ]


def _distinguish(
    halves: Sequence[Sequence[Document]],
    releases: Sequence[Sequence[list[list[str]]]],
    consistency: Consistency,
    *,
    context: bool,
    share: float,
    seeds: int,
    seed: int,
) -> Distinguished:
    areas: list[float] = []
    told: defaultdict[str, float] = defaultdict(float)
    for own, theirs in ((0, 1), (1, 0)):  # each half has keys of its own, so the attacker's are his
        if not halves[own]:
            continue
        classifier = _learn(halves[own], releases[own], context=context, seed=seed + own)
        for name, weight in classifier.weights.items():
            told[name] += weight / 2
        for repetition in range(seeds):
            left = leave_by_chance(halves[theirs], share, seed * 7919 + repetition)
            names = names_of(halves[theirs], releases[theirs][repetition % _KEYS], left)
            scores = [classifier.score(features) for features in _features(names, context=context)]
            area = auc(scores, [name.left for name in names])
            if area is not None:
                areas.append(area)
    telling = sorted(told.items(), key=lambda item: -abs(item[1]))[:8]
    return Distinguished(consistency, context, share, mean(areas), tuple(telling))


def _learn(
    own: Sequence[Document], releases: Sequence[list[list[str]]], *, context: bool, seed: int
) -> Classifier:
    """Train a classifier of originals and surrogates on the attacker's own notes, with his own keys."""
    chance = random.Random(seed)
    lessons: list[tuple[Features, bool]] = []
    for lesson in range(_LESSONS):
        left = leave_by_chance(own, _LEFT_IN_LESSONS, seed * 104729 + lesson)
        names = names_of(own, releases[lesson % _KEYS], left)
        marked = list(zip(_features(names, context=context), (name.left for name in names), strict=True))
        originals = [item for item in marked if item[1]]
        surrogates = [item for item in marked if not item[1]]
        lessons += originals + chance.sample(surrogates, min(len(surrogates), len(originals)))
    return train(lessons, seed=seed)


def _features(names: Sequence[Name], *, context: bool) -> Iterator[Features]:
    counts = occurrences(names) if context else {}
    for name in names:
        features = word_features(name.text)
        yield {**features, **context_features(name, counts)} if context else features
