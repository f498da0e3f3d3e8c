"""The bench: split notes, train a detector on some, run it on others, and remember what it found."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import plainsight
from plainsight.combine import combine
from plainsight.detect.base import Detector
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.formats.files import atomic_folder
from plainsight.lab.experiments.results import Measured, measure, pool
from plainsight.lab.experiments.systems import (
    Settings,
    build,
    check_settings,
    checksum,
    detected,
    parts_of,
    settings_for,
    train,
)
from plainsight.lab.train.bias import fold_of

Notes = Sequence[Document]


@dataclass(frozen=True, slots=True, repr=False)
class Split:
    """Notes to train on and notes to test on."""

    train: Notes
    test: Notes


def one_split(train: Notes, test: Notes) -> list[Split]:
    """Return the two sides as given; refuse a note that is on both."""
    if not train or not test:
        raise UsageError("an experiment needs notes to train on and notes to test on")
    seen = {document.text for document in train}
    for document in test:
        if document.text in seen:
            raise UsageError(f"note {document.id} of the test side is among the training notes, too")
    return [Split(train, test)]


def fold_splits(notes: Notes, folds: int, *, seed: int) -> list[Split]:
    """Return as many splits, in which each note is tested once."""
    groups = _by_patient(notes)
    if not 2 <= folds <= len(groups):
        raise UsageError(f"{folds} folds of {len(groups)} patients: from 2 to the number of patients")
    Random(seed).shuffle(groups)
    parts = [{place for group in groups[fold::folds] for place in group} for fold in range(folds)]
    return [Split(*_split(notes, part)) for part in parts]


def random_split(notes: Notes, share: float, *, seed: int) -> Split:
    """Return a split in which about this share of the notes is for the test."""
    groups = _by_patient(notes)
    if len(groups) < 2:
        raise UsageError("notes of at least two patients are needed to train on some and test on others")
    Random(seed).shuffle(groups)
    test = set[int](groups[0])  # neither side is empty
    for group in groups[1:-1]:
        if len(test) < share * len(notes):
            test.update(group)
    return Split(*_split(notes, test))


def fixed_split(notes: Notes, share: float) -> list[Split]:
    """Return a split in which about this share of the patients is for the test: the same ones every time."""
    folds = round(1 / share) if share > 0 else 0
    if folds < 2:
        raise UsageError(f"a share for the test is above 0 and at most a half, not {share:g}")
    test = {place for place, fold in enumerate(fold_of(notes, folds)) if fold == 0}
    return one_split(*_split(notes, test))


def subset(notes: Notes, count: int, *, seed: int) -> list[Document]:
    """Return notes drawn by chance, in their order; with the same seed fewer notes are among more."""
    order = Random(seed).sample(range(len(notes)), len(notes))
    return [notes[place] for place in sorted(order[:count])]


def _by_patient(notes: Notes) -> list[list[int]]:
    """Return the places of each patient's notes; a note without a patient is alone."""
    owners: dict[tuple[bool, str], list[int]] = {}
    for place, note in enumerate(notes):
        owner = (False, str(place)) if note.patient_id is None else (True, note.patient_id)
        owners.setdefault(owner, []).append(place)
    return list(owners.values())


def _split(notes: Notes, test: set[int]) -> tuple[Notes, Notes]:
    return (
        [note for place, note in enumerate(notes) if place not in test],
        [note for place, note in enumerate(notes) if place in test],
    )


