"""``plainsight evaluate``: measure what was done to notes whose identifiers are known."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from plainsight.cli.gold import Gold, GoldOptions, LabelOptions, ResultOptions
from plainsight.cli.notes import progress_bar
from plainsight.cli.options import KeyOptions, check_paths, complete_policy, complete_scheme, grouped
from plainsight.cli.results import print_tables, write_page, write_table
from plainsight.config import Choice, Policy, load_policy
from plainsight.document import Document
from plainsight.errors import DataError, UsageError, plural, suggest
from plainsight.evaluate import csv_tables
from plainsight.evaluate.agreement import Audit, audit
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.intervals import Intervals, all_intervals, interval_sheets
from plainsight.evaluate.miss_kinds import miss_kinds
from plainsight.evaluate.read_notes import read_notes, sentence_counts, with_note_types
from plainsight.evaluate.readers import ReaderAgreement, reader_agreement
from plainsight.evaluate.report.page import FIGURES, figures, page
from plainsight.evaluate.surrogates.detected import detected
from plainsight.evaluate.surrogates.measure import MEASURES, Measured, measure
from plainsight.evaluate.surrogates.pairs import Note, exact, released_texts
from plainsight.evaluate.surrogates.pairs import pair_up as pair_released
from plainsight.evaluate.surrogates.persons import FILE as PERSONS
from plainsight.evaluate.surrogates.persons import read_persons
from plainsight.evaluate.tables import (
    TABLES,
    Sheet,
    in_percent,
    main_scores,
    miss_kind_sheets,
    overview,
)
from plainsight.evaluate.tally import plain
from plainsight.labels import LABELS
from plainsight.pipeline import Item, Pipeline
from plainsight.profiles import PROFILES
from plainsight.run.patients import read_patients

_EXAMPLES = "miss-kinds"  # the table that can show texts
_POLICY_HELP = "Without PRED: the policy that finds. Default: balanced."


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(ResultOptions):
    """What is printed, and which files are written."""

    table: Annotated[
        str | None, Option(metavar="A,B,...", help=f"The tables to print: all, {', '.join(TABLES)}.")
    ] = None
    intervals: Annotated[bool, Option("--intervals", help="Add intervals of 95 % (bootstrap).")] = False
    errors: Annotated[Path | None, Option(help="Write a table of all errors, by note and offset.")] = None
    likely_misses: Annotated[Path | None, Option(help="Write a table of rare unmarked words.")] = None
    figures: Annotated[
        Path | None, Option(help=f"Write figures as SVG into a folder: {', '.join(FIGURES)}.")
    ] = None

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

    def check(self, *inputs: Path | None, surrogates: bool = False) -> None:
        """Refuse options that do not fit together, before the work begins."""
        check_paths(inputs, self.files, force=self.force)
        with_text = (
            self.report or self.errors or self.likely_misses or self.as_json or _EXAMPLES in self.names
        )
        if self.show_text and not with_text and not surrogates:
            raise UsageError(
                f"--show-text is for --report, --errors, --likely-misses, --json, --surrogates and --table"
                f" {_EXAMPLES}"
            )
        if self.names and self.as_json:
            raise UsageError("--json prints every table; --table chooses for the terminal")

    def write(self, evaluation: Evaluation, *, title: str) -> None:
        """Write the files."""
        pairs, show_text = evaluation.pairs, self.show_text
        more = csv_tables.TEXT if show_text else ()
        if self.csv:
            write_table(self.csv, csv_tables.FigureRow._fields, csv_tables.figure_rows(evaluation))
        if self.errors:
            rows = csv_tables.error_rows(pairs, show_text=show_text)
            write_table(self.errors, (*csv_tables.ERRORS, *more), rows)
        if self.likely_misses:
            rows = csv_tables.likely_miss_rows(pairs, show_text=show_text)
            write_table(self.likely_misses, (*csv_tables.LIKELY_MISSES, *more), rows)
        if self.report:
            write_page(self.report, page(evaluation, title=self.title or title, show_text=show_text))
        if self.figures:
            self.figures.mkdir(parents=True, exist_ok=True)
            for name, drawn in figures(evaluation).items():
                write_page(self.figures / f"{name}.svg", f"{drawn}\n")

    def print(
        self, evaluation: Evaluation, second: Audit | None, readers: ReaderAgreement | None = None
    ) -> None:
        """Print the figures; ``second`` is what a second annotator says of the errors."""
        intervals = all_intervals(evaluation, main_scores(evaluation)) if self.intervals else {}
        if self.as_json:
            asked = plain({"intervals": intervals, "second_annotator": second, "readers": readers})
            data = evaluation.data | {name: part for name, part in asked.items() if part}
            if self.show_text:
                examples = miss_kinds(evaluation.pairs, examples=True)
                data["errors"] = data["errors"] | {"miss_kinds": examples}
            print(json.dumps(data, indent=2))
        else:
            tables = self._tables(evaluation, intervals, second, readers)
            print_tables(map(in_percent, tables) if self.percent else tables)

    def _tables(
        self,
        evaluation: Evaluation,
        intervals: dict[str, Intervals],
        second: Audit | None,
        readers: ReaderAgreement | None,
    ) -> Iterator[Sheet]:
        if self.names:
            for name in self.names:
                if name == _EXAMPLES:
                    yield from miss_kind_sheets(evaluation, examples=self.show_text)
                else:
                    yield from TABLES[name](evaluation)
        else:
            yield from overview(evaluation)
        yield from interval_sheets(intervals, in_percent=self.percent)
        if readers:
            yield Sheet(f"Agreement of {readers.readers} readers", ("figure", "value"), _reader_rows(readers))
        if second:
            yield Sheet("The second annotator", ("figure", "value"), _audit_rows(second))


def _reader_rows(found: ReaderAgreement) -> list[tuple[str, float | None]]:
    return [
        ("notes that two or more have read", found.notes),
        ("notes that all have read", found.notes_by_all),
        ("tokens", found.tokens),
        ("Krippendorff's alpha, with labels", found.alpha),
        ("Krippendorff's alpha, marked or not", found.alpha_marked),
        ("Fleiss' kappa, with labels", found.fleiss),
        ("Fleiss' kappa, marked or not", found.fleiss_marked),
    ]


def _audit_rows(second: Audit) -> list[tuple[str, float | None]]:
    return [
        ("kappa of the annotators, with labels", second.annotators.kappa),
        ("kappa of the annotators, marked or not", second.annotators.kappa_marked),
        ("wrong tokens of the system", second.errors),
        ("of these, the annotators disagree on", second.ambiguous),
        ("as a share", second.ambiguous_share),
        ("kappa of the annotators on the wrong tokens", second.kappa_on_errors),
    ]


@grouped
def evaluate(
    *,
    gold: Gold,
    pred: Annotated[
        Path | None, Argument(metavar="PRED", help="The same notes, marked by a system.", show_default=False)
    ] = None,
    policy: Annotated[
        str | None,
        Option(
            "--policy",
            "-p",
            help="Without PRED, find with it. Default: balanced.",
            autocompletion=complete_policy,
        ),
    ] = None,
    patients: Annotated[Path | None, Option(help="Without PRED: structured patient records.")] = None,
    gold_options: GoldOptions,
    pred_format: Annotated[str | None, Option(help="Format of PRED. Default: guessed.")] = None,
    pred_labels: Annotated[
        str | None,
        Option(metavar="SCHEME", help="Turn PRED's labels into ours.", autocompletion=complete_scheme),
    ] = None,
    labels: LabelOptions,
    type_from_name: Annotated[
        str | None, Option(help="A pattern over note ids; group 1 is the note's type: '_([a-z]+)'.")
    ] = None,
    second: Annotated[
        Path | None, Option(help="The same notes, marked by a second annotator: are the errors ambiguous?")
    ] = None,
    reader: Annotated[
        list[Path] | None,
        Option(
            metavar="PATH",
            help="A further reader's marks; repeatable. How far do GOLD's and all of theirs agree?",
        ),
    ] = None,
    sentences: Annotated[
        Path | None,
        Option(
            help="MEDDOCAN's folder of sentences, sentence_splitted: its leak score by the task's counts."
        ),
    ] = None,
    results: Results,
    surrogates: Annotated[
        bool, Option("--surrogates", help="Instead, measure how coherent the surrogates in PRED are.")
    ] = False,
    replace_detected: Annotated[
        bool,
        Option(
            "--detected", help="With --surrogates, without PRED: replace what the policy finds, not the gold."
        ),
    ] = False,
    persons: Annotated[
        Path | None,
        Option(
            help="With --surrogates: what is known of the people. Default: persons.json beside the notes."
        ),
    ] = None,
    state: Annotated[
        Path | None, Option(help="With --surrogates, without PRED: remember surrogates in this file.")
    ] = None,
    keys: KeyOptions,
) -> None:
    """Score a system's spans against gold spans. Without PRED, score what a policy finds in the gold notes.

    Notes are matched by id and must have the same text. Prints and writes every scorer, the official
    i2b2-2014 and MEDDOCAN figures, leaks and error tables (see docs/evaluation.md). An undefined figure is
    `n/a`. Results hold note text only with `--show-text`.

    With `--surrogates`, PRED holds the de-identified notes (default: de-identified here), and each number
    counts what went wrong, so 0 is best. Who is who is known where marks have ids (`{{PATIENT#anna|Anna}}`);
    elsewhere two names are one person if they share a given name and a surname. Without PRED the gold spans
    are replaced, or with `--detected` what the policy finds. `--show-text` lists the errors.

    Examples:

        plainsight evaluate gold/ found/ --gold-labels i2b2-2014 --pred-labels presidio --report report.html

        plainsight evaluate corpus/longitudinal --policy fast --intervals

        plainsight evaluate corpus/longitudinal --surrogates --key-file key --patient-from-name '^(p[0-9]+)-'

        plainsight evaluate benchmarks/longitudinal --surrogates --patient-folders --detected
    """
    if pred and (policy or patients):
        raise UsageError("--policy and --patients are for making PRED, which is given")
    if (replace_detected or persons or state) and not surrogates:
        raise UsageError("--detected, --persons and --state are for --surrogates")
    if replace_detected and pred:
        raise UsageError("--detected is for making PRED, which is given")
    results.check(*(gold, pred, patients, second, persons, sentences), *(reader or ()), surrogates=surrogates)
    documents = gold_options.read(gold, keep_overlaps=not surrogates)
    if patients:
        records = read_patients(patients)
        documents = [replace(d, patient=records.get(d.patient_id or "")) for d in documents]
    if surrogates:
        others = (
            results.intervals,
            results.names,
            second,
            sentences,
            labels.group,
            labels.gold_labels,
            pred_labels,
        )
        if any(results.files) or any(others):
            raise UsageError(
                "--surrogates has none of the options for labels and results but --json and --show-text"
            )
        if not any(document.spans for document in documents):
            raise UsageError("no note has gold spans")
        known = read_persons(persons or gold) if persons or any(gold.rglob(PERSONS)) else {}
        paired = (
            pair_released(documents, read_notes(pred, format=pred_format))
            if pred
            else _replaced(documents, policy, keys, found=replace_detected, state=state)
        )
        _print_measured(measure(paired, known), as_json=results.as_json, show_text=results.show_text)
        return
    documents = labels.gold(with_note_types(documents, type_from_name))
    if pred:
        found: Sequence[Item] = read_notes(pred, format=pred_format, labels=pred_labels, keep_overlaps=True)
    else:
        chosen = load_policy(policy or "balanced")
        found = _detected(documents, chosen, gold)
        if labels.group is None and chosen.group in PROFILES:
            labels = replace(labels, group=chosen.group)  # a policy for a law is scored by that law
    pairs = labels.pairs(documents, found)
    counts = sentence_counts(sentences, (pair.id for pair in pairs)) if sentences else None
    evaluation = Evaluation(pairs, counts)
    asked = None
    if second:
        again = read_notes(second, labels=labels.gold_labels, keep_overlaps=True)
        asked = audit(evaluation.pairs, labels.pairs(documents, again))
    results.write(evaluation, title=f"{pred.name if pred else policy or 'balanced'} on {gold.name}")
    agreed = None
    if reader:
        further = [read_notes(path, labels=labels.gold_labels, keep_overlaps=True) for path in reader]
        agreed = reader_agreement([documents, *further])
    results.print(evaluation, asked, agreed)


def _detected(documents: Sequence[Document], policy: Policy, source: Path) -> list[Item]:
    """Find the identifiers of the gold notes, the notes of a patient together."""
    if any(span.label not in LABELS for document in documents for span in document.spans):
        raise UsageError("the gold standard has labels that are not ours: name their scheme (--gold-labels)")
    pipeline = Pipeline(policy)
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    found = []
    with progress_bar(source, hidden=not sys.stderr.isatty()) as step:
        for item in pipeline.detect(ordered):
            found.append(item)
            step(item)
    return found


def _print_measured(measured: Measured, *, as_json: bool, show_text: bool) -> None:
    """Print what went wrong with surrogates; the errors themselves only with ``show_text``."""
    if as_json:
        examples = {name: list(count.examples) for name, count in measured.counts.items() if count.examples}
        print(json.dumps(measured.to_json() | ({"examples": examples} if show_text else {}), indent=2))
        return
    rows = [
        (
            description,
            count.count if (count := measured.counts[name]).of else None,
            count.of,
            None if count.share is None else f"{count.share:.2%}",
            None if (rate := measured.per_100(name)) is None else f"{rate:.2f}",
        )
        for name, description in MEASURES.items()
    ]
    counts = {"note": measured.notes, "patient": measured.patients, "identifier": measured.identifiers}
    title = ", ".join(plural(count, noun) for noun, count in counts.items())
    sheets = [Sheet(title, ("what went wrong", "count", "of", "share", "per 100 replacements"), rows)]
    if measured.groups:
        kept = [
            (group, count.of, count.count, f"{count.share:.0%}")
            for group, count in measured.groups.items()
            if count.of
        ]
        sheets.append(
            Sheet("People who kept the origin of their name", ("origin", "people", "kept", "share"), kept)
        )
    print_tables(sheets)
    if measured.missed:
        print(f"{plural(measured.missed, 'identifier')} not found whole; they are in no other row.")
    if measured.inexact:
        changed = plural(len(measured.inexact), "note")
        print(f"In {changed} more than the gold spans was changed; paired word by word.")
    if show_text:
        for name, count in (*measured.counts.items(), *measured.groups.items()):
            for example in count.examples:
                print(f"{name}: {example}")


def _replaced(
    documents: Sequence[Document],
    policy_name: str | None,
    keys: KeyOptions,
    *,
    found: bool,
    state: Path | None,
) -> list[Note]:
    """Replace the gold spans, or what the policy finds, and pair each gold span with its replacement."""
    policy = load_policy(policy_name or ("balanced" if found else "fast"))
    if not policy_name:
        policy = replace(policy, name="surrogates", operations=dict.fromkeys(LABELS, Choice("surrogate")))
    key = keys.find_or_forget(policy, forget=False)
    pipeline = Pipeline(policy, key=key.secret if key else None, state=state)
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    notes = []
    chosen = [item for item in pipeline.choose(ordered) if isinstance(item, Document)]
    if not policy_name:
        chosen = ordered
    items = pipeline.detect(ordered) if found else chosen
    spans = [item for item in items if isinstance(item, Document)]
    for gold, goes, before, after in zip(ordered, chosen, spans, pipeline.replace(spans), strict=True):
        if not isinstance(after, Document):
            raise DataError(f"{after.id}: {after.reason}")
        surrogates = released_texts(before, after)
        # What the policy lets stay, and nothing touched, became itself.
        made = dict(zip(before.spans, surrogates, strict=True))
        going = {(span.start, span.end) for span in goes.spans}
        for span in gold.spans:
            touched = any(span.start < one.end and one.start < span.end for one in before.spans)
            if (span.start, span.end) not in going and not touched:
                made[span] = gold.text[span.start : span.end]
        pairs = sorted(made.items())
        texts = [text for _, text in pairs]
        notes.append(detected(gold, [span for span, _ in pairs], texts) if found else exact(gold, texts))
    return notes
