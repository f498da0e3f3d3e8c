"""Fit a stacker: how much each of several models counts for each label, by annotated notes.

The probability of the right tags is maximised: a convex problem with few weights, for which some hundred
notes do. They must not be notes that the models have learnt from, for there these are surer than anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.average import Together, probabilities_of
from plainsight.detect.learned import labelled
from plainsight.detect.stacker import Pool, Stacker, groups_of, member
from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.evaluate.pairs import Pair
from plainsight.evaluate.summary import score
from plainsight.model import save_model
from plainsight.text.tags import OUTSIDE, encode
from plainsight.text.tokens import Offsets, tokenize
from plainsight.train.bias import BIASES, Sweep, fold_of
from plainsight.train.checks import check_notes
from plainsight.train.lbfgs import minimise
from plainsight.train.scores import scores

__all__ = ["Heard", "calibration_error", "fit_pool", "hear", "mean_of", "train_stacker"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_SURELY = 1e-3  # where no model leaves more than this for an identifier, there is nothing to weigh
_NEVER = -20.0  # the logarithm of a tag's probability there
_NOTES, _TOKENS = 64, 1 << 14  # worked on at a time
_BINS = 15


class Heard(NamedTuple):
    """What models say of a note's tokens in question: where these are, what is said of them, and the truth.

    ``logarithms`` are those of the probabilities: models by tokens by tags.
    """

    tokens: Offsets
    places: Ints
    logarithms: Floats
    right: Ints

    def scores(self, pool: Pool) -> Floats:
        """Return the logarithm of each tag's probability at every token of the note."""
        tags = pool.together.tags
        made = np.full((len(self.tokens), len(tags)), _NEVER, np.float32)
        made[:, tags.index(OUTSIDE)] = 0.0
        made[self.places] = pool.scores(self.logarithms)
        return made


