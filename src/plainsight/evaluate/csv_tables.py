"""Tables for R, pandas and spreadsheets: every figure of a system, and lists of cases to look at.

`figure_rows` yields one row a figure:

| level | name | scorer |
|---|---|---|
| ``all`` | ``micro``; ``macro mean`` and ``macro sd`` over notes | every scorer |
| ``group``, ``category``, ``note_type`` | which one; only its labels or notes count | the main scorers |
| ``conventions`` | ``micro``, the system's edges moved to where annotators put them | the main scorers |
| ``label`` | which one | the scorers that use labels; ``binary-token``: found under any label |
| ``note`` | its id | ``binary-token`` |
| ``i2b2-2014``, ``meddocan`` | ``micro``, ``macro``: as the official script counts | the script's block |
| ``leaks``, ``error``, ``misses``, … | the figure, in ``value`` | what it is of: a label, a note type, … |

An undefined figure is None, and so is one that a row does not have. Figures found under any label have no F:
their precision and recall are about different tokens.

The lists of cases (`error_rows`, `likely_miss_rows`, `disagreement_rows`) hold note text only if asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plainsight.document import Span
from plainsight.evaluate.comparison import disagreements
from plainsight.evaluate.errors import judge
from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.leaks import LikelyMiss, likely_misses
from plainsight.evaluate.miss_kinds import Miss, kind_of, misses
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.scorers import by_any_label
from plainsight.evaluate.tally import Tally

_PRF = ("precision", "recall", "f")
_CONFIDENCE = ("notes", "spearman", "spearman_of_length", "perfect_prefix")


class FigureRow(NamedTuple):
    """One figure: of what, by which scorer, over how many units, and precision, recall and F."""

    level: str
    name: str
    scorer: str
    gold: float | None = None
    found: float | None = None
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    value: float | None = None


def figure_rows(evaluation: Evaluation) -> Iterator[FigureRow]:
    """Yield every figure of a system."""
    for scorer, score in evaluation.scores.items():
        yield _counted("all", "micro", scorer, score.micro)
        for name in ("mean", "sd"):
            figures = {key: spread[name] for key, spread in score.macro.items()}
            yield FigureRow("all", f"macro {name}", scorer, **figures)
    for level, parts in (
        ("group", evaluation.groups),
        ("category", evaluation.categories),
        ("note_type", evaluation.note_types),
        ("conventions", {"micro": evaluation.conventions}),
    ):
        for name, scores in parts.items():
            for scorer, score in scores.items():
                yield _counted(level, name, scorer, score.micro)
    for scorer, score in evaluation.scores.items():
        for label, tally in score.by_label.items():
            yield _counted("label", label, scorer, tally)
    for label, tally in by_any_label(evaluation.pairs).items():
        yield _counted("label", label, "binary-token", tally)._replace(f=None)
    for pair, tally in zip(evaluation.pairs, evaluation.scores["binary-token"].by_note, strict=True):
        yield _counted("note", pair.id, "binary-token", tally)
    data = evaluation.data
    for title, block in data["i2b2_2014"].items():
        for name, prefix in (("micro", ""), ("macro", "macro_")):
            figures = {key: block[prefix + key] for key in _PRF}
            yield FigureRow("i2b2-2014", name, title, **figures)
    for title, track in data["meddocan"].items():
        yield FigureRow("meddocan", "micro", title, **{key: track[key] for key in _PRF})
    for level, part, name, value in _values(data):
        yield FigureRow(level, name, part, value=value)


def _counted(level: str, name: str, scorer: str, tally: Tally) -> FigureRow:
    return FigureRow(level, name, scorer, tally.gold, tally.found, tally.precision, tally.recall, tally.f)


def _values(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str, float | None]]:
    """Yield the figures that are no precision, recall or F: level, what it is of, name and value."""
    confidence, errors = data["confidence"], data["errors"]
    single = {
        "leaks": data["leaks"],
        "2006": data["with_negatives"],
        "agreement": data["agreement"],
        "likely misses": data["likely_misses"],
        "confidence": {
            **{name: confidence[name] for name in _CONFIDENCE},
            "expected_calibration_error": confidence["calibration"]["error"],
        },
        "error": {name: row["count"] for name, row in errors["kinds"].items()},
    }
    for level, figures in single.items():
        yield from ((level, "", name, value) for name, value in figures.items())
    for level, rows in (
        ("partial credit", data["partial_credit"]),
        ("entities", data["entities"]),
        ("error", errors["missed_by_label"]),
        ("error", errors["extents"]),
        ("error", errors["remainders"]),
        ("confusion", errors["confusion"]),
        ("misses", {str(row["errors"]): row for row in errors["per_note"]}),
        ("misses by note type", errors["by_note_type"]),
        ("misses by what", errors["miss_kinds"]["what"]),
        ("misses by how", errors["miss_kinds"]["how"]),
        ("detector", data["detectors"]),
    ):
        for part, row in rows.items():
            yield from ((level, part, name, value) for name, value in row.items())


ERRORS = (
    "note", "kind", "extent",
    "gold_label", "gold_start", "gold_end", "found_label", "found_start", "found_end", "source", "score",
    "what", "how",
)  # fmt: skip
LIKELY_MISSES = LikelyMiss._fields
DISAGREEMENTS = ("note", "label", "start", "end", "found_by", "missed_by")
TEXT = ("before", "text", "after")
"""The further columns of a list that holds note text."""

_BEFORE, _AFTER = 60, 40

Row = tuple[Any, ...]


def error_rows(pairs: Iterable[Pair], *, show_text: bool = False) -> Iterator[Row]:
    """Yield every error in the order of the notes: the columns of `ERRORS`, then of `TEXT`."""
    for pair in pairs:
        missed = {miss.span: miss for miss in misses([pair])}
        for judgement in judge(pair):
            gold, found = judgement.gold, judgement.found
            if judgement.kind == "correct":
                continue
            row = (
                pair.id, judgement.kind, judgement.extent, *_edges(gold), *_edges(found),
                *((found.source, found.score) if found else ("", "")),
                *_kinds(missed.get(gold) if gold else None),
            )  # fmt: skip
            shown = gold or found
            yield (*row, *_context(pair.text, shown.start, shown.end)) if show_text and shown else row


def _kinds(miss: Miss | None) -> tuple[str, str]:
    """Return what an error left open and how that was written; nothing if all is covered."""
    return (kind_of(miss, "what"), kind_of(miss, "how")) if miss else ("", "")


def likely_miss_rows(pairs: Sequence[Pair], *, show_text: bool = False) -> Iterator[Row]:
    """Yield rare words that the system did not mark: the columns of `LIKELY_MISSES`, then of `TEXT`."""
    texts = {pair.id: pair.text for pair in pairs}
    for miss in likely_misses(pairs):
        yield (*miss, *_context(texts[miss.note], miss.start, miss.end)) if show_text else tuple(miss)


def disagreement_rows(systems: Mapping[str, Sequence[Pair]], *, show_text: bool = False) -> Iterator[Row]:
    """Yield what the first system found and another did not, or the other way round.

    The columns are those of `DISAGREEMENTS`, then of `TEXT`; system by system, label by label.
    """
    first, *others = systems
    texts = {pair.id: pair.text for pair in systems[first]}
    for other in others:
        for entry in disagreements({first: systems[first], other: systems[other]}):
            missed_by = other if entry.found_by == first else first
            span = entry.span
            row = (entry.id, span.label, span.start, span.end, entry.found_by, missed_by)
            yield (*row, *_context(texts[entry.id], span.start, span.end)) if show_text else row


def _edges(span: Span | None) -> Row:
    return (span.label, span.start, span.end) if span else ("", "", "")


def _context(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the text before, inside and after a span, each on one line."""
    parts = text[max(0, start - _BEFORE) : start], text[start:end], text[end : end + _AFTER]
    return tuple(" ".join(part.split()) for part in parts)
