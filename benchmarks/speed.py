"""Measure megabytes of note text per second on one core: each detector, each stage, the whole road.

    python benchmarks/speed.py [NOTES] [--megabytes 4] [--words-per-identifier 34] [--json]

Takes the notes of a folder in inline markup (default: corpus), repeated to the wanted size, and times each
part in one run, best of three. Our corpus is dense: an identifier every 8 words. Real notes have far fewer,
one in 34 words in the i2b2-2014 corpus (28,867 in 984,723 tokens), so two texts are measured: the corpus as
it is, and the same notes with lines of the corpus that hold no identifier added until the wanted density.
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
from plainsight.combine.propagate import propagate
from plainsight.config import load_policy
from plainsight.document import Document, Patient, Span
from plainsight.formats.inline import parse
from plainsight.formats.jsonl import JsonLines
from plainsight.pipeline import Pipeline
from plainsight.text.shadow import shadow


def notes(folder: Path, megabytes: float, words_per_identifier: float = 0.0) -> list[Document]:
    """Return notes of about this many megabytes, repeated under new ids as often as needed."""
    records = (json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json"))
    patients = {record["patient_id"]: Patient.from_json(record) for record in records}
    marked = [(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.txt"))]
    clean = cycle([line for _, text in marked for line in text.splitlines(keepends=True) if "{{" not in line])
    documents: list[Document] = []
    size = 0
    for number, (name, text) in enumerate(cycle(marked)):
        if size >= megabytes * 1e6:
            return documents
        words, wanted = len(text.split()), text.count("{{") * words_per_identifier
        lines = [text]
        while words < wanted:
            lines.append(next(clean))
            words += len(lines[-1].split())
        plain, _ = parse("".join(lines))
        patient = patients.get(name.partition("-")[0])
        patient_id = patient.id if patient else None
        documents.append(Document(f"{number}", plain, patient=patient, patient_id=patient_id))
        size += len(plain.encode())
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


def measure(documents: list[Document], policy: str) -> dict[str, float]:
    """Return megabytes per second for each part."""
    size = sum(len(document.text.encode()) for document in documents) / 1e6
    pipeline = Pipeline(load_policy(policy))
    times: dict[str, float] = {}
    proposals = [detector.detect(documents) for detector in pipeline.detectors]
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
    found = list(pipeline.detect(documents))
    times["pipeline detect"] = seconds(lambda: list(pipeline.detect(documents)))
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
            lambda: subprocess.run([*command, "--policy", policy], check=True)
        )
    return {name: size / spent for name, spent in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--megabytes", type=float, default=4.0)
    parser.add_argument("--words-per-identifier", type=float, default=34.0)
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    density = arguments.words_per_identifier
    typical = measure(notes(arguments.notes, arguments.megabytes, density), arguments.policy)
    dense = measure(notes(arguments.notes, arguments.megabytes), arguments.policy)
    if arguments.json:
        json.dump({"typical": typical, "as_it_is": dense}, sys.stdout, indent=1)
        return
    print(f"{'MB/s on one core':24}{f'1 in {density:.0f} words':>16}{'corpus as it is':>18}")
    for name, rate in typical.items():
        print(f"{name:24}{rate:16.1f}{dense[name]:18.1f}")


if __name__ == "__main__":
    main()
