"""``plainsight evaluate``: measure what was done to notes whose identifiers are known."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from plainsight.cli.figures import overview, plain_table, show, tables
from plainsight.cli.marks import (
    Force,
    Gold,
    GoldFormat,
    Marks,
    check_places,
    need_numpy,
    write_page,
    write_table,
)
from plainsight.cli.options import Keys, grouped
from plainsight.cli.progress import Bar
from plainsight.cli.surrogates import measure_surrogates
from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.evaluate.agreement import Audit, audit
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.listing import ERRORS, LIKELY, TEXT, list_errors, list_likely
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes, with_note_types
from plainsight.evaluate.report.figures import FIGURES
from plainsight.evaluate.report.figures import figures as drawn_figures
from plainsight.evaluate.report.html import spread
from plainsight.evaluate.report.page import page
from plainsight.evaluate.tables import TABLES, main_scores
from plainsight.evaluate.tidy import Row, tidy
from plainsight.labels import LABELS
from plainsight.pipeline import Item, Pipeline
from plainsight.run.patients import read_patients

__all__ = ["Gold", "Owners", "evaluate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owners:
    """How gold notes are read, and whose they are."""

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
class Results:
    """What is told, and where it goes."""

    as_json: Annotated[bool, typer.Option("--json", help="Print every figure as JSON.")] = False
    table: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help=f"The tables to print: all, {', '.join(TABLES)}."),
    ] = None
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Add intervals of 95 %, by bootstrap over notes.")
    ] = False
    csv: Annotated[Path | None, typer.Option(help="Write every figure into one tidy table.")] = None
    errors: Annotated[Path | None, typer.Option(help="Write a table of all errors, by note and place.")] = (
        None
    )
    likely_misses: Annotated[
        Path | None, typer.Option(help="Write a table of rare words that were not marked, rarest first.")
    ] = None
    report: Annotated[
        Path | None, typer.Option(help="Write one HTML page: tables, charts, marked notes.")
    ] = None
    figures: Annotated[
        Path | None, typer.Option(help=f"Write figures as SVG into a folder: {', '.join(FIGURES)}.")
    ] = None
    title: Annotated[str | None, typer.Option(help="The title of the report.")] = None
    show_text: Annotated[
        bool, typer.Option("--show-text", help="Let the report and the tables of places hold note text.")
    ] = False
    force: Force = False

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files that are written."""
        return self.csv, self.errors, self.likely_misses, self.report, self.figures

    @property
    def names(self) -> list[str]:
        """The tables to print; none is the overview."""
        names = (self.table or "").split(",") if self.table else []
        for name in names:
            if name not in ("all", *TABLES):
                raise UsageError(f"no table is called {name!r}{suggest(name, TABLES)}")
        return list(TABLES) if "all" in names else names

    def check(self, *inputs: Path | None) -> None:
        """Refuse what cannot be, before the work begins."""
        check_places(inputs, self.files, force=self.force)
        if self.show_text and not (self.report or self.errors or self.likely_misses):
            raise UsageError("--show-text is for --report, --errors and --likely-misses")
        if self.names and self.as_json:
            raise UsageError("--json prints every table; --table chooses for the terminal")
        if self.intervals:
            need_numpy("--intervals")

    def give(self, evaluation: Evaluation, *, title: str, second: Audit | None = None) -> None:
        """Write and print the figures; ``second`` is what a second annotator says of the errors."""
        if self.csv:
            write_table(self.csv, Row._fields, tidy(evaluation))
        more = TEXT if self.show_text else ()
        if self.errors:
            errors = list_errors(evaluation.pairs, show_text=self.show_text)
            write_table(self.errors, (*ERRORS, *more), errors)
        if self.likely_misses:
            likely = list_likely(evaluation.pairs, show_text=self.show_text)
            write_table(self.likely_misses, (*LIKELY, *more), likely)
        if self.report:
            write_page(
                self.report, page(evaluation, title=self.title or title, show_text=self.show_text)
            )  # fmt: skip
        if self.figures:
            self.figures.mkdir(parents=True, exist_ok=True)
            for name, drawn in drawn_figures(evaluation).items():
                write_page(self.figures / f"{name}.svg", f"{drawn}\n")
        intervals = _intervals(evaluation) if self.intervals else {}
        if self.as_json:
            asked = {"intervals": intervals, "second_annotator": second and second.to_json()}
            data = evaluation.data | {name: figures for name, figures in asked.items() if figures}
            print(json.dumps(data, indent=2))
            return
        shown = tables(evaluation, self.names) if self.names else overview(evaluation)
        show(
            [*shown, *([_spread_table(intervals)] if intervals else []),
             *([_audit_table(second)] if second else [])]
        )  # fmt: skip


