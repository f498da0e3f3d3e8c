"""Ablation: the same notes, the same detector, one setting changed at a time, each against the first.

`architecture` compares the recurrent network of 2016 with itself without each part, with a CRF, and with the
union of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.errors import UsageError, suggest
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments.bench import Bench, Split, union
from plainsight.lab.experiments.results import SCORERS, Measured, Outcome, edges
from plainsight.lab.experiments.systems import VARIANTS, Settings, parts_of

_WHOLE, _CRF = "whole", "crf"
_NO_VECTORS, _NO_WORDS = "no pre-training", "no token embeddings"


def variants_of(detector: str, names: Sequence[str] = ()) -> dict[str, Settings]:
    """Return the named variants of a detector: these, or all."""
    parts_of(detector)  # refuses what cannot be trained
    known = VARIANTS.get(detector, {})
    for name in names:
        if name not in known:
            raise UsageError(f"{detector} has no variant {name!r}{suggest(name, known)}")
    return {name: known[name] for name in names or known}


def ablation(
    bench: Bench, splits: Sequence[Split], *, variants: Mapping[str, Settings] | None = None
) -> Outcome:
    """Measure variants of the bench's settings: these, or all named ones."""
    variants = variants or variants_of(bench.detector)
    if len(variants) < 2:
        raise UsageError("an ablation compares at least two variants")
    benches = {
        name: replace(bench, settings={**bench.settings, **own}) for name, own in variants.items()
    }  # refuses wrong settings before the first training
    runs = {name: own.measure(splits) for name, own in benches.items()}
    title = f"Ablation of {bench.detector}"
    return _compare(runs, benches, name="ablation", title=title, noun="variant")


def network_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the settings of the network, whole and without each part, in the order of the table."""
    made = {}
    for name, own in VARIANTS["bilstm"].items():
        if name == _NO_WORDS and "vectors" in settings:
            made[_NO_VECTORS] = {**settings}
        made[name] = {**settings, **own}
    for name in {_NO_WORDS, _NO_VECTORS} & made.keys():
        made[name].pop("vectors", None)
    return made


def architecture(
    bench: Bench, splits: Sequence[Split], *, crf: Settings | None = None, vectors: Sequence[str | Path] = ()
) -> Outcome:
    """Measure the networks, a CRF with the settings ``crf``, and the union of it and the whole network.

    ``vectors`` are further files of word vectors, each for a whole network of its own.
    """
    benches = {name: replace(bench, settings=own) for name, own in network_settings(bench.settings).items()}
    for path in vectors:
        if (name := f"vectors {Path(path).stem}") in benches:
            raise UsageError(f"two files of word vectors are called {Path(path).stem}")
        benches[name] = replace(bench, settings={**bench.settings, "vectors": str(path)})
    benches[_CRF] = replace(bench, detector="crf", settings=crf or {})
    found = {name: [own.find(split) for split in splits] for name, own in benches.items()}
    found["whole + crf"] = [
        union(split.test, both) for split, *both in zip(splits, found[_WHOLE], found[_CRF], strict=True)
    ]
    runs = {name: bench.measure(splits, parts) for name, parts in found.items()}
    title = "The network of 2016, part by part"
    return _compare(runs, benches, name="architecture", title=title, noun="system")


def _compare(
    runs: Mapping[str, Measured], benches: Mapping[str, Bench], *, name: str, title: str, noun: str
) -> Outcome:
    """Compare runs on the same notes, each against the first."""
    first = next(iter(runs))
    tests = {
        name: {scorer: run.against(runs[first], scorer) for scorer in SCORERS if name != first}
        for name, run in runs.items()
    }
    rows = []
    for system, run in runs.items():
        row: list[Any] = [system]
        for scorer in SCORERS:
            test = tests[system].get(scorer)
            row += [*run.cells(scorer), *((test.f, test.p_f) if test else ("", ""))]
        rows.append([*row, f"{run.seconds.get('train', 0.0):.1f}"])
    return Outcome(
        name=name,
        title=title,
        about=(
            "Over phrases (span and label exact) and over tokens (any label); intervals of 95 % by bootstrap "
            f"over notes; difference of F from {first} and its p, by approximate randomisation of notes, not "
            "corrected for the number of tests."
        ),
        head=(
            noun,
            *(f"{scored} {key}" for scored in SCORERS.values() for key in ("P", "R", "F", "ΔF", "p")),
            "training s",
        ),
        rows=rows,
        data=[
            {
                noun: name,
                "settings": dict(benches[name].settings) if name in benches else {},
                "figures": run.figures(),
                "against_first": {SCORERS[scorer]: test.to_json() for scorer, test in tests[name].items()},
                "seconds": dict(run.seconds),
            }
            for name, run in runs.items()
        ],
        svg=ranges(
            f"Phrase F by {noun}", {name: edges(run.intervals("strict")["f"]) for name, run in runs.items()}
        ),
    )
