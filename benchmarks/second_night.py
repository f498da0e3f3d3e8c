"""Time a second night: an archive of old notes and some new ones, with `deidentify --update`.

    python benchmarks/second_night.py --old 100000 --new 1000 --policy fast --processes 2 [--folder DIR]

Prints the seconds of both nights, by the clock and of the processor, and checks that the second one wrote the
new notes only and left the part of the first as it was. With --pass-old the first night detects nothing and
passes its notes on as they are: the second night, which is what counts, does the same work after it.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TEXT = (
    "Patient {first} {last} was seen on {month}/{day}/2019 by Dr. {doctor}, MRN {number:07}. Blood pressure "
    "is stable on lisinopril, no chest pain or dyspnea. Mr. {last} will return in {day} weeks; call "
    "617-555-{day:04} with questions. "
    "Assessment: hypertension, well controlled. Plan: continue current medication and repeat basic labs."
)
_FIRST = ("John", "Mary", "Wei", "Fatima", "Carlos", "Anna", "Samuel", "Ruth")
_LAST = ("Smith", "Okafor", "Nguyen", "Garcia", "Haddad", "Kowalski", "Whitcombe", "Park")


def write_notes(path: Path, count: int) -> None:
    """Write generated notes as JSON lines, three for each patient."""
    with path.open("w") as file:
        for number in range(count):
            patient = number // 3
            text = _TEXT.format(
                first=_FIRST[patient % 8],
                last=_LAST[patient // 8 % 8],
                doctor=_LAST[patient // 64 % 8],
                month=number % 12 + 1,
                day=number % 28 + 1,
                number=patient,
            )
            file.write(json.dumps({"id": f"n{number}", "patient_id": f"p{patient}", "text": text}) + "\n")


_PASS = """
from plainsight.cli import main, options
from plainsight.document import Document
from plainsight.pipeline import Replaced
passed = lambda item: Replaced(item, ()) if isinstance(item, Document) else item
options.EngineOptions.spread = lambda self, pipeline, method, items, **_: map(passed, items)
main()
"""


def night(arguments: argparse.Namespace, folder: Path, *, pass_notes: bool = False) -> dict[str, float]:
    """Run one night; return its seconds."""
    command: list[object] = [sys.executable, *(("-c", _PASS) if pass_notes else ("-m", "plainsight"))]
    command += ["deidentify", folder / "in.jsonl", "-o", folder / "out", "--update"]
    command += ["--key-file", folder / "key", "-p", arguments.policy, "--processes", arguments.processes]
    began, before = time.perf_counter(), os.times()
    subprocess.run(list(map(str, command)), check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": round(time.perf_counter() - began, 1), "processor_seconds": round(spent, 1)}


def main() -> None:
    """Run both nights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", type=int, default=100_000)
    parser.add_argument("--new", type=int, default=1000)
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--processes", default="2")
    parser.add_argument("--pass-old", action="store_true", help="Detect nothing in the first night.")
    parser.add_argument("--folder", type=Path, help="Where to work; what is there continues.")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="second-night-"))
    if not (folder / "key").exists():
        (folder / "key").write_bytes(bytes(range(32)))
        (folder / "key").chmod(0o600)
        write_notes(folder / "in.jsonl", arguments.old)
    first = night(arguments, folder, pass_notes=arguments.pass_old)
    part = folder / "out" / "part-00001.jsonl"
    before = hashlib.sha256(part.read_bytes()).digest()
    write_notes(folder / "in.jsonl", arguments.old + arguments.new)
    second = night(arguments, folder)
    assert hashlib.sha256(part.read_bytes()).digest() == before
    with (folder / "out" / "part-00002.jsonl").open() as file:
        assert [json.loads(line)["id"] for line in file] == [
            f"n{number}" for number in range(arguments.old, arguments.old + arguments.new)
        ]
    print(
        json.dumps(
            {"first_night": first, "second_night": second, **vars(arguments)},
            default=str,
        )
    )


if __name__ == "__main__":
    main()
