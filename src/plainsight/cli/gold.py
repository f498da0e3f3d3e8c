"""What the scoring verbs share: how both sides are read, which labels count, and where results go."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from plainsight.cli.completion import complete_format
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import Pair, pair_up, spellings
from plainsight.evaluate.read_notes import read_notes, relabelled
from plainsight.evaluate.report.html import figure
from plainsight.formats.files import atomic_file
from plainsight.labels import LABELS, SCHEMES, group

Gold = Annotated[
    Path,
    typer.Argument(
        metavar="GOLD", help="Notes with gold spans, in any annotation format.", show_default=False
    ),
]
GoldFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "--gold-format",
        help="Format of the gold notes; guessed when not given.",
        autocompletion=complete_format,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]

_SCHEMES = ", ".join(SCHEMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldOptions:
    """How gold notes are read, and how each finds its patient."""

    format: GoldFormat = None
    patient_from_name: Annotated[
        str | None,
        typer.Option(help="A pattern over note ids; its first group is the patient's id: '^(p[0-9]+)-'."),
    ] = None
    patient_folders: Annotated[
        bool,
        typer.Option("--patient-folders", help="The first folder of a note's id is the patient's id."),
    ] = False

    def read(self, path: Path, *, keep_overlaps: bool = False) -> list[Document]:
        """Return the gold notes of a path."""
        return read_notes(
            path,
            format=self.format,
            patient_from_name=self.patient_from_name,
            patient_folders=self.patient_folders,
            keep_overlaps=keep_overlaps,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The labels under which both sides are compared."""

    gold_labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help=f"Turn GOLD's labels into ours: {_SCHEMES}.")
    ] = None
    group: Annotated[
        str | None,
        typer.Option(help="Count only the labels of A, B, C, safe-harbor, i2b2-hipaa or all (ours)."),
    ] = None

    def gold(self, documents: Sequence[Document]) -> list[Document]:
        """Return the gold standard under our labels."""
        if self.group is not None:
            group(self.group)  # refuse an unknown group before the work begins
        scheme = self.gold_labels
        return [relabelled(document, scheme) if scheme else document for document in documents]

    def pairs(self, gold: Sequence[Document], found: Iterable[Any]) -> tuple[Pair, ...]:
        """Match both sides; keep the marks that count."""
        pairs = pair_up(gold, found)
        wanted = {span.label for pair in pairs for span in pair.gold}
        claimed = {span.label for pair in pairs for span in pair.found}
        schemes = "name their schemes (--gold-labels, --pred-labels)"
        if not wanted:
            print("the gold standard marks nothing: is its format right (--format)?", file=sys.stderr)
        elif claimed and not wanted & claimed:
            print(f"the sides share no label: {schemes}", file=sys.stderr)
        if self.group is None:
            return tuple(pairs)
        if not wanted | claimed <= spellings(LABELS):
            raise UsageError(f"--group needs our labels on both sides: {schemes}")
        kept = spellings(group(self.group))
        return tuple(pair.only(kept) for pair in pairs)


def check_places(inputs: Iterable[Path | None], outputs: Iterable[Path | None], *, force: bool) -> None:
    """Refuse to overwrite files without ``force``, and to write into an input."""
    read = [path.resolve() for path in inputs if path]
    taken = set(read)
    for path in filter(None, outputs):
        if path.exists() and not force:
            raise UsageError(f"{path} exists; --force overwrites it")
        if path.resolve() in taken:
            raise UsageError(f"{path} would overwrite the input or another output")
        if any(path.resolve().is_relative_to(folder) for folder in read):
            raise UsageError(f"{path} lies inside the input, and would be read as a note the next time")
        taken.add(path.resolve())


def write_page(path: Path, page: str) -> None:
    """Write a page, whole or not at all."""
    with atomic_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def write_table(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table as CSV, whole or not at all; undefined figures are ``n/a``."""
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows([figure(None) if cell is None else cell for cell in row] for row in rows)
