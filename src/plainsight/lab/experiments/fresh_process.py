"""Run a system in a process of its own, so that load time and memory are the system's alone.

`run_fresh` starts ``python -m plainsight.lab.experiments.fresh_process``. The system and the notes come as
JSON lines on stdin; spans and figures go to stdout as one JSON object. No file is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from plainsight.document import Document, Span
from plainsight.errors import PlainsightError, UsageError
from plainsight.lab.experiments.system import System

_SAMPLE = (
    "Mrs. Jane Doe was seen by Dr. Richard Roe at Springfield General Hospital on 3/4/2019. Call 555-0100."
)


@dataclass(frozen=True, slots=True, repr=False)
class FreshRun:
    """The spans found in each note, the seconds, and the peak of memory in megabytes."""

    found: list[list[Span]]
    load_seconds: float
    seconds: float
    peak_megabytes: float | None


def run_fresh(system: System, documents: Sequence[Document]) -> FreshRun:
    """Run a system on notes in a fresh process."""
    lines = [json.dumps(system.to_json()), *(json.dumps([d.id, d.text, d.patient_id]) for d in documents)]
    done = subprocess.run(
        [sys.executable, "-m", "plainsight.lab.experiments.fresh_process"],
        input="\n".join(lines),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("plainsight: ")]
        reason = said[-1].removeprefix("plainsight: ") if said else f"exit code {done.returncode}"
        raise UsageError(f"{system.name} cannot be measured: {reason}")
    result = json.loads(done.stdout)
    found = [[Span(start, end, label) for start, end, label in spans] for spans in result.pop("found")]
    return FreshRun(found, **result)


def _work(lines: Sequence[str]) -> dict[str, Any]:
    system = System(**json.loads(lines[0]))
    documents = [
        Document(name, text, patient_id=patient) for name, text, patient in map(json.loads, lines[1:])
    ]
    began = perf_counter()
    system.find([Document("sample", _SAMPLE)])  # loads lists and models
    loaded = perf_counter()
    found = system.find(documents)
    return {
        "seconds": perf_counter() - loaded,
        "load_seconds": loaded - began,
        "peak_megabytes": _peak(),
        "found": [[(span.start, span.end, span.label) for span in spans] for spans in found],
    }


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
    print(json.dumps(result))


if __name__ == "__main__":
    _main()
