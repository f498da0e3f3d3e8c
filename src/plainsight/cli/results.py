"""Results on the terminal and in files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from plainsight.evaluate.tables import Sheet, figure
from plainsight.formats.files import atomic_file

_WIDEST = 500


def plain_table(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Any]],
    best: frozenset[tuple[int, int]] = frozenset(),
) -> Table:
    """Return a table of figures: names to the left, numbers to the right, a star before the best ones."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for column, name in enumerate(head):
        table.add_column(name, justify="right" if column else "left", no_wrap=True)
    for at, row in enumerate(rows):
        table.add_row(*("*" * ((at, column) in best) + figure(cell) for column, cell in enumerate(row)))
    return table


def print_tables(tables: Iterable[Sheet | tuple[str, Sequence[str], Sequence[Sequence[Any]]]]) -> None:
    """Print the tables that have rows; also in a narrow window or a pipe, no figure is cut off."""
    console = Console(width=_WIDEST)
    for number, table in enumerate(Sheet(*table) for table in tables if table[2]):
        if number:
            console.print()
        console.print(plain_table(*table))


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
