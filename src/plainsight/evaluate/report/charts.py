"""Charts as SVG text: lines and points on two axes, bars, and a table of shades. No library, no network.

The colours are safe for people with colour blindness, and every series has its own marker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b", "#8a6d00")
_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 36, 52
_STYLE = (
    "<style>text{font:12px system-ui,sans-serif;fill:#222}.t{font-weight:600;font-size:14px}"
    ".g{stroke:#ddd}.a{stroke:#444}.d{fill:none;stroke-width:2}</style>"
)
_VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')

Point = tuple[float, float]
Scale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Series:
    """Points under one name; ``line`` joins them, ``notes`` are shown when a reader points at one."""

    name: str
    points: Sequence[Point]
    line: bool = True
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart with two axes."""

    title: str
    x: str
    y: str
    series: Sequence[Series]
    log_x: bool = False
    diagonal: bool = False

    def svg(self) -> str:
        """Return the chart as an SVG element."""
        points = [point for series in self.series for point in series.points]
        if not points:
            return ""
        xs, ys = _ticks([x for x, _ in points], log=self.log_x), _ticks([y for _, y in points])
        across = _scale(xs[0], xs[-1], _LEFT, _WIDTH - _RIGHT, log=self.log_x)
        up = _scale(ys[0], ys[-1], _HEIGHT - _BOTTOM, _TOP)
        drawn = [*_axes(self, xs, ys, across, up)]
        if self.diagonal:
            low, high = max(xs[0], ys[0]), min(xs[-1], ys[-1])
            drawn.append(_path([(across(low), up(low)), (across(high), up(high))], "#999", dashed=True))
        for number, series in enumerate(self.series):
            colour = _COLOURS[number % len(_COLOURS)]
            placed = [(across(x), up(y)) for x, y in series.points]
            if series.line and len(placed) > 1:
                drawn.append(_path(placed, colour))
            notes = series.notes or [f"{_short(x)}, {_short(y)}" for x, y in series.points]
            for (x, y), note in zip(placed, notes, strict=True):
                drawn.append(_marker(number, x, y, colour, f"{series.name}: {note}"))
            drawn.append(_key(number, colour, series.name, len(self.series)))
        key_height = 20 * ceil(len(self.series) / 3) if len(self.series) > 1 else 0
        return _frame(_WIDTH, _HEIGHT + key_height, self.title, drawn)


def stacked(charts: Sequence[str]) -> str:
    """Return several charts below each other as one SVG element."""
    sizes = [tuple(map(float, _VIEW_BOX.search(chart).groups())) for chart in charts]  # type: ignore[union-attr]
    width, height = max(width for width, _ in sizes), sum(height for _, height in sizes)
    drawn, at = [], 0.0
    for chart, (_, own) in zip(charts, sizes, strict=True):
        drawn.append(chart.replace("<svg ", f'<svg y="{at:.0f}" height="{own:.0f}" ', 1))
        at += own
    view = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view} width="{width:.0f}">{"".join(drawn)}</svg>'


def bars(title: str, values: Mapping[str, float | None], *, most: float = 1.0) -> str:
    """Return horizontal bars, one a name; undefined values say so."""
    row, left, longest = 22, 170, _WIDTH - 240
    drawn = []
    for index, (name, value) in enumerate(values.items()):
        y = _TOP + index * row
        width = longest * min(value or 0.0, most) / most
        drawn.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        if value is not None:
            size = f'width="{width:.1f}" height="{row - 7}"'
            drawn.append(f'<rect x="{left}" y="{y + 3}" {size} fill="{_COLOURS[0]}"/>')
        label = "n/a" if value is None else f"{value:.3f}"
        drawn.append(f'<text x="{left + 6 + width:.1f}" y="{y + 14}">{label}</text>')
    return _frame(_WIDTH, _TOP + row * len(values) + 10, title, drawn)


def ranges(title: str, values: Mapping[str, tuple[float | None, float | None, float | None]]) -> str:
    """Return a figure and its interval a row: a dot at the value between low and high, on one axis."""
    row, left = 26, 170
    known = [number for entry in values.values() for number in entry if number is not None]
    if not known:
        return ""
    ticks = _ticks(known)
    across = _scale(ticks[0], ticks[-1], left, _WIDTH - 90)
    bottom = _TOP + row * len(values)
    drawn = _columns(ticks, across, bottom)
    for index, (name, (value, low, high)) in enumerate(values.items()):
        y, colour = _TOP + index * row + row / 2, _COLOURS[index % len(_COLOURS)]
        drawn.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        if low is not None and high is not None:
            drawn.append(_path([(across(low), y), (across(high), y)], colour))
        if value is not None:
            drawn.append(_marker(index, across(value), y, colour, f"{name}: {_short(value)}"))
        label = "n/a" if value is None else f"{value:.4f}"
        drawn.append(f'<text x="{_WIDTH - 76}" y="{y + 4}">{label}</text>')
    return _frame(_WIDTH, bottom + 26, title, drawn)


