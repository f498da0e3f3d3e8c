"""How long the tutorial of the site loop takes: every command of ``docs/how-to/site.md`` in turn.

    python benchmarks/site_tutorial.py

Prints the seconds on the clock and of the processor of each command, those of its helper processes included.
"""

from __future__ import annotations

import json
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "site.md"


def processor_seconds() -> float:
    """Return what the commands so far took of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the commands of the page in a new folder."""
    commands = re.findall(r"^\$ plainsight (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    began = time.perf_counter(), processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            before = time.perf_counter(), processor_seconds()
            words = [sys.executable, "-m", "plainsight", *shlex.split(command)]
            subprocess.run(words, check=True, cwd=folder, capture_output=True)
            took = time.perf_counter() - before[0], processor_seconds() - before[1]
            print(json.dumps({"command": command.split(" -")[0], "wall_s": round(took[0], 1),
                              "processor_s": round(took[1], 1)}), flush=True)  # fmt: skip
    took = time.perf_counter() - began[0], processor_seconds() - began[1]
    print(json.dumps({"commands": len(commands), "wall_s": round(took[0]), "processor_s": round(took[1])}))


if __name__ == "__main__":
    main()
