"""HTML pages: the report on one system, with charts and marked notes, and the comparison of several.

A page is one file without links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

from plainsight.evaluate.comparison import Comparison
from plainsight.evaluate.errors import judge
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series, bars, ranges, shades
from plainsight.evaluate.statistics import Interval
from plainsight.evaluate.tables import TABLES, Sheet, comparison_tables, figure, miss_kind_sheets

FIGURES = ("labels", "categories", "confusion", "calibration", "confidence")

_SECTIONS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("Scores", ["scores"], []),
    ("Label groups", ["groups"], []),
    ("Categories", ["categories"], ["categories"]),
    ("Note types", ["note-types"], []),
    ("Labels", ["labels"], ["labels"]),
    ("Conventions", ["conventions"], []),
    ("As the official scripts count", ["official"], []),
    ("Partial credit", ["partial-credit"], []),
    ("Leaks", ["leaks", "entities", "detectors"], []),
    ("Errors", ["errors", "misses", "miss-kinds"], ["confusion"]),
    ("Confidence", ["confidence"], ["calibration", "confidence"]),
    ("Agreement", ["agreement"], []),
    ("Likely misses", ["likely-misses"], []),
    ("Notes", ["notes"], []),
)
"""The report's sections: title, tables, figures."""

_CLASS = ' class="best"'
_HIDDEN = '<p class="note">Note text is left out; the option --show-text puts it in.</p>'
_LEGEND = (
    '<p><mark class="found">found</mark>'
    ' <mark class="partial">found in part or under another label</mark>'
    ' <mark class="missed">missed</mark> <mark class="spurious">spurious</mark></p>'
)


def page(evaluation: Evaluation, *, title: str, show_text: bool = False) -> str:
    """Return the report of one system; it holds note text only if ``show_text`` is set."""
    binary, strict = (evaluation.scores[name].micro for name in ("binary-token", "strict"))
    first = {
        "token recall": binary.recall,
        "token precision": binary.precision,
        "strict F": strict.f,
        "notes without leak": evaluation.leaks.clean_share,
        "unique leaked strings": evaluation.leaks.unique,
    }
    drawn = figures(evaluation)
    sections = [_cards(first.items())]
    for name, tables, charts in _SECTIONS:
        sheets = [sheet for table in tables for sheet in _sheets(table, evaluation, show_text)]
        sections.append(_section(name, sheets, [drawn[chart] for chart in charts]))
    sections.append(_LEGEND + "".join(map(_marked, evaluation.pairs)) if show_text else _HIDDEN)
    about = f"{len(evaluation.pairs):,} notes. Tokens are runs of letters and digits; n/a is undefined."
    return _framed(title, about, sections)


def _sheets(table: str, evaluation: Evaluation, show_text: bool) -> Iterable[Sheet]:
    if table == "miss-kinds":
        return miss_kind_sheets(evaluation, examples=show_text)
    return TABLES[table](evaluation)


def comparison_page(comparison: Comparison, *, title: str, percents: bool = False) -> str:
    """Return the page that compares systems; it holds no note text."""
    first = comparison.names[0]
    about = (
        f"{len(comparison.pairs[first]):,} notes, scorer {comparison.scorer}. Intervals of 95 % over notes "
        f"drawn with replacement; p by approximate randomisation of notes against {first}, "
        f"{comparison.shuffles:,} shuffles, not corrected for the number of tests. n/a is undefined."
    )
    scores, *others = comparison_tables(comparison, percents=percents)
    charts = [
        ranges(name, {system: _edges(found[key]) for system, found in comparison.intervals.items()})
        for key, name in (("precision", "Precision"), ("recall", "Recall"), ("f", "F"))
    ]
    by_category = {
        f"{category} · {name}": tally.f
        for category, tallies in comparison.by_category.items()
        for name, tally in tallies.items()
        if tallies[first].gold
    }
    gold = int(comparison.scores[first].micro.gold)
    return _framed(
        title,
        about,
        [
            _cards((f"F of {name}", score.micro.f) for name, score in comparison.scores.items()),
            _section("Scores", [scores]),
            f"<p>{gold:,} units in the gold standard.</p>",
            *charts,
            bars(f"F by category ({comparison.scorer})", by_category),
            *(_section(sheet.title, [sheet]) for sheet in others),
        ],
    )


