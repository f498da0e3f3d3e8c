"""Fit a stacker: the weight of each of several models for each label.

Fitting maximises the probability of the right tags: a convex problem with few weights, so few notes suffice.
They must not be notes that the models have learnt from: there the models are too sure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.arrays import Doubles, Floats, Ints
from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.lab.detect.stacker import (
    AT_A_TIME,
    Pool,
    Probabilities,
    SharedTags,
    Stacker,
    in_question,
    mean_pool,
    member_record,
    probabilities_of,
)
from plainsight.lab.train.bias import fold_of, sweep_of
from plainsight.lab.train.check_notes import check_notes
from plainsight.lab.train.lbfgs import minimise
from plainsight.lab.train.scores import save_scored
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, encode
from plainsight.text.tokens import Offsets, tokenize

_TOKENS = 1 << 14  # worked on at a time
_BINS = 15


class ModelOpinions(NamedTuple):
    """The models' log-probabilities (models by tokens by tags) at tokens in question, and the gold tags."""

    tokens: Offsets
    places: Ints
    logarithms: Floats
    right: Ints

    def scores(self, pool: Pool) -> Floats:
        """Return the logarithm of each tag's probability at every token of the note."""
        return pool.spread(pool.combine(self.logarithms), self.places, len(self.tokens))


