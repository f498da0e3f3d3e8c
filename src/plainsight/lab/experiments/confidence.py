"""Confidence: does a detector know which notes it got right? Its confidence in a note against the F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainsight.detect.base import Detector
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.confidence import confidence
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.lab.experiments import trainers
from plainsight.lab.experiments.bench import Bench, detected
from plainsight.lab.experiments.outcome import Outcome
from plainsight.lab.experiments.splits import Split


def note_confidence(
    bench: Bench, splits: Sequence[Split], *, settings: Mapping[str, Any] | None = None
) -> Outcome:
    """Train, test, and rank the test notes by the detector's confidence in them.

    Of several folds, each has a model, and so a confidence, of its own: each is a row.
    """
    settings = trainers.check_settings(bench.detector, settings or {})
    data = [bench.inspect(split, settings, "confidence", _ranked) for split in splits]
    ranked = [
        Series(
            f"fold {number}" if len(data) > 1 else "notes",
            [(float(rank), f) for rank, (_, f) in enumerate(found["ranked"], start=1)],
            line=False,
        )
        for number, found in enumerate(data, start=1)
    ]
    return Outcome(
        name="confidence",
        title=f"{bench.detector}: confidence in a note, and its F",
        about=(
            "Confidence is the log-probability of the labelling of the whole note; F is over phrases (span "
            "and label exact). Spearman's rank correlation with F, and that of shortness alone beside it; "
            "how many of the surest notes are perfect before the first that is not; the expected calibration "
            "error of claims, right when they touch an identifier. Notes with nothing to find and nothing "
            "found are left out."
        ),
        head=("fold", "notes", "Spearman", "of shortness", "perfect prefix", "calibration error"),
        rows=[_row(number, found) for number, found in enumerate(data, start=1)],
        data=[dict(found) for found in data],
        svg=Chart(title="Notes by confidence", x="rank, the surest first", y="phrase F", series=ranked).svg(),
    )


def _row(number: int, found: Mapping[str, Any]) -> list[Any]:
    figures = (found[name] for name in ("notes", "spearman", "spearman_of_length", "perfect_prefix"))
    return [str(number), *figures, found["calibration"]["error"]]


def _ranked(detector: Detector, notes: Sequence[Document]) -> dict[str, Any]:
    confidence_of = getattr(detector, "confidence", None)
    if confidence_of is None:
        raise UsageError(f"the detector {detector.name} has no confidence in whole notes")
    found, values = detected(detector, notes), confidence_of(notes)
    pairs = [
        Pair(note.id, note.text, note.spans, tuple(spans), {"confidence": value})
        for note, spans, value in zip(notes, found, values, strict=True)
    ]
    return confidence(pairs).to_json()
