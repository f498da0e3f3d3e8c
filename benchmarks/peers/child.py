"""Run one system in its own environment on one core. Uses nothing but the standard library.

    python child.py ADAPTER.py VARIANT SETS.json OUT.json SECONDS

SETS.json names JSON-lines files with ``id`` and ``text``. Those of ``timed`` are read in order: the first
ones as the cold pass, all that are scored in any case, and further ones until SECONDS are over. OUT.json gets
the figures and the marks; it is written anew after each set, so that a killed run leaves what it had.
Seconds are processor time.
"""

import importlib.util
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

COLD = 20
"""The most notes of the cold pass."""

WARM = 20
"""The fewest notes beyond the scored ones that make a warm pass of their own."""

_FIRST = "Seen by Dr. Okafor on 3/4/2019."


def texts(path: str) -> list[str]:
    """Return the texts of a JSON-lines file."""
    with Path(path).open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def peak() -> float:
    """Return the largest resident set of this process so far, in MB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1e3


def until(deadline: float, notes: Iterable[str]) -> Iterator[str]:
    """Yield notes until the processor time is over."""
    for note in notes:
        if time.process_time() >= deadline:
            return
        yield note


def main(adapter: str, variant: str, sets: str, out: str, seconds: str) -> None:
    """Measure one system."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    asked = json.loads(Path(sets).read_text(encoding="utf-8"))
    timed, scored = texts(asked["timed"]), asked["scored"]
    base = time.process_time()
    spec = importlib.util.spec_from_file_location("adapter", adapter)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    find = module.load(variant)
    list(find([_FIRST]))
    result = {"load": time.process_time() - base, "marks": {}}

    def lap(notes: Iterable[str]) -> tuple[list, float]:
        began = time.process_time()
        return list(find(notes)), time.process_time() - began

    def save() -> None:
        result["peak"] = peak()
        Path(out).write_text(json.dumps(result), encoding="utf-8")

    deadline = time.process_time() + float(seconds)
    cold = min(COLD, scored // 2)
    marks, took = lap(timed[:cold])
    result["cold"] = len(marks) / took
    more, took = lap(timed[cold:scored])
    result["warm"], result["read"] = len(more) / took, scored
    result["marks"]["notes"] = marks + more
    save()
    last, took = lap(until(deadline, timed[scored:]))
    if len(last) >= WARM:
        result["warm"], result["read"] = len(last) / took, scored + len(last)
    save()
    for name, path in asked["others"].items():
        result["marks"][name] = lap(texts(path))[0]
        save()
    result["done"] = True
    save()


if __name__ == "__main__":
    main(*sys.argv[1:])