def train_stacker(
    documents: Sequence[Document],
    folder: Path,
    *,
    models: Sequence[str] = (),
    dev: Sequence[Document] = (),
    bias: float | None = None,
    recall: float | None = None,
    gaussian: float = 10.0,
    iterations: int = 100,
    folds: int = 5,
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a stacker on notes that its ``models`` have not learnt from, write it and return its manifest.

    ``gaussian`` draws all weights to the plain mean. Without a ``bias``, it is chosen in ``folds`` of the
    notes, each read by a stacker that was fitted on the others: for the best F, or for a wanted ``recall`` of
    tokens. These folds also tell how far off probabilities are, those of the mean and those of the stacker.
    ``dev`` notes are only measured.
    """
    if not models:
        raise UsageError("a stacker needs models that others have trained: --model, once for each")
    found = check_notes(documents)
    members = [member(model, folder) for model in models]
    together = Together([one["tags"] for one in members])
    labels = sorted({tag[2:] for tag in together.tags if tag != OUTSIDE})
    if unknown := sorted(set(found.labels) - set(labels)):
        raise UsageError(f"none of the models knows {unknown[0]}, which the notes have")
    stage("asking the models")
    heard = hear(documents, models, together)
    fit = partial(fit_pool, together=together, gaussian=gaussian, iterations=iterations, progress=progress)
    stage("choosing the bias")
    apart = _crossed(heard, fold_of(documents, folds), fit)
    choice: dict[str, Any] = {}
    if bias is None:
        swept = _sweep(documents, heard, apart, together.tags)
        bias = swept.best(recall=recall)
        sweep = swept.to_json()
        choice = {"bias_choice": {"folds": folds, "notes": len(documents), "recall": recall, "sweep": sweep}}
    stage("fitting")
    pool = fit(heard)
    manifest = {
        "labels": labels,
        "tags": together.tags,
        "bias": bias,
        **choice,
        "members": members,
        "calibration": _calibration(heard, apart, together),
        "training": {**asdict(found), "gaussian": gaussian, "iterations": iterations},
    }
    save = partial(
        save_model,
        folder,
        kind=Stacker.name,
        arrays={"weights": pool.weights, "constants": pool.constants},
    )
    saved = save(manifest=manifest)
    if dev:
        stage("measuring")
        saved = save(manifest={**manifest, "scores": scores(dev, Stacker(model=str(folder)).detect(dev))})
    return saved


def hear(documents: Sequence[Document], models: Sequence[str], together: Together) -> list[Heard]:
    """Return what models say of notes."""
    members = [probabilities_of(model) for model in models]
    made = []
    for first in range(0, len(documents), _NOTES):
        some = documents[first : first + _NOTES]
        for document, said in zip(some, zip(*(ask(some) for ask in members), strict=True), strict=True):
            made.append(_heard(document, together.logarithms(said), together.tags))
    return made


def _heard(document: Document, logarithms: Floats, tags: Sequence[str]) -> Heard:
    tokens = tokenize(document.text)
    number = {tag: place for place, tag in enumerate(tags)}
    right = np.array([number[tag] for tag in encode(document.spans, tokens)], np.int64)
    outside = number[OUTSIDE]
    open_to_question = (logarithms[:, :, outside] < np.log1p(-_SURELY)).any(axis=0)
    places = np.flatnonzero(open_to_question | (right != outside))
    return Heard(tokens, places, logarithms[:, places], right[places])


def fit_pool(
    heard: Sequence[Heard],
    *,
    together: Together,
    gaussian: float,
    iterations: int,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Pool:
    """Return the weights and constants with which the right tags of some notes are most probable."""
    models, group = len(together.tags_of), groups_of(together.tags)
    logarithms = np.concatenate([note.logarithms for note in heard], axis=1)
    right = np.concatenate([note.right for note in heard])
    start = _vector(mean_of(together))

    def loss(vector: Doubles) -> tuple[float, Doubles]:
        pool = _pool(vector, together, models)
        off = vector - start
        total, slope = gaussian / 2 * float(off @ off), gaussian * off
        for first in range(0, len(right), _TOKENS):
            some = slice(first, first + _TOKENS)
            said = pool.scores(logarithms[:, some]).astype(np.float64)
            at = np.arange(len(said)), right[some]
            total -= float(said[at].sum())
            error = np.exp(said)
            error[at] -= 1.0
            by_tag = np.vstack((np.einsum("nt,mnt->mt", error, logarithms[:, some]), error.sum(axis=0)))
            slope += _by_group(by_tag, group).ravel()
        return total, slope

    last = start
    for step in minimise(loss, start, iterations=iterations):
        progress(step.iteration, step.loss)
        last = step.weights
    return _pool(last, together, models)


def mean_of(together: Together) -> Pool:
    """Return what every fit begins with, and is drawn to: all models count the same."""
    models, groups = len(together.tags_of), groups_of(together.tags).max() + 1
    return Pool(together, np.full((models, groups), 1.0 / models), np.zeros(groups))


def _vector(pool: Pool) -> Doubles:
    return np.vstack((pool.weights, pool.constants)).astype(np.float64).ravel()


def _pool(vector: Doubles, together: Together, models: int) -> Pool:
    rows = vector.reshape(models + 1, -1)
    return Pool(together, rows[:-1], rows[-1])


def _by_group(rows: Doubles, group: Ints) -> Doubles:
    made = np.zeros((len(rows), group.max() + 1))
    for place, its in enumerate(group):
        made[:, its] += rows[:, place]
    return made


def _crossed(
    heard: Sequence[Heard], folds: Sequence[int], fit: Callable[[Sequence[Heard]], Pool]
) -> list[Pool]:
    """Return for each note a stacker that was fitted on the notes of other folds."""
    pools = {
        fold: fit([note for note, its in zip(heard, folds, strict=True) if its != fold])
        for fold in sorted(set(folds))
        if len(set(folds)) > 1
    }
    return [pools[fold] for fold in folds] if pools else [fit(heard)] * len(heard)


def _sweep(
    documents: Sequence[Document], heard: Sequence[Heard], pools: Sequence[Pool], tags: Sequence[str]
) -> Sweep:
    """Label notes at every bias and count."""
    entities, tokens = {}, {}
    for bias in BIASES:
        told = ((note.tokens, note.scores(pool)) for note, pool in zip(heard, pools, strict=True))
        spans = labelled(told, tags, bias=bias, source=Stacker.name)
        pairs = [
            Pair(document.id, document.text, document.spans, tuple(its))
            for document, its in zip(documents, spans, strict=True)
        ]
        entities[bias], tokens[bias] = (score(pairs, name).micro for name in ("strict", "binary-token"))
    return Sweep(entities, tokens)


def _calibration(heard: Sequence[Heard], pools: Sequence[Pool], together: Together) -> dict[str, Any]:
    """Return how far off it is, in notes not learnt from, how probably a token in question identifies."""
    outside = together.tags.index(OUTSIDE)
    truth = np.concatenate([note.right for note in heard]) != outside

    def error(each: Iterator[Pool]) -> float:
        said = [pool.scores(note.logarithms)[:, outside] for note, pool in zip(heard, each, strict=True)]
        return round(calibration_error(-np.expm1(np.concatenate(said)), truth), 4)

    plain = mean_of(together)
    return {
        "tokens": len(truth),
        "mean": error(plain for _ in heard),
        "stacker": error(iter(pools)),
    }


def calibration_error(probabilities: Floats, truth: NDArray[np.bool_]) -> float:
    """Return how far probabilities are from shares of what is true: the mean over bins of equal width.

    >>> round(calibration_error(np.array([0.9] * 10), np.array([True] * 8 + [False] * 2)), 3)
    0.1
    """
    if not len(truth):
        return 0.0
    place = np.minimum((probabilities * _BINS).astype(np.int64), _BINS - 1)
    gap = np.bincount(place, probabilities - truth, minlength=_BINS)
    return float(np.abs(gap).sum() / len(truth))
