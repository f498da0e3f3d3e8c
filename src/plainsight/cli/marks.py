"""What the verbs that score share: how both sides' marks are read, which count, and where results go."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import Pair, pair_up
from plainsight.evaluate.read_notes import read_notes, relabelled
from plainsight.evaluate.report.html import figure
from plainsight.formats.files import atomic_file
from plainsight.labels import LABELS, SCHEMES, group

__all__ = ["Force", "Gold", "GoldFormat", "Marks", "check_places", "need_numpy", "write_page", "write_table"]

Gold = Annotated[
    Path,
    typer.Argument(
        metavar="GOLD", help="Notes with gold spans, in any annotation format.", show_default=False
    ),
]
GoldFormat = Annotated[
    str | None,
    typer.Option("--format", "--gold-format", help="Format of the gold notes; guessed when not given."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]

_SCHEMES = ", ".join(SCHEMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Under which labels both sides are compared."""

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
            group(self.group)  # refuse one that does not exist before the work begins
        return _ours(documents, self.gold_labels)

    def found(self, path: Path, *, format: str | None, labels: str | None) -> list[Document]:  # noqa: A002
        """Read a system's notes, under our labels."""
        return _ours(read_notes(path, format=format, keep_overlaps=True), labels)

    def pairs(self, gold: Sequence[Document], found: Iterable[Any]) -> tuple[Pair, ...]:
        """Match both sides; keep the marks that count."""
        pairs = pair_up(gold, found)
        wanted = {span.label for pair in pairs for span in pair.gold}
        claimed = {span.label for pair in pairs for span in pair.found}
        if not wanted:
            print("the gold standard marks nothing: is its format right (--format)?", file=sys.stderr)
        elif claimed and not wanted & claimed:
            print(
                "the sides share no label: name their schemes (--gold-labels, --pred-labels)", file=sys.stderr
            )
        if self.group is None:
            return tuple(pairs)
        kept = _forms(group(self.group))
        if not wanted | claimed <= _forms(LABELS):
            raise UsageError(
                "--group is of our labels: name both sides' schemes (--gold-labels, --pred-labels)"
            )
        return tuple(pair.only(kept) for pair in pairs)


def _ours(documents: Sequence[Document], scheme: str | None) -> list[Document]:
    return [relabelled(document, scheme) if scheme else document for document in documents]


def _forms(labels: Iterable[str]) -> set[str]:
    """Return labels as we write them, and as i2b2-2014 does."""
    return {form for label in labels for form in (label, label.replace("_", "-"))}


def need_numpy(what: str) -> None:
    """Refuse what cannot be computed here, and say what to install."""
    if find_spec("numpy") is None:
        raise UsageError(f"{what} needs numpy: pip install 'plainsight[evaluate]'")


def check_places(inputs: Iterable[Path | None], outputs: Iterable[Path | None], *, force: bool) -> None:
    """Refuse to overwrite, unless told to, and to write into what is read."""
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
    """Write a table as CSV, whole or not at all; what is undefined is ``n/a``."""
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows([figure(None) if cell is None else cell for cell in row] for row in rows)