class Ledger:
    """The runs of a folder, one JSON line each, so that none is done twice.

    A run is known by its settings. An experiment that was interrupted and starts again does only the missing
    runs. Lines hold settings, figures and spans, never note text. ``tell`` prints a line about the next run.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = lambda line: None) -> None:
        self.folder, self.tell = folder, tell

    @property
    def path(self) -> Path:
        """The file with all runs."""
        return self.folder / "results.jsonl"

    def __contains__(self, settings: Settings) -> bool:
        return key_of(settings) in self._known

    def run(self, settings: Settings, work: Callable[[], Settings]) -> Settings:
        """Return the result of the run with these settings; call ``work`` if there is none yet."""
        key = key_of(settings)
        if key not in self._known:
            line = json.dumps({"key": key, "settings": settings, "result": work()}, ensure_ascii=False)
            self._append(line)
            self._known[key] = json.loads(line)["result"]
        return self._known[key]

    @cached_property
    def _known(self) -> dict[str, Settings]:
        known = {}
        for number, line in enumerate(self._whole().splitlines(), 1):
            try:
                record = json.loads(line)
                known[record["key"]] = record["result"]
            except (ValueError, KeyError, TypeError):
                raise DataError(f"{self.path}, line {number}: not a result of an experiment") from None
        return known

    def _whole(self) -> bytes:
        """Return all whole lines, without one that was cut off when a run was killed."""
        content = self.path.read_bytes() if self.path.exists() else b""
        return content[: content.rfind(b"\n") + 1]

    def _append(self, line: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        whole = len(self._whole())
        with self.path.open("ab") as file:
            file.truncate(whole)
            file.write(line.encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def key_of(settings: Settings) -> str:
    """Return the name of a run; the order of its settings does not matter.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    True
    """
    return sha256(json.dumps(settings, sort_keys=True).encode("utf-8")).hexdigest()[:16]


def summary(documents: Sequence[Document]) -> dict[str, Any]:
    """Return the number and checksum of notes, which identify them without their text."""
    checksum = sha256()
    for document in documents:
        spans = [(span.start, span.end, span.label) for span in document.spans]
        content = (document.id, document.patient_id, document.text, spans)
        checksum.update(json.dumps(content).encode("ascii"))
    return {"notes": len(documents), "sha256": checksum.hexdigest()}


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """The spans found in each test note, the seconds of each step, and the peak of memory if measured."""

    spans: Sequence[Sequence[Span]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    peak_megabytes: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return places, labels and scores, never text."""
        rows = [[(s.start, s.end, s.label, round(s.score, 4)) for s in spans] for spans in self.spans]
        return {"seconds": dict(self.seconds), "peak_megabytes": self.peak_megabytes, "found": rows}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Found:
        """Read what `to_json` wrote."""
        spans = [[Span(*row) for row in rows] for rows in record["found"]]
        return cls(spans, record["seconds"], record.get("peak_megabytes"))


def remember(ledger: Ledger, key: Settings, test: Notes, find: Callable[[], Found]) -> Found:
    """Return what a system found in test notes; call ``find`` if the ledger does not know it."""
    return Found.from_json(ledger.run({**key, "test": summary(test)}, lambda: find().to_json()))


