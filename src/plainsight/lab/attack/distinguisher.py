"""The distinguisher: rank the identifiers of released notes by how unlike a surrogate they look.

The attacker has notes and the public tool. He de-identifies his notes with his own keys, leaves a few names
in (or numbers, places, organisations), and trains a classifier on lists, frequencies, letters, digits and
format; with ``context`` also on how often the words of a name occur in the patient's notes. Then he ranks the
names of the released notes. An area of 0.5 means that he learnt nothing. His notes are the other half of the
same set, by the same writers, or another set.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plainsight.document import Document
from plainsight.lab.attack.identifier_features import features_of
from plainsight.lab.attack.name_features import context_features, occurrences
from plainsight.lab.attack.release import (
    KINDS,
    MISSED,
    Consistency,
    Maker,
    Name,
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
from plainsight.lab.attack.statistics import Classifier, Features, Record, auc, mean, rounded, train

_KEYS = 2  # for each half
_LESSONS = 12  # releases of his own that the attacker learns from, each with other names left in
_LEFT_IN_LESSONS = 0.05
_BY_POLICY = "missed by the policy"


def distinguish(
    gold: Sequence[Document],
    *,
    kind: str = "names",
    consistency: Consistency = "patient",
    share: float = 0.01,
    seeds: int = 30,
    seed: int = 0,
    make: Maker = surrogate,
    lessons: Sequence[Document] = (),
) -> list[Record]:
    """Attack each half of the notes with what was learnt on the other half, many times over.

    With ``lessons``, attack all notes with what was learnt on those. Return the results without and with
    context.
    """
    labels = KINDS[kind]
    notes, others = (
        [names_only(document) for document in documents] if kind == "names" else documents
        for documents in (gold, lessons)
    )
    halves = [others, notes] if others else by_scope(notes, 2, seed)
    surrogates = [
        [make(key_of(seed + number, f"half {part}"), consistency).replace(half) for number in range(_KEYS)]
        for part, half in enumerate(halves)
    ]

    missed = [{place for place in name_places(half, labels) if _is_missed(half, place)} for half in halves]

    def draw(half: int, share: float, number: int, seed: int) -> list[Name]:
        """Release a half with some identifiers left in; those that were missed are not looked at."""
        left = leave_by_chance(halves[half], share, seed, labels)
        released = release(halves[half], surrogates[half][number % _KEYS], left | missed[half])
        return [name for name in visible_names(released, labels) if name.span.source != MISSED]

    chosen = f"{share:.0%} by chance"
    areas: dict[tuple[str, bool], list[float]] = defaultdict(list)
    weights: dict[bool, defaultdict[str, float]] = {context: defaultdict(float) for context in (False, True)}
    turns = ((0, 1),) if others else ((0, 1), (1, 0))
    for own, theirs in turns:  # each half has keys of its own
        if not all(name_places(half, labels) for half in halves):
            continue
        releases = [
            draw(own, _LEFT_IN_LESSONS, lesson, (seed + own) * 104729 + lesson) for lesson in range(_LESSONS)
        ]
        classifiers = {context: _learn(releases, context=context, seed=seed + own) for context in weights}
        for context, classifier in classifiers.items():
            for name, weight in classifier.weights.items():
                weights[context][name] += weight / len(turns)
        trials = [
            (chosen, draw(theirs, share, repetition, seed * 7919 + repetition)) for repetition in range(seeds)
        ]
        if missed[theirs]:
            trials += [
                (_BY_POLICY, visible_names(release(halves[theirs], made, missed[theirs]), labels))
                for made in surrogates[theirs]
            ]
        for left_in, names in trials:
            for context, classifier in classifiers.items():
                scores = [classifier.score(features) for features in _features(names, context=context)]
                area = auc(scores, [name.left for name in names])
                areas[left_in, context] += [] if area is None else [area]
    about = {"kind": kind, "consistency": consistency}
    return [
        {**about, "left_in": left_in, **_record(context, areas[left_in, context], weights[context])}
        for left_in in ([chosen, _BY_POLICY] if any(missed) else [chosen])
        for context in weights
    ]


def _is_missed(notes: Sequence[Document], place: Place) -> bool:
    return notes[place[0]].spans[place[1]].source == MISSED


def _record(context: bool, areas: Sequence[float], weights: Features) -> Record:
    value, low, high = mean(areas) or (None, None, None)
    heaviest = sorted(weights.items(), key=lambda item: -abs(item[1]))[:8]
    return {
        "context": context,
        "auc": rounded(value),
        "low": rounded(low),
        "high": rounded(high),
        "repetitions": len(areas),
        "random": 0.5,
        "telling": {name: round(weight, 3) for name, weight in heaviest},
    }


def _learn(releases: Sequence[Sequence[Name]], *, context: bool, seed: int) -> Classifier:
    """Train a classifier on as many originals as surrogates of each release."""
    chance = random.Random(seed)
    items: list[tuple[Features, bool]] = []
    for names in releases:
        marked = list(zip(_features(names, context=context), (name.left for name in names), strict=True))
        originals = [item for item in marked if item[1]]
        surrogates = [item for item in marked if not item[1]]
        items += originals + chance.sample(surrogates, min(len(surrogates), len(originals)))
    return train(items, seed=seed)


def _features(names: Sequence[Name], *, context: bool) -> Iterator[Features]:
    counts = occurrences(names) if context else {}
    for name in names:
        features = features_of(name.span.label, name.text)
        yield {**features, **context_features(name, counts)} if context else features