@grouped
def evaluate(
    *,
    gold: Gold,
    pred: Annotated[
        Path | None,
        typer.Argument(
            metavar="PRED",
            help="The same notes, by id, as a system marked them. Default: marked here.",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", "-p", help="Without PRED: how to find. Default: balanced.")
    ] = None,
    patients: Annotated[Path | None, typer.Option(help="Without PRED: structured patient records.")] = None,
    owners: Owners,
    pred_format: Annotated[
        str | None, typer.Option(help="Format of the system's notes; guessed when not given.")
    ] = None,
    pred_labels: Annotated[
        str | None, typer.Option(metavar="SCHEME", help="Turn PRED's labels into ours.")
    ] = None,
    marks: Marks,
    type_from_name: Annotated[
        str | None,
        typer.Option(help="A pattern over note ids; its first group is the note's type: '_([a-z]+)'."),
    ] = None,
    second: Annotated[
        Path | None,
        typer.Option(help="The same notes as a second annotator marked them: are the errors ambiguous?"),
    ] = None,
    results: Results,
    surrogates: Annotated[
        bool,
        typer.Option("--surrogates", help="Instead, measure how coherent the surrogates in PRED are."),
    ] = False,
    keys: Keys,
) -> None:
    """Score a system's marks against gold marks; or, without PRED, what a policy finds in the gold notes.

    Notes are matched by id and must have the same text. Every scorer, the official i2b2-2014 and MEDDOCAN
    figures, leaks and error tables: see docs/evaluation.md. An undefined figure is `n/a`. No note text is
    told unless `--show-text` allows it.

    With `--surrogates`, PRED is the de-identified notes (default: made here, key as usual), and each number
    counts what went wrong, so 0 is best. People are told apart by a simple rule (same given word, same
    surname word), not by the engine's own.

    Examples:

        plainsight evaluate gold/ found/ --gold-labels i2b2-2014 --pred-labels presidio --report report.html

        plainsight evaluate corpus/longitudinal --policy fast --intervals

        plainsight evaluate corpus/longitudinal --surrogates --key-file key --patient-from-name '^(p[0-9]+)-'
    """
    if pred and (policy or patients):
        raise UsageError("--policy and --patients are for making PRED, which is given")
    results.check(gold, pred, patients, second)
    documents = owners.read(gold, keep_overlaps=not surrogates)
    if patients:
        records = read_patients(patients)
        documents = [replace(d, patient=records.get(d.patient_id or "")) for d in documents]
    if surrogates:
        others = (results.intervals, results.names, second, marks.group, marks.gold_labels, pred_labels)
        if any(results.files) or any(others):
            raise UsageError("--surrogates has none of the options for labels and results but --json")
        measure_surrogates(
            documents, pred, format=pred_format, policy=policy, keys=keys, as_json=results.as_json
        )
        return
    documents = marks.gold(with_note_types(documents, type_from_name))
    if pred:
        found: Sequence[Item] = marks.found(pred, format=pred_format, labels=pred_labels)
    else:
        found = _detected(documents, policy or "balanced", gold)
    evaluation = Evaluation(marks.pairs(documents, found))
    asked = audit(evaluation.pairs, _again(marks, documents, second)) if second else None
    title = f"{pred.name if pred else policy or 'balanced'} on {gold.name}"
    results.give(evaluation, title=title, second=asked)


def _again(marks: Marks, documents: Sequence[Document], second: Path) -> tuple[Pair, ...]:
    """Read a second annotator's notes, under the gold standard's label scheme."""
    return marks.pairs(documents, marks.found(second, format=None, labels=marks.gold_labels))


def _detected(documents: Sequence[Document], policy: str, source: Path) -> list[Item]:
    """Find the identifiers of the gold notes, the notes of a patient together."""
    if any(span.label not in LABELS for document in documents for span in document.spans):
        raise UsageError("the gold standard has labels that are not ours: name their scheme (--gold-labels)")
    pipeline = Pipeline(load_policy(policy))
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    found = []
    with Bar(source, hidden=not sys.stderr.isatty()) as step:
        for item in pipeline.detect(ordered):
            found.append(item)
            step(item)
    return found


def _intervals(evaluation: Evaluation) -> dict[str, dict[str, dict[str, Any]]]:
    """Return each scorer's precision, recall and F with their intervals."""
    from plainsight.evaluate.statistics import bootstrap

    return {
        name: {key: asdict(interval) for key, interval in bootstrap(score.by_note).items()}
        for name, score in main_scores(evaluation).items()
    }


def _spread_table(intervals: dict[str, dict[str, dict[str, Any]]]) -> Table:
    rows = [
        (name, *(spread(**interval) for interval in figures.values())) for name, figures in intervals.items()
    ]
    return plain_table("Intervals of 95 %", ("scorer", "P", "R", "F"), rows)


def _audit_table(second: Audit) -> Table:
    rows = [
        ("kappa of the annotators, with labels", second.annotators.kappa),
        ("kappa of the annotators, marked or not", second.annotators.kappa_marked),
        ("wrong tokens of the system", second.errors),
        ("of these, the annotators disagree on", second.ambiguous),
        ("as a share", second.ambiguous_share),
        ("kappa of the annotators on the wrong tokens", second.kappa_on_errors),
    ]
    return plain_table("The second annotator", ("figure", "value"), rows)