@dataclass(frozen=True, slots=True)
class Bench:
    """Trains one kind of detector, or a union, and measures it; ``group`` names the labels that count."""

    ledger: Ledger
    detector: str
    group: str | None = None
    settings: Settings = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_settings(self.detector, self.settings)

    @property
    def parts(self) -> list[Bench]:
        """A bench for each detector of a union, or for the only one."""
        return [
            replace(self, detector=part, settings=settings_for(part, self.settings))
            for part in parts_of(self.detector)
        ]

    def measure(self, splits: Sequence[Split], found: Sequence[Found] | None = None) -> Measured:
        """Return the counts of all test notes; train and test on each split unless ``found`` is given."""
        found = found or [self.find(split) for split in splits]
        return pool([self.score(split.test, part) for split, part in zip(splits, found, strict=True)])

    def score(self, test: Notes, found: Found) -> Measured:
        """Count what was found in test notes."""
        return measure(test, found.spans, seconds=found.seconds, group=self.group)

    def sweep(self, split: Split, options: Sequence[Settings], model: Path | None = None) -> list[Measured]:
        """Test with each of several options of the detector; train once and keep the model, or use one."""
        each = [part._sweep(split, options, model) for part in self.parts]
        return [self.score(split.test, union(split.test, runs)) for runs in zip(*each, strict=True)]

    def _sweep(self, split: Split, options: Sequence[Settings], model: Path | None) -> list[Found]:
        def find(option: Settings) -> Found:
            began = perf_counter()
            found = detected(build(self.detector, model or self._model(split), **option), split.test)
            return Found(found, {"detect": perf_counter() - began})

        key = {**self._key(split), **({"model": checksum(model)} if model else {})}
        return [
            remember(self.ledger, {**key, "options": dict(option)}, split.test, partial(find, option))
            for option in options
        ]

    def find(self, split: Split) -> Found:
        """Train and return what is found in each test note; the parts of a union are runs of their own."""
        return union(split.test, [part._find(split) for part in self.parts])

    def _find(self, split: Split) -> Found:
        def find() -> Found:
            if not any(document.spans for document in split.train):  # nothing to learn from
                return Found([()] * len(split.test))
            began = perf_counter()
            with self._trained(split) as detector:
                trained = perf_counter()
                found = detected(detector, split.test)
            return Found(found, {"train": trained - began, "detect": perf_counter() - trained})

        return remember(self.ledger, self._key(split), split.test, find)

    def inspect(
        self, split: Split, name: str, function: Callable[[Detector, Notes], dict[str, Any]]
    ) -> Settings:
        """Train, call a function with the detector and the test notes, and remember its result."""
        if len(self.parts) > 1:
            raise UsageError(f"{name} is about one detector, not about the union {self.detector}")

        def work() -> dict[str, Any]:
            with self._trained(split) as detector:
                return function(detector, split.test)

        return self.ledger.run({**self._key(split), "test": summary(split.test), "look": name}, work)

    def _key(self, split: Split) -> dict[str, Any]:
        return {
            "plainsight": plainsight.__version__,
            "detector": self.detector,
            "settings": {name: _identity(value) for name, value in self.settings.items()},
            "train": summary(split.train),
        }

    @contextmanager
    def _trained(self, split: Split) -> Iterator[Detector]:
        """Train in a temporary folder."""
        with tempfile.TemporaryDirectory() as scratch:
            self._train(split, Path(scratch, "model"))
            yield build(self.detector, Path(scratch, "model"))

    def _model(self, split: Split) -> Path:
        """Return the folder of the model; train it if it is not there yet."""
        path = self.ledger.folder / "models" / key_of(self._key(split))
        if not path.exists():
            with atomic_folder(path) as folder:
                self._train(split, folder)
        return path

    def _train(self, split: Split, folder: Path) -> None:
        settings = " ".join(f"{key}={value}" for key, value in self.settings.items())
        sizes = f"train on {len(split.train)} notes, test on {len(split.test)}"
        self.ledger.tell(f"{self.detector} {settings}: {sizes}")
        train(self.detector, split.train, folder, self.settings)


def union(test: Notes, found: Sequence[Found]) -> Found:
    """Return what any of several runs found; overlaps are settled as in policies."""
    if len(found) == 1:
        return found[0]
    spans: list[Sequence[Span]] = [
        combine([span for own in each for span in own], note.text)
        for note, *each in zip(test, *(run.spans for run in found), strict=True)
    ]
    kinds = dict.fromkeys(kind for run in found for kind in run.seconds)
    return Found(spans, {kind: sum(run.seconds.get(kind, 0.0) for run in found) for kind in kinds})


def _identity(value: Any) -> Any:
    """Return what identifies a setting: for files and folders their names and checksums, not their places."""
    if isinstance(value, list):
        return [_identity(part) for part in value]
    if not isinstance(value, str) or not Path(value).exists():
        return value
    path = Path(value)
    if path.is_file():
        return f"{path.name} {sha256(path.read_bytes()).hexdigest()}"
    files = sorted(file for file in path.iterdir() if file.is_file())
    return f"{path.name} {sha256(b''.join(sha256(f.read_bytes()).digest() for f in files)).hexdigest()}"
