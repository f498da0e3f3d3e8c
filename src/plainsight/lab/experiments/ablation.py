"""Ablation: the same notes, the same detector, one setting changed at a time, each against the first.

Feature sets of the CRF and parts of a network that are left out are both named settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainsight.errors import UsageError, suggest
from plainsight.evaluate.report.charts import ranges
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench
from plainsight.lab.experiments.measurement import SCORERS, Measured
from plainsight.lab.experiments.outcome import Outcome, edges, shown
from plainsight.lab.experiments.splits import Split

Variants = Mapping[str, Mapping[str, Any]]


def variants_of(detector: str, names: Sequence[str] = ()) -> dict[str, Mapping[str, Any]]:
    """Return named variants of a detector: these, or all."""
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
    return compared(runs, checked, name="ablation", title=f"Ablation of {bench.detector}", noun="variant")


def compared(
    runs: Mapping[str, Measured], settings: Variants, *, name: str, title: str, noun: str
) -> Outcome:
    """Compare runs on the same notes, each against the first."""
    first, *_ = runs
    columns = ("P", "R", "F", "ΔF", "p")
    return Outcome(
        name=name,
        title=title,
        about=(
            "Over phrases (span and label exact) and over tokens (any label); intervals of 95 % by bootstrap "
            f"over notes; difference of F from {first} and its p, by approximate randomisation of notes, not "
            "corrected for the number of tests."
        ),
        head=(noun, *(f"{scored} {key}" for scored in SCORERS.values() for key in columns), "training s"),
        rows=[_row(name, run, None if name == first else runs[first]) for name, run in runs.items()],
        data=[
            {
                noun: name,
                "settings": dict(settings.get(name, {})),
                "figures": run.figures(),
                "against_first": {
                    scored: run.against(runs[first], scorer).to_json()
                    for scorer, scored in SCORERS.items()
                    if name != first
                },
                "seconds": dict(run.seconds),
            }
            for name, run in runs.items()
        ],
        svg=ranges(
            f"Phrase F by {noun}", {name: edges(run.intervals("strict")["f"]) for name, run in runs.items()}
        ),
    )


def _row(name: str, run: Measured, first: Measured | None) -> list[Any]:
    row: list[Any] = [name]
    for scorer in SCORERS:
        intervals = run.intervals(scorer)
        test = run.against(first, scorer) if first else None
        row += [shown(intervals[key]) for key in ("precision", "recall", "f")]
        row += [test.f, test.p_f] if test else ["", ""]
    return [*row, f"{run.seconds.get('train', 0.0):.1f}"]
