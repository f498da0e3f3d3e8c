"""Compare Spark with the local engine on the same cores, start-up apart.

    python benchmarks/spark.py --notes 20000                    # Spark in this machine, two cores
    python benchmarks/spark.py --notes 100000 --rounds 1
    python benchmarks/spark.py --master spark://head:7077 --cores 16

Each engine does a quarter of the notes, then all of them, from a fresh start; the figures are those of the
difference, so that the start of processes and Java and the loading of models cancel out. The engines take
turns and meet the same other load. CPU seconds are those of all processes that descend from this one, so they
need Spark in this machine (``local[N]``); they hardly depend on other load. The driver's share is what this
process alone takes, and bounds how many cores it can feed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import plainsight
from plainsight.document import Document
from plainsight.run.processes import spread
from plainsight.run.spark import spread_on_spark

TICKS = os.sysconf("SC_CLK_TCK")
DEMO = Path(plainsight.__file__).parent / "data" / "demo" / "notes.jsonl"
KEY = b"a benchmark has no secrets, so this is its key"


def notes(count: int) -> Iterator[Document]:
    """Yield the notes of the demo again and again, each with a number of its own; five are of one patient."""
    demo = [json.loads(line)["text"] for line in DEMO.read_text(encoding="utf-8").splitlines()]
    for number in range(count):
        text = f"{demo[number % len(demo)]}\nVisit {number}, MRN {4400000 + number}.\n"
        yield Document(f"n{number}", text, (), f"p{number // 5}")


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all that descend from it, ended ones included."""
    stats = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stats[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
    family = {os.getpid()}
    while new := {pid for pid, stat in stats.items() if int(stat[1]) in family} - family:
        family |= new
    return sum(int(field) for pid in family for field in stats[pid][11:15]) / TICKS


def spent(results: Iterator[object], count: int) -> tuple[float, float, float]:
    """Return the seconds, the CPU seconds and this process's own until an engine has given all results."""
    began, cpu, own = time.perf_counter(), cpu_seconds(), time.process_time()
    for number, _ in enumerate(results, start=1):
        if number == count:  # its processes are still there to be asked
            figures = time.perf_counter() - began, cpu_seconds() - cpu, time.process_time() - own
    return figures


def measured(engine: Callable[[Iterator[Document]], Iterator[object]], count: int) -> dict[str, float]:
    """Return what a note costs, start-up apart, and the seconds of start-up."""
    spent(engine(notes(50)), 50)  # Java stays for the runs that follow
    few = count // 4
    small, large = (spent(engine(notes(size)), size) for size in (few, count))
    wall, cpu, own = (b - a for a, b in zip(small, large, strict=True))
    return {
        "start_seconds": small[0] - wall / (count - few) * few,
        "notes_per_second": (count - few) / wall,
        "cpu_ms_per_note": cpu / (count - few) * 1000,
        "driver_cpu_ms_per_note": own / (count - few) * 1000,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--master", help="default: local[CORES]")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    pipeline = plainsight.load(options.policy, key=KEY)
    master = options.master or f"local[{options.cores}]"
    engines = {
        "local": lambda given: spread(pipeline, "with_originals", given, processes=options.cores),
        "spark": lambda given: spread_on_spark(pipeline, "with_originals", given, master=master),
    }
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in engines}
    for number in range(options.rounds):
        for name, engine in engines.items():
            figures[name].append(found := measured(engine, options.notes))
            print(
                f"round {number + 1} {name}: " + ", ".join(f"{k} {v:.2f}" for k, v in found.items()),
                flush=True,
            )
    middle = {
        name: {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        for name, runs in figures.items()
    }
    local, spark = middle["local"], middle["spark"]
    ratios = {
        "wall_overhead": local["notes_per_second"] / spark["notes_per_second"] - 1,
        "cpu_overhead": spark["cpu_ms_per_note"] / local["cpu_ms_per_note"] - 1,
        "cores_one_driver_feeds": spark["cpu_ms_per_note"] / spark["driver_cpu_ms_per_note"],
    }
    print(json.dumps(result := {"notes": options.notes, "median": middle, **ratios}, indent=2))
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
