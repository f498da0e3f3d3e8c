"""Measure the fast policy on one core, end to end: notes of 500 words per second, and where the time goes.

    python benchmarks/fast.py [NOTES] [--notes 400] [--policy fast] [--json]

Takes the notes of a folder in inline markup (default: corpus) and makes notes of 500 words of them: once with
clean lines added until identifiers are as rare as in real notes (one in 34 words), once as dense as they are.
A process of its own reads them from JSON lines, 40 at a time, finds, combines, replaces and writes them, in
five rounds. Of each 40 the best round counts, so that others who use the machine count less; the best whole
round is told as well. These are notes that it has met before. It also tells the time to load and the peak of
memory. Five more processes first meet three times as many others, which are made beside those of ``--notes``,
and then each of these once: they are new to it. Of each 40 the best process counts, and the best and the
middle one as a whole are told. The stages are timed one by one after that. The CRF alone is compared with the
same features and tags by python-crfsuite's own ``tag()``.

Times are processor seconds of one thread. Machines differ, and the same one drifts: ``additions`` is the time
of three million additions in Python, by which figures can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is there

from crf import Known, attributes, claims, learn, seconds, stages
from plainsight.combine.propagate import propagate
from plainsight.config import load_policy
from plainsight.detect.base import Stacked
from plainsight.detect.learned import claims_of
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.formats.jsonl import JsonLines
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.channels import FEATURE_SETS
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.pipeline import Pipeline
from speed import clean_lines, notes

_WORDS = 500
_ROUNDS = 5
_TOGETHER = 40  # notes
_QUARTERS = 4
_LEARNT = 40  # notes that CRFsuite learns from; it tags as fast as it would with more


def of_500_words(documents: Sequence[Document], count: int) -> list[Document]:
    """Return so many notes of 500 words, cut from these at the ends of lines."""
    made: list[Document] = []
    lines: list[str] = []
    size = 0
    for line in "\n".join(document.text for document in documents).splitlines():
        lines.append(line)
        size += len(line.split())
        if size >= _WORDS:
            made.append(Document(str(len(made)), "\n".join(lines)))
            lines, size = [], 0
        if len(made) == count:
            break
    return made


def as_in_real_notes(folder: Path, count: int) -> list[Document]:
    """Return notes of 500 words with identifiers as rare as in real ones: a folder's, and its clean lines."""
    return of_500_words(notes(folder, _megabytes(count), clean_lines(folder)), count)


