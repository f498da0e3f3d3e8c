"""Train a filter of false alarms on what a policy finds in notes with gold marks (S215)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight.combine.span_filter import BUCKETS, KIND, claimed_counts, features, may_drop, probability
from plainsight.config import load_policy
from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, UsageError
from plainsight.lab.train.extra import require
from plainsight.lab.train.lbfgs import minimise
from plainsight.model import save_model
from plainsight.models import models_of
from plainsight.pipeline import Pipeline

_Vector = NDArray[np.float64]
_FEWEST = 20


def train_filter(
    documents: Sequence[Document],
    folder: Path,
    *,
    policy: str = "balanced",
    loss: float = 0.001,
    gaussian: float = 1.0,
    folds: int = 4,
    iterations: int = 100,
    progress: Callable[[int, float], None] = lambda iteration, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Train a filter for a policy, write its folder and return its manifest.

    ``loss`` is the share of the gold spans that it may lose. How improbable a span must be is chosen by
    cross-validation over patients, in ``folds``. ``gaussian`` is the strength of the L2 penalty. The policy's
    networks must not have been trained on these notes: their false alarms would be too few.
    """
    if not 0.0 <= loss < 1.0 or folds < 2:
        raise UsageError("loss is a share from 0 to below 1, and there are at least 2 folds")
    require("training a filter", "scipy")
    chosen = load_policy(policy)
    stage("finding identifiers")
    found = list(Pipeline(chosen).detect(documents))
    if any(isinstance(item, SetAside) for item in found):
        raise DataError("some notes cannot be read by the policy")
    notes = [item for item in found if isinstance(item, Document)]
    examples = _Examples(notes, documents, folds)
    if min(examples.right.sum(), (~examples.right).sum()) < _FEWEST:
        raise DataError(
            f"a filter needs {_FEWEST} right and {_FEWEST} wrong spans of the policy to learn from"
        )
    stage("cross-validating")
    outside = np.ones(len(examples.right))
    for fold in range(folds):
        inside = examples.fold != fold
        weights = examples.fit(inside, gaussian, iterations, lambda *_: None)
        outside[~inside] = examples.probabilities(weights)[~inside]
    gold = sum(len(document.spans) for document in documents)
    threshold = _threshold(outside, examples.right, allowed=int(loss * gold))
    stage("fitting")
    everything = np.ones(len(examples.right), bool)
    weights = examples.fit(everything, gaussian, iterations, progress)
    dropped = outside < threshold
    manifest = {
        "labels": sorted({span.label for note in notes for span in note.spans}),
        "threshold": float(threshold),
        "policy": chosen.name,
        "policy_models": models_of(chosen),
        "training": {"notes": len(documents), "identifiers": gold, "spans": len(outside)},
        "cross_validation": {
            "folds": folds,
            "loss": loss,
            "false_alarms": int((~examples.right).sum()),
            "false_alarms_dropped": int((dropped & ~examples.right).sum()),
            "right_spans_dropped": int((dropped & examples.right).sum()),
        },
    }
    return save_model(folder, kind=KIND, manifest=manifest, arrays={"weights": weights.astype(np.float32)})


class _Examples:
    """The spans of a policy as rows of hashed features, and whether each is right."""

    def __init__(self, notes: Sequence[Document], gold: Sequence[Document], folds: int) -> None:
        counts = claimed_counts(notes)
        patients = {name: number for number, name in enumerate(sorted({_patient(note) for note in notes}))}
        rows: list[list[int]] = []
        right: list[bool] = []
        fold: list[int] = []
        for note, marked in zip(notes, gold, strict=True):
            for span in note.spans:
                if may_drop(span):
                    rows.append(features(note, span, counts))
                    right.append(_is_right(span, marked.spans))
                    fold.append(patients[_patient(note)] % folds)
        self.right, self.fold = np.array(right, bool), np.array(fold, np.int64)
        self._row = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self._place = np.array([place for row in rows for place in row], np.int64)

    def totals(self, weights: _Vector) -> _Vector:
        """Return the sum of the weights of each span."""
        totals: _Vector = np.bincount(self._row, weights[self._place], minlength=len(self.right)).astype(
            float
        )
        return totals

    def probabilities(self, weights: _Vector) -> _Vector:
        """Return the probability of each span as it is found at run time."""
        rounded = weights.astype(np.float32).astype(np.float64)
        return np.array([probability(total) for total in self.totals(rounded).tolist()])

    def fit(
        self,
        chosen: NDArray[np.bool_],
        gaussian: float,
        iterations: int,
        progress: Callable[[int, float], None],
    ) -> _Vector:
        """Return the weights that fit the chosen spans best."""
        sign = np.where(self.right, 1.0, -1.0)

        def function(weights: _Vector) -> tuple[float, _Vector]:
            margin = sign * self.totals(weights)
            losses = np.logaddexp(0.0, -margin) * chosen
            slope = -sign * chosen / (1.0 + np.exp(np.clip(margin, -700, 700)))
            gradient = np.bincount(self._place, slope[self._row], minlength=BUCKETS) + gaussian * weights
            return float(losses.sum() + 0.5 * gaussian * weights @ weights), gradient

        return minimise(
            function,
            np.zeros(BUCKETS),
            iterations=iterations,
            progress=lambda iteration, value, _: progress(iteration, value),
        )


def _patient(note: Document) -> str:
    return note.patient_id or note.id


def _is_right(span: Span, gold: Sequence[Span]) -> bool:
    """Whether a span touches an identifier: one that holds half a name is no false alarm."""
    return any(one.start < span.end and span.start < one.end for one in gold)


def _threshold(probabilities: _Vector, right: NDArray[np.bool_], *, allowed: int) -> float:
    """Return the highest probability below which no more right spans lie than are allowed."""
    lost = np.sort(probabilities[right])
    return float(lost[allowed]) if allowed < len(lost) else 0.5
