"""The report: one HTML page with tables, charts and, where the user allows it, the marked notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from plainsight.evaluate.errors import judge
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.leaks import leaked_tokens
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.figures import figures
from plainsight.evaluate.report.html import cards, framed, table
from plainsight.evaluate.tables import TABLES

__all__ = ["page"]


def page(evaluation: Evaluation, *, title: str, show_text: bool = False) -> str:
    """Return the report of one system; note text is in it only if ``show_text`` says so."""
    data, drawn = evaluation.data, figures(evaluation)
    sections = [
        _cards(data),
        _section("Scores", evaluation, "scores"),
        _section("Label groups", evaluation, "groups"),
        _section("Categories", evaluation, "categories", charts=[drawn["categories"]]),
        _section("Note types", evaluation, "note-types"),
        _section("Labels", evaluation, "labels", charts=[drawn["labels"]]),
        _section("Conventions", evaluation, "conventions"),
        _section("As the official scripts count", evaluation, "official"),
        _section("Leaks", evaluation, "leaks", "detectors"),
        _section("Errors", evaluation, "errors", "misses", charts=[drawn["confusion"]]),
        _section("Confidence", evaluation, "confidence", charts=[drawn["calibration"], drawn["confidence"]]),
        _section("Agreement", evaluation, "agreement"),
        _section("Likely misses", evaluation, "likely-misses"),
        _section("Notes", evaluation, "notes"),
        _shown(evaluation.pairs) if show_text else _HIDDEN,
    ]
    about = f"{data['notes']:,} notes. Tokens are runs of letters and digits; n/a is undefined."
    return framed(title, about, sections)


_HIDDEN = '<p class="note">Note text is left out; the option --show-text puts it in.</p>'
_LEGEND = (
    '<p><mark class="found">found</mark>'
    ' <mark class="partial">found in part or under another label</mark>'
    ' <mark class="missed">missed</mark> <mark class="spurious">spurious</mark></p>'
)


def _cards(data: Mapping[str, Any]) -> str:
    binary, strict = data["scores"]["binary-token"]["micro"], data["scores"]["strict"]["micro"]
    shown = {
        "token recall": binary["recall"],
        "token precision": binary["precision"],
        "strict F": strict["f"],
        "notes without leak": data["leaks"]["clean_share"],
        "unique leaked strings": data["leaks"]["unique"],
    }
    return cards(shown.items())


def _section(title: str, evaluation: Evaluation, *names: str, charts: Iterable[str] = ()) -> str:
    """Return a section: charts, then the tables of these names."""
    sheets = [sheet for name in names for sheet in TABLES[name](evaluation)]
    parts = [
        ("" if sheet.title == title else f"<h3>{escape(sheet.title)}</h3>") + table(sheet.head, sheet.rows)
        for sheet in sheets
    ]
    return f"<h2>{escape(title)}</h2>{''.join(charts)}{''.join(parts)}"


def _shown(pairs: Iterable[Pair]) -> str:
    return _LEGEND + "".join(map(_marked, pairs))


def _marked(pair: Pair) -> str:
    """Return a note with its marks: every character in at most one, the worst that is true of it."""
    classes = [""] * len(pair.text)
    about = [""] * len(pair.text)

    def mark(start: int, end: int, kind: str, text: str) -> None:
        for place in range(start, end):
            classes[place], about[place] = kind, text

    for judgement in judge(pair):
        gold, found = judgement.gold, judgement.found
        if found:
            kind = {"correct": "found", "spurious": "spurious"}.get(judgement.kind, "partial")
            mark(found.start, found.end, kind, f"{found.label} · {found.source} · {found.score:.2f}")
        if gold and judgement.kind != "correct":
            for place in range(gold.start, gold.end):
                if not classes[place]:
                    classes[place], about[place] = "missed", gold.label
    for start, end in leaked_tokens(pair):
        mark(start, end, "missed", about[start])
    text = _runs(pair.text, classes, about)
    return f"<details><summary>{escape(pair.id)}</summary><pre>{text}</pre></details>"


def _runs(text: str, classes: Sequence[str], about: Sequence[str]) -> str:
    """Return the text as HTML, a mark for each run of characters of which the same is true."""
    pieces: list[str] = []
    marks = zip(classes, about, strict=True)
    start = 0
    for (kind, said), run in groupby(marks):
        end = start + sum(1 for _ in run)
        inside = escape(text[start:end])
        pieces.append(f'<mark class="{kind}" title="{escape(said)}">{inside}</mark>' if kind else inside)
        start = end
    return "".join(pieces)
