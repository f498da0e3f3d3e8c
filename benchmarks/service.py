"""Measure the HTTP service on loopback beside the library on the same cores.

    python benchmarks/service.py [NOTES] [--clients 50] [--seconds 120] [--policy balanced] [--processes 2]

Takes the notes of a folder in inline markup (default: corpus). First the library de-identifies them in as
many processes as the service has, then a real service de-identifies them for N clients, each of which sends
one note at a time and waits for the answer. Throughput is counted in seconds of the clock and in seconds of
processors. The clients share the machine with the service; their own processor seconds count in the clock
alone. Memory is that of all processes of the service every few seconds; pages that they share are divided.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

from plainsight import Document, load
from plainsight.formats.inline import parse
from plainsight.run.processes import Limits, spread

TICKS = os.sysconf("SC_CLK_TCK")
WARM = 30
"""Seconds of work before measuring, of the library and of the service."""

UNLIMITED = Limits(seconds=None)  # other work on the machine must not look like a hostile note


def notes_of(folder: Path) -> list[str]:
    """Return the texts of a folder of notes."""
    return [parse(path.read_text(encoding="utf-8"))[0] for path in sorted(folder.rglob("*.txt"))]


def family(process: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(path.name))
    found = [process]
    for one in found:
        found += parents.get(one, [])
    return found


def processor_seconds(processes: list[int]) -> float:
    """Return the processor time of processes so far."""
    total = 0
    for one in processes:
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def megabytes(processes: list[int]) -> float:
    """Return the memory of processes; what several share is divided among them."""
    total = 0
    for one in processes:
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def of_library(texts: list[str], policy: str, processes: int, seconds: float) -> dict[str, float]:
    """Return the library's throughput; loading and the first notes do not count."""
    pipeline = load(policy, key=bytes(32))
    numbers = count()
    end = float("inf")

    def stream() -> object:
        while time.monotonic() < end:
            number = next(numbers)
            yield Document(f"n{number}", texts[number % len(texts)])

    seen: list[tuple[int, float, float]] = []
    done = spread(pipeline, "with_originals", stream(), processes=processes, limits=UNLIMITED)
    for number, _ in enumerate(done):
        if not number:
            begun = time.monotonic() + WARM
            end = begun + seconds
        if number % 20 == 0 and begun < time.monotonic() < end:
            seen.append((number, time.monotonic(), processor_seconds(family(os.getpid()))))
    (first, begun, used), (last, now, total) = seen[0], seen[-1]
    notes = last - first
    return {
        "notes": notes,
        "notes_per_second": notes / (now - begun),
        "notes_per_processor_second": notes / (total - used),
    }


def client(
    port: int, texts: list[str], first: int, end: float, waited: list[float], errors: list[str]
) -> None:
    """Send one note after another until the time is over."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for number in count(first * 37):
        if time.monotonic() > end:
            return
        body = json.dumps({"notes": [{"id": f"c{first}-{number}", "text": texts[number % len(texts)]}]})
        begun = time.monotonic()
        try:
            connection.request("POST", "/v1/deidentify", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status != 200 or len(json.loads(content)["notes"]) != 1:
                errors.append(str(answer.status))
        except (OSError, http.client.HTTPException) as error:
            errors.append(type(error).__name__)
            connection.close()
        waited.append(time.monotonic() - begun)


def load_clients(port: int, texts: list[str], clients: int, seconds: float) -> None:
    """Be the process of all clients; print what they saw."""
    waited: list[float] = []
    errors: list[str] = []
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=client, args=(port, texts, n, end, waited, errors)) for n in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"waited": waited, "errors": errors, "processor": usage.ru_utime + usage.ru_stime}))


def of_service(folder: Path, policy: str, processes: int, clients: int, seconds: float) -> dict[str, object]:
    """Return the service's throughput, waiting times and memory."""
    port = 8790
    command = ["serve", "--policy", policy, "--processes", str(processes), "--port", str(port)]
    server = subprocess.Popen([sys.executable, "-m", "plainsight", *command], stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            time.sleep(0.2)
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", "/v1/health")
                if connection.getresponse().status == 200:
                    break
            except OSError:
                continue
        own = [sys.executable, __file__, str(folder), "--clients", str(clients)]
        warm = [*own, "--load", str(port), "--seconds", str(WARM)]
        subprocess.run(warm, check=True, stdout=subprocess.DEVNULL)
        used, begun = processor_seconds(family(server.pid)), time.monotonic()
        front = processor_seconds([server.pid])
        sent = subprocess.Popen(
            [*own, "--load", str(port), "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True
        )
        memory = []
        lines: list[str] = []
        reader = threading.Thread(target=lambda: lines.append(sent.stdout.read() if sent.stdout else ""))
        reader.start()
        while sent.poll() is None:
            memory.append(round(megabytes(family(server.pid))))
            time.sleep(max(1.0, seconds / 24))
        took, total = time.monotonic() - begun, processor_seconds(family(server.pid)) - used
        front = processor_seconds([server.pid]) - front
        reader.join()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    seen = json.loads(lines[0])
    waited = sorted(seen["waited"])
    return {
        "notes": len(waited),
        "errors": len(seen["errors"]),
        "notes_per_second": len(waited) / took,
        "notes_per_processor_second": len(waited) / total,
        "processor_seconds": total,
        "of_which_http": front,
        "clients_processor_seconds": seen["processor"],
        "p50_seconds": statistics.median(waited),
        "p95_seconds": waited[int(0.95 * len(waited))],
        "megabytes": memory,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", nargs="?", type=Path, default=Path("corpus"))
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--load", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    texts = notes_of(given.notes)
    if given.load:
        load_clients(given.load, texts, given.clients, given.seconds)
        return
    library = of_library(texts, given.policy, given.processes, min(60, given.seconds))
    service = of_service(given.notes, given.policy, given.processes, given.clients, given.seconds)
    result = {
        "policy": given.policy,
        "processes": given.processes,
        "clients": given.clients,
        "characters_per_note": round(sum(map(len, texts)) / len(texts)),
        "library": library,
        "service": service,
        "ratio_by_processor": service["notes_per_processor_second"] / library["notes_per_processor_second"],
        "ratio_by_clock": service["notes_per_second"] / library["notes_per_second"],
    }
    if given.json:
        print(json.dumps(result, indent=1))
        return
    for name, part in (("library", library), ("service", service)):
        shown = {key: round(value, 3) if isinstance(value, float) else value for key, value in part.items()}
        print(f"{name}: {shown}")
    for kind in ("processor", "clock"):
        print(f"service / library, by {kind}: {result[f'ratio_by_{kind}']:.2f}")


if __name__ == "__main__":
    main()
