"""Bias sweep: one model, many biases: precision against recall, with other systems beside the curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import pair_up
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.lab.experiments import systems
from plainsight.lab.experiments.bench import Bench, Found, Split, remember
from plainsight.lab.experiments.results import SCORERS, Measured, Outcome, measure, pool

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
    benches: Sequence[Bench],
    splits: Sequence[Split],
    *,
    biases: Sequence[float],
    model: Path | None = None,
    others: Mapping[str, Measured] | None = None,
    scorer: str = "strict",
) -> Outcome:
    """Test one model of each detector with each bias: the given one, or one that is trained on each split.

    ``others`` are further systems on the same notes (`found_by`, `read_from`), drawn as points.
    """
    for bench in benches:
        if not systems.has_bias(bench.detector):
            raise UsageError(f"{bench.detector} has no bias to sweep")
    if model and len(benches) > 1:
        raise UsageError("a model is of one detector: give one --detector")
    others = others or {}
    runs: dict[str, Measured] = {}
    series = []
    for bench in benches:
        name = f"{bench.detector}, bias" if len(benches) > 1 else "bias"
        parts = [bench.sweep(split, [{"bias": bias} for bias in biases], model) for split in splits]
        own = {f"{name} {bias:+g}": pool(run) for bias, *run in zip(biases, *parts, strict=True)}
        placed = {title: point for title, run in own.items() if (point := _place(run, scorer))}
        series.append(Series(bench.detector, [*placed.values()], notes=[*placed]))
        runs |= own
    numbers = [*(bias for _ in benches for bias in biases), *(None for _ in others)]
    points = {name: point for name, run in others.items() if (point := _place(run, scorer))}
    return Outcome(
        name="bias-sweep",
        title=f"Bias sweep of {', '.join(bench.detector for bench in benches)}",
        about=(
            "A bias below 0 makes the model find more. Over phrases (span and label exact) and over tokens "
            "(any label); intervals of 95 % by bootstrap over notes."
        ),
        head=("system", *(f"{name} {key}" for name in SCORERS.values() for key in ("P", "R", "F"))),
        rows=[
            [name, *(cell for scorer in SCORERS for cell in run.cells(scorer))]
            for name, run in {**runs, **others}.items()
        ],
        data=[
            {"system": name, "bias": bias, "figures": run.figures(), "seconds": dict(run.seconds)}
            for (name, run), bias in zip({**runs, **others}.items(), numbers, strict=True)
        ],
        svg=Chart(
            title=f"Precision and recall over {SCORERS[scorer]}s",
            x="recall",
            y="precision",
            series=[
                *series,
                *(Series(name, [point], line=False) for name, point in points.items()),
            ],
        ).svg(),
    )


def found_by(bench: Bench, system: systems.System, notes: Sequence[Document]) -> Measured:
    """Measure another system on the test notes."""

    def find() -> Found:
        bench.ledger.tell(f"{system.name}: test on {len(notes)} notes")
        return Found(system.find(notes))

    return bench.score(notes, remember(bench.ledger, system.key(), notes, find))


def read_from(
    path: Path, notes: Sequence[Document], *, labels: str | None = None, group: str | None = None
) -> Measured:
    """Measure what another system marked in a file; it may hold further notes."""
    pairs = pair_up(notes, read_notes(path, labels=labels, keep_overlaps=True), unmatched="skip")
    if len(pairs) < len(notes):
        raise UsageError(f"{path} has {len(pairs)} of the {len(notes)} notes that are tested")
    return measure(notes, [pair.found for pair in pairs], seconds={}, group=group)


def _place(run: Measured, scorer: str) -> tuple[float, float] | None:
    micro = run.micro(scorer)
    return None if micro.recall is None or micro.precision is None else (micro.recall, micro.precision)
