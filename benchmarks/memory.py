"""Show that memory stays flat: peak resident set of ``plainsight detect`` on growing JSON-lines files.

python benchmarks/memory.py [--megabytes 10 100 1000] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from speed import notes


def write_notes(path: Path, megabytes: float, corpus: Path) -> None:
    """Write notes under ever new ids until the file has the wanted size."""
    documents = notes(corpus, 1.0)
    size = number = 0
    with path.open("wb") as out:
        while size < megabytes * 1e6:
            for document in documents:
                number += 1
                line = json.dumps({"id": f"n{number}", "text": document.text}).encode() + b"\n"
                out.write(line)
                size += len(line)


def peak_of(command: list[str]) -> tuple[float, float]:
    """Run a command; return its peak resident set in MB and its seconds."""
    began = time.perf_counter()
    child = os.spawnv(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"failed: {' '.join(command)}")
    scale = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * scale / 1e6, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=Path("corpus"))
    parser.add_argument("--megabytes", type=float, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    rows = []
    for megabytes in arguments.megabytes:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "notes.jsonl"), Path(folder, "found.jsonl")
            write_notes(source, megabytes, arguments.corpus)
            command = [sys.executable, "-m", "plainsight", "detect", str(source), "-o", str(target), "-q"]
            peak, spent = peak_of([*command, "--policy", arguments.policy])
        rows.append({"megabytes": megabytes, "peak_rss_mb": round(peak), "seconds": round(spent, 1)})
        if not arguments.json:
            print(
                f"{megabytes:.0f} MB in: peak RSS {peak:.0f} MB, {spent:.1f} s, {megabytes / spent:.1f} MB/s",
                flush=True,
            )
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
