"""All figures of a system as one tidy table: a row a figure, for R, pandas and spreadsheets.

| level | name | scorer |
|---|---|---|
| ``all`` | ``micro``; ``macro mean`` and ``macro sd`` over notes | every scorer |
| ``group``, ``category``, ``note_type`` | which one; only its labels or notes count | the main scorers |
| ``conventions`` | ``micro``, the system's edges where annotators put them | the main scorers |
| ``label`` | which one | those that look at labels; ``binary-token``: found under any label |
| ``note`` | its id | ``binary-token`` |
| ``i2b2-2014``, ``meddocan`` | ``micro``, ``macro``: as the official script counts | the script's block |
| ``leaks``, ``error``, ``misses``, … | the figure, in ``value`` | what it is of: a label, a note type, … |

An undefined figure is None, and so is one that a row has none of. What is found under any label has no F:
its precision and its recall are about different tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.meddocan import meddocan
from plainsight.evaluate.official import official
from plainsight.evaluate.scorers import by_any_label
from plainsight.evaluate.tally import Tally

__all__ = ["Row", "tidy"]


class Row(NamedTuple):
    """One figure: on what, by which scorer, over how many units, and precision, recall and F."""

    level: str
    name: str
    scorer: str
    gold: float | None
    found: float | None
    precision: float | None
    recall: float | None
    f: float | None
    value: float | None = None


def tidy(evaluation: Evaluation) -> Iterator[Row]:
    """Yield every figure of a system."""
    yield from _overall(evaluation)
    for level, parts in (
        ("group", evaluation.groups),
        ("category", evaluation.categories),
        ("note_type", evaluation.note_types),
    ):
        for name, scores in parts.items():
            for scorer, score in scores.items():
                yield _counted(level, name, scorer, score.micro)
    for scorer, score in evaluation.conventions.items():
        yield _counted("conventions", "micro", scorer, score.micro)
    for scorer, score in evaluation.scores.items():
        for label, tally in score.by_label.items():
            yield _counted("label", label, scorer, tally)
    for label, tally in by_any_label(evaluation.pairs).items():
        yield _counted("label", label, "binary-token", tally)._replace(f=None)
    for pair, tally in zip(evaluation.pairs, evaluation.scores["binary-token"].by_note, strict=True):
        yield _counted("note", pair.id, "binary-token", tally)
    yield from _official(evaluation)
    for level, part, name, value in _values(evaluation.data):
        yield Row(level, name, part, None, None, None, None, None, value)


def _overall(evaluation: Evaluation) -> Iterator[Row]:
    for scorer, score in evaluation.scores.items():
        yield _counted("all", "micro", scorer, score.micro)
        macro: dict[str, Any] = score.macro
        for name in ("mean", "sd"):
            yield _given("all", f"macro {name}", scorer, *(macro[key][name] for key in macro))


def _official(evaluation: Evaluation) -> Iterator[Row]:
    for title, block in official(evaluation.pairs).items():
        yield _given("i2b2-2014", "micro", title, block.precision, block.recall, block.f)
        yield _given(
            "i2b2-2014", "macro", title, block.macro_precision, block.macro_recall, block.macro_f
        )  # fmt: skip
    for title, track in meddocan(evaluation.pairs).items():
        yield _given("meddocan", "micro", title, track.precision, track.recall, track.f)


def _values(data: Mapping[str, Any]) -> Iterator[tuple[str, str, str, float | None]]:
    """Yield what is no precision, recall or F: level, what it is of, name and value."""
    for level, key in (("leaks", "leaks"), ("2006", "with_negatives"), ("agreement", "agreement")):
        yield from ((level, "", name, value) for name, value in data[key].items())
    yield from (("likely misses", "", name, value) for name, value in data["likely_misses"].items())
    confidence = data["confidence"]
    for name in ("notes", "spearman", "spearman_of_length", "perfect_prefix"):
        yield "confidence", "", name, confidence[name]
    yield "confidence", "", "expected_calibration_error", confidence["calibration"]["error"]
    errors = data["errors"]
    yield from (("error", "", name, row["count"]) for name, row in errors["kinds"].items())
    for table in ("missed_by_label", "extents", "remainders"):
        yield from _cells("error", errors[table])
    for label, row in errors["confusion"].items():
        yield from (("confusion", label, name, count) for name, count in row.items())
    yield from _cells("misses", {str(row["errors"]): row for row in errors["per_note"]})
    yield from _cells("misses by note type", errors["by_note_type"])
    yield from _cells("detector", data["detectors"])


def _cells(level: str, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, str, Any]]:
    for part, row in rows.items():
        yield from ((level, part, name, value) for name, value in row.items())


def _counted(level: str, name: str, scorer: str, tally: Tally) -> Row:
    return Row(level, name, scorer, tally.gold, tally.found, tally.precision, tally.recall, tally.f)


def _given(
    level: str, name: str, scorer: str, precision: float | None, recall: float | None, f: float | None
) -> Row:
    return Row(level, name, scorer, None, None, precision, recall, f)
