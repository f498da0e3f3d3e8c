"""Results of attacks as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns and rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, title: str, records: Sequence[Mapping[str, object]]) -> Table:
        """Return the table of records with the same keys; what is no figure or text is left out."""
        keys = [key for key, value in records[0].items() if not isinstance(value, dict)] if records else []
        rows = tuple(tuple(_cell(record[key]) for key in keys) for record in records)
        return cls(title, tuple(key.replace("_", " ") for key in keys), rows)

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        return f"**{self.title}**\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "n/a" if value is None else str(value)
