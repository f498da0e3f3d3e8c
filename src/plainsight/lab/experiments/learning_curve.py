"""Learning curve: train on random subsets of the notes, from a handful to all, and test on the same notes.

Each size is drawn several times. Counts are averaged over the draws note by note, so that intervals are over
notes, and neighbouring sizes can be compared by approximate randomisation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import stdev
from typing import Any

from plainsight.errors import UsageError
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.evaluate.statistics import Significance
from plainsight.lab.experiments.bench import Bench, Split, subset
from plainsight.lab.experiments.results import SCORERS, Measured, Outcome, average, shown
from plainsight.lab.experiments.systems import settings_of

SIZES = ("13", "2%", "5%", "10%", "20%", "40%", "60%", "80%", "100%")
"""How many training notes: a number, or a share of all."""

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)(%?)")


@dataclass(frozen=True, slots=True)
class _Point:
    """One size of the curve: its runs, one for each draw, and their mean."""

    size: str
    notes: int
    runs: tuple[Measured, ...]
    mean: Measured

    def deviation(self, scorer: str) -> float | None:
        """Return the standard deviation of F over the draws; undefined for one draw."""
        values = [f for run in self.runs if (f := run.micro(scorer).f) is not None]
        return stdev(values) if len(values) > 1 else None


def learning_curve(
    benches: Sequence[Bench],
    splits: Sequence[Split],
    *,
    sizes: Sequence[str] = SIZES,
    seeds: int = 3,
    seed: int = 0,
    scorer: str = "binary-token",
) -> Outcome:
    """Measure detectors on growing subsets of the training notes, each drawn with several seeds.

    The figure of one detector shows its F over phrases and over tokens, that of several the F of ``scorer``.
    """
    least = min(len(split.train) for split in splits)
    wanted: dict[int, str] = {}
    for size in sizes:
        if (count := _count(size, least)) <= least:
            wanted.setdefault(count, size)
    if not wanted:
        raise UsageError(f"every size is larger than the {least} training notes")
    draws = range(seed, seed + seeds)
    curves = {bench.detector: _curve(bench, splits, wanted, draws) for bench in benches}
    rows, data = [], []
    for detector, points in curves.items():
        named = {"detector": detector} if len(curves) > 1 else {}
        tests = [None, *(_tests(before, point) for before, point in pairwise(points))]
        rows += [[*named.values(), *_row(*each)] for each in zip(points, tests, strict=True)]
        data += [{**named, **_data(*each)} for each in zip(points, tests, strict=True)]
    return Outcome(
        name="learning-curve",
        title=f"Learning curve of {', '.join(curves)}",
        about=(
            f"F over phrases (span and label exact) and over tokens (any label), {seeds} draws a size; "
            "intervals of 95 % by bootstrap over notes; SD over draws; p: chance of such a difference from "
            "the size before, by approximate randomisation of notes, not corrected for the number of tests."
        ),
        head=(
            *(("detector",) if len(curves) > 1 else ()),
            *("size", "notes", "phrase F", "SD", "p", "token F", "SD", "p"),
        ),
        rows=rows,
        data=data,
        svg=_chart(curves, scorer).svg(),
    )


def _curve(
    bench: Bench, splits: Sequence[Split], wanted: Mapping[int, str], draws: Sequence[int]
) -> list[_Point]:
    """Measure one detector at each size."""
    seeded = [
        replace(bench, settings={**bench.settings, "seed": draw})
        if "seed" in settings_of(bench.detector)
        else bench
        for draw in draws
    ]
    points = []
    for count, size in sorted(wanted.items()):
        runs = [
            own.measure([_shrink(split, size, draw) for split in splits])
            for draw, own in zip(draws, seeded, strict=True)
        ]
        points.append(_Point(size, count, tuple(runs), average(runs)))
    return points


def _tests(before: _Point, point: _Point) -> dict[str, Significance]:
    return {scorer: point.mean.against(before.mean, scorer) for scorer in SCORERS}


def _count(size: str, whole: int) -> int:
    """Return how many notes a size is.

    >>> _count("13", 669), _count("2%", 669), _count("2%", 10)
    (13, 13, 1)
    """
    if not (hit := _SIZE.fullmatch(size.strip())) or ("." in hit[1] and not hit[2]) or not float(hit[1]):
        raise UsageError(f"{size!r} is no size: a number of notes, or a share such as 5%")
    return max(1, round(float(hit[1]) / 100 * whole)) if hit[2] else int(hit[1])


def _shrink(split: Split, size: str, draw: int) -> Split:
    return Split(subset(split.train, _count(size, len(split.train)), seed=draw), split.test)


def _row(point: _Point, test: Mapping[str, Significance] | None) -> list[Any]:
    row: list[Any] = [point.size, point.notes]
    for scorer in SCORERS:
        p = test[scorer].p_f if test else None
        row += [*point.mean.cells(scorer, "f"), point.deviation(scorer), p]
    return row


def _data(point: _Point, test: Mapping[str, Significance] | None) -> dict[str, Any]:
    return {
        "size": point.size,
        "notes": point.notes,
        "draws": len(point.runs),
        "figures": point.mean.figures(),
        "f_of_draws": {name: [r.micro(scorer).f for r in point.runs] for scorer, name in SCORERS.items()},
        "against_size_before": (
            {name: test[scorer].to_json() for scorer, name in SCORERS.items()} if test else None
        ),
        "seconds": dict(point.mean.seconds),
    }


def _chart(curves: Mapping[str, Sequence[_Point]], scorer: str) -> Chart:
    if len(curves) == 1:
        [points] = curves.values()
        lines = {f"{name} F": (points, scorer) for scorer, name in SCORERS.items()}
    else:
        lines = {detector: (points, scorer) for detector, points in curves.items()}
    series = []
    for name, (points, scored) in lines.items():
        known = [(p, f) for p in points if (f := p.mean.intervals(scored)["f"]).value is not None]
        series.append(
            Series(
                name,
                [(point.notes, f.value or 0.0) for point, f in known],
                notes=[f"{point.notes} notes: {shown(f)}" for point, f in known],
            )
        )
    y = "F" if len(curves) == 1 else f"F over {SCORERS[scorer]}s"
    title = f"Learning curve of {', '.join(curves)}"
    return Chart(title=title, x="training notes", y=y, series=series, log_x=True)
