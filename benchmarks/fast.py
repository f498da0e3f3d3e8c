"""Measure notes per second of whole policies on one core, cold and warm.

    python benchmarks/fast.py [NOTES] [--policies fast balanced] [--notes 200] [--runs 5] [--json]

The notes have 500 words each and one identifier in 34 words, as real notes do: they are made from a folder of
marked notes (default: corpus) and its lines without identifiers. Each run is a process of its own, pinned to
one thread, that parses JSON lines, detects, combines, replaces and writes JSON lines:

- cold: the first pass over the notes, right after loading;
- warm: notes the process has not seen, after three times as many others;
- repeated: the same notes a second time, which profits from caches as real work never does.

The table gives the median and the range over the runs, in notes per second of processor time. ``additions``
is the time of three million additions in Python, to compare machines. Uses only the public API, so the same
file measures other versions: ``PYTHONPATH=OTHER/src python benchmarks/fast.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

_WORDS = 500
_WORDS_PER_IDENTIFIER = 34.0
_WARM_UP = 3
_MARK = re.compile(r"\{\{[A-Z_]+\|(.*?)\}\}", re.DOTALL)

_CHILD = """
import json, re, sys, time
from pathlib import Path
import plainsight
from plainsight import Document

def deidentified(path):
    began = time.process_time()
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    notes = (Document(note["id"], note["text"]) for note in map(json.loads, lines))
    Path(target).write_text("".join(
        json.dumps({"id": note.id, "text": note.text}) + "\\n" for note in pipeline.deidentify(notes)
    ), encoding="utf-8")
    return time.process_time() - began

target, policy, *paths = sys.argv[1:]
began = time.process_time()
pipeline = plainsight.load(policy, key=bytes(range(32)))
list(pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")]))
loaded = time.process_time() - began
took = [deidentified(path) for path in paths]
peak = int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1e3
print(json.dumps({"load": loaded, "took": took, "peak": peak}))
"""


def realistic_notes(folder: Path, count: int, words: int = _WORDS) -> list[str]:
    """Return texts with one identifier in 34 words, made from a folder of marked notes; ``words`` long."""
    made: list[str] = []
    lines: list[str] = []
    size = 0
    for line in _lines(folder):
        lines.append(line)
        size += len(line.split())
        if size >= words:
            made.append("\n".join(lines))
            lines, size = [], 0
        if len(made) == count:
            break
    return made


def _lines(folder: Path) -> Iterator[str]:
    """Yield the lines of all notes, over and over, with clean lines between them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.txt"))]
    clean = cycle([line for text in texts for line in text.splitlines() if line and "{{" not in line])
    owed = 0.0
    for text in cycle(texts):
        plain, identifiers = _MARK.subn(r"\1", text)
        yield from plain.splitlines()
        owed += identifiers * _WORDS_PER_IDENTIFIER - len(plain.split())
        while owed > 0:
            line = next(clean)
            yield line
            owed -= len(line.split())


def write_notes(path: Path, texts: Sequence[str]) -> None:
    """Write texts as JSON lines."""
    lines = (json.dumps({"id": str(number), "text": text}) + "\n" for number, text in enumerate(texts))
    path.write_text("".join(lines), encoding="utf-8")


def measured(policy: str, texts: Sequence[str], runs: int) -> dict[str, list[float]]:
    """Return the figures of a policy, one of each run."""
    cut = len(texts) // (_WARM_UP + 1)
    timed, others = texts[:cut], texts[cut:]
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        target, first, rest = (Path(folder, f"{name}.jsonl") for name in ("out", "timed", "others"))
        write_notes(first, timed)
        write_notes(rest, others)
        for _ in range(runs):
            new = _child(target, policy, [first, first])
            warm = _child(target, policy, [rest, first])
            row = {
                "cold": cut / new["took"][0],
                "warm": cut / warm["took"][1],
                "repeated": cut / new["took"][1],
                "load, s": new["load"],
                "peak, MB": new["peak"],
            }
            for name, value in row.items():
                figures.setdefault(name, []).append(value)
    return figures


def _child(target: Path, policy: str, paths: Sequence[Path]) -> dict[str, Any]:
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _CHILD, str(target), policy, *map(str, paths)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **one_thread}
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def seconds(work: Any, rounds: int = 3) -> float:
    """Return the least processor seconds of several rounds."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced"])
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    texts = realistic_notes(asked.folder, asked.notes * (_WARM_UP + 1))
    figures: dict[str, Any] = {"additions, s": seconds(lambda: sum(islice(iter(int, 1), 3_000_000)))}
    for policy in asked.policies:
        figures[policy] = measured(policy, texts, asked.runs)
        if not asked.json:
            print(f"{policy}:", "; ".join(_shown(*item) for item in figures[policy].items()), flush=True)
    if asked.json:
        json.dump(figures, sys.stdout, indent=1)
    else:
        print(f"additions: {figures['additions, s']:.3f} s")


def _shown(name: str, values: Sequence[float]) -> str:
    unit = "" if "," in name else " notes/s"
    return f"{name} {median(values):.3g}{unit} ({min(values):.3g} to {max(values):.3g})"


if __name__ == "__main__":
    main()
