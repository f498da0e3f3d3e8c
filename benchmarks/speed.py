"""Measure megabytes of note text per second on one core: each detector, each stage, the whole road.

    python benchmarks/speed.py [NOTES] [--megabytes 4] [--json]

Takes the notes of a folder in inline markup (default: corpus), repeated to the wanted size, and times each
part in one run, best of three. The corpus is dense with identifiers (one for every 50 characters), so these
are low figures for ordinary notes.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, cycle, groupby
from pathlib import Path

from plainsight.combine import combine
from plainsight.detect.propagate import propagate
from plainsight.config import load_policy
from plainsight.document import Document, Patient, Span
from plainsight.formats.inline import parse
from plainsight.formats.jsonl import JsonLines
from plainsight.pipeline import Pipeline
from plainsight.text.shadow import shadow


def notes(folder: Path, megabytes: float) -> list[Document]:
    """Return notes of about this many megabytes, repeated under new ids as often as needed."""
    files = sorted(folder.rglob("*.txt"))
    texts = [(path.stem, parse(path.read_text(encoding="utf-8"))[0]) for path in files]
    records = (json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json"))
    patients = {record["patient_id"]: Patient.from_json(record) for record in records}
    documents: list[Document] = []
    size = 0
    for number, (name, text) in enumerate(cycle(texts)):
        if size >= megabytes * 1e6:
            return documents
        patient = patients.get(name.partition("-")[0])
        documents.append(
            Document(f"{number}", text, patient=patient, patient_id=patient.id if patient else None)
        )
        size += len(text.encode())
    return documents


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the best time of a few rounds, with the garbage collector as in real life."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--megabytes", type=float, default=4.0)
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    documents = notes(arguments.notes, arguments.megabytes)
    size = sum(len(document.text.encode()) for document in documents) / 1e6
    pipeline = Pipeline(load_policy(arguments.policy))
    times: dict[str, float] = {}

    began = time.perf_counter()
    proposals = [detector.detect(documents) for detector in pipeline.detectors]
    first = time.perf_counter() - began

    times["shadow"] = seconds(lambda: [shadow(document.text) for document in documents])
    for detector in pipeline.detectors:
        times[f"detector {detector.name}"] = seconds(lambda detector=detector: detector.detect(documents))
    times["detectors together"] = sum(times[f"detector {d.name}"] for d in pipeline.detectors)

    merged: list[list[Span]] = [list(chain(*parts)) for parts in zip(*proposals, strict=True)]
    pairs = list(zip(documents, merged, strict=True))
    times["combine"] = seconds(lambda: [combine(spans, document.text) for document, spans in pairs])
    combined = [replace(d, spans=combine(spans, d.text)) for d, spans in pairs]

    def propagated() -> None:
        for _, run in groupby(combined, key=lambda document: document.patient_id):
            propagate(list(run))

    times["propagate"] = seconds(propagated)
    times["pipeline detect"] = seconds(lambda: list(pipeline.detect(documents)))
    found = list(pipeline.detect(documents))
    times["pipeline replace"] = seconds(lambda: list(pipeline.replace(found)))

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "notes.jsonl"), Path(folder, "found.jsonl")
        JsonLines().write(documents, source)
        times["read jsonl"] = seconds(lambda: list(JsonLines().read(source)))
        times["write jsonl"] = seconds(lambda: JsonLines().write(found, target))
        command = [
            sys.executable,
            "-m",
            "plainsight",
            "detect",
            str(source),
            "-o",
            str(target),
            "--force",
            "-q",
        ]
        times["detect, end to end"] = seconds(
            lambda: subprocess.run([*command, "--policy", arguments.policy], check=True)
        )

    rates = {name: size / spent for name, spent in times.items()}
    if arguments.json:
        json.dump(
            {"megabytes": size, "first_batch_seconds": first, "megabytes_per_second": rates},
            sys.stdout,
            indent=1,
        )
        return
    print(f"{len(documents)} notes, {size:.1f} MB; first batch with loading {first:.2f} s")
    for name, rate in rates.items():
        print(f"{name:24}{rate:9.1f} MB/s")


if __name__ == "__main__":
    main()
