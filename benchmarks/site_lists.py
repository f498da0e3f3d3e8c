"""Measure site lists: how fast a million names load and in how much memory, and what they find.

    python benchmarks/site_lists.py load [--people 1000000]
    python benchmarks/site_lists.py find SIMULATED_SITE [--policy fast] [--notes 500]

``load`` writes the list of so many invented people to a site, loads it in a new process, and builds an
Aho-Corasick automaton over the same names in another one. ``find`` takes a folder that ``plainsight
experiment simulated-site`` made and scores a policy on some of its notes: as shipped, with the lists, with
each patient's own record, and with both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.scorers import score
from plainsight.lists import load
from plainsight.pipeline import Pipeline
from plainsight.site.census import read_site_patients
from plainsight.site.folder import Site, new_site, open_site
from plainsight.site.lists import TABLES, of_patient, of_rows, read_lists, write_lists
from plainsight.site.policy import with_site
from plainsight.site.records import site_records, write_records

KEY = bytes(range(32))


def _megabytes() -> float:
    """Return the most memory that this process ever had; `getrusage` would count its parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1e3


def _people(count: int) -> set[str]:
    random = Random(1)
    first, last = load("first_names")["name"], load("surnames")["name"]
    made: set[str] = set()
    while len(made) < count:
        made.add(f"{random.choice(first)} {random.choice(last)}")
    return made


def measure_load(people: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = new_site(Path(folder) / "site", policy="fast", secret=KEY)
        names = _people(people)
        write_lists(site, "patients", (("person", name) for name in names))
        plain = Path(folder) / "names.txt"
        plain.write_text("\n".join(names))
        for way, path in (("table", site.folder), ("automaton", plain)):
            command = [sys.executable, __file__, "once", way, str(path)]
            print(json.dumps(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)))


def load_once(way: str, path: Path) -> None:
    before, began = _megabytes(), time.process_time()
    if way == "table":
        count = len(read_lists(open_site(path, KEY)).table)
    else:
        from ahocorasick_rs import BytesAhoCorasick, Implementation

        names = [b" %b " % name for name in path.read_bytes().split(b"\n")]
        kept = BytesAhoCorasick(names, implementation=Implementation.ContiguousNFA)
        count = len(names) if kept else 0
    seconds = time.process_time() - began
    figures = {
        "way": way,
        "entries": count,
        "seconds": round(seconds, 2),
        "peak_mb": round(_megabytes() - before),
    }
    print(json.dumps(figures))


def _filled(folder: Path, source: Path, policy: str) -> Site:
    site = new_site(folder, policy=policy, secret=KEY)
    patients = write_records(site, read_site_patients(source / "patients.csv"))
    write_lists(site, "patients", (entry for patient in patients for entry in of_patient(patient)))
    for table in TABLES[1:]:
        write_lists(site, table, of_rows(table, source / f"{table}.csv"))
    return site


def measure_finding(source: Path, policy: str, count: int) -> None:
    every = list(read_notes(source / "notes.jsonl"))
    gold = sorted(Random(0).sample(every, min(count, len(every))), key=lambda note: note.patient_id or "")
    bare = [replace(note, spans=()) for note in gold]
    with tempfile.TemporaryDirectory() as folder:
        site = _filled(Path(folder) / "site", source, policy)
        records = site_records(site)
        assert records is not None
        shipped = load_policy(policy)
        listed = with_site(shipped, site)
        recorded = list(records.attached(bare))
        ways = {
            "as shipped": (shipped, bare), "with lists": (listed, bare),
            "with records": (shipped, recorded), "with both": (listed, recorded),
        }  # fmt: skip
        for name, (chosen, notes) in ways.items():
            began = time.process_time()
            found = list(Pipeline(chosen, key=KEY).detect(notes))
            seconds = time.process_time() - began
            pairs = [
                Pair(note.id, note.text, note.spans, other.spans, note.meta)
                for note, other in zip(gold, found, strict=True)
                if isinstance(other, Document)
            ]
            figures: dict[str, object] = {"way": name, "notes": len(pairs)}
            for scorer in ("binary-token", "token", "strict"):
                total = score(pairs, scorer).micro
                figures[scorer] = {
                    "recall": round(total.recall or 0, 4),
                    "precision": round(total.precision or 0, 4),
                }
            print(json.dumps({**figures, "seconds": round(seconds, 1)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("load").add_argument("--people", type=int, default=1_000_000)
    once = commands.add_parser("once")
    once.add_argument("way")
    once.add_argument("path", type=Path)
    find = commands.add_parser("find")
    find.add_argument("source", type=Path)
    find.add_argument("--policy", default="fast")
    find.add_argument("--notes", type=int, default=500)
    given = parser.parse_args()
    if given.command == "load":
        measure_load(given.people)
    elif given.command == "once":
        load_once(given.way, given.path)
    else:
        measure_finding(given.source, given.policy, given.notes)


if __name__ == "__main__":
    main()
