"""``plainsight compare``: several systems on the same notes, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from plainsight.cli.figures import plain_table, show
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
from plainsight.cli.options import grouped
from plainsight.errors import UsageError, suggest
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.listing import DISAGREEMENTS, TEXT, list_disagreements
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.report.html import spread
from plainsight.evaluate.scorers import SCORERS
from plainsight.evaluate.tidy import Row, tidy

if TYPE_CHECKING:  # it needs numpy, which is optional
    from plainsight.evaluate.systems import Systems

__all__ = ["compare"]


@grouped
def compare(
    *,
    gold: Gold,
    preds: Annotated[
        list[Path],
        typer.Argument(metavar="PRED", help="The same notes, by id, as two or more systems marked them."),
    ],
    names: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="The systems' names. Default: their files' names.")
    ] = None,
    scorer: Annotated[str, typer.Option(help=f"What is counted: {', '.join(SCORERS)}.")] = "binary-token",
    format: GoldFormat = None,  # noqa: A002 - the domain's word
    pred_formats: Annotated[
        str | None,
        typer.Option(
            "--pred-format", metavar="A,B,...", help="The systems' formats, one for all or one for each."
        ),
    ] = None,
    pred_labels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="The systems' label schemes, one for all or one for each; empty as it stands: ',presidio'.",
        ),
    ] = None,
    marks: Marks,
    shuffles: Annotated[int, typer.Option(min=1, help="How often notes are exchanged, and drawn.")] = 9999,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure as JSON.")] = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write every figure of every system into one tidy table.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write one HTML page: tables and charts.")] = None,
    title: Annotated[str | None, typer.Option(help="The title of the report.")] = None,
    disagreements: Annotated[
        Path | None,
        typer.Option(help="Write a table of what the first system alone found, or another alone."),
    ] = None,
    show_text: Annotated[
        bool, typer.Option("--show-text", help="Let the table of disagreements hold note text.")
    ] = False,
    force: Force = False,
) -> None:
    """Compare systems on the same gold notes: figures with intervals, and whether they differ by chance.

    Intervals of 95 % come from a bootstrap over notes, p from approximate randomisation of notes against the
    first system. Recall by label and what only one system found come beside. Needs the `evaluate` extra.

    Examples:

        plainsight compare gold/ rules.jsonl crf.jsonl --names rules,crf

        plainsight compare gold/ a/ b/ --scorer strict --disagreements differ.csv --report compare.html
    """
    need_numpy("compare")
    if scorer not in SCORERS:
        raise UsageError(f"unknown scorer {scorer!r}{suggest(scorer, SCORERS)}")
    if show_text and not disagreements:
        raise UsageError("--show-text is for --disagreements")
    named = _names(names, preds)
    formats, labels = (_for_each(preds, given) for given in (pred_formats, pred_labels))
    check_places([gold, *preds], [report, disagreements, csv], force=force)

    from plainsight.evaluate.report.comparison import comparison_page
    from plainsight.evaluate.systems import Systems

    wanted = marks.gold(read_notes(gold, format=format, keep_overlaps=True))
    pairs: dict[str, Sequence[Pair]] = {
        name: marks.pairs(wanted, marks.found(path, format=how, labels=scheme))
        for name, path, how, scheme in zip(named, preds, formats, labels, strict=True)
    }
    systems = Systems(pairs, scorer=scorer, shuffles=shuffles, seed=seed)
    if disagreements:
        head = (*DISAGREEMENTS, *TEXT) if show_text else DISAGREEMENTS
        write_table(disagreements, head, list_disagreements(pairs, show_text=show_text))
    if csv:
        rows = ((name, *row) for name, own in pairs.items() for row in tidy(Evaluation(tuple(own))))
        write_table(csv, ("system", *Row._fields), rows)
    if report:
        write_page(report, comparison_page(systems, title=title or f"{', '.join(named)} on {gold.name}"))
    if as_json:
        print(json.dumps(systems.to_json(), indent=2))
    else:
        show(_tables(systems))


def _names(given: str | None, preds: Sequence[Path]) -> list[str]:
    """Return the systems' names: as given, else their files' or folders' as far as these differ."""
    if len(preds) < 2:
        raise UsageError("a comparison needs two systems or more")
    if given is None:
        stems = [path.name.partition(".")[0] or path.name for path in preds]
        names = stems if len(set(stems)) == len(stems) else list(map(str, preds))
    else:
        names = given.split(",")
    if len(names) != len(preds) or len(set(names)) != len(names) or not all(names):
        raise UsageError(f"--names must be {len(preds)} different names, with commas between")
    return names


def _for_each(preds: Sequence[Path], given: str | None) -> list[str | None]:
    """Return what was given for each system; one is for all."""
    parts = [part or None for part in (given or "").split(",")]
    if len(parts) not in (1, len(preds)):
        raise UsageError(f"--pred-format and --pred-labels: give one, or {len(preds)} with commas between")
    return parts * len(preds) if len(parts) == 1 else parts


def _tables(systems: Systems) -> list[Table]:
    first, *_ = systems.names
    scores = [
        (name, *(spread(i.value, i.low, i.high) for i in systems.intervals[name].values()), leaks.clean_share)
        for name, leaks in systems.leaks.items()
    ]
    tests = [
        (
            name, test.precision, test.p_precision, test.recall, test.p_recall, test.f, test.p_f,
            systems.alone[name][name], systems.alone[name][first], systems.agreement[name].kappa,
        )
        for name, test in systems.against_first.items()
    ]  # fmt: skip
    frequent = sorted(systems.by_label.items(), key=lambda entry: -entry[1][first].gold)
    labels = [
        (label, int(tallies[first].gold), *(tally.recall for tally in tallies.values()))
        for label, tallies in frequent
    ]
    categories = [
        (category, int(tallies[first].gold), *(tally.f for tally in tallies.values()))
        for category, tallies in systems.by_category.items()
    ]
    alone = [
        plain_table(
            f"Found by {name} or {first} alone",
            ("label", f"only {name}", f"only {first}"),
            [(label, *row.values()) for label, row in labels.items()],
        )
        for name, labels in systems.alone_by_label.items()
        if labels
    ]
    title = f"{systems.scorer} with intervals of 95 % ({len(systems.pairs[first]):,} notes)"
    return [
        plain_table(title, ("system", "P", "R", "F", "no leak"), scores),
        plain_table(
            f"Against {first} ({systems.shuffles:,} shuffles)",
            ("system", "ΔP", "p", "ΔR", "p", "ΔF", "p", "only it", "only first", "kappa"),
            tests,
        ),
        plain_table("F by category", ("category", "gold", *systems.names), categories),
        plain_table("Recall by label", ("label", "gold", *systems.names), labels),
        *alone,
    ]
