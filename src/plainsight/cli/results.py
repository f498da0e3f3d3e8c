"""Tables of figures on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from plainsight.evaluate.report.html import figure

_WIDEST = 500


def plain_table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table of figures: names to the left, numbers to the right."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(figure, row))
    return table


def print_tables(tables: Iterable[tuple[str, Sequence[str], Sequence[Sequence[Any]]]]) -> None:
    """Print the tables that have rows; a narrow window or a pipe cuts no figure off."""
    console = Console(width=_WIDEST)
    for place, table in enumerate(table for table in tables if table[2]):
        if place:
            console.print()
        console.print(plain_table(*table))
