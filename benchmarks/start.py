"""Measure what a user waits for: importing, the first note, and how soon a cold run is as fast as a warm one.

    python benchmarks/start.py [--policy fast] [--runs 5] [--notes 600] [--json]

Each run is a fresh process that finds compiled modules, as after an installation. Seconds are by the clock
and of the processor; of the runs, the best counts. The cold rate is that of the notes after the first 200,
the warm rate that of new notes after all of these.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from fast import realistic_notes, write_notes

_CHILD = """
import json, sys, time
wall, spent = time.perf_counter, time.process_time
began = wall(), spent()
import plainsight
imported = wall(), spent()
pipeline = plainsight.load(sys.argv[1], key=bytes(32))
text = "Seen by Dr. Okafor on 3/4/2019 at Mercy Hospital, MRN 4471882. Call 617-555-0142."
list(pipeline.deidentify([plainsight.Document("1", text)]))
first = wall(), spent()
with open(sys.argv[2], encoding="utf-8") as lines:
    notes = [plainsight.Document(note["id"], note["text"]) for note in map(json.loads, lines)]
third = (len(notes) - 200) // 2
rates = []
for part in (notes[:200], notes[200 : 200 + third], notes[200 + third :]):
    start = spent()
    list(pipeline.deidentify(part))
    rates.append(len(part) / (spent() - start))
print(json.dumps({
    "import": imported[0] - began[0], "import_processor": imported[1] - began[1],
    "first": first[0] - began[0], "first_processor": first[1] - began[1],
    "rates": rates,
}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--corpus", type=Path, default=Path("corpus"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--notes", type=int, default=600)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "notes.jsonl")
        write_notes(source, realistic_notes(asked.corpus, asked.notes))
        command = [sys.executable, "-c", _CHILD, asked.policy, str(source)]
        compiled = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        runs = [
            json.loads(
                subprocess.run(command, check=True, capture_output=True, text=True, env=compiled).stdout
            )
            for _ in range(asked.runs + 1)
        ][1:]  # the first compiles
    best = {key: min(run[key] for run in runs) for key in runs[0] if key != "rates"}
    shares = [run["rates"][1] / run["rates"][2] for run in runs]
    best["cold_share"] = sorted(shares)[len(shares) // 2]
    if asked.json:
        json.dump({**best, "runs": runs}, sys.stdout, indent=1)
        return
    print(f"import: {best['import']:.3f} s ({best['import_processor']:.3f} s of the processor)")
    print(f"first note, import included: {best['first']:.2f} s ({best['first_processor']:.2f} s)")
    print(f"after 200 notes, share of the warm rate: {best['cold_share']:.2f} (median of {asked.runs})")


if __name__ == "__main__":
    main()
