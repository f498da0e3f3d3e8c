"""Measure tokens per second of the CRF decoder, beside CRFsuite's own tagger with the same weights.

    python benchmarks/crf.py [NOTES] [--features plain] [--learn 40] [--iterations 30] [--json]
    python benchmarks/crf.py [NOTES] --model FOLDER

Takes the notes of a folder in inline markup (default: corpus). Without a model it trains CRFsuite on some of
them, gives our decoder the same weights, and lets both label the others: both compute features and tags, ours
also probabilities. Prints the rates with their ratio, our stages, the time to load the model and the peak of
memory in a fresh process. All in one run on one core, best of three; ``cold`` is the first of them, when no
value is known yet.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainsight import registry
from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.chain import batches
from plainsight.lab.detect.crf.channels import FEATURE_SETS, Channel, Note
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.train.packing import Packed, pack, places_of
from plainsight.model import read_manifest, save_model
from plainsight.text.tags import OUTSIDE, encode

_BATCH = 200  # notes: about the size of a pipeline's batch
Known = dict[tuple[str, int, str], list[str]]


def attributes(note: Note, channels: Sequence[Channel], known: Known) -> list[list[str]]:
    """Return every token's features, as CRFsuite wants them; ``known`` remembers those of each value."""
    made: list[list[str]] = [[] for _ in note.tokens]
    for channel in channels:
        values = channel.values(note)
        for offset in channel.offsets:
            for place, value in enumerate(values):
                if 0 <= place - offset < len(made):
                    key = channel.name, offset, value
                    if key not in known:
                        known[key] = [f"{channel.name}{offset:+d} {f}" for f in channel.features(value)]
                    made[place - offset] += known[key]
    return made


def learn(documents: Sequence[Document], feature_set: str, iterations: int, folder: Path) -> Any:
    """Train CRFsuite, write a model folder of ours with its weights, return its tagger."""
    import pycrfsuite

    channels, known = FEATURE_SETS[feature_set], Known()
    settings = {"c2": 0.1, "max_iterations": iterations}
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=settings, verbose=False)
    for note in read_notes(documents, claims(documents, feature_set)):
        trainer.append(attributes(note, channels, known), encode(note.document.spans, note.tokens))
    trainer.train(str(folder / "crfsuite"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "crfsuite"))
    info = tagger.info()
    tags = sorted(info.labels, key=lambda tag: (tag != OUTSIDE, tag))
    number = {tag: place for place, tag in enumerate(tags)}
    names = list(dict.fromkeys(name for name, _ in info.state_features))
    row = {name: place for place, name in enumerate(names)}
    digests, places = places_of(names, FEATURE_SETS[feature_set])
    rows = np.array([row[name] for name, _ in info.state_features])
    weights = Packed(
        digests,
        rows,
        np.array(places)[rows],
        np.array([number[tag] for _, tag in info.state_features]),
        np.array(list(info.state_features.values())),
    )
    arrays, scale = pack(weights, labels=len(tags), smallest=0.0, exact=True)
    transitions = np.zeros((len(tags), len(tags)), dtype=np.float32)
    for (one, two), weight in info.transitions.items():
        transitions[number[one], number[two]] = weight
    manifest = {
        "labels": sorted({tag[2:] for tag in tags if tag != OUTSIDE}),
        "tags": tags,
        "feature_set": feature_set,
        "bias": 0.0,
        "scale": scale,
    }
    save_model(folder / "ours", kind="crf", manifest=manifest, arrays={**arrays, "transitions": transitions})
    return tagger


