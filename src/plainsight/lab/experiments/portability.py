"""Portability: how well each system does on several corpora, how fast, and what it needs."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.evaluate.tally import ratio
from plainsight.lab.experiments.bench import Found
from plainsight.lab.experiments.fresh_process import run_fresh
from plainsight.lab.experiments.ledger import Ledger, summary
from plainsight.lab.experiments.measurement import Measured, measure
from plainsight.lab.experiments.outcome import Outcome, shown
from plainsight.lab.experiments.system import System


@dataclass(frozen=True, slots=True)
class _Cell:
    """One system on one corpus."""

    run: Measured
    notes: int
    peak: float | None


def portability(
    ledger: Ledger,
    systems: Sequence[System],
    corpora: Mapping[str, Sequence[Document]],
    *,
    group: str | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> Outcome:
    """Measure each system on each corpus, every time in a fresh process."""
    if not systems or not corpora:
        raise UsageError("a table of portability needs a system and a corpus at least")
    if len({system.name for system in systems}) < len(systems):
        raise UsageError("two systems have the same name")
    host = machine()
    cells = {
        system.name: {
            name: _cell(ledger, system, name, notes, group, host, tell) for name, notes in corpora.items()
        }
        for system in systems
    }
    return Outcome(
        name="portability",
        title="Accuracy, portability and speed",
        about=(
            "P, R and F over tokens (any label), intervals of 95 % by bootstrap over notes; spread: the best "
            "F minus the worst. Speed on one process once everything is loaded; load: until the first note "
            f"is done; memory: peak, notes included. {host['processor']}, {host['cores']} cores, "
            f"Python {host['python']}."
        ),
        head=(
            "system",
            *(f"{name} {key}" for name in corpora for key in ("P", "R", "F")),
            "spread",
            "notes/s",
            "load s",
            "peak MB",
        ),
        rows=[_row(name, row) for name, row in cells.items()],
        data=[_data(name, corpus, cell) for name, row in cells.items() for corpus, cell in row.items()],
        svg=_chart(cells).svg(),
    )


def machine() -> dict[str, Any]:
    """Return what the figures of speed depend on."""
    name = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        models = (
            line.partition(":")[2].strip() for line in cpus.read_text().splitlines() if "model name" in line
        )
        name = next(models, name)
    return {"processor": name, "cores": os.cpu_count(), "python": platform.python_version()}


def _cell(
    ledger: Ledger,
    system: System,
    corpus: str,
    notes: Sequence[Document],
    group: str | None,
    host: Mapping[str, Any],
    tell: Callable[[str], None],
) -> _Cell:
    def work() -> dict[str, Any]:
        tell(f"{system.name} on {corpus}: {len(notes)} notes")
        run = run_fresh(system, notes)
        found = Found(run.found, {"load": run.load_seconds, "detect": run.seconds})
        return {**found.to_json(), "peak_megabytes": run.peak_megabytes}

    key = {"experiment": "portability", **system.key(), "test": summary(notes), "machine": host}
    result = ledger.run(key, work)
    found = Found.from_json(result)
    measured = measure(notes, found.spans, seconds=found.seconds, group=group)
    return _Cell(measured, len(notes), result["peak_megabytes"])


def _speed(cells: Sequence[_Cell]) -> float | None:
    return ratio(sum(cell.notes for cell in cells), sum(cell.run.seconds["detect"] for cell in cells))


def _row(name: str, row: Mapping[str, _Cell]) -> list[Any]:
    cells = [*row.values()]
    intervals = [cell.run.intervals("binary-token") for cell in cells]
    scores = [each["f"].value for each in intervals if each["f"].value is not None]
    peaks = [cell.peak for cell in cells if cell.peak is not None]
    speed = _speed(cells)
    return [
        name,
        *(shown(each[key]) for each in intervals for key in ("precision", "recall", "f")),
        max(scores) - min(scores) if len(scores) > 1 else None,
        None if speed is None else f"{speed:,.1f}",
        f"{max(cell.run.seconds['load'] for cell in cells):.2f}",
        f"{max(peaks):,.0f}" if peaks else None,
    ]


def _data(name: str, corpus: str, cell: _Cell) -> dict[str, Any]:
    return {
        "system": name,
        "corpus": corpus,
        "notes": cell.notes,
        "figures": cell.run.figures(),
        "notes_per_second": _speed([cell]),
        "load_seconds": cell.run.seconds["load"],
        "peak_megabytes": cell.peak,
    }


def _chart(cells: Mapping[str, Mapping[str, _Cell]]) -> Chart:
    """Draw each system as a line from corpus to corpus at its speed: high is accurate, short is portable."""
    series = []
    for name, row in cells.items():
        speed = _speed([*row.values()])
        scores = {corpus: cell.run.micro("binary-token").f for corpus, cell in row.items()}
        known = {corpus: f for corpus, f in scores.items() if f is not None}
        points = [(speed or 1.0, f) for f in known.values()]
        series.append(Series(name, points, notes=[f"{corpus}: F {f:.4f}" for corpus, f in known.items()]))
    return Chart(
        title="Token F on each corpus, and speed", x="notes per second", y="F", series=series, log_x=True
    )
