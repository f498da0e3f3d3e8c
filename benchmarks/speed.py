"""Measure megabytes of note text per second on one core: each detector, each stage, the whole road.

    python benchmarks/speed.py [NOTES] [--prose FILE.jsonl] [--megabytes 4] [--json]

Takes the notes of a folder in inline markup (default: corpus), repeated to the wanted size, and times each
part in one run, best of three, in processor seconds: the detectors that need no model, unless ``--policy``
names another policy. Our corpus is dense: an identifier every 8 words. Real notes have far fewer,
one in 34 words in the i2b2-2014 corpus (28,867 in 984,723 tokens). So the corpus is measured as it is, and
with text added until the density of real notes is reached: lines of the corpus that hold no identifier, and,
if ``--prose`` gives some, real clinical prose (JSON lines with ``text``), which is measured alone as well.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, cycle, groupby
from pathlib import Path

from plainsight.combine import combine
from plainsight.combine.propagate import propagate
from plainsight.config import load_policy
from plainsight.document import Document, Patient, Span
from plainsight.formats.base import write_all
from plainsight.formats.inline import parse
from plainsight.formats.jsonl import JsonLines
from plainsight.pipeline import Pipeline
from plainsight.text.shadow import shadow

WORDS_PER_IDENTIFIER = 34.0
RULES = 'name = "rules"\nextends = "fast"\nwithout = ["convolution"]\n'


def notes(folder: Path, megabytes: float, filler: Iterable[str] = ()) -> list[Document]:
    """Return notes of about this many megabytes, repeated under new ids as often as needed.

    With a filler, its pieces are added to each note until an identifier is as rare as in real notes.
    """
    records = (json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json"))
    patients = {record["patient_id"]: Patient.from_json(record) for record in records}
    marked = [(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.txt"))]
    pieces = cycle(filler)
    documents: list[Document] = []
    size = owed = 0.0
    for number, (name, text) in enumerate(cycle(marked)):
        if size >= megabytes * 1e6:
            return documents
        plain, spans = parse(text)
        added = [plain]
        if filler:
            owed += len(spans) * WORDS_PER_IDENTIFIER - len(plain.split())
            while owed > 0:
                added.append(next(pieces))
                owed -= len(added[-1].split())
        patient = patients.get(name.partition("-")[0])
        patient_id = patient.id if patient else None
        documents.append(Document(f"{number}", "\n".join(added), patient=patient, patient_id=patient_id))
        size += len(documents[-1].text.encode())
    return documents


def clean_lines(folder: Path) -> list[str]:
    """Return the lines of the notes that hold no identifier."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.txt")))
    return [line for text in texts for line in text.splitlines() if line and "{{" not in line]


def prose(file: Path, megabytes: float) -> list[Document]:
    """Return the notes of a JSON-lines file, up to this size."""
    documents, size = list[Document](), 0
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            documents.append(Document(str(number), json.loads(line)["text"]))
            size += len(documents[-1].text.encode())
            if size >= megabytes * 1e6:
                break
    return documents


def spent() -> float:
    """Return the processor seconds of this process and of those it has waited for."""
    mine, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the best time of a few rounds, with the garbage collector as in real life."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        began = spent()
        work()
        best = min(best, spent() - began)
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
        write_all(JsonLines(), documents, source)
        times["read jsonl"] = seconds(lambda: list(JsonLines().read(source)))
        times["write jsonl"] = seconds(lambda: write_all(JsonLines(), found, target))
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
    return {name: size / time for name, time in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--prose", type=Path, help="real clinical text, JSON lines, perhaps packed")
    parser.add_argument("--megabytes", type=float, default=4.0)
    parser.add_argument("--policy", help="default: fast, with the detectors that need no model")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    folder, megabytes = arguments.notes, arguments.megabytes
    texts = {
        "corpus": notes(folder, megabytes),
        "+ clean lines": notes(folder, megabytes, clean_lines(folder)),
    }
    if arguments.prose:
        real = prose(arguments.prose, megabytes)
        texts["+ prose"] = notes(folder, megabytes, [document.text for document in real])
        texts["prose alone"] = real
    with tempfile.TemporaryDirectory() as scratch:
        rules = Path(scratch, "rules.toml")
        rules.write_text(RULES, encoding="utf-8")
        policy = arguments.policy or str(rules)
        rates = {name: measure(documents, policy) for name, documents in texts.items()}
    if arguments.json:
        json.dump(rates, sys.stdout, indent=1)
        return
    print(f"{'MB/s on one core':24}" + "".join(f"{name:>16}" for name in rates))
    for part in rates["corpus"]:
        print(f"{part:24}" + "".join(f"{rate[part]:16.1f}" for rate in rates.values()))


if __name__ == "__main__":
    main()