def train_stacker(
    documents: Sequence[Document],
    folder: Path,
    *,
    models: Sequence[str],
    dev: Sequence[Document] = (),
    labels: Collection[str] | None = None,
    bias: float | None = None,
    recall: float | None = None,
    gaussian: float = 10.0,
    iterations: int = 100,
    folds: int = 5,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a stacker on notes that its ``models`` have not learnt from, write it and return its manifest.

    With ``labels``, it finds only these; what the models say of others counts as no identifier.
    ``gaussian`` draws all weights to the plain mean. Without a ``bias``, it is chosen in ``folds`` of the
    notes, each read by a stacker that was fitted on the others: for the best F, or for a wanted ``recall`` of
    tokens. The folds also measure the calibration of the plain mean and of the stacker.
    ``dev`` notes are only measured.
    """
    if not models:
        raise UsageError("a stacker needs models that others have trained: --model, once for each")
    if any(Path(model).resolve() == folder.resolve() for model in models):
        raise UsageError(f"{folder} holds one of the models: the stacker needs a folder of its own")
    members = [probabilities_of(model) for model in models]
    records = [member_record(model, folder) for model in models]
    shared = SharedTags([record["tags"] for record in records], labels)
    found = check_notes(documents)
    own = sorted({tag[2:] for tag in shared.tags if tag != OUTSIDE})
    if unknown := sorted(set(found.labels) - set(own)):
        raise UsageError(f"none of the models knows {unknown[0]}, which the notes have")
    fold = fold_of(documents, folds)
    count = len(set(fold))
    if count < 2 and bias is None:
        raise DataError("too few notes to choose a bias on: give one, --bias 0 to begin with")
    stage("asking the models")
    opinions = ask_models(documents, members, shared)
    fit = partial(fit_pool, shared=shared, gaussian=gaussian, iterations=iterations, progress=progress)
    measured: dict[str, Any] = {"calibration": None, "bias": bias}
    if count > 1:
        stage("cross-validating")
        apart = _cross_fit(opinions, fold, fit)
        measured["calibration"] = _calibration(opinions, apart, shared)
        if bias is None:
            scored = [(note.tokens, note.scores(pool)) for note, pool in zip(opinions, apart, strict=True)]
            swept = sweep_of(documents, scored, shared.tags)
            measured |= swept.to_manifest(folds=count, notes=len(documents), recall=recall)
    stage("fitting")
    pool = fit(opinions)
    manifest = {
        "labels": own,
        "tags": shared.tags,
        **measured,
        "members": records,
        "training": {**asdict(found), "gaussian": gaussian, "iterations": iterations},
    }
    arrays = {"weights": pool.weights, "constants": pool.constants}
    save = partial(save_model, folder, kind=Stacker.name, arrays=arrays)
    return save_scored(save, manifest, dev, lambda: Stacker(model=str(folder)), stage)


def ask_models(
    documents: Sequence[Document], members: Sequence[Probabilities], shared: SharedTags
) -> list[ModelOpinions]:
    """Run the models on notes."""
    made = []
    for first in range(0, len(documents), AT_A_TIME):
        some = documents[first : first + AT_A_TIME]
        for document, each in zip(some, zip(*(ask(some) for ask in members), strict=True), strict=True):
            made.append(_opinions(document, shared.logarithms(each), shared.tags))
    return made


def _opinions(document: Document, logarithms: Floats, tags: Sequence[str]) -> ModelOpinions:
    tokens = tokenize(document.text)
    number = {tag: place for place, tag in enumerate(tags)}
    right = np.array([number[tag] for tag in encode(document.spans, tokens)], np.int64)
    places = in_question(logarithms)
    return ModelOpinions(tokens, places, logarithms[:, places], right[places])


def fit_pool(
    opinions: Sequence[ModelOpinions],
    *,
    shared: SharedTags,
    gaussian: float,
    iterations: int,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Pool:
    """Return the weights and constants with which the right tags of some notes are most probable."""
    models, group = len(shared.tags_of), shared.groups
    logarithms = np.concatenate([note.logarithms for note in opinions], axis=1)
    right = np.concatenate([note.right for note in opinions])
    start = _vector(mean_pool(shared))

    def loss(vector: Doubles) -> tuple[float, Doubles]:
        pool = _pool(vector, shared, models)
        off = vector - start
        total, slope = gaussian / 2 * float(off @ off), gaussian * off
        for first in range(0, len(right), _TOKENS):
            some = slice(first, first + _TOKENS)
            combined = pool.combine(logarithms[:, some]).astype(np.float64)
            at = np.arange(len(combined)), right[some]
            total -= float(combined[at].sum())
            error = np.exp(combined)
            error[at] -= 1.0
            by_tag = np.vstack((np.einsum("nt,mnt->mt", error, logarithms[:, some]), error.sum(axis=0)))
            slope += _by_group(by_tag, group).ravel()
        return total, slope

    fitted = minimise(
        loss,
        start,
        iterations=iterations,
        tolerance=1e-5,
        progress=lambda iteration, value, _: progress(iteration, value),
    )
    return _pool(fitted, shared, models)


def _vector(pool: Pool) -> Doubles:
    return np.vstack((pool.weights, pool.constants)).astype(np.float64).ravel()


def _pool(vector: Doubles, shared: SharedTags, models: int) -> Pool:
    rows = vector.reshape(models + 1, -1)
    return Pool(shared, rows[:-1], rows[-1])


def _by_group(rows: Doubles, group: Ints) -> Doubles:
    made = np.zeros((len(rows), group.max() + 1))
    for place, its in enumerate(group):
        made[:, its] += rows[:, place]
    return made


def _cross_fit(
    opinions: Sequence[ModelOpinions], folds: Sequence[int], fit: Callable[[Sequence[ModelOpinions]], Pool]
) -> list[Pool]:
    """Return for each note a stacker that was fitted on the notes of other folds."""
    pools = {
        fold: fit([note for note, its in zip(opinions, folds, strict=True) if its != fold])
        for fold in sorted(set(folds))
    }
    return [pools[fold] for fold in folds]


def _calibration(
    opinions: Sequence[ModelOpinions], pools: Sequence[Pool], shared: SharedTags
) -> dict[str, Any]:
    """Return the calibration error of the mean and of the stacker, on notes that they were not fitted on."""
    outside = shared.tags.index(OUTSIDE)
    truth = np.concatenate([note.right for note in opinions]) != outside

    def error(each: Sequence[Pool]) -> float | None:
        combined = [
            pool.combine(note.logarithms)[:, outside] for note, pool in zip(opinions, each, strict=True)
        ]
        found = calibration_error(-np.expm1(np.concatenate(combined)), truth)
        return None if found is None else round(found, 4)

    return {"tokens": len(truth), "mean": error([mean_pool(shared)] * len(opinions)), "stacker": error(pools)}


def calibration_error(probabilities: Floats, truth: NDArray[np.bool_]) -> float | None:
    """Return how far probabilities are from shares of what is true, in bins by how many fall into each.

    >>> round(calibration_error(np.array([0.9] * 10), np.array([True] * 8 + [False] * 2)), 3)
    0.1
    """
    if not len(truth):
        return None
    place = np.minimum((probabilities * _BINS).astype(np.int64), _BINS - 1)
    gap = np.bincount(place, probabilities - truth, minlength=_BINS)
    return float(np.abs(gap).sum() / len(truth))
