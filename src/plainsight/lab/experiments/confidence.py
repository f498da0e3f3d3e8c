"""Compare a detector's confidence in each note with the note's F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plainsight.combine.doubt import note_confidence as nothing_missed
from plainsight.combine.doubt import possible_misses
from plainsight.detect.base import Detector, Doubting
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.confidence import confidence
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.report.charts import Chart, Series
from plainsight.lab.experiments.bench import Bench, Split
from plainsight.lab.experiments.results import Outcome
from plainsight.lab.experiments.systems import detected


def note_confidence(bench: Bench, splits: Sequence[Split]) -> Outcome:
    """Train, test, and rank the test notes by the detector's confidence in them.

    Each fold is a row, because each has a model of its own.
    """
    data = [bench.inspect(split, "confidence", _ranked) for split in splits]
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
            "Confidence is the log-probability of the labelling of the whole note or, for networks without "
            "one, the probability that nothing was missed; F is over phrases (span and label exact). "
            "Spearman's rank correlation with F, and that of shortness alone beside it; "
            "how many of the surest notes are perfect before the first that is not; the expected calibration "
            "error of claims, right when they touch an identifier. Notes with nothing to find and nothing "
            "found are left out."
        ),
        head=("fold", "notes", "Spearman", "of shortness", "perfect prefix", "calibration error"),
        rows=[
            [
                str(number),
                *(found[name] for name in ("notes", "spearman", "spearman_of_length", "perfect_prefix")),
                found["calibration"]["error"],
            ]
            for number, found in enumerate(data, start=1)
        ],
        data=[dict(found) for found in data],
        svg=Chart(title="Notes by confidence", x="rank, the surest first", y="phrase F", series=ranked).svg(),
    )


def _ranked(detector: Detector, notes: Sequence[Document]) -> dict[str, Any]:
    confidence_of = getattr(detector, "confidence", None)
    if confidence_of is not None:
        found, values = detected(detector, notes), confidence_of(notes)
    elif isinstance(detector, Doubting):
        found, possible = detector.detect_and_doubt(notes)
        values = [
            nothing_missed(possible_misses(replace(note, spans=tuple(sorted(spans))), tokens))
            for note, spans, tokens in zip(notes, found, possible, strict=True)
        ]
    else:
        raise UsageError(f"the detector {detector.name} has no confidence in whole notes")
    pairs = [
        Pair(note.id, note.text, note.spans, tuple(spans), {"confidence": value})
        for note, spans, value in zip(notes, found, values, strict=True)
    ]
    return confidence(pairs).to_json()
