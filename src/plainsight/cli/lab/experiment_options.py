"""Options that experiments share: inputs, the detector to train, and the output folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from plainsight.cli.gold import GoldOptions
from plainsight.cli.lab.settings import read_settings
from plainsight.cli.options import check_paths, complete_group
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.evaluate.read_notes import coarsened, relabelled
from plainsight.lab.experiments.bench import Bench, Ledger, Split, fixed_split, fold_splits, one_split
from plainsight.lab.experiments.results import Outcome
from plainsight.lab.experiments.systems import System, check_settings, settings_within
from plainsight.labels import GROUPS, LABELS, SCHEMES
from plainsight.labels import group as labels_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(GoldOptions):
    """How notes are read, which labels count, the output folder and the output format."""

    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for results.", show_default=False)]
    labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help=f"Map gold labels to ours: {', '.join(SCHEMES)}.")
    ] = None
    coarse: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Use only the labels of this coarser scheme.")
    ] = None
    group: Annotated[
        str | None,
        typer.Option(
            help=f"Count only what a label group or profile marks: {', '.join(GROUPS)}.",
            autocompletion=complete_group,
        ),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False

    def ledger(self) -> Ledger:
        """Open the output folder; on a terminal, print a line about each run."""
        if self.group is not None:
            labels_of(self.group)  # refuse an unknown group before the work begins
        if self.out.exists() and not self.out.is_dir():
            raise UsageError(f"{self.out}: is a file, not a folder")

        def tell(line: str) -> None:
            if sys.stderr.isatty():
                print(line, file=sys.stderr)

        return Ledger(self.out, tell)

    def notes(self, path: Path) -> list[Document]:
        """Return gold notes under our labels; refuse an output folder inside them."""
        check_paths((path,), (self.out,), force=True)
        notes = self.read(path, keep_overlaps=True)
        if self.labels:
            notes = [relabelled(note, self.labels) for note in notes]
        if any(span.label not in LABELS for note in notes for span in note.spans):
            raise UsageError(f"{path}: unknown labels: name their scheme with --labels")
        if self.coarse:
            notes = [coarsened(note, self.coarse) for note in notes]
        if not any(note.spans for note in notes):
            raise DataError(f"{path}: the notes have no identifiers: check --format")
        return notes

    def systems(self, policies: Sequence[str] | None, models: Sequence[str] | None = None) -> list[System]:
        """Return the systems to test; refuse policies with --coarse, because they find finer labels."""
        if self.coarse and policies:
            raise UsageError(
                "--coarse is for trained detectors: policies find finer labels, none of which would count"
            )
        return [*map(System.of_policy, policies or ()), *map(System.of_model, models or ())]

    def give(self, outcome: Outcome) -> None:
        """Write table and figure; print the table."""
        files = [str(file) for file in (self.ledger().path, *outcome.write(self.out))]
        if self.as_json:
            print(json.dumps({"experiment": outcome.name, "rows": outcome.data, "files": files}))
        else:
            print(outcome.to_markdown())
            print(f"-> {', '.join(files)}", file=sys.stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """The detector to train, and its settings."""

    detector: Annotated[
        str, typer.Option(help="The detector to train, or a union of several: crf+bilstm.")
    ] = "crf"
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of the training, such as iterations=50; repeatable."
        ),
    ] = None

    def bench(self, results: Results) -> Bench:
        """Return the bench on which it is trained."""
        return Bench(results.ledger(), self.detector, results.group, read_settings(self.settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Learners:
    """The detectors to train, and their settings."""

    detector: Annotated[
        list[str] | None,
        typer.Option(
            help="The detector to train (crf), or a union of several: crf+bilstm. Repeat it to draw several "
            "detectors in one figure."
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A setting of the training, such as iterations=50, or crf.iterations=50; repeatable.",
        ),
    ] = None

    def benches(self, results: Results) -> list[Bench]:
        """Return a bench for each detector; a setting is for those that have it."""
        detectors, settings = self.detector or ["crf"], read_settings(self.settings)
        if len(set(detectors)) < len(detectors):
            raise UsageError("give each --detector once")
        check_settings(detectors, settings)
        ledger = results.ledger()
        return [Bench(ledger, name, results.group, settings_within(name, settings)) for name in detectors]


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
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0

    def splits(self, results: Results) -> list[Split]:
        """Read the notes and split them."""
        if self.train is None or [self.test, self.folds, self.held_out].count(None) != 2:
            raise UsageError("give --train and --test, or --train and --folds, or --train and --held-out")
        train = results.notes(self.train)
        if self.folds:
            return fold_splits(train, self.folds, seed=self.seed)
        if self.held_out is not None:
            return fixed_split(train, self.held_out)
        return one_split(train, results.notes(self.test)) if self.test else []


def named_paths(entries: Sequence[str] | None) -> dict[str, Path]:
    """Read names and paths."""
    named: dict[str, Path] = {}
    for entry in entries or ():
        name, equals, path = entry.partition("=")
        if not name or not equals or not path:
            raise UsageError(f"{entry!r}: give NAME=PATH")
        if name in named:
            raise UsageError(f"two are called {name}")
        named[name] = Path(path)
    return named
