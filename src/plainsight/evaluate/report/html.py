"""The parts of a page: figures, tables and the frame around them. A page is one file without links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any


def figure(value: Any) -> str:
    """Return a figure as it is printed: four digits, ``n/a`` where it is undefined.

    >>> figure(0.5), figure(12345), figure(None)
    ('0.5000', '12,345', 'n/a')
    """
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def spread(value: float | None, low: float | None, high: float | None) -> str:
    """Return a figure with its interval.

    >>> spread(0.5, 0.4, 0.61), spread(None, None, None)
    ('0.5000 [0.400, 0.610]', 'n/a')
    """
    return figure(value) + ("" if low is None or high is None else f" [{low:.3f}, {high:.3f}]")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table of figures."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(figure(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{cells}</tr>{body}</table>"


def cards(figures: Iterable[tuple[str, Any]]) -> str:
    """Return the few figures that a reader looks for first."""
    parts = (
        f'<div class="card">{escape(name)}<b>{escape(figure(value))}</b></div>' for name, value in figures
    )
    return f'<div class="cards">{"".join(parts)}</div>'


def framed(title: str, about: str, sections: Iterable[str]) -> str:
    """Return a whole page: its title, a line about it, and sections of HTML."""
    style = (files("plainsight.evaluate.report") / "page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f'<h1>{escape(title)}</h1><p class="note">{escape(about)}</p>'
        f"{''.join(sections)}</html>\n"
    )
