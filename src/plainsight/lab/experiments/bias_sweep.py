"""Bias sweep: one model, many biases: precision against recall, with other systems beside the curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import pair_up
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench, Found
from plainsight.lab.experiments.ledger import summary
from plainsight.lab.experiments.measurement import SCORERS, Measured, measure, pool
from plainsight.lab.experiments.outcome import Outcome, shown
from plainsight.lab.experiments.splits import Split
from plainsight.lab.experiments.system import System

BIASES = "-4:2:0.5"
"""From, to and step."""


def steps(text: str) -> list[float]:
    """Read biases: ``from:to:step``, or numbers with commas.

    >>> steps("-1:1:0.5"), steps("-1.75,0")
    ([-1.0, -0.5, 0.0, 0.5, 1.0], [-1.75, 0.0])
    """
    try:
        if ":" not in text:
            return [float(part) for part in text.split(",")]
        low, high, step = map(float, text.split(":"))
        return [round(low + place * step, 10) for place in range(int((high - low) / step + 1e-9) + 1)]
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{text!r} is no range of biases, such as {BIASES} or -1.75,0") from None


def bias_sweep(
    bench: Bench,
    splits: Sequence[Split],
    *,
    biases: Sequence[float],
    settings: Mapping[str, Any] | None = None,
    model: Path | None = None,
    others: Mapping[str, Measured] | None = None,
    scorer: str = "strict",
) -> Outcome:
    """Test one model with each bias: one that is given, or else one that is trained on each split.

    ``others`` are further systems on the same notes (`found_by`, `read_from`), drawn as points.
    """
    if not trainers.has_bias(bench.detector):
        raise UsageError(f"{bench.detector} has no bias to sweep")
    settings = trainers.check_settings(bench.detector, settings or {})
    options = [{"bias": bias} for bias in biases]
    if model:
        parts = [bench.sweep_model(model, split.test, options) for split in splits]
    else:
        parts = [bench.sweep(split, settings, options) for split in splits]
    runs = [(f"{bias:+g}", pool(run)) for bias, run in zip(biases, zip(*parts, strict=True), strict=True)]
    named = [*((f"bias {bias}", run) for bias, run in runs), *(others or {}).items()]
    return Outcome(
        name="bias-sweep",
        title=f"Bias sweep of {bench.detector}",
        about=(
            "A bias below 0 makes the model find more. Over phrases (span and label exact) and over tokens "
            "(any label); intervals of 95 % by bootstrap over notes."
        ),
        head=("system", *(f"{name} {key}" for name in SCORERS.values() for key in ("P", "R", "F"))),
        rows=[_row(name, run) for name, run in named],
        data=[
            {"system": name, "bias": bias, "figures": run.figures(), "seconds": dict(run.seconds)}
            for (name, run), bias in zip(named, [*biases, *[None] * len(others or {})], strict=True)
        ],
        svg=_chart(bench.detector, runs, others or {}, scorer).svg(),
    )


def found_by(bench: Bench, system: System, notes: Sequence[Document]) -> Measured:
    """Measure another system on the notes that are tested."""
    key = {**system.key(), "test": summary(notes)}

    def work() -> dict[str, Any]:
        bench.tell(f"{system.name}: test on {len(notes)} notes")
        return Found(system.find(notes), {}).to_json()

    return bench.score(notes, Found.from_json(bench.ledger.run(key, work)))


def read_from(
    path: Path, notes: Sequence[Document], *, labels: str | None = None, group: str | None = None
) -> Measured:
    """Measure what another system marked in a file; it may hold further notes."""
    pairs = pair_up(notes, read_notes(path, labels=labels, keep_overlaps=True), unmatched="skip")
    if len(pairs) < len(notes):
        raise UsageError(f"{path} has {len(pairs)} of the {len(notes)} notes that are tested")
    return measure(notes, [pair.found for pair in pairs], seconds={}, group=group)


def _row(name: str, run: Measured) -> list[Any]:
    intervals = [run.intervals(scorer) for scorer in SCORERS]
    return [name, *(shown(each[key]) for each in intervals for key in ("precision", "recall", "f"))]


def _chart(
    detector: str, runs: Sequence[tuple[str, Measured]], others: Mapping[str, Measured], scorer: str
) -> Chart:
    placed = [(f"bias {bias}", point) for bias, run in runs if (point := _place(run, scorer))]
    curve = Series(detector, [point for _, point in placed], notes=[note for note, _ in placed])
    points = [
        Series(name, [point], line=False) for name, run in others.items() if (point := _place(run, scorer))
    ]
    return Chart(
        title=f"Precision and recall over {SCORERS[scorer]}s",
        x="recall",
        y="precision",
        series=[curve, *points],
    )


def _place(run: Measured, scorer: str) -> tuple[float, float] | None:
    micro = run.micro(scorer)
    return None if micro.recall is None or micro.precision is None else (micro.recall, micro.precision)
