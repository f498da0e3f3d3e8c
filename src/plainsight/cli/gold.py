"""How the scoring commands read gold notes, and which labels they count."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from plainsight.cli.options import Force, complete_format, complete_group, complete_scheme
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import Pair, pair_up, spellings
from plainsight.evaluate.read_notes import read_notes, relabelled
from plainsight.labels import GROUPS, LABELS, SCHEMES, group

Gold = Annotated[
    Path,
    Argument(metavar="GOLD", help="Notes with gold spans, in any annotation format.", show_default=False),
]
_HELP = "Format of the gold notes. Default: guessed."
GoldFormat = Annotated[
    str | None, Option("--format", "--gold-format", help=_HELP, autocompletion=complete_format)
]
_SCHEMES = ", ".join(SCHEMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOptions:
    """What is printed, and which files are written."""

    as_json: Annotated[bool, Option("--json", help="Print every figure as JSON.")] = False
    csv: Annotated[Path | None, Option(help="Write every figure into one tidy table.")] = None
    report: Annotated[Path | None, Option(help="Write one HTML page with tables and charts.")] = None
    title: Annotated[str | None, Option(help="The title of the report.")] = None
    show_text: Annotated[bool, Option("--show-text", help="Let the results hold note text.")] = False
    percent: Annotated[bool, Option("--percent", help="Print shares in percent with three decimals.")] = False
    force: Force = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldOptions:
    """How gold notes are read, and how each finds its patient."""

    format: GoldFormat = None
    patient_from_name: Annotated[
        str | None, Option(help="A pattern over note ids; group 1 is the patient's id: '^(p[0-9]+)-'.")
    ] = None
    patient_folders: Annotated[
        bool, Option("--patient-folders", help="The first folder of a note's id is the patient's id.")
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
class LabelOptions:
    """The labels under which both sides are compared."""

    gold_labels: Annotated[
        str | None,
        Option(
            metavar="SCHEME",
            help=f"Turn GOLD's labels into ours: {_SCHEMES}.",
            autocompletion=complete_scheme,
        ),
    ] = None
    group: Annotated[
        str | None,
        Option(
            help=f"Count only what a label group or profile marks: {', '.join(GROUPS)}.",
            autocompletion=complete_group,
        ),
    ] = None

    skip_unmatched: Annotated[
        bool,
        Option("--skip-unmatched", help="Leave out notes that one side lacks, as the official scripts do."),
    ] = False

    def gold(self, documents: Sequence[Document]) -> list[Document]:
        """Return the gold standard under our labels."""
        if self.group is not None:
            group(self.group)  # refuse an unknown group before the work begins
        scheme = self.gold_labels
        return [relabelled(document, scheme) if scheme else document for document in documents]

    def pairs(self, gold: Sequence[Document], found: Iterable[Any]) -> tuple[Pair, ...]:
        """Match both sides; keep the spans whose labels count."""
        pairs = pair_up(gold, found, unmatched="skip" if self.skip_unmatched else "refuse")
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
        return tuple(pair.in_group(self.group) for pair in pairs)
