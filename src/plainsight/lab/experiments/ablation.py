"""Ablation: the same notes, the same detector, one setting changed at a time, each against the first.

Feature sets of the CRF (S53) and parts of a network that are left out (S100) are both named settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainsight.errors import UsageError, suggest
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench
from plainsight.lab.experiments.measured import SCORERS, Measured
from plainsight.lab.experiments.outcome import Outcome, edges, shown
from plainsight.lab.experiments.splits import Split

__all__ = ["ablation", "variants_of"]

Variants = Mapping[str, Mapping[str, Any]]


def variants_of(detector: str, names: Sequence[str] = ()) -> dict[str, Mapping[str, Any]]:
    """Return the variants of a detector that its entry names: these, or all."""
    known = trainers.trainable(detector).variants
    for name in names:
        if name not in known:
            raise UsageError(f"{detector} has no variant {name!r}{suggest(name, known)}")
    return {name: known[name] for name in names or known}


def ablation(
    bench: Bench,
    splits: Sequence[Split],
    *,
    variants: Variants | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Outcome:
    """Measure each variant; ``settings`` hold for all of them, a variant's own come first."""
    variants = variants or variants_of(bench.detector)
    if len(variants) < 2:
        raise UsageError("an ablation compares at least two variants")
    checked = {
        name: trainers.check_settings(bench.detector, {**(settings or {}), **own})
        for name, own in variants.items()
    }
    runs = {name: bench.measure(splits, own) for name, own in checked.items()}
    first, *_ = runs
    return Outcome(
        name="ablation",
        title=f"Ablation of {bench.detector}",
        about=(
            "Over phrases (span and label exact) and over tokens (any label); intervals of 95 % by bootstrap "
            f"over notes; difference of F from {first} and its p, by approximate randomisation of notes, not "
            "corrected for the number of tests."
        ),
        head=(
            "variant",
            *(f"{name} {key}" for name in SCORERS.values() for key in ("P", "R", "F", "ΔF", "p")),
            "training s",
        ),
        rows=[_row(name, run, None if name == first else runs[first]) for name, run in runs.items()],
        data=[_data(name, checked[name], run, runs[first]) for name, run in runs.items()],
        svg=ranges(
            f"Phrase F of {bench.detector} by variant",
            {name: edges(run.intervals("strict")["f"]) for name, run in runs.items()},
        ),
    )


def _row(name: str, run: Measured, first: Measured | None) -> list[Any]:
    row: list[Any] = [name]
    for scorer in SCORERS:
        micro = run.micro(scorer)
        test = run.against(first, scorer) if first else None
        row += [micro.precision, micro.recall, shown(run.intervals(scorer)["f"])]
        row += [test.f, test.p_f] if test else ["", ""]
    return [*row, f"{run.seconds.get('train', 0.0):.1f}"]


def _data(name: str, settings: Mapping[str, Any], run: Measured, first: Measured) -> dict[str, Any]:
    return {
        "variant": name,
        "settings": dict(settings),
        "figures": run.figures(),
        "against_first": {
            title: run.against(first, scorer).to_json()
            for scorer, title in SCORERS.items()
            if run is not first
        },
        "seconds": dict(run.seconds),
    }
