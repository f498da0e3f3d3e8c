"""Architecture: the network of 2016 whole and without each of its parts, and beside a CRF.

Every system is compared with the whole network. The union takes what either finds; where both find something,
overlaps are settled as in policies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plainsight.combine import combine
from plainsight.document import Span
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.ablation import compared
from plainsight.lab.experiments.bench import Bench, Found
from plainsight.lab.experiments.measurement import pool
from plainsight.lab.experiments.outcome import Outcome
from plainsight.lab.experiments.splits import Split

WHOLE, CRF, UNION = "whole", "crf", "whole + crf"
NO_VECTORS, NO_WORDS = "no pre-training", "no token embeddings"

Settings = Mapping[str, Any]


def systems(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the settings of the network whole and without each part, in the order of the table."""
    made = {}
    for name, own in trainers.trainable("bilstm").variants.items():
        if name == NO_WORDS and "vectors" in settings:
            made[NO_VECTORS] = {**settings}
        made[name] = {**settings, **own}
    for name in {NO_WORDS, NO_VECTORS} & made.keys():  # these have no use for vectors
        made[name].pop("vectors", None)
    return made


def architecture(
    bench: Bench, splits: Sequence[Split], *, settings: Settings | None = None, crf: Settings | None = None
) -> Outcome:
    """Measure the networks, a CRF with the settings ``crf``, and the union of it and the whole network."""
    networks = systems(settings or {})
    checked = {name: trainers.check_settings("bilstm", own) for name, own in networks.items()}
    checked[CRF] = trainers.check_settings("crf", crf or {})
    found = {
        name: [
            replace(bench, detector="crf" if name == CRF else "bilstm").find(split, own) for split in splits
        ]
        for name, own in checked.items()
    }
    found[UNION] = [_union(*each) for each in zip(splits, found[WHOLE], found[CRF], strict=True)]
    runs = {
        name: pool([bench.score(split.test, part) for split, part in zip(splits, parts, strict=True)])
        for name, parts in found.items()
    }
    title = "The network of 2016, part by part"
    return compared(runs, checked, name="architecture", title=title, noun="system")


def _union(split: Split, network: Found, crf: Found) -> Found:
    spans: list[Sequence[Span]] = [
        combine([*one, *two], note.text)
        for note, one, two in zip(split.test, network.spans, crf.spans, strict=True)
    ]
    return Found(spans, {kind: network.seconds[kind] + crf.seconds[kind] for kind in network.seconds})
