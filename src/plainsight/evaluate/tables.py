"""The tables of an evaluation or a comparison, for the terminal and the report. None holds note text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from plainsight.evaluate.comparison import Comparison
from plainsight.evaluate.entities import Entities, entities
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.leaks import likely_misses
from plainsight.evaluate.miss_kinds import miss_kinds
from plainsight.evaluate.scorers import Score, by_any_label
from plainsight.evaluate.statistics import Interval
from plainsight.evaluate.tally import Tally, ratio
from plainsight.evaluate.triage import SHARES

_LIKELY = 20
"""How many likely misses are shown; `likely_misses` lists all."""

_WORST = 10
"""How many labels the overview shows."""


class Sheet(NamedTuple):
    """A table: its title, its head and its rows; the first column names, the others are figures.

    ``best`` holds row and column of the cells that are the best of their column, or of their row.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    best: frozenset[tuple[int, int]] = frozenset()


Sheets = Iterator[Sheet]

_PRF = ("precision", "recall", "f")


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


def percent(value: Any) -> Any:
    """Return a share in percent with three decimals, anything else as it is.

    >>> percent(0.97848), percent(None), percent(3)
    ('97.848', None, 3)
    """
    return f"{100 * value:.3f}" if isinstance(value, float) else value


def with_interval(
    value: float | None, low: float | None, high: float | None, *, in_percent: bool = False
) -> str:
    """Return a figure with its interval.

    >>> with_interval(0.5, 0.4, 0.61), with_interval(None, None, None)
    ('0.5000 [0.400, 0.610]', 'n/a')
    >>> with_interval(0.97848, 0.97, 0.985, in_percent=True)
    '97.848 [97.0, 98.5]'
    """
    shown = figure(percent(value) if in_percent else value)
    if low is None or high is None:
        return shown
    return (
        f"{shown} [{100 * low:.1f}, {100 * high:.1f}]" if in_percent else f"{shown} [{low:.3f}, {high:.3f}]"
    )


_SHARES = re.compile(
    r"(?:\b|Δ)[PRF]\b|precision|recall|right label|share|coverage|\bof (?:key|claims|all)|macro|no leak|clean"
    r"|leaked information|over-redaction"
)


def in_percent(sheet: Sheet) -> Sheet:
    """Return a table with its shares in percent: the columns whose heads say that they are shares."""
    shares = {column for column, name in enumerate(sheet.head) if _SHARES.search(name)}
    rows = [
        [percent(cell) if column in shares else cell for column, cell in enumerate(row)] for row in sheet.rows
    ]
    return sheet._replace(rows=rows)


def best_of(values: Sequence[float | None], *, lowest: bool = False) -> list[int]:
    """Return where the best value stands, everywhere if several are equal; nowhere if there is no choice.

    >>> best_of([0.5, None, 0.7, 0.7]), best_of([0.5, 0.5]), best_of([0.5])
    ([2, 3], [], [])
    """
    known = {value for value in values if value is not None}
    if len(known) < 2:
        return []
    top = min(known) if lowest else max(known)
    return [place for place, value in enumerate(values) if value == top]


def _deviation(mean: float | None, deviation: float | None) -> str:
    return "n/a" if mean is None else f"{mean:.4f} ({deviation:.2f})"


def _prf(tally: Tally) -> tuple[float | None, ...]:
    return tally.precision, tally.recall, tally.f


