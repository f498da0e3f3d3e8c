"""``plainsight compare``: several systems on the same notes, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from plainsight.cli.gold import Gold, GoldFormat, LabelOptions, ResultOptions
from plainsight.cli.options import check_paths, complete_system, grouped
from plainsight.cli.results import print_tables, write_page, write_table
from plainsight.document import Document
from plainsight.errors import UsageError, suggest
from plainsight.evaluate.comparison import Comparison
from plainsight.evaluate.csv_tables import DISAGREEMENTS, TEXT, FigureRow, disagreement_rows, figure_rows
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.report.page import comparison_page
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.systems import check_system, is_system, run_system
from plainsight.evaluate.tables import comparison_tables
from plainsight.pipeline import Item


@grouped
def compare(
    *,
    gold: Gold,
    preds: Annotated[
        list[str],
        Argument(
            metavar="PRED",
            help="Two or more systems: the same notes, by id, as each marked them; or a system to run here: "
            "`policy:NAME`, `model:FOLDER`, `presidio`, `presidio:MODEL`, `philter`, `philter:OUTPUT`, "
            "`physionet:FOLDER`, `physionet:FILE.res`, `'command:PROGRAM ARGUMENTS'`.",
            autocompletion=complete_system,
        ),
    ],
    names: Annotated[
        str | None, Option(metavar="A,B,...", help="The systems' names. Default: from PRED.")
    ] = None,
    scorer: Annotated[str, Option(help=f"What is counted: {', '.join(SCORERS)}.")] = "binary-token",
    format: GoldFormat = None,  # noqa: A002 - the domain's word
    pred_formats: Annotated[
        str | None,
        Option("--pred-format", metavar="A,B,...", help="The systems' formats, one for all or one for each."),
    ] = None,
    pred_labels: Annotated[
        str | None,
        Option(
            metavar="A,B,...",
            help="The systems' label schemes, one for all or one for each; empty for ours: ',presidio'.",
        ),
    ] = None,
    label_options: LabelOptions,
    shuffles: Annotated[int, Option(min=1, help="Shuffles of the test, draws of the bootstrap.")] = 9999,
    seed: Annotated[int, Option(help="The seed of the shuffles and draws.")] = 0,
    results: ResultOptions,
    disagreements: Annotated[
        Path | None, Option(help="Write a table of what the first system alone found, or another alone.")
    ] = None,
) -> None:
    """Compare systems on the same gold notes: figures with intervals, and tests for chance.

    Intervals of 95 % come from a bootstrap over notes, p from approximate randomisation of notes against the
    first system. Also prints recall by label and what only one system found.

    A command reads JSON lines with `id` and `text` and writes JSON lines with `id` and `spans`.

    Examples:

        plainsight compare gold/ rules.jsonl crf.jsonl --names rules,crf

        plainsight compare gold/ a/ b/ --scorer strict --disagreements differ.csv --report compare.html

        plainsight compare gold/ policy:fast presidio 'command:python my_system.py'

        plainsight compare gold/ policy:balanced presidio philter physionet:deid-1.1/ --percent
    """
    if scorer not in SCORERS:
        raise UsageError(f"unknown scorer {scorer!r}{suggest(scorer, SCORERS)}")
    if results.show_text and not disagreements:
        raise UsageError("--show-text is for --disagreements")
    named = _names(names, preds)
    formats, labels = (_for_each(preds, given) for given in (pred_formats, pred_labels))
    paths = [Path(pred) for pred in preds if not is_system(pred)]
    for pred in filter(is_system, preds):
        check_system(pred)
    check_paths([gold, *paths], [results.report, disagreements, results.csv], force=results.force)
    wanted = label_options.gold(read_notes(gold, format=format, keep_overlaps=True))
    pairs = {
        name: label_options.pairs(wanted, _found(pred, wanted, how, scheme))
        for name, pred, how, scheme in zip(named, preds, formats, labels, strict=True)
    }
    comparison = Comparison(pairs, scorer=scorer, shuffles=shuffles, seed=seed)
    if disagreements:
        head = (*DISAGREEMENTS, *TEXT) if results.show_text else DISAGREEMENTS
        write_table(disagreements, head, disagreement_rows(pairs, show_text=results.show_text))
    if results.csv:
        rows = ((name, *row) for name, own in pairs.items() for row in figure_rows(Evaluation(own)))
        write_table(results.csv, ("system", *FigureRow._fields), rows)
    if results.report:
        title = results.title or f"{', '.join(named)} on {gold.name}"
        write_page(results.report, comparison_page(comparison, title=title, percents=results.percent))
    if results.as_json:
        print(json.dumps(comparison.to_json(), indent=2))
    else:
        print_tables(comparison_tables(comparison, percents=results.percent))


def _found(pred: str, gold: Sequence[Document], how: str | None, scheme: str | None) -> Sequence[Item]:
    """Read a system's notes, or run the system."""
    if is_system(pred):
        return run_system(pred, gold, labels=scheme)
    return read_notes(Path(pred), format=how, labels=scheme, keep_overlaps=True)


def _names(given: str | None, preds: Sequence[str]) -> list[str]:
    """Return the systems' names as given, else short ones from PRED if they differ."""
    if len(preds) < 2:
        raise UsageError("a comparison needs two systems or more")
    if given is None:
        short = [_short_name(pred) for pred in preds]
        names = short if len(set(short)) == len(short) else list(preds)
    else:
        names = given.split(",")
    if len(names) != len(preds) or len(set(names)) != len(names) or not all(names):
        raise UsageError(f"--names must be {len(preds)} different names, with commas between")
    return names


def _short_name(pred: str) -> str:
    if not is_system(pred):
        name = Path(pred).name
        return name.partition(".")[0] or name
    kind, _, what = pred.partition(":")
    return what if kind == "policy" else kind


def _for_each(preds: Sequence[str], given: str | None) -> list[str | None]:
    """Return what was given for each system; one is for all."""
    parts = [part or None for part in (given or "").split(",")]
    if len(parts) not in (1, len(preds)):
        raise UsageError(f"--pred-format and --pred-labels: give one, or {len(preds)} with commas between")
    return parts * len(preds) if len(parts) == 1 else parts
