"""The comparison: one HTML page with several systems side by side; no note text is in it."""

from __future__ import annotations

from html import escape

from plainsight.evaluate.report.charts import bars, ranges
from plainsight.evaluate.report.html import cards, framed, spread, table
from plainsight.evaluate.statistics import Interval
from plainsight.evaluate.systems import Systems

__all__ = ["comparison_page"]

_FIGURES = {"precision": "Precision", "recall": "Recall", "f": "F"}


def comparison_page(systems: Systems, *, title: str) -> str:
    """Return the page that compares systems."""
    first, *_ = systems.names
    notes = len(systems.pairs[first])
    about = (
        f"{notes:,} notes, scorer {systems.scorer}. Intervals of 95 % over notes drawn with replacement; "
        f"p by approximate randomisation of notes against {first}, {systems.shuffles:,} shuffles, "
        "not corrected for the number of tests. n/a is undefined."
    )
    parts = (_cards, _scores, _tests, _categories, _labels, _alone, _leaks)
    return framed(title, about, [part(systems) for part in parts])


def _cards(systems: Systems) -> str:
    return cards((f"F of {name}", score.micro.f) for name, score in systems.scores.items())


def _scores(systems: Systems) -> str:
    rows = [
        (name, *(spread(*_edges(systems.intervals[name][key])) for key in _FIGURES), int(score.micro.found))
        for name, score in systems.scores.items()
    ]
    charts = "".join(
        ranges(title, {name: _edges(systems.intervals[name][key]) for name in systems.names})
        for key, title in _FIGURES.items()
    )
    gold = next(iter(systems.scores.values())).micro.gold
    return (
        "<h2>Scores</h2>"
        + table(("system", "P", "R", "F", "found units"), rows)
        + f"<p>{int(gold):,} units in the gold standard.</p>"
        + charts
    )


def _edges(interval: Interval) -> tuple[float | None, float | None, float | None]:
    return interval.value, interval.low, interval.high


def _tests(systems: Systems) -> str:
    rows = [
        (name, test.precision, test.p_precision, test.recall, test.p_recall, test.f, test.p_f)
        for name, test in systems.against_first.items()
    ]
    first, *_ = systems.names
    agreed = [(name, found.kappa, found.kappa_marked) for name, found in systems.agreement.items()]
    return (
        f"<h2>Against {escape(first)}</h2>"
        + table(("system", "ΔP", "p", "ΔR", "p", "ΔF", "p"), rows)
        + table(("system", "kappa with the first, with labels", "marked or not"), agreed)
    )


def _categories(systems: Systems) -> str:
    first, *_ = systems.names
    rows = [
        (category, int(tallies[first].gold), *(tally.f for tally in tallies.values()))
        for category, tallies in systems.by_category.items()
    ]
    values = {
        f"{category} · {name}": tally.f
        for category, tallies in systems.by_category.items()
        for name, tally in tallies.items()
        if tallies[first].gold
    }
    return (
        "<h2>F by category</h2>"
        + bars(f"F by category ({systems.scorer})", values)
        + table(("category", "gold units", *systems.names), rows)
    )


def _labels(systems: Systems) -> str:
    first, *_ = systems.names
    rows = [
        (label, int(tallies[first].gold), *(tally.recall for tally in tallies.values()))
        for label, tallies in systems.by_label.items()
    ]
    return "<h2>Recall by label</h2>" + table(("label", "gold units", *systems.names), rows)


def _alone(systems: Systems) -> str:
    first, *_ = systems.names
    made = ["<h2>Found by one alone</h2>"]
    for name, labels in systems.alone_by_label.items():
        rows = [(label, row[name], row[first]) for label, row in labels.items()]
        rows.append(("all", systems.alone[name][name], systems.alone[name][first]))
        made.append(table(("label", f"only {name}", f"only {first}"), rows))
    return "".join(made)


def _leaks(systems: Systems) -> str:
    rows = [
        (name, found.clean_share, found.leaked, found.unique, found.weighted_leak, found.over_redaction)
        for name, found in systems.leaks.items()
    ]
    head = ("system", "notes without leak", "leaked tokens", "unique", "leaked information", "over-redaction")
    return "<h2>Leaks</h2>" + table(head, rows)
