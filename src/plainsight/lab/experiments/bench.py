"""The bench: train a detector on some notes, test it on others, and remember the result."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
from plainsight.lab.experiments.measured import Measured, measure, pool
from plainsight.lab.experiments.splits import Split

__all__ = ["Bench", "Found", "checksum", "detected"]

_AT_ONCE = 64

Tell = Callable[[str], None]
Json = dict[str, Any]


def detected(detector: Detector, documents: Sequence[Document]) -> list[list[Span]]:
    """Return what a detector finds in each note."""
    found: list[list[Span]] = []
    for first in range(0, len(documents), _AT_ONCE):
        found += detector.detect(documents[first : first + _AT_ONCE])
    return found


def checksum(model: Path) -> str:
    """Return the checksum of a model's manifest, which covers all its files; a bundled model is its name."""
    manifest = model / "manifest.json"
    return sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else str(model)


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """What was found in each test note, and how long it took to train and to detect."""

    spans: Sequence[Sequence[Span]]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Bench:
    """Trains one kind of detector and measures it; ``group`` names the labels that count."""

    ledger: Ledger
    detector: str
    group: str | None = None
    tell: Tell = lambda said: None

    def measure(self, splits: Sequence[Split], settings: Mapping[str, Any]) -> Measured:
        """Train and test on each split; return the counts of all test notes."""
        return pool([self._measure(split, settings) for split in splits])

    def sweep(
        self, split: Split, settings: Mapping[str, Any], options: Sequence[Mapping[str, Any]]
    ) -> list[Measured]:
        """Train once and test with each of several options of the detector; the model stays in the folder."""
        key = self._key(split, settings)
        return self._sweep(key, split.test, options, lambda: self._model(split, settings))

    def sweep_model(
        self, model: Path, test: Sequence[Document], options: Sequence[Mapping[str, Any]]
    ) -> list[Measured]:
        """Test a model that is there already with each of several options of the detector."""
        key = {**self._key(Split((), test), {}), "model": checksum(model)}
        return self._sweep(key, test, options, lambda: model)

    def find(self, split: Split, settings: Mapping[str, Any]) -> Found:
        """Train and return what is found in each test note: places and labels are kept, never text."""
        key = self._key(split, settings)
        del key["labels"]  # they matter only when it is measured

        def work() -> Json:
            self.tell(f"{self.detector} {_said(settings)}: {len(split.train)} notes teach")
            with _scratch() as folder:
                began = perf_counter()
                trainers.train(self.detector, split.train, folder, settings)
                trained = perf_counter()
                found = detected(trainers.build(self.detector, folder), split.test)
                seconds = {"train": trained - began, "detect": perf_counter() - trained}
            rows = [[(s.start, s.end, s.label, round(s.score, 4)) for s in spans] for spans in found]
            return {"seconds": seconds, "found": rows}

        record = self.ledger.run({**key, "look": "found"}, work)
        spans = [
            [Span(start, end, label, score, self.detector) for start, end, label, score in rows]
            for rows in record["found"]
        ]
        return Found(spans, record["seconds"])

    def look(
        self,
        split: Split,
        settings: Mapping[str, Any],
        name: str,
        at: Callable[[Detector, Sequence[Document]], Json],
    ) -> Mapping[str, Any]:
        """Train and let a function look at the detector on the test notes; what it says is kept."""

        def work() -> Json:
            self.tell(f"{self.detector} {_said(settings)}: {len(split.train)} notes teach")
            with _scratch() as folder:
                trainers.train(self.detector, split.train, folder, settings)
                return at(trainers.build(self.detector, folder), split.test)

        return self.ledger.run({**self._key(split, settings), "look": name}, work)

    def _sweep(
        self,
        key: Json,
        test: Sequence[Document],
        options: Sequence[Mapping[str, Any]],
        model: Callable[[], Path],
    ) -> list[Measured]:
        def measured(given: Mapping[str, Any]) -> Measured:
            def work() -> Json:
                return self._test(trainers.build(self.detector, model(), **given), test, {}).to_json()

            return Measured.from_json(self.ledger.run({**key, "options": dict(given)}, work))

        return [measured(given) for given in options]

    def _measure(self, split: Split, settings: Mapping[str, Any]) -> Measured:
        key = self._key(split, settings)
        return Measured.from_json(self.ledger.run(key, lambda: self._work(split, settings).to_json()))

    def _key(self, split: Split, settings: Mapping[str, Any]) -> Json:
        return {
            "plainsight": plainsight.__version__,
            "detector": self.detector,
            "settings": {name: _known_by(value) for name, value in settings.items()},
            "train": summary(split.train),
            "test": summary(split.test),
            "labels": self.group or "all",
        }

    def _work(self, split: Split, settings: Mapping[str, Any]) -> Measured:
        self.tell(
            f"{self.detector} {_said(settings)}: {len(split.train)} notes teach, {len(split.test)} test"
        )
        if not any(document.spans for document in split.train):  # who is taught nothing finds nothing
            return measure(split.test, [()] * len(split.test), seconds={}, group=self.group)
        with _scratch() as folder:
            began = perf_counter()
            trainers.train(self.detector, split.train, folder, settings)
            spent = perf_counter() - began
            return self._test(trainers.build(self.detector, folder), split.test, {"train": spent})

    def _test(
        self, detector: Detector, documents: Sequence[Document], seconds: Mapping[str, float]
    ) -> Measured:
        began = perf_counter()
        found = detected(detector, documents)
        spent = perf_counter() - began
        return measure(documents, found, seconds={**seconds, "detect": spent}, group=self.group)

    def _model(self, split: Split, settings: Mapping[str, Any]) -> Path:
        """Return the folder of the model, which is trained if it is not there yet."""
        kept = self.ledger.folder / "models" / key_of(self._key(split, settings))
        if not kept.exists():
            self.tell(f"{self.detector} {_said(settings)}: {len(split.train)} notes teach")
            with atomic_folder(kept) as folder:
                trainers.train(self.detector, split.train, folder, settings)
        return kept


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "model")


def _said(settings: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in settings.items())


def _known_by(value: Any) -> Any:
    """Return what tells a setting apart: of a file its name and checksum, wherever it lies."""
    if not isinstance(value, str) or not Path(value).is_file():
        return value
    path = Path(value)
    return f"{path.name} {sha256(path.read_bytes()).hexdigest()}"
