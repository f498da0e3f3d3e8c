"""The figures of an evaluation as SVG, by name: what the report shows, and papers print."""

from __future__ import annotations

from plainsight.evaluate.evaluation import Evaluation
from plainsight.evaluate.report.charts import Chart, Series, bars, shades

__all__ = ["FIGURES", "figures"]

FIGURES = ("labels", "categories", "confusion", "calibration", "confidence")


def figures(evaluation: Evaluation) -> dict[str, str]:
    """Return every figure by name; one of nothing is empty."""
    tokens = evaluation.scores["token"].by_label
    parts = {name: scores["binary-token"].micro.f for name, scores in evaluation.categories.items()}
    return {
        "labels": bars("Token recall by label", {label: tally.recall for label, tally in tokens.items()}),
        "categories": bars("F over tokens, whatever the label, by category", parts),
        "confusion": shades("Gold label (rows) and found label", evaluation.data["errors"]["confusion"]),
        "calibration": _calibration(evaluation),
        "confidence": _confidence(evaluation),
    }


def _calibration(evaluation: Evaluation) -> str:
    """Return how often claims of a score are right."""
    curve = evaluation.confidence.calibration
    claims = Series(
        "claims",
        list(zip(curve.confidence, curve.share_right, strict=True)),
        notes=[f"{count} claims" for count in curve.count],
    )
    return Chart(
        title="Calibration", x="score of a claim", y="share right", series=[claims], diagonal=True
    ).svg()  # fmt: skip


def _confidence(evaluation: Evaluation) -> str:
    """Return the notes from the surest to the least sure, with their F (S49)."""
    ranked = enumerate(evaluation.confidence.ranked, start=1)
    notes = Series("notes", [(float(rank), f) for rank, (_, f) in ranked], line=False)
    return Chart(title="Notes by confidence", x="rank, the surest first", y="strict F", series=[notes]).svg()
