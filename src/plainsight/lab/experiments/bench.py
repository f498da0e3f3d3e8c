"""The bench: train a detector on some notes, run it on others, and remember what it found."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import plainsight
from plainsight.detect.base import Detector
from plainsight.document import Document, Span
from plainsight.formats.files import atomic_folder
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.ledger import Ledger, key_of, summary
from plainsight.lab.experiments.measurement import Measured, measure, pool
from plainsight.lab.experiments.splits import Split

_BATCH = 64

Settings = Mapping[str, Any]


def detected(detector: Detector, documents: Sequence[Document]) -> list[list[Span]]:
    """Return what a detector finds in each note."""
    found: list[list[Span]] = []
    for first in range(0, len(documents), _BATCH):
        found += detector.detect(documents[first : first + _BATCH])
    return found


def checksum(model: Path) -> str:
    """Return the checksum of a model's manifest, which covers all its files; a bundled model is its name."""
    manifest = model / "manifest.json"
    return sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else str(model)


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """The spans found in each test note, and the seconds of training and detecting."""

    spans: Sequence[Sequence[Span]]
    seconds: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return places, labels and scores, never text."""
        rows = [[(s.start, s.end, s.label, round(s.score, 4)) for s in spans] for spans in self.spans]
        return {"seconds": dict(self.seconds), "found": rows}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Found:
        """Read what `to_json` wrote."""
        return cls([[Span(*row) for row in rows] for rows in record["found"]], record["seconds"])


@dataclass(frozen=True, slots=True)
class Bench:
    """Trains one kind of detector and measures it; ``group`` names the labels that count."""

    ledger: Ledger
    detector: str
    group: str | None = None
    tell: Callable[[str], None] = lambda said: None

    def measure(self, splits: Sequence[Split], settings: Settings) -> Measured:
        """Train and test on each split; return the counts of all test notes."""
        return pool([self.score(split.test, self.find(split, settings)) for split in splits])

    def score(self, test: Sequence[Document], found: Found) -> Measured:
        """Count what was found in test notes."""
        return measure(test, found.spans, seconds=found.seconds, group=self.group)

    def sweep(self, split: Split, settings: Settings, options: Sequence[Settings]) -> list[Measured]:
        """Train once and test with each of several options of the detector; keep the model."""
        return self._sweep(
            self._key(split, settings), split.test, options, lambda: self._model(split, settings)
        )

    def sweep_model(
        self, model: Path, test: Sequence[Document], options: Sequence[Settings]
    ) -> list[Measured]:
        """Test a trained model with each of several options of the detector."""
        key = {**self._key(Split((), test), {}), "model": checksum(model)}
        return self._sweep(key, test, options, lambda: model)

    def find(self, split: Split, settings: Settings) -> Found:
        """Train and return what is found in each test note."""

        def work() -> dict[str, Any]:
            if not any(document.spans for document in split.train):  # nothing to learn, nothing to find
                return Found([()] * len(split.test), {}).to_json()
            began = perf_counter()
            with self._trained(split, settings) as detector:
                trained = perf_counter()
                found = detected(detector, split.test)
            seconds = {"train": trained - began, "detect": perf_counter() - trained}
            return Found(found, seconds).to_json()

        return Found.from_json(self.ledger.run(self._key(split, settings), work))

    def inspect(
        self,
        split: Split,
        settings: Settings,
        name: str,
        at: Callable[[Detector, Sequence[Document]], dict[str, Any]],
    ) -> Mapping[str, Any]:
        """Train, let a function look at the detector on the test notes, and remember its result."""

        def work() -> dict[str, Any]:
            with self._trained(split, settings) as detector:
                return at(detector, split.test)

        return self.ledger.run({**self._key(split, settings), "look": name}, work)

    def _sweep(
        self,
        key: dict[str, Any],
        test: Sequence[Document],
        options: Sequence[Settings],
        model: Callable[[], Path],
    ) -> list[Measured]:
        def work(given: Settings) -> dict[str, Any]:
            began = perf_counter()
            found = detected(trainers.build(self.detector, model(), **given), test)
            return Found(found, {"detect": perf_counter() - began}).to_json()

        runs = (self.ledger.run({**key, "options": dict(o)}, partial(work, o)) for o in options)
        return [self.score(test, Found.from_json(run)) for run in runs]

    def _key(self, split: Split, settings: Settings) -> dict[str, Any]:
        return {
            "plainsight": plainsight.__version__,
            "detector": self.detector,
            "settings": {name: _known_by(value) for name, value in settings.items()},
            "train": summary(split.train),
            "test": summary(split.test),
        }

    @contextmanager
    def _trained(self, split: Split, settings: Settings) -> Iterator[Detector]:
        """Train in a temporary folder."""
        with tempfile.TemporaryDirectory() as scratch:
            self._train(split, settings, Path(scratch, "model"))
            yield trainers.build(self.detector, Path(scratch, "model"))

    def _model(self, split: Split, settings: Settings) -> Path:
        """Return the folder of the model; train it if it is not there yet."""
        path = self.ledger.folder / "models" / key_of(self._key(split, settings))
        if not path.exists():
            with atomic_folder(path) as folder:
                self._train(split, settings, folder)
        return path

    def _train(self, split: Split, settings: Settings, folder: Path) -> None:
        said = " ".join(f"{key}={value}" for key, value in settings.items())
        self.tell(f"{self.detector} {said}: train on {len(split.train)} notes, test on {len(split.test)}")
        trainers.train(self.detector, split.train, folder, settings)


def _known_by(value: Any) -> Any:
    """Return what identifies a setting: for a file its name and checksum, wherever it lies."""
    if not isinstance(value, str) or not Path(value).is_file():
        return value
    path = Path(value)
    return f"{path.name} {sha256(path.read_bytes()).hexdigest()}"