def _edges(interval: Interval) -> tuple[float | None, float | None, float | None]:
    return interval.value, interval.low, interval.high


def _section(title: str, sheets: Iterable[Sheet], charts: Iterable[str] = ()) -> str:
    """Return a section: its title, charts, then tables."""
    parts = [
        ("" if sheet.title == title else f"<h3>{escape(sheet.title)}</h3>") + _table(sheet)
        for sheet in sheets
    ]
    return f"<h2>{escape(title)}</h2>{''.join(charts)}{''.join(parts)}"


def figures(evaluation: Evaluation) -> dict[str, str]:
    """Return every figure of `FIGURES` as SVG; one without data is empty."""
    tokens = evaluation.scores["token"].by_label
    parts = {name: scores["binary-token"].micro.f for name, scores in evaluation.categories.items()}
    curve = evaluation.confidence.calibration
    claims = Series(
        "claims",
        list(zip(curve.confidence, curve.share_right, strict=True)),
        notes=[f"{count} claims" for count in curve.count],
    )
    ranked = enumerate(evaluation.confidence.ranked, start=1)
    notes = Series("notes", [(float(rank), f) for rank, (_, f) in ranked], line=False)
    charts = {
        "calibration": Chart(
            title="Calibration", x="score of a claim", y="share right", series=[claims], diagonal=True
        ),
        "confidence": Chart(
            title="Notes by confidence", x="rank, the surest first", y="strict F", series=[notes]
        ),
    }
    return {
        "labels": bars("Token recall by label", {label: tally.recall for label, tally in tokens.items()}),
        "categories": bars("F over tokens, whatever the label, by category", parts),
        "confusion": shades("Gold label (rows) and found label", evaluation.data["errors"]["confusion"]),
        **{name: chart.svg() for name, chart in charts.items()},
    }


def _marked(pair: Pair) -> str:
    """Return a note with its marks; each character is in at most one, for the worst error it is part of."""
    marks = [("", "")] * len(pair.text)
    for judgement in judge(pair):
        gold, found = judgement.gold, judgement.found
        if found:
            kind = {"correct": "found", "spurious": "spurious"}.get(judgement.kind, "partial")
            about = f"{found.label} · {found.source} · {found.score:.2f}"
            marks[found.start : found.end] = [(kind, about)] * (found.end - found.start)
        if gold and judgement.kind != "correct":
            for index in range(gold.start, gold.end):
                if not marks[index][0]:
                    marks[index] = ("missed", gold.label)
    for start, end in leaked_tokens(pair):
        marks[start:end] = [("missed", marks[start][1])] * (end - start)
    pieces, start = list[str](), 0
    for (kind, about), run in groupby(marks):
        end = start + sum(1 for _ in run)
        inside = escape(pair.text[start:end])
        pieces.append(f'<mark class="{kind}" title="{escape(about)}">{inside}</mark>' if kind else inside)
        start = end
    return f"<details><summary>{escape(pair.id)}</summary><pre>{''.join(pieces)}</pre></details>"


def _table(sheet: Sheet) -> str:
    """Return a table of figures, the best ones bold."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in sheet.head)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_CLASS if (at, column) in sheet.best else ''}>{escape(figure(cell))}</td>"
            for column, cell in enumerate(row)
        )
        + "</tr>"
        for at, row in enumerate(sheet.rows)
    )
    return f"<table><tr>{cells}</tr>{body}</table>"


def _cards(figures: Iterable[tuple[str, Any]]) -> str:
    """Return the few figures that a reader looks for first."""
    parts = (
        f'<div class="card">{escape(name)}<b>{escape(figure(value))}</b></div>' for name, value in figures
    )
    return f'<div class="cards">{"".join(parts)}</div>'


def _framed(title: str, about: str, sections: Iterable[str]) -> str:
    """Return a whole page: its title, a line about it, and sections of HTML."""
    style = (files("plainsight.evaluate.report") / "page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f'<h1>{escape(title)}</h1><p class="note">{escape(about)}</p>'
        f"{''.join(sections)}</html>\n"
    )
