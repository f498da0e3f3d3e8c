"""The result of an experiment: a table, a figure, and the same as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainsight.evaluate.report.html import figure, spread
from plainsight.evaluate.statistics import Interval
from plainsight.formats.files import atomic_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A table with a line about it, a figure as SVG, and the rows as data.

    The first ``names`` columns are names, the others figures.
    """

    name: str
    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    data: Sequence[dict[str, Any]]
    svg: str
    names: int = 1

    def to_markdown(self) -> str:
        """Return title, table and the line about it; what is undefined is ``n/a``."""
        sides = ["---" if place < self.names else "--:" for place in range(len(self.head))]
        lines = [self.head, sides, *self.rows]
        table = "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)
        return f"# {self.title}\n\n{table}\n\n{self.about}\n"

    def write(self, folder: Path) -> list[Path]:
        """Write table and figure beside the ledger; return where."""
        table, drawing = folder / f"{self.name}.md", folder / f"{self.name}.svg"
        for path, content in ((table, self.to_markdown()), (drawing, f"{self.svg}\n")):
            with atomic_file(path) as temporary:
                temporary.write_text(content, encoding="utf-8")
        return [table, drawing]


def _cell(value: Any) -> str:
    return figure(value).replace("|", "\\|")


def shown(interval: Interval) -> str:
    """Return a figure with its interval."""
    return spread(*edges(interval))


def edges(interval: Interval) -> tuple[float | None, float | None, float | None]:
    """Return value, low and high."""
    return interval.value, interval.low, interval.high
