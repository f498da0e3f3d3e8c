"""The report: one HTML page with tables, charts and, where the user allows it, the marked notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from plainsight.evaluate.errors import judge
from plainsight.evaluate.leaks import leaked_tokens, marked
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series, bars, shades
from plainsight.evaluate.report.html import cards, figure, framed, table
from plainsight.evaluate.summary import Evaluation

__all__ = ["figure", "page"]


def page(evaluation: Evaluation, *, title: str, show_text: bool = False) -> str:
    """Return the report of one system; note text is in it only if ``show_text`` says so."""
    data = evaluation.to_json()
    sections = [
        _cards(data),
        _scores(data),
        _labels(data),
        _official(data),
        _leaks(data),
        _errors(data),
        _notes(evaluation, data, show_text=show_text),
    ]
    about = f"{data['notes']:,} notes. Tokens are runs of letters and digits; n/a is undefined."
    return framed(title, about, sections)


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


_FIGURES = ("precision", "recall", "f")


def _scores(data: Mapping[str, Any]) -> str:
    rows = [
        (
            name,
            *(score["micro"][key] for key in _FIGURES),
            *(_pm(score["macro"][key]) for key in _FIGURES),
            int(score["micro"]["gold"]),
        )
        for name, score in data["scores"].items()
    ]
    groups = [
        (f"{group}: {name}", *(score[key] for key in _FIGURES), int(score["gold"]))
        for group, scores in data["groups"].items()
        for name, score in scores.items()
    ]
    with_negatives = data["with_negatives"]
    return (
        "<h2>Scores</h2>"
        + table(("scorer", "P", "R", "F", "macro P (SD)", "macro R (SD)", "macro F (SD)", "gold units"), rows)
        + f"<p>2006 token F, unmarked tokens counted: {figure(with_negatives['f'])};"
        f" identifiers alone: {figure(with_negatives['f_identifiers'])}.</p>"
        + "<h2>Label groups</h2>"
        + table(("group", "P", "R", "F", "gold units"), groups)
    )


def _pm(spread: Mapping[str, float | None]) -> str:
    return "n/a" if spread["mean"] is None else f"{spread['mean']:.4f} ({spread['sd']:.2f})"


def _labels(data: Mapping[str, Any]) -> str:
    tokens, strict = data["scores"]["token"]["by_label"], data["scores"]["strict"]["by_label"]
    rows = [
        (label, *(tokens[label][key] for key in _FIGURES), int(tokens[label]["gold"]),
         *(strict.get(label, {}).get(key) for key in _FIGURES), int(strict.get(label, {}).get("gold", 0)))
        for label in tokens
    ]  # fmt: skip
    chart = bars("Token recall by label", {label: tokens[label]["recall"] for label in tokens})
    head = ("label", "token P", "token R", "token F", "tokens", "strict P", "strict R", "strict F", "spans")
    return "<h2>Labels</h2>" + chart + table(head, rows)


def _official(data: Mapping[str, Any]) -> str:
    rows = [
        (title, *(block[key] for key in _FIGURES),
         f"{block['macro_precision']:.4f} ({block['macro_precision_sd']:.2f})",
         f"{block['macro_recall']:.4f} ({block['macro_recall_sd']:.2f})", block["macro_f"])
        for title, block in data["i2b2_2014"].items()
    ]  # fmt: skip
    meddocan = [
        (title, *(block[key] for key in _FIGURES), block.get("leak"))
        for title, block in data["meddocan"].items()
    ]
    return (
        "<h2>As the official scripts count</h2><h3>i2b2-2014</h3>"
        + table(("block", "P", "R", "F", "macro P (SD)", "macro R (SD)", "macro F"), rows)
        + "<h3>MEDDOCAN</h3>"
        + table(("track", "P", "R", "F", "leak"), meddocan)
    )


def _leaks(data: Mapping[str, Any]) -> str:
    names = {
        "clean_share": "notes with no leak at all",
        "leaked": "leaked tokens",
        "tokens": "of identifying tokens",
        "unique": "unique leaked strings",
        "weighted_leak": "share of the identifiers' information that leaked",
        "character_recall": "identifying characters marked",
        "over_redaction": "other characters marked as well",
    }
    rows = [(text, data["leaks"][key]) for key, text in names.items()]
    detectors = [(name, row["found"], row["alone"]) for name, row in data["detectors"].items()]
    found = table(("detector", "gold tokens covered", "by no other"), detectors) if detectors else ""
    return "<h2>Leaks</h2>" + table(("measure", "value"), rows) + found


def _errors(data: Mapping[str, Any]) -> str:
    errors = data["errors"]
    kinds = [(name, row["count"], row["share"]) for name, row in errors["kinds"].items()]
    extents = [(label, *row.values()) for label, row in errors["extents"].items()]
    by_label = [
        (label, row["key"], *(row[key] for key in _FIGURES)) for label, row in errors["by_label"].items()
    ]
    per_note = [tuple(row.values()) for row in errors["per_note"]]
    types = [(name, *row.values()) for name, row in errors["by_note_type"].items()]
    return (
        "<h2>Errors</h2>"
        + table(("kind", "count", "share"), kinds)
        + shades("Gold label (rows) and found label", errors["confusion"])
        + "<h3>Extent errors</h3>"
        + table(("label", "short", "long", "both"), extents)
        + "<h3>By label, extent ignored</h3>"
        + table(("label", "key", "P", "R", "F"), by_label)
        + "<h3>Misses per note</h3>"
        + table(("misses", "notes", "cumulative misses", "coverage", "mean labels"), per_note)
        + "<h3>Misses per note type</h3>"
        + table(("note type", "misses", "identifiers", "notes with a miss", "notes", "share"), types)
    )


def _notes(evaluation: Evaluation, data: Mapping[str, Any], *, show_text: bool) -> str:
    rows = [
        (note["id"], *(note[key] for key in _FIGURES), note["leaked"], int(note["gold"]))
        for note in data["by_note"]
    ]
    curve = _calibration(evaluation.pairs)
    shown = "".join(map(_marked, evaluation.pairs)) if show_text else ""
    legend = (
        '<p><mark class="found">found</mark>'
        ' <mark class="partial">found in part or under another label</mark>'
        ' <mark class="missed">missed</mark> <mark class="spurious">spurious</mark></p>'
        if show_text
        else '<p class="note">Note text is left out; the option --show-text puts it in.</p>'
    )
    return (
        "<h2>Confidence</h2>" + curve + "<h2>Notes</h2>"
        + table(("note", "P", "R", "F", "leaked tokens", "identifying tokens"), rows) + legend + shown
    )  # fmt: skip


def _calibration(pairs: Iterable[Pair]) -> str:
    """Return the calibration curve: how often a claim of a given score touches an identifier."""
    try:
        from plainsight.evaluate.statistics import calibration
    except ModuleNotFoundError:  # the rest of the page needs no numpy
        install = "pip install 'plainsight[evaluate]'"
        return f'<p class="note">The calibration curve needs numpy: {install}</p>'
    scores, right = [], []
    for pair in pairs:
        identifying = marked(pair.text, pair.gold)
        scores += [span.score for span in pair.found]
        right += [any(identifying[span.start : span.end]) for span in pair.found]
    curve = calibration(scores, right)
    if curve.error is None:
        return "<p>No claims.</p>"
    series = Series(
        "claims",
        list(zip(curve.confidence, curve.share_right, strict=True)),
        notes=[f"{count} claims" for count in curve.count],
    )
    chart = Chart(title="Calibration", x="score of a claim", y="share right", series=[series], diagonal=True)
    return chart.svg() + f"<p>Expected calibration error {curve.error:.4f}.</p>"


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
