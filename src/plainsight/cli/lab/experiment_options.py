"""Options that experiments share: inputs, the detector to train, and the output folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plainsight.cli.marks import GoldOptions, check_places
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.read_notes import coarsened, relabelled
from plainsight.labels import LABELS, SCHEMES

if TYPE_CHECKING:  # they need numpy, which is optional
    from plainsight.lab.experiments.bench import Bench
    from plainsight.lab.experiments.ledger import Ledger
    from plainsight.lab.experiments.outcome import Outcome
    from plainsight.lab.experiments.splits import Split
    from plainsight.lab.experiments.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The output folder, the output format, and the labels that count."""

    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for results.", show_default=False)]
    labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help=f"Map gold labels to ours: {', '.join(SCHEMES)}.")
    ] = None
    coarse: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Use only the labels of this coarser scheme.")
    ] = None
    group: Annotated[
        str | None, typer.Option(help="Count only the labels of A, B, C, safe-harbor, i2b2-hipaa.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False

    def ledger(self, *inputs: Path | None) -> Ledger:
        """Open the folder; refuse one that lies in what is read."""
        from plainsight.lab.experiments.ledger import Ledger

        if self.out.exists() and not self.out.is_dir():
            raise UsageError(f"{self.out}: is a file, not a folder")
        check_places(inputs, (self.out,), force=True)
        return Ledger(self.out)

    def read(self, owners: GoldOptions, path: Path) -> list[Document]:
        """Return gold notes under our labels."""
        notes = owners.read(path, keep_overlaps=True)
        if self.labels:
            notes = [relabelled(note, self.labels) for note in notes]
        if any(span.label not in LABELS for note in notes for span in note.spans):
            raise UsageError(f"{path}: unknown labels: name their scheme with --labels")
        if self.coarse:
            notes = [coarsened(note, self.coarse) for note in notes]
        if not any(note.spans for note in notes):
            raise DataError(f"{path}: the notes have no identifiers: check --format")
        return notes

    def check_policies(self, policies: Sequence[str] | None) -> None:
        """Refuse policies where labels are coarse: they find finer ones, none of which would count."""
        if self.coarse and policies:
            raise UsageError(
                "--coarse is for trained detectors: policies find finer labels, none of which would count"
            )

    def tell(self, said: str) -> None:
        """Print a line about the next run, on a terminal only."""
        if sys.stderr.isatty():
            print(said, file=sys.stderr)

    def give(self, outcome: Outcome) -> None:
        """Write table and figure; print the table."""
        files = [self.out / "results.jsonl", *outcome.write(self.out)]
        if self.as_json:
            record = {
                "experiment": outcome.name,
                "rows": outcome.data,
                "files": [str(file) for file in files],
            }
            print(json.dumps(record))
        else:
            print(outcome.to_markdown())
            print(f"-> {', '.join(map(str, files))}", file=sys.stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """The detector to train, and its settings."""

    detector: Annotated[str, typer.Option(help="The detector to train.")] = "crf"
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of the training, such as iterations=50; repeatable."
        ),
    ] = None

    def bench(self, results: Results, *inputs: Path | None) -> Bench:
        """Return the bench on which it is trained."""
        ledger = results.ledger(*inputs)
        from plainsight.lab.experiments.bench import Bench

        return Bench(ledger, self.detector, results.group, results.tell)

    @property
    def given(self) -> dict[str, Any]:
        """The settings as values."""
        return read_settings(self.settings or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The training and the test notes."""

    train: Annotated[Path | None, typer.Option(help="Notes with gold spans to train on.")] = None
    test: Annotated[Path | None, typer.Option(help="Notes with gold spans to test on.")] = None
    folds: Annotated[
        int | None, typer.Option(min=2, help="Instead of --test: cross-validate within --train.")
    ] = None
    held_out: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Instead of --test: hold out a fixed share of the patients of --train."
        ),
    ] = None

    def splits(self, owners: GoldOptions, results: Results, seed: int) -> list[Split]:
        """Read the notes and part them."""
        from plainsight.lab.experiments.splits import folded, given, kept_back

        if self.train is None or [self.test, self.folds, self.held_out].count(None) != 2:
            raise UsageError("give --train and --test, or --train and --folds, or --train and --held-out")
        train = results.read(owners, self.train)
        if self.folds:
            return folded(train, self.folds, seed=seed)
        if self.held_out is not None:
            return kept_back(train, self.held_out)
        return given(train, results.read(owners, self.test)) if self.test else []


def systems_of(policies: Sequence[str] | None, models: Sequence[str] | None) -> list[System]:
    """Return the systems that policies and models are."""
    from plainsight.lab.experiments.system import System

    return [*map(System.of_policy, policies or ()), *map(System.of_model, models or ())]


def read_settings(given: Sequence[str]) -> dict[str, Any]:
    """Read settings: JSON values, or else text."""
    made: dict[str, Any] = {}
    for setting in given:
        key, equals, value = setting.partition("=")
        if not key or not equals:
            raise UsageError(f"{setting!r}: a setting is KEY=VALUE")
        try:
            made[key] = json.loads(value)
        except ValueError:
            made[key] = value
    return made


def named_paths(given: Sequence[str]) -> dict[str, Path]:
    """Read names and paths."""
    named: dict[str, Path] = {}
    for entry in given:
        name, equals, path = entry.partition("=")
        if not name or not equals or not path:
            raise UsageError(f"{entry!r}: give NAME=PATH")
        if name in named:
            raise UsageError(f"two are called {name}")
        named[name] = Path(path)
    return named
