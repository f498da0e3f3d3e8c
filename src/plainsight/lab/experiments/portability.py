"""Portability: how well each system does on several corpora, how fast, and how much memory it needs.

Each system runs in a process of its own, so that load time and memory are its alone. `run_fresh` starts
``python -m plainsight.lab.experiments.portability``. The system and the notes come as JSON lines on stdin;
spans and figures go to stdout as one JSON object. No file is written.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from plainsight.document import Document
from plainsight.errors import PlainsightError, UsageError
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.evaluate.tally import ratio
from plainsight.lab.experiments.bench import Found, Ledger, remember
from plainsight.lab.experiments.results import Measured, Outcome, measure
from plainsight.lab.experiments.systems import System

_SAMPLE = (
    "Mrs. Jane Doe was seen by Dr. Richard Roe at Springfield General Hospital on 3/4/2019. Call 555-0100."
)


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
) -> Outcome:
    """Measure each system on each corpus, every time in a fresh process."""
    if not systems or not corpora:
        raise UsageError("a table of portability needs a system and a corpus at least")
    if len({system.name for system in systems}) < len(systems):
        raise UsageError("two systems have the same name")
    host = machine()

    def cell(system: System, corpus: str, notes: Sequence[Document]) -> _Cell:
        def find() -> Found:
            ledger.tell(f"{system.name} on {corpus}: {len(notes)} notes")
            return run_fresh(system, notes)

        key = {"experiment": "portability", **system.key(), "machine": host}
        found = remember(ledger, key, notes, find)
        run = measure(notes, found.spans, seconds=found.seconds, group=group)
        return _Cell(run, len(notes), found.peak_megabytes)

    cells = {
        system.name: {name: cell(system, name, notes) for name, notes in corpora.items()}
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


def _speed(cells: Sequence[_Cell]) -> float | None:
    return ratio(sum(cell.notes for cell in cells), sum(cell.run.seconds["detect"] for cell in cells))


def _row(name: str, row: Mapping[str, _Cell]) -> list[Any]:
    cells = [*row.values()]
    scores = [f for cell in cells if (f := cell.run.micro("binary-token").f) is not None]
    peaks = [cell.peak for cell in cells if cell.peak is not None]
    speed = _speed(cells)
    return [
        name,
        *(figure for cell in cells for figure in cell.run.cells("binary-token")),
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


def run_fresh(system: System, documents: Sequence[Document]) -> Found:
    """Run a system on notes in a fresh process."""
    lines = [json.dumps(system.to_json()), *(json.dumps([d.id, d.text, d.patient_id]) for d in documents)]
    done = subprocess.run(
        [sys.executable, "-m", "plainsight.lab.experiments.portability"],
        input="\n".join(lines),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("plainsight: ")]
        reason = errors[-1].removeprefix("plainsight: ") if errors else f"exit code {done.returncode}"
        raise UsageError(f"{system.name} cannot be measured: {reason}")
    return Found.from_json(json.loads(done.stdout))


def _work(lines: Sequence[str]) -> Found:
    """Do the work of the fresh process."""
    system = System(**json.loads(lines[0]))
    documents = [
        Document(name, text, patient_id=patient) for name, text, patient in map(json.loads, lines[1:])
    ]
    began = perf_counter()
    system.find([Document("sample", _SAMPLE)])  # loads lists and models
    loaded = perf_counter()
    found = system.find(documents)
    return Found(found, {"load": loaded - began, "detect": perf_counter() - loaded}, _peak())


def _peak() -> float | None:
    """Return the peak memory of this process in megabytes, where the platform reports it."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, getrusage reports the parent's peak
        sizes = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        if sizes:
            return int(sizes[0]) * 1024 / 1e6
    try:
        import resource
    except ModuleNotFoundError:
        return None
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


def _main() -> None:
    try:
        result = _work(sys.stdin.buffer.read().decode("utf-8").split("\n"))
    except PlainsightError as error:
        sys.exit(f"plainsight: {error}")
    except Exception as error:  # the message could hold note text
        sys.exit(f"plainsight: internal error: {type(error).__name__}")
    print(json.dumps(result.to_json()))


if __name__ == "__main__":
    _main()
