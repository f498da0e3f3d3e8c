"""Break runs in many ways, repeat the same command, and compare the output with that of an undisturbed run.

    python benchmarks/faults.py [--notes 4000] [--policy examples/rules-only.toml] [--processes 2]

For each fault the run is broken when some parts are done; then the same command must end well, with every
note once and the same bytes, and leave no temporary file, no ledger and no process. Prints a line for each
fault and exits with 1 if one went wrong.
"""

import argparse
import filecmp
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Campaign:
    """Runs over the same notes in one folder."""

    def __init__(self, folder: Path, arguments: argparse.Namespace) -> None:
        self.folder, self.notes = folder, arguments.notes
        self.out = folder / "work" / f"out.{arguments.format}"
        self.ledger = self.out.with_name(f"{self.out.name}.ledger")
        self.options = ["-p", arguments.policy, "--processes", arguments.processes]
        with (folder / "in.jsonl").open("w") as file:
            for number in range(arguments.notes):
                text = f"Seen 3/{number % 28 + 1}/2019 by Dr. Okafor, MRN 0371-88-{number:04}. BP 120/80."
                note = {"id": f"n{number}", "patient_id": f"p{number // 3}", "text": text}
                file.write(json.dumps(note) + "\n")
        (folder / "key").write_bytes(bytes(range(32)))
        (folder / "key").chmod(0o600)

    def start(self, out: Path, *, most_bytes: int | None = None) -> subprocess.Popen[str]:
        """Start the command; files may have ``most_bytes``, as on a disk that is nearly full."""
        command = [sys.executable, "-m", "plainsight", "deidentify", self.folder / "in.jsonl", "-o", out]
        command += ["--key-file", self.folder / "key", *self.options]

        def limit() -> None:
            if most_bytes is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        return subprocess.Popen(
            list(map(str, command)),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=limit,
        )

    def wait_for_parts(self, process: subprocess.Popen[str]) -> None:
        """Wait until one part is done for sure and another is stored."""
        while process.poll() is None and not (self.ledger / "000001.part").exists():
            time.sleep(0.002)

    def check(self, broken: Callable[["Campaign"], str]) -> str:
        """Break a run, repeat it, and return what went wrong."""
        shutil.rmtree(self.out.parent, ignore_errors=True)
        self.out.parent.mkdir()
        said = broken(self)
        if said:
            return said
        again = self.start(self.out)
        _, error = again.communicate()
        if again.returncode != 0:
            return f"the same command ended with {again.returncode}: {error}"
        wrong = []
        if not filecmp.cmp(self.out, self.folder / f"whole{self.out.suffix}", shallow=False):
            wrong.append("other bytes than an undisturbed run")
        kept = {self.out.name, f"{self.out.name}.manifest.json"}
        if left := {file.name for file in self.out.parent.iterdir()} - kept:
            wrong.append(f"left behind: {sorted(left)}")
        if orphans := _processes_of(self.folder):
            wrong.append(f"orphans: {orphans}")
        return "; ".join(wrong)


def _processes_of(folder: Path) -> list[str]:
    """Return the processes, workers included, that still speak of the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in words and process.name != str(os.getpid()):
            found.append(process.name)
    return found


def _signalled(number: int, expected: int, *, times: int = 1) -> Callable[[Campaign], str]:
    def broken(campaign: Campaign) -> str:
        process = campaign.start(campaign.out)
        campaign.wait_for_parts(process)
        for _ in range(times):
            process.send_signal(number)
            time.sleep(0.05)
        _, said = process.communicate()
        ended = process.returncode == expected
        return "" if ended else f"ended with {process.returncode}, not {expected}: {said}"

    return broken


def _worker_killed(campaign: Campaign) -> str:
    """Kill a worker: the run itself replaces it and ends well."""
    process = campaign.start(campaign.out)
    campaign.wait_for_parts(process)
    tree = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = dict(map(int, line.split()) for line in tree.splitlines())
    below = [pid for pid, parent in parents.items() if _is_below(pid, process.pid, parents) and parent != 1]
    if not below and process.poll() is None:
        return "no worker found"
    if below:
        os.kill(max(below), signal.SIGKILL)
    process.communicate()
    if process.returncode != 0:
        return f"ended with {process.returncode}"
    for file in campaign.out.parent.iterdir():
        file.unlink()
    return ""


def _is_below(pid: int, top: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != top:
        pid = parents[pid]
        if pid == top:
            return True
    return False


def _disk_full(campaign: Campaign) -> str:
    most = (campaign.folder / f"whole{campaign.out.suffix}").stat().st_size * 2 // 3
    process = campaign.start(campaign.out, most_bytes=most)
    _, said = process.communicate()
    good = process.returncode == 3 and "the same command continues" in said
    return "" if good else f"ended with {process.returncode}: {said}"


def _part_damaged(campaign: Campaign) -> str:
    said = _signalled(signal.SIGKILL, -signal.SIGKILL)(campaign)
    (campaign.ledger / "000000.part").write_bytes(b"damaged")
    return said


FAULTS: dict[str, Callable[[Campaign], str]] = {
    "kill -9 of the parent": _signalled(signal.SIGKILL, -signal.SIGKILL),
    "kill -9 of a worker": _worker_killed,
    "Ctrl-C": _signalled(signal.SIGINT, 3),
    "Ctrl-C twice": _signalled(signal.SIGINT, 3, times=2),
    "SIGTERM": _signalled(signal.SIGTERM, 3),
    "disk full": _disk_full,
    "kill -9, then an unreadable part": _part_damaged,
}


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=4000)
    parser.add_argument("--policy", default=str(ROOT / "examples" / "rules-only.toml"))
    parser.add_argument("--processes", default="2")
    parser.add_argument("--format", default="jsonl", choices=["jsonl", "csv", "parquet"])
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="plainsight-faults-") as name:
        campaign = Campaign(Path(name), arguments)
        if campaign.start(campaign.folder / f"whole.{arguments.format}").wait():
            sys.exit("the undisturbed run failed")
        for fault, broken in FAULTS.items():
            wrong = campaign.check(broken)
            failed |= bool(wrong)
            print(f"{fault}: {wrong or 'same bytes, nothing left'}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