def shades(title: str, table: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table of numbers in which larger ones are darker: a confusion matrix."""
    rows = list(table)
    columns = sorted({column for row in table.values() for column in row})
    cell, left, top = 46, 130, 130
    drawn = []
    for index, column in enumerate(columns):
        x = left + index * cell + cell / 2
        drawn.append(f'<text transform="translate({x:.0f},{top - 6}) rotate(-55)">{escape(column)}</text>')
    for down, row in enumerate(rows):
        y = top + down * 24
        most = sum(table[row].values())
        drawn.append(f'<text x="{left - 6}" y="{y + 16}" text-anchor="end">{escape(row)}</text>')
        for index, column in enumerate(columns):
            number = table[row].get(column, 0)
            if number:
                x, share = left + index * cell, number / most
                ink = "#fff" if share > 0.5 else "#222"
                drawn.append(
                    f'<rect x="{x}" y="{y}" width="{cell - 2}" height="22" fill="{_COLOURS[0]}"'
                    f' fill-opacity="{0.08 + 0.92 * share:.2f}"/>'
                    f'<text x="{x + cell / 2 - 1}" y="{y + 15}" text-anchor="middle" style="fill:{ink}">'
                    f"{number:g}</text>"
                )
    return _frame(left + cell * len(columns) + 80, top + 24 * len(rows) + 10, title, drawn)


def _scale(low: float, high: float, start: float, end: float, *, log: bool = False) -> Scale:
    """Return a function from values to coordinates."""
    value = log10 if log else float
    first, size = value(low), (value(high) - value(low)) or 1
    return lambda number: start + (value(number) - first) / size * (end - start)


def _ticks(values: Sequence[float], *, log: bool = False) -> list[float]:
    """Return round numbers that reach from below the least to above the greatest value."""
    low, high = min(values), max(values)
    if log:
        first, last = floor(log10(low)), ceil(log10(high))
        return [10.0**power for power in range(first, max(last, first + 1) + 1)]
    span = (high - low) or abs(high) or 1.0
    step = 10.0 ** floor(log10(span))
    step *= next(factor for factor in (0.1, 0.2, 0.25, 0.5, 1, 2) if span / (step * factor) <= 6)
    first = floor(low / step + 1e-9)
    count = max(1, ceil(high / step - 1e-9) - first)
    return [round((first + number) * step, 10) for number in range(count + 1)]


def _short(value: float) -> str:
    return f"{value:.4g}"


def _axes(chart: Chart, xs: Sequence[float], ys: Sequence[float], across: Scale, up: Scale) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    middle, centre = (_LEFT + right) / 2, (_TOP + bottom) / 2
    drawn = _columns(xs, across, bottom)
    for y in ys:
        drawn.append(f'<line class="g" x1="{_LEFT}" x2="{right}" y1="{up(y):.1f}" y2="{up(y):.1f}"/>')
        drawn.append(f'<text x="{_LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{_short(y)}</text>')
    return [
        *drawn,
        f'<line class="a" x1="{_LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>',
        f'<line class="a" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{bottom}"/>',
        f'<text x="{middle}" y="{bottom + 38}" text-anchor="middle">{escape(chart.x)}</text>',
        f'<text transform="translate(16,{centre}) rotate(-90)" text-anchor="middle">{escape(chart.y)}</text>',
    ]


def _columns(ticks: Sequence[float], across: Scale, bottom: float) -> list[str]:
    """Return vertical lines at the ticks, with their values below."""
    drawn = []
    for tick in ticks:
        x = across(tick)
        drawn.append(f'<line class="g" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>')
        drawn.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{_short(tick)}</text>')
    return drawn


def _path(points: Sequence[Point], colour: str, *, dashed: bool = False) -> str:
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<polyline class="d" stroke="{colour}"{dash} points="{steps}"/>'


def _marker(number: int, x: float, y: float, colour: str, note: str) -> str:
    shapes = (
        f'circle cx="{x:.1f}" cy="{y:.1f}" r="4"',
        f'rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"',
        f'path d="M{x:.1f} {y - 5:.1f}l5 9h-10z"',
        f'path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"',
    )
    shape = shapes[number % len(shapes)]
    kind = shape.partition(" ")[0]
    return f'<{shape} fill="{colour}"><title>{escape(note)}</title></{kind}>'


def _key(number: int, colour: str, name: str, count: int) -> str:
    if count < 2:
        return ""
    x, y = _LEFT + number % 3 * 190, _HEIGHT + 6 + number // 3 * 20
    return _marker(number, x, y, colour, name) + f'<text x="{x + 12}" y="{y + 4}">{escape(name)}</text>'


def _frame(width: float, height: float, title: str, drawn: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img"'
        f' aria-label="{escape(title)}" width="{width:.0f}">{_STYLE}'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text class="t" x="12" y="20">{escape(title)}</text>{"".join(drawn)}</svg>'
    )
