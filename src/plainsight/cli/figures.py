"""Figures on the terminal: a few plain tables that fit into a hundred columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.report.html import figure
from plainsight.evaluate.scorers import by_any_label
from plainsight.evaluate.tables import TABLES, main_scores

__all__ = ["overview", "plain_table", "show", "tables"]

_WORST = 10
_WIDEST = 500


def plain_table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table of figures: names to the left, numbers to the right."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(figure, row))
    return table


def show(tables: Iterable[Table]) -> None:
    """Print tables with a line between them; a figure is never cut off to fit a narrow window or a pipe."""
    console = Console(width=_WIDEST)
    for place, table in enumerate(tables):
        if place:
            console.print()
        console.print(table)


def overview(evaluation: Evaluation) -> list[Table]:
    """Return what a reader looks for first: scores, leaks and the labels that leak most."""
    return [_scores(evaluation), *tables(evaluation, ["leaks"]), _labels(evaluation)]


def tables(evaluation: Evaluation, names: Iterable[str]) -> list[Table]:
    """Return an evaluation's tables by name."""
    return [plain_table(*sheet) for name in names for sheet in TABLES[name](evaluation) if sheet.rows]


def _scores(evaluation: Evaluation) -> Table:
    rows = []
    for name, score in main_scores(evaluation).items():
        micro, macro = score.micro, score.macro
        means = (macro[key]["mean"] for key in ("precision", "recall", "f"))
        counts = int(micro.gold), int(micro.found)
        rows.append((name, micro.precision, micro.recall, micro.f, *means, *counts))
    head = ("scorer", "P", "R", "F", "macro P", "macro R", "macro F", "gold", "found")
    notes = len(evaluation.pairs)
    return plain_table(f"Scores ({notes:,} note{'s' * (notes != 1)})", head, rows)


def _labels(evaluation: Evaluation) -> Table:
    tallies = by_any_label(evaluation.pairs)
    typed = evaluation.scores["token"].by_label
    worst = sorted(tallies, key=lambda label: (tallies[label].gold_hits - tallies[label].gold, label))
    rows = [
        (
            label,
            int(tally.gold),
            int(tally.gold - tally.gold_hits),
            tally.recall,
            int(tally.found),
            tally.precision,
            typed[label].precision,
        )
        for label in worst[:_WORST]
        if (tally := tallies[label])
    ]
    head = ("label", "tokens", "missed", "recall", "claimed", "precision", "right label")
    return plain_table("Labels with the most missed tokens (found under any label)", head, rows)