def claims(documents: Sequence[Document], feature_set: str) -> list[list[Any]]:
    """Return what the rules claim, if the feature set looks at it."""
    made: list[list[Any]] = [[] for _ in documents]
    if any(channel.name == "claim" for channel in FEATURE_SETS[feature_set]):
        for name in Crf.needs:
            for said, spans in zip(made, registry.create("detectors", name).detect(documents), strict=True):
                said += spans
    return made


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """Return the best time of a few rounds, in seconds of this process, whoever else is at work."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def stages(crf: Crf, documents: Sequence[Document], said: Sequence[Sequence[Any]]) -> dict[str, float]:
    """Return the seconds of each stage of our decoder."""
    network = crf._network
    notes = read_notes(documents, said)
    some = batches([len(note.tokens) for note in notes])
    grouped = [[notes[place] for place in batch] for batch in some]
    emissions = [network.scores(group, None) for group in grouped]
    solved = [network.chain.solve(scores) for scores in emissions]
    both = [pair for group in zip(grouped, solved, strict=True) for pair in zip(*group, strict=True)]
    return {
        "tokens": seconds(lambda: read_notes(documents, said)),
        "scores": seconds(lambda: [network.scores(group, None) for group in grouped]),
        "labels": seconds(lambda: [network.chain.solve(scores) for scores in emissions]),
        "spans": seconds(lambda: [network._spans(*pair) for pair in both]),
    }


_FRESH = """
import json, re, sys, time
from pathlib import Path
from plainsight.lab.detect.crf import Crf
from plainsight.document import Document
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1e3
before = peak()
crf, documents = Crf(model=sys.argv[1]), [Document(str(n), t) for n, t in enumerate(json.load(sys.stdin))]
began = time.process_time()
crf._network
loaded = time.process_time() - began
for first in range(0, len(documents), 64):
    crf.detect_with(documents[first : first + 64], [[] for _ in documents[first : first + 64]])
print(json.dumps({"load, s": loaded, "imports, MB": before, "peak, MB": peak()}))
"""


def fresh(model: Path, documents: Sequence[Document]) -> dict[str, float]:
    """Return load time and peak memory of a process of its own."""
    texts = json.dumps([document.text for document in documents])
    command = [sys.executable, "-c", _FRESH, str(model)]
    done = subprocess.run(command, input=texts, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def measure(model: Path, documents: Sequence[Document], tagger: Any = None) -> dict[str, Any]:
    """Return all figures."""
    crf = Crf(model=str(model))
    feature_set = read_manifest(model)["feature_set"]
    said = claims(documents, feature_set)
    notes = read_notes(documents, said)
    tokens = sum(len(note.tokens) for note in notes)
    figures: dict[str, Any] = {"notes": len(documents), "tokens": tokens, "feature set": feature_set}
    figures |= fresh(model, documents)
    _ = crf._network

    def ours() -> None:
        for first in range(0, len(documents), _BATCH):
            crf.detect_with(documents[first : first + _BATCH], said[first : first + _BATCH])

    rates = {"ours, cold": tokens / seconds(ours, rounds=1)}
    rates["ours"] = tokens / seconds(ours)
    if tagger is not None:
        channels, known = FEATURE_SETS[feature_set], Known()

        def theirs() -> list[list[str]]:
            return [tagger.tag(attributes(note, channels, known)) for note in read_notes(documents, said)]

        rates["CRFsuite"] = tokens / seconds(theirs)
        network = crf._network
        paths = network.chain.best(network.scores(notes, None))
        figures["same tags"] = [[network.tags[label] for label in path] for path in paths] == theirs()
        figures["ratio"] = rates["ours"] / rates["CRFsuite"]
    spent = stages(crf, documents, said)
    figures["tokens/s"] = rates
    figures["share of time"] = {name: value / sum(spent.values()) for name, value in spent.items()}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument(
        "--model", type=Path, help="measure this model; there is nothing to compare with then"
    )
    parser.add_argument("--features", default="plain", choices=FEATURE_SETS)
    parser.add_argument("--learn", type=int, default=40, help="notes to learn from")
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    paths = sorted(arguments.notes.rglob("*.txt"))
    documents = [Document(str(path), *parse(path.read_text(encoding="utf-8"))) for path in paths]
    documents = [d for d in random.Random(0).sample(documents, len(documents)) if d.text.strip()]
    if arguments.model:
        figures = measure(arguments.model, documents)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            learnt, rest = documents[: arguments.learn], documents[arguments.learn :]
            tagger = learn(learnt, arguments.features, arguments.iterations, Path(scratch))
            figures = measure(Path(scratch, "ours"), rest, tagger)
    if arguments.json:
        json.dump(figures, sys.stdout, indent=1)
        return
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{name}:")
            for part, number in value.items():
                print(f"  {part:16}{number:12,.0f}" if number > 1 else f"  {part:16}{number:12.1%}")
        else:
            print(f"{name:18}{value:12,.2f}" if isinstance(value, float) else f"{name:18}{value!s:>12}")


if __name__ == "__main__":
    main()