def _rows(table: Mapping[str, Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return [(name, *row.values()) for name, row in table.items()]


def main_scores(evaluation: Evaluation) -> dict[str, Score]:
    """Return every scorer's counts, and those of the main ones on the labels that i2b2-2014 calls HIPAA."""
    hipaa = evaluation.groups["i2b2-hipaa"]
    return {**evaluation.scores, **{f"HIPAA {name}": score for name, score in hipaa.items()}}


def overview(evaluation: Evaluation) -> Sheets:
    """Yield what a reader looks for first: scores, leaks and the labels that leak most."""
    yield _score_sheet(evaluation, "", lambda mean, _: mean)
    yield from _leaks(evaluation)
    tallies, typed = by_any_label(evaluation.pairs), evaluation.scores["token"].by_label
    worst = sorted(tallies.items(), key=lambda entry: (entry[1].gold_hits - entry[1].gold, entry[0]))
    rows = [
        (
            label, int(tally.gold), int(tally.gold - tally.gold_hits), tally.recall, int(tally.found),
            tally.precision, typed[label].precision,
        )
        for label, tally in worst[:_WORST]
    ]  # fmt: skip
    head = ("label", "tokens", "missed", "recall", "claimed", "precision", "right label")
    yield Sheet("Labels with the most missed tokens (found under any label)", head, rows)


def _score_sheet(
    evaluation: Evaluation, title: str, show: Callable[[float | None, float | None], Any]
) -> Sheet:
    rows = [
        (
            name, *_prf(score.micro), *(show(macro["mean"], macro["sd"]) for macro in score.macro.values()),
            int(score.micro.gold), int(score.micro.found),
        )
        for name, score in main_scores(evaluation).items()
    ]  # fmt: skip
    notes = len(evaluation.pairs)
    head = ("scorer", "P", "R", "F", *(f"macro {name}{title}" for name in "PRF"), "gold", "found")
    return Sheet(f"Scores ({notes:,} note{'s' * (notes != 1)})", head, rows)


def _scores(evaluation: Evaluation) -> Sheets:
    yield _score_sheet(evaluation, " (SD)", _deviation)
    challenge = evaluation.data["with_negatives"]
    rows = [
        ("token F, unmarked tokens counted (2006)", challenge["f"]),
        ("token F, identifiers alone", challenge["f_identifiers"]),
        ("tokens", challenge["tokens"]),
    ]
    yield Sheet("As in the 2006 challenge", ("figure", "value"), rows)


def _parts(title: str, column: str, attribute: str) -> Callable[[Evaluation], Sheets]:
    """Return a table of the main scorers' figures on parts of the labels or notes."""

    def sheets(evaluation: Evaluation) -> Sheets:
        parts: Mapping[str, Mapping[str, Score]] = getattr(evaluation, attribute)
        rows = [
            (f"{part}: {name}", *_prf(score.micro), int(score.micro.gold), int(score.micro.found))
            for part, scores in parts.items()
            for name, score in scores.items()
        ]
        yield Sheet(title, (f"{column}: scorer", "P", "R", "F", "gold", "found"), rows)

    return sheets


def _conventions(evaluation: Evaluation) -> Sheets:
    rows = [
        (name, *_prf(evaluation.scores[name].micro), *_prf(score.micro))
        for name, score in evaluation.conventions.items()
    ]
    yield Sheet("Conventions", ("scorer", "P", "R", "F", "P with", "R with", "F with"), rows)


def _labels(evaluation: Evaluation) -> Sheets:
    typed, strict = (evaluation.scores[name].by_label for name in ("token", "strict"))
    rows = [
        (
            label, int(tally.gold), tally.recall, int(tally.found), tally.precision,
            *_prf(typed[label]), int(strict[label].gold), *_prf(strict[label]),
        )
        for label, tally in by_any_label(evaluation.pairs).items()
    ]  # fmt: skip
    head = (
        "label", "tokens", "R any label", "claimed", "P any label", "token P", "token R", "token F",
        "spans", "strict P", "strict R", "strict F",
    )  # fmt: skip
    yield Sheet("Labels", head, rows)


def _notes(evaluation: Evaluation) -> Sheets:
    rows = [
        (note["id"], *(note[key] for key in _PRF), note["leaked"], int(note["gold"]))
        for note in evaluation.data["by_note"]
    ]
    yield Sheet("Notes", ("note", "P", "R", "F", "leaked tokens", "identifying tokens"), rows)


def _official(evaluation: Evaluation) -> Sheets:
    for title, key in (("i2b2-2014", "i2b2_2014"), ("i2b2-2014, by category", "i2b2_2014_categories")):
        rows = [
            (
                name, *(block[key] for key in _PRF),
                _deviation(block["macro_precision"], block["macro_precision_sd"]),
                _deviation(block["macro_recall"], block["macro_recall_sd"]), block["macro_f"],
            )
            for name, block in evaluation.data[key].items()
        ]  # fmt: skip
        yield Sheet(title, ("block", "P", "R", "F", "macro P (SD)", "macro R (SD)", "macro F"), rows)
    tracks = evaluation.data["meddocan"]
    rows = [(name, *(track.get(key, "") for key in (*_PRF, "leak"))) for name, track in tracks.items()]
    yield Sheet("MEDDOCAN", ("track", "P", "R", "F", "leak"), rows)


def _partial_credit(evaluation: Evaluation) -> Sheets:
    head = ("way", "COR", "INC", "PAR", "MIS", "SPU", "P", "R", "F")
    yield Sheet("Partial credit", head, _rows(evaluation.data["partial_credit"]))


def _entities(evaluation: Evaluation) -> Sheets:
    counted = entities(evaluation.pairs)
    rows = [
        (
            label,
            *(row.entities, row.hidden, row.recall),
            *(row.repeated, row.repeated_hidden, row.repeated_recall),
        )
        for label, row in {**counted, "all": sum(counted.values(), Entities())}.items()
    ]
    head = (
        "label",
        "entities",
        "hidden",
        "share",
        "named twice or more",
        "of these hidden",
        "share of these",
    )
    yield Sheet("Entities hidden in every mention", head, rows)


def _leaks(evaluation: Evaluation) -> Sheets:
    found = evaluation.leaks
    characters = found.leaked_characters
    rows = [
        ("notes with no leak at all", found.clean_notes, found.notes, found.clean_share),
        ("leaked tokens", found.leaked, found.tokens, ratio(found.leaked, found.tokens)),
        ("unique leaked strings", found.unique, "", ""),
        ("leaked information, bits", round(found.leaked_bits), round(found.bits), found.weighted_leak),
        ("leaked characters", characters, found.characters, ratio(characters, found.characters)),
        ("characters hidden in vain", found.hidden_in_vain, found.harmless_characters, found.over_redaction),
    ]
    yield Sheet("Leaks", ("what", "count", "of", "share"), rows)


def _detectors(evaluation: Evaluation) -> Sheets:
    if rows := _rows(evaluation.data["detectors"]):
        yield Sheet("Detectors", ("detector", "gold tokens covered", "by no other"), rows)


def _errors(evaluation: Evaluation) -> Sheets:
    errors = evaluation.data["errors"]
    yield Sheet("Errors by kind", ("kind", "count", "share"), _rows(errors["kinds"]))
    head: Sequence[str] = ("label", "key", "missing", "of key", "of all identifiers", "spurious", "of claims")
    yield Sheet("Missing and spurious by label", head, _rows(errors["missed_by_label"]))
    yield Sheet("Extent errors", ("label", "short", "long", "both"), _rows(errors["extents"]))
    head = ("label", "no word", "common words", "revealing")
    yield Sheet("What short spans leave", head, _rows(errors["remainders"]))
    yield Sheet("By label, extent ignored", ("label", "key", "P", "R", "F"), _rows(errors["by_label"]))


def miss_kind_sheets(evaluation: Evaluation, *, examples: bool = False) -> Sheets:
    """Yield what was missed and how it was written; examples hold note text."""
    tables = (
        miss_kinds(evaluation.pairs, examples=True) if examples else evaluation.data["errors"]["miss_kinds"]
    )
    head = ("kind", "misses", "unique", "share", "of all identifiers", *(["example"] if examples else []))
    for name, title in (("what", "Misses by what was missed"), ("how", "Misses by how it was written")):
        yield Sheet(title, head, _rows(tables[name]))


def _confusion(evaluation: Evaluation) -> Sheets:
    table = evaluation.data["errors"]["confusion"]
    columns = sorted({column for row in table.values() for column in row})
    rows = [(label, *(row.get(column, "") for column in columns)) for label, row in table.items()]
    yield Sheet("Confusion (gold down)", ("", *columns), rows)


def _misses(evaluation: Evaluation) -> Sheets:
    errors = evaluation.data["errors"]
    rows = [tuple(row.values()) for row in errors["per_note"]]
    yield Sheet("Misses per note", ("misses", "notes", "cumulative misses", "coverage", "mean labels"), rows)
    head = ("note type", "misses", "identifiers", "notes with a miss", "notes", "share")
    yield Sheet("Misses per note type", head, _rows(errors["by_note_type"]))


def _confidence(evaluation: Evaluation) -> Sheets:
    figures = evaluation.confidence
    curve = figures.calibration
    rows = [
        ("Spearman of a note's confidence with its F", figures.spearman),
        ("Spearman of a note's shortness with its F", figures.spearman_of_length),
        (f"surest notes before the first error (of {figures.notes:,})", figures.perfect_prefix),
        ("expected calibration error of claims", curve.error),
    ]
    yield Sheet("Confidence", ("figure", "value"), rows)
    orders = {"least sure": figures.triage, "longest": figures.triage_by_length}
    reading = [
        (name, order.spearman, *order.found.values(), order.area, order.perfect_area, order.random_area)
        for name, order in orders.items()
        if order.leaks
    ]
    shares = (f"leaks in {share:.0%}" for share in SHARES)
    yield Sheet(
        "Which notes to read first", ("order", "Spearman", *shares, "area", "perfect", "random"), reading
    )
    bins = list(zip(curve.confidence, curve.share_right, curve.count, strict=True))
    yield Sheet("Calibration", ("mean score", "share right", "claims"), bins)


def _agreement(evaluation: Evaluation) -> Sheets:
    names = ("tokens", "kappa, with labels", "kappa, marked or not")
    rows = list(zip(names, evaluation.data["agreement"].values(), strict=True))
    yield Sheet("Agreement (kappa)", ("figure", "value"), rows)


def _likely(evaluation: Evaluation) -> Sheets:
    quality = evaluation.data["likely_misses"]
    rows: list[tuple[Any, ...]] = [
        ("rare words that nobody marked", quality["listed"], "", ""),
        ("of these leaks", quality["leaks"], quality["listed"], quality["precision"]),
        ("leaked tokens that the list shows", quality["leaks"], quality["leaked"], quality["recall"]),
    ]
    yield Sheet("Likely misses", ("what", "count", "of", "share"), rows)
    rows = [
        (miss.note, str(miss.start), str(miss.end), f"{miss.bits:.1f}", "leak" if miss.leaks else "")
        for miss in islice(likely_misses(evaluation.pairs), _LIKELY)
    ]
    yield Sheet(f"The first {_LIKELY} of them", ("note", "start", "end", "bits", ""), rows)


TABLES: Mapping[str, Callable[[Evaluation], Sheets]] = MappingProxyType(
    {
        "scores": _scores,
        "groups": _parts("Label groups", "group", "groups"),
        "categories": _parts("Categories", "category", "categories"),
        "note-types": _parts("Note types", "note type", "note_types"),
        "labels": _labels,
        "conventions": _conventions,
        "official": _official,
        "partial-credit": _partial_credit,
        "entities": _entities,
        "leaks": _leaks,
        "detectors": _detectors,
        "errors": _errors,
        "confusion": _confusion,
        "misses": _misses,
        "miss-kinds": miss_kind_sheets,
        "confidence": _confidence,
        "agreement": _agreement,
        "likely-misses": _likely,
        "notes": _notes,
    }
)
"""Every table by the name by which ``plainsight evaluate --table`` prints it."""


_BEST = "; * is best"


def comparison_tables(comparison: Comparison, *, percents: bool = False) -> Sheets:
    """Yield systems side by side: scores, tests against the first, agreement, categories, labels, leaks.

    The best figure of each column is marked; of a category or label, the best of its row.
    """
    for sheet in _comparison_tables(comparison, percents=percents):
        by_system = sheet.head[1:2] == ("gold",)
        yield in_percent(_all_shares(sheet) if percents and by_system else sheet) if percents else sheet


def _all_shares(sheet: Sheet) -> Sheet:
    """Return a table with systems as columns in percent."""
    return sheet._replace(rows=[[*row[:2], *map(percent, row[2:])] for row in sheet.rows])


def _comparison_tables(comparison: Comparison, *, percents: bool) -> Sheets:
    first, *others = comparison.names
    rows: list[tuple[Any, ...]] = [
        (
            name, *(with_interval(i.value, i.low, i.high, in_percent=percents) for i in intervals.values()),
            comparison.leaks[name].clean_share, int(comparison.scores[name].micro.found),
        )
        for name, intervals in comparison.intervals.items()
    ]  # fmt: skip
    title = f"{comparison.scorer} with intervals of 95 % ({len(comparison.pairs[first]):,} notes{_BEST})"
    columns = [
        [i.value for i in column]
        for column in zip(*map(_intervals, comparison.intervals.values()), strict=True)
    ]
    columns.append([comparison.leaks[name].clean_share for name in comparison.names])
    yield Sheet(title, ("system", "P", "R", "F", "no leak", "found"), rows, _best_by_column(columns))
    rows = [
        (
            name, test.precision, test.p_precision, test.recall, test.p_recall, test.f, test.p_f,
            *comparison.alone[name].values(),
        )
        for name, test in comparison.against_first.items()
    ]  # fmt: skip
    head: Sequence[str] = ("system", "ΔP", "p", "ΔR", "p", "ΔF", "p", "only it", "only first")
    yield Sheet(f"Against {first} ({comparison.shuffles:,} shuffles)", head, rows)
    rows = [(name, *chances.values()) for name, chances in comparison.corrected.items()]
    title = f"The same p, corrected for {3 * len(rows)} tests (Holm)"
    yield Sheet(title, ("system", "p of ΔP", "p of ΔR", "p of ΔF"), rows)
    rows = [(name, both.kappa, both.kappa_marked) for name, both in comparison.agreement.items()]
    yield Sheet(f"Agreement with {first}", ("system", "kappa, with labels", "kappa, marked or not"), rows)
    rows = [
        (category, int(tallies[first].gold), *(tally.f for tally in tallies.values()))
        for category, tallies in comparison.by_category.items()
    ]
    yield Sheet("F by category", ("category", "gold", *comparison.names), rows, _best_by_row(rows))
    rows = [
        (label, int(tallies[first].gold), *(tally.recall for tally in tallies.values()))
        for label, tallies in sorted(comparison.by_label.items(), key=lambda entry: -entry[1][first].gold)
    ]
    yield Sheet("Recall by label", ("label", "gold", *comparison.names), rows, _best_by_row(rows))
    for name in others:
        rows = [*_rows(comparison.alone_by_label[name]), ("all", *comparison.alone[name].values())]
        head = ("label", f"only {name}", f"only {first}")
        yield Sheet(f"Found by {name} or {first} alone", head, rows)
    rows = [
        (name, leaks.clean_share, leaks.leaked, leaks.unique, leaks.weighted_leak, leaks.over_redaction)
        for name, leaks in comparison.leaks.items()
    ]
    head = ("system", "clean notes", "leaked tokens", "unique", "leaked information", "over-redaction")
    columns = [list(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    yield Sheet(
        "Leaks", head, rows, _best_by_column(columns[:1]) | _best_by_column(columns[1:], from_=2, lowest=True)
    )


def _intervals(scored: Mapping[str, Interval]) -> tuple[Interval, ...]:
    return tuple(scored.values())


def _best_by_column(
    columns: Sequence[Sequence[float | None]], *, from_: int = 1, lowest: bool = False
) -> frozenset[tuple[int, int]]:
    """Return the best cells of columns, of which the first is number ``from_`` of its table."""
    numbered = enumerate(columns, start=from_)
    return frozenset((row, number) for number, values in numbered for row in best_of(values, lowest=lowest))


def _best_by_row(rows: Sequence[Sequence[Any]]) -> frozenset[tuple[int, int]]:
    """Return the best cells of rows with a system a column, after two columns about the row."""
    return frozenset((at, 2 + place) for at, row in enumerate(rows) for place in best_of(row[2:]))