def quartered(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Return three quarters of notes, and every fourth, which is to be measured."""
    others = [document for place, document in enumerate(documents, start=1) if place % _QUARTERS]
    return others, list(documents[_QUARTERS - 1 :: _QUARTERS])


def _megabytes(count: int) -> float:
    return count * _WORDS * 8 / 1e6


_FRESH = """
import json, re, sys, time
from pathlib import Path
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.formats.jsonl import JsonLines
from plainsight.pipeline import Pipeline
met, target, policy, rounds, *parts = sys.argv[1:]
began = time.process_time()
pipeline = Pipeline(load_policy(policy), key=bytes(range(32)))
list(pipeline.deidentify([Document("1", "Seen by Dr. Okafor on 3/4/2019.")]))
loaded = time.process_time() - began
JsonLines().write(pipeline.deidentify(JsonLines().read(Path(met))), Path(target))

def timed(part):
    began = time.process_time()
    JsonLines().write(pipeline.deidentify(JsonLines().read(Path(part))), Path(target))
    return time.process_time() - began

took = [[timed(part) for part in parts] for _ in range(int(rounds))]
peak = int(re.search("VmHWM:\\\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1e3
print(json.dumps({"load, s": loaded, "took": took, "peak, MB": peak}))
"""


def end_to_end(others: Sequence[Document], documents: Sequence[Document], policy: str) -> dict[str, float]:
    """Return notes per second, load time and peak memory of processes of their own."""
    figures = _fresh([], documents, policy, rounds=_ROUNDS)
    again = figures["took"]
    new = [_fresh(others, documents, policy, rounds=1)["took"][0] for _ in range(_ROUNDS)]
    seconds_taken = {
        "notes/s": _best(again),
        "notes/s, whole round": min(map(sum, again)),
        "notes/s, new ones": _best(new),
        "notes/s, new ones, whole": min(map(sum, new)),
        "notes/s, new ones, middle": median(map(sum, new)),
        "notes/s, cold": sum(again[0]),
    }
    return {
        **{name: len(documents) / spent for name, spent in seconds_taken.items()},
        "load, s": figures["load, s"],
        "peak, MB": figures["peak, MB"],
    }


def _best(rounds: Sequence[Sequence[float]]) -> float:
    """Return the time of all parts, each at its best."""
    return sum(map(min, zip(*rounds, strict=True)))


def _fresh(
    met: Sequence[Document], documents: Sequence[Document], policy: str, *, rounds: int
) -> dict[str, Any]:
    """Time a new process on notes, some at a time, after it has met others."""
    with tempfile.TemporaryDirectory() as folder:
        known, target = Path(folder, "met.jsonl"), Path(folder, "out.jsonl")
        JsonLines().write(met or [Document("1", "Seen in clinic.")], known)
        parts = []
        for first in range(0, len(documents), _TOGETHER):
            parts.append(Path(folder, f"{first}.jsonl"))
            JsonLines().write(documents[first : first + _TOGETHER], parts[-1])
        command = [sys.executable, "-c", _FRESH, *map(str, (known, target, policy, rounds, *parts))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def by_stage(documents: Sequence[Document], policy: str) -> dict[str, float]:
    """Return milliseconds a note of every stage."""
    pipeline = Pipeline(load_policy(policy), key=bytes(range(32)))
    found = list(pipeline.detect(documents))
    times: dict[str, float] = {}
    for detector in pipeline.detectors:
        if isinstance(detector, Crf):
            said = claims(documents, "plainsight")
            parts = stages(detector, documents, said)
            times |= {f"crf: {name}": spent for name, spent in parts.items()}
        elif isinstance(detector, Stacked):
            said = claims_of(detector.needs, documents)
            times[detector.name] = seconds(lambda d=detector, said=said: d.detect_with(documents, said))
        else:
            times[detector.name] = seconds(lambda detector=detector: detector.detect(documents))
    proposals = pipeline._proposals(documents)

    def combined() -> list[Document]:
        pairs = zip(documents, proposals, strict=True)
        made = [replace(note, spans=pipeline._combine(spans, note.text)) for note, spans in pairs]
        runs = groupby(made, key=lambda note: note.patient_id)
        return [note for _, run in runs for note in propagate(list(run))]

    times["combine"] = seconds(combined)
    times["replace"] = seconds(lambda: list(pipeline.replace(found)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "notes.jsonl")
        times["write"] = seconds(lambda: JsonLines().write(documents, path))
        times["read"] = seconds(lambda: list(JsonLines().read(path)))
    return {name: spent / len(documents) * 1e3 for name, spent in times.items()}


def beside_crfsuite(documents: Sequence[Document], folder: Path) -> dict[str, float]:
    """Return tokens per second of our tagger and of CRFsuite's with the same weights."""
    paths = sorted(folder.rglob("*.txt"))
    learnt = [Document(str(p), *parse(p.read_text(encoding="utf-8"))) for p in paths]
    learnt = [note for note in learnt if note.text.strip()][:: max(1, len(paths) // _LEARNT)]
    with tempfile.TemporaryDirectory() as scratch:
        tagger = learn(learnt, "plainsight", 20, Path(scratch))
        crf, channels, known = Crf(model=str(Path(scratch, "ours"))), FEATURE_SETS["plainsight"], Known()
        said = claims(documents, "plainsight")
        tokens = sum(len(note.tokens) for note in read_notes(documents, said))

        def theirs() -> None:
            for note in read_notes(documents, said):
                tagger.tag(attributes(note, channels, known))

        rates = {
            "ours": tokens / seconds(lambda: crf.detect_with(documents, said)),
            "CRFsuite": tokens / seconds(theirs),
        }
    return {**rates, "ratio": rates["ours"] / rates["CRFsuite"]}


def additions() -> float:
    """Return the seconds of three million additions."""

    def add() -> None:
        total = 0
        for number in range(3_000_000):
            total += number

    return seconds(add)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--notes", type=int, default=400)
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    folder = arguments.folder
    count = arguments.notes * _QUARTERS
    texts = {
        "as in real notes": as_in_real_notes(folder, count),
        "as in the corpus": of_500_words(notes(folder, _megabytes(count)), count),
    }
    figures: dict[str, Any] = {}
    for name, value in measured(texts, folder, arguments.policy):
        figures[name] = value
        if not arguments.json:
            show({name: value})
    if arguments.json:
        json.dump(figures, sys.stdout, indent=1)


def measured(
    texts: dict[str, list[Document]], folder: Path, policy: str
) -> Iterator[tuple[str, float | dict[str, Any]]]:
    """Yield each figure, or table of figures, when it is known: all of them take minutes."""
    yield "additions, s", additions()
    for name, documents in texts.items():
        others, every_fourth = quartered(documents)
        figures = end_to_end(others, every_fourth, policy)
        yield name, {**figures, "ms a note": by_stage(every_fourth, policy)}
    yield "tagging, tokens/s", beside_crfsuite(texts["as in real notes"][:100], folder)
    yield "additions again, s", additions()


def show(figures: dict[str, Any], indent: str = "") -> None:
    """Print figures, tables in tables."""
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            show(value, indent + "  ")
        else:
            print(f"{indent}{name:{30 - len(indent)}}{value:12,.2f}", flush=True)


if __name__ == "__main__":
    main()
