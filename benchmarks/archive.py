"""Run the command line over an archive and watch it: notes per second, memory of each process, busy cores.

    python benchmarks/archive.py [--notes 1000000] [--words 500] [--processes 2] [--policy fast] [--json]

The archive is a JSON-lines file of notes of 500 words, written as a stream. Notes are those that ``fast.py``
makes, in turn, with the identifiers of each changed: other letters in names, other digits in numbers. So no
two notes are alike, as in a real archive. The command is ``plainsight deidentify`` with a key.

Every ``--every`` seconds the memory of each process is read: resident (RSS), its share of it (PSS) and what
is its alone (USS). The cores that are busy are the processor time of all processes over the seconds by the
clock. Linux only.
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
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from fast import realistic_notes

_BASE = 2_000  # notes that the others are varied from
_WORD = re.compile(r"\b[A-Z][a-z]{3,}\b|\d")
_SHARES = {"1/6": 1 / 6, "1/3": 1 / 3, "2/3": 2 / 3, "end": 1.0}
_TICKS = os.sysconf("SC_CLK_TCK")


def varied(text: str, drawn: Random) -> str:
    """Return a note with other digits and, here and there, other letters in its capitalised words."""
    digits = str.maketrans("0123456789", "".join(drawn.sample("0123456789", 10)))
    letters = drawn.sample("bcdfghjklmnprstvw", 2)
    swapped = str.maketrans(dict(zip(letters, reversed(letters), strict=True)))

    def other(match: re.Match[str]) -> str:
        word = match[0]
        if word.isdigit():
            return word.translate(digits)
        return word.translate(swapped) if drawn.random() < 0.1 else word

    return _WORD.sub(other, text)


def write_archive(path: Path, count: int, corpus: Path, words: int) -> int:
    """Write notes, three of each patient; return the bytes."""
    base = realistic_notes(corpus, min(count, _BASE), words)
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            text = base[number % len(base)]
            if number >= len(base):
                text = varied(text, Random(number))
            json.dump({"id": f"n{number}", "patient_id": f"p{number // 3}", "text": text}, out)
            out.write("\n")
    return path.stat().st_size


def family(parent: int) -> Iterator[tuple[int, list[str]]]:
    """Yield a process and all that come from it, with the fields of its ``stat`` behind the name."""
    fields = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields[int(folder.name)] = (folder / "stat").read_text().rpartition(") ")[2].split()
            except OSError:
                continue
    wanted = [parent]
    for process in wanted:
        if process in fields:
            yield process, fields[process]
        wanted += [child for child, its in fields.items() if int(its[1]) == process]


def memory(process: int) -> dict[str, float]:
    """Return the MB of a process: resident, its share, its alone."""
    kept: dict[str, float] = defaultdict(float)
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]:
        name, kilobytes = line.split()[:2]
        kept[name.rstrip(":")] = int(kilobytes) / 1024
    alone = kept["Private_Clean"] + kept["Private_Dirty"]
    return {"rss": kept["Rss"], "pss": kept["Pss"], "uss": alone}


def watched(command: list[str], every: float) -> dict[str, Any]:
    """Run a command; return its seconds, its processor seconds, and the memory of its processes over time."""
    began = time.perf_counter()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    spent: dict[int, float] = {}
    samples: list[dict[str, Any]] = []
    while running.poll() is None:
        time.sleep(min(every, 0.5) if len(samples) < 5 else every)
        seen = []
        for process, fields in family(running.pid):
            spent[process] = (int(fields[11]) + int(fields[12])) / _TICKS
            try:
                seen.append({"process": process, **memory(process)})
            except (OSError, ValueError):
                continue
        samples.append({"seconds": time.perf_counter() - began, "processes": seen})
    took = time.perf_counter() - began
    if running.returncode not in (0, 1):  # 1: some notes were set aside
        message = running.stderr.read().decode() if running.stderr else ""
        raise SystemExit(f"failed with {running.returncode}: {message}")
    return {"seconds": took, "processor_seconds": sum(spent.values()), "samples": samples}


def peaks(samples: list[dict[str, Any]]) -> dict[int, dict[str, float]]:
    """Return the highest figures of each process, and its resident MB after parts of the run."""
    by_process: dict[int, list[dict[str, float]]] = defaultdict(list)
    for sample in samples:
        for one in sample["processes"]:
            by_process[one["process"]].append(one)
    return {
        process: {
            **{kind: max(one[kind] for one in its) for kind in ("rss", "pss", "uss")},
            **{name: its[int(share * (len(its) - 1))]["rss"] for name, share in _SHARES.items()},
        }
        for process, its in by_process.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--notes", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=500, help="of each note")
    parser.add_argument("--processes", default="2")
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--corpus", type=Path, default=Path("corpus"))
    parser.add_argument(
        "--folder", type=Path, help="where the archive and the output are written for a while"
    )
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two looks at the memory")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        source, target, key = (Path(folder, name) for name in ("notes.jsonl", "clean.jsonl", "key"))
        began = time.perf_counter()
        size = write_archive(source, asked.notes, asked.corpus, asked.words)
        written = time.perf_counter() - began
        program = [sys.executable, "-m", "plainsight"]
        subprocess.run([*program, "key", "new", str(key)], check=True, capture_output=True)
        how = ["--policy", asked.policy, "--processes", asked.processes, "--key-file", str(key), "--quiet"]
        run = watched([*program, "deidentify", str(source), "-o", str(target), *how], asked.every)
        with target.open("rb") as lines:
            done = sum(1 for _ in lines)
    figures = {
        "notes": asked.notes,
        "set_aside": asked.notes - done,
        "megabytes": size / 1e6,
        "seconds_to_write": written,
        "seconds": run["seconds"],
        "notes_per_second": asked.notes / run["seconds"],
        "cores_busy": run["processor_seconds"] / run["seconds"],
        "processes": peaks(run["samples"]),
    }
    if asked.json:
        json.dump({**figures, "samples": run["samples"]}, sys.stdout, indent=1)
        return
    print(f"{done:,} notes, {asked.notes - done:,} set aside, {size / 1e6:,.0f} MB, {run['seconds']:,.0f} s")
    print(f"{figures['notes_per_second']:.0f} notes/s, {figures['cores_busy']:.2f} cores busy")
    kinds = ("rss", *_SHARES, "pss", "uss")
    print(f"| process | {' | '.join(kinds)} |\n|--:{'|--:' * len(kinds)}|")
    for process, its in figures["processes"].items():
        shown = (its[kind] for kind in kinds)
        print(f"| {process} | {' | '.join(f'{one:.0f}' for one in shown)} |")


if __name__ == "__main__":
    main()
