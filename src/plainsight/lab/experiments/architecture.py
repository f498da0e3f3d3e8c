"""Architecture: the network of 2016 whole and without each of its parts (S100), and beside a CRF (S84).

Every system is held against the whole network by approximate randomisation (S90). The union takes what either
finds; where both find something, it is settled as policies settle it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plainsight.combine import combine
from plainsight.document import Span
from plainsight.evaluate.report.charts import ranges
from plainsight.evaluate.statistics import Significance
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench, Found
from plainsight.lab.experiments.measured import SCORERS, Measured, measure, pool
from plainsight.lab.experiments.outcome import Outcome, edges, shown
from plainsight.lab.experiments.splits import Split

__all__ = ["CRF", "UNION", "WHOLE", "architecture", "systems"]

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
    bench: Bench,
    splits: Sequence[Split],
    *,
    settings: Settings | None = None,
    crf: Settings | None = None,
) -> Outcome:
    """Measure the networks, a CRF with the settings ``crf``, and the union of it and the whole network."""
    networks = systems(settings or {})
    checked = {name: trainers.check_settings("bilstm", own) for name, own in networks.items()}
    checked[CRF] = trainers.check_settings("crf", crf or {})
    found = {
        name: [replace(bench, detector=_kind(name)).find(split, own) for split in splits]
        for name, own in checked.items()
    }
    found[UNION] = [_union(*each) for each in zip(splits, found[WHOLE], found[CRF], strict=True)]
    runs = {name: _measured(bench, splits, parts) for name, parts in found.items()}
    return Outcome(
        name="architecture",
        title="The network of 2016, part by part",
        about=(
            "Over tokens (any label) and over phrases (span and label exact), with intervals of 95 % by "
            f"bootstrap over notes; Δ: the difference from the {WHOLE} network, and p, the chance of such a "
            "difference by approximate randomisation of notes, not corrected for the number of tests."
        ),
        head=(
            "system",
            *("token P", "p", "token R", "p", "token F", "ΔF", "p"),
            *("phrase F", "ΔF", "p", "training s"),
        ),
        rows=[_row(name, run, runs[WHOLE]) for name, run in runs.items()],
        data=[_data(name, checked.get(name, {}), run, runs[WHOLE]) for name, run in runs.items()],
        svg=ranges(
            "Token F by system",
            {name: edges(run.intervals("binary-token")["f"]) for name, run in runs.items()},
        ),
    )


def _kind(name: str) -> str:
    return "crf" if name == CRF else "bilstm"


def _union(split: Split, network: Found, crf: Found) -> Found:
    spans: list[Sequence[Span]] = [
        combine([*one, *two], note.text)
        for note, one, two in zip(split.test, network.spans, crf.spans, strict=True)
    ]
    return Found(spans, {kind: network.seconds[kind] + crf.seconds[kind] for kind in network.seconds})


def _measured(bench: Bench, splits: Sequence[Split], parts: Sequence[Found]) -> Measured:
    return pool(
        [
            measure(split.test, part.spans, seconds=part.seconds, group=bench.group)
            for split, part in zip(splits, parts, strict=True)
        ]
    )


def _row(name: str, run: Measured, whole: Measured) -> list[Any]:
    token, phrase = (_against(run, whole, scorer) for scorer in ("binary-token", "strict"))
    figures = run.intervals("binary-token")
    return [
        name,
        *(shown(figures["precision"]), token.p_precision if token else ""),
        *(shown(figures["recall"]), token.p_recall if token else ""),
        *(shown(figures["f"]), token.f if token else "", token.p_f if token else ""),
        *(shown(run.intervals("strict")["f"]), phrase.f if phrase else "", phrase.p_f if phrase else ""),
        f"{run.seconds['train']:.1f}",
    ]


def _against(run: Measured, whole: Measured, scorer: str) -> Significance | None:
    return None if run is whole else run.against(whole, scorer)


def _data(name: str, settings: Settings, run: Measured, whole: Measured) -> dict[str, Any]:
    tests = {title: _against(run, whole, scorer) for scorer, title in SCORERS.items()}
    return {
        "system": name,
        "settings": dict(settings),
        "figures": run.figures(),
        "against_whole": {title: test.to_json() for title, test in tests.items() if test},
        "seconds": dict(run.seconds),
    }
