"""The distinguisher: rank the names of released notes by how unlike a surrogate they look.

The attacker has notes and the public tool. He de-identifies his notes with his own keys, leaves a few names
in, and trains a classifier on lists, frequencies, letters and format; with ``context`` also on how often the
words of a name occur in the patient's notes. Then he ranks the names of the released notes. An area of 0.5
means that he learnt nothing.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plainsight.document import Document
from plainsight.lab.attack.name_features import context_features, occurrences, word_features
from plainsight.lab.attack.release import (
    Consistency,
    Maker,
    Name,
    by_scope,
    key_of,
    leave_by_chance,
    names_only,
    release,
    surrogate,
    visible_names,
)
from plainsight.lab.attack.statistics import Classifier, Features, Record, auc, mean, rounded, train

_KEYS = 2  # for each half
_LESSONS = 12  # releases of his own that the attacker learns from, each with other names left in
_LEFT_IN_LESSONS = 0.05


def distinguish(
    gold: Sequence[Document],
    *,
    consistency: Consistency = "patient",
    share: float = 0.01,
    seeds: int = 30,
    seed: int = 0,
    make: Maker = surrogate,
) -> list[Record]:
    """Attack each half of the notes with what was learnt on the other half, many times over.

    Return the results without and with context.
    """
    halves = by_scope([names_only(document) for document in gold], 2, seed)
    surrogates = [
        [make(key_of(seed + number, f"half {part}"), consistency).replace(half) for number in range(_KEYS)]
        for part, half in enumerate(halves)
    ]

    def draw(half: int, share: float, number: int, seed: int) -> list[Name]:
        left = leave_by_chance(halves[half], share, seed)
        return visible_names(release(halves[half], surrogates[half][number % _KEYS], left))

    areas: dict[bool, list[float]] = {False: [], True: []}
    weights: dict[bool, defaultdict[str, float]] = {context: defaultdict(float) for context in areas}
    for own, theirs in ((0, 1), (1, 0)):  # each half has keys of its own
        if not halves[own]:
            continue
        lessons = [
            draw(own, _LEFT_IN_LESSONS, lesson, (seed + own) * 104729 + lesson) for lesson in range(_LESSONS)
        ]
        classifiers = {context: _learn(lessons, context=context, seed=seed + own) for context in areas}
        for context, classifier in classifiers.items():
            for name, weight in classifier.weights.items():
                weights[context][name] += weight / 2
        for repetition in range(seeds):
            names = draw(theirs, share, repetition, seed * 7919 + repetition)
            for context, classifier in classifiers.items():
                scores = [classifier.score(features) for features in _features(names, context=context)]
                area = auc(scores, [name.left for name in names])
                areas[context] += [] if area is None else [area]
    return [_record(consistency, context, share, areas[context], weights[context]) for context in areas]


def _record(
    consistency: Consistency, context: bool, share: float, areas: Sequence[float], weights: Features
) -> Record:
    value, low, high = mean(areas) or (None, None, None)
    heaviest = sorted(weights.items(), key=lambda item: -abs(item[1]))[:8]
    return {
        "consistency": consistency,
        "context": context,
        "share_left": share,
        "auc": rounded(value),
        "low": rounded(low),
        "high": rounded(high),
        "repetitions": len(areas),
        "random": 0.5,
        "telling": {name: round(weight, 3) for name, weight in heaviest},
    }


def _learn(lessons: Sequence[Sequence[Name]], *, context: bool, seed: int) -> Classifier:
    """Train a classifier on as many originals as surrogates of each lesson."""
    chance = random.Random(seed)
    items: list[tuple[Features, bool]] = []
    for names in lessons:
        marked = list(zip(_features(names, context=context), (name.left for name in names), strict=True))
        originals = [item for item in marked if item[1]]
        surrogates = [item for item in marked if not item[1]]
        items += originals + chance.sample(surrogates, min(len(surrogates), len(originals)))
    return train(items, seed=seed)


def _features(names: Sequence[Name], *, context: bool) -> Iterator[Features]:
    counts = occurrences(names) if context else {}
    for name in names:
        features = word_features(name.text)
        yield {**features, **context_features(name, counts)} if context else features
