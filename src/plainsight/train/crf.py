"""Train a CRF: features by channels, L-BFGS with a Gaussian prior (S22, S23), the bias by cross-validation.

Training can go on from a model: the prior then draws weights towards the model's instead of towards zero, so
what the new notes do not speak of stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.detect.crf import Crf
from plainsight.detect.crf.chain import Chain
from plainsight.detect.crf.channels import FEATURE_SETS, Channel, Note
from plainsight.detect.crf.notes import read_notes
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.model import Model, load_model, save_model
from plainsight.text.tags import OUTSIDE
from plainsight.train.bias import NOTHING, Sweep, fold_of, some_of, sweep
from plainsight.train.checkpoint import Checkpoint, Reached, signature
from plainsight.train.checks import check_notes
from plainsight.train.lbfgs import minimise
from plainsight.train.likelihood import Likelihood
from plainsight.train.packing import Packed, pack, places_of, unpack
from plainsight.train.problem import Problem, state
from plainsight.train.scores import scores

__all__ = ["train_crf"]

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

_USUAL = "plainsight"
_ENOUGH = 50_000  # tokens: more do not make the choice of a bias better, only longer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """What the fit depends on, besides the notes."""

    feature_set: str
    gaussian: float
    lasso: float
    iterations: int
    rarest: int


def train_crf(
    documents: Sequence[Document],
    folder: Path,
    *,
    dev: Sequence[Document] = (),
    feature_set: str = _USUAL,
    init: str | Path | None = None,
    gaussian: float = 0.1,
    lasso: float = 0.0,
    iterations: int = 100,
    rarest: int = 1,
    bias: float | None = 0.0,
    recall: float | None = None,
    folds: int = 5,
    smallest: float = 1e-3,
    exact: bool = False,
    notes: Mapping[str, Any] | None = None,
    progress: Callable[[int, float], None] = lambda iteration, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Fit a CRF on annotated notes, write its model folder and return the manifest.

    ``gaussian`` and ``lasso`` weigh the penalties; values seen fewer than ``rarest`` times are left out.
    Without a ``bias``, it is chosen by cross-validation: for the best entity F, or for a wanted ``recall`` of
    tokens. ``init`` goes on from a model, with its feature set and its labels. ``smallest`` and ``exact``
    say how weights are packed. ``dev`` notes are measured at the end; ``notes`` go into the manifest.

    ``stage`` is told what begins, ``progress`` each iteration's loss. Interrupted, it leaves
    ``FOLDER.part``, from which the same call goes on.
    """
    model = None if init is None else load_model(init, kind=Crf.name)
    settings = _Settings(
        feature_set=_feature_set(feature_set, model),
        gaussian=gaussian,
        lasso=lasso,
        iterations=iterations,
        rarest=rarest,
    )
    found = check_notes(documents)
    _check_labels(found.labels, model)
    stage("reading the notes")
    channels = FEATURE_SETS[settings.feature_set]
    read = read_notes(documents, _claims(documents, channels))
    of = signature(documents, {**asdict(settings), "init": model and model.manifest["files"]})
    checkpoint = Checkpoint(folder.with_name(folder.name + ".part"), of)
    fit = partial(_fit, model=model, settings=settings, checkpoint=checkpoint, progress=progress)
    tags = model.manifest["tags"] if model else ()

    stage("all notes")
    problem = state(read, channels, rarest=rarest, tags=tags)
    likelihood, weights = fit("all", problem)
    made = _weights(likelihood, weights, model, channels)
    packed, scale = pack(made, labels=len(problem.tags), smallest=smallest, exact=exact)
    manifest: dict[str, Any] = {
        "labels": sorted({tag[2:] for tag in problem.tags if tag != OUTSIDE}),
        "tags": problem.tags,
        "feature_set": settings.feature_set,
        "bias": bias or 0.0,
        "scale": scale,
        "training": {**asdict(found), **asdict(settings), "init": _about(model)},
        **(notes or {}),
    }
    arrays = {"transitions": likelihood.transitions(weights).astype(np.float32), **packed}
    save = partial(save_model, folder, kind=Crf.name, arrays=arrays)
    saved = save(manifest=manifest)

    if bias is None:
        few = some_of(documents, [len(note.tokens) for note in read], _ENOUGH)
        chosen = _cross_validate([read[place] for place in few], channels, folds, fit, stage, tags, rarest)
        manifest["bias"] = chosen.best(recall=recall)
        manifest["bias_choice"] = {
            "folds": folds,
            "notes": len(few),
            "recall": recall,
            "sweep": chosen.to_json(),
        }
        saved = save(manifest=manifest)
    if dev:
        stage("measuring")
        manifest["scores"] = scores(dev, Crf(model=str(folder)).detect(dev))
        saved = save(manifest=manifest)
    checkpoint.clear()
    return saved


# --- what is asked for ------------------------------------------------------------------------------------


def _feature_set(wanted: str, model: Model | None) -> str:
    if wanted not in FEATURE_SETS:
        raise UsageError(f"unknown feature set {wanted!r}{suggest(wanted, FEATURE_SETS)}")
    if model is None:
        return wanted
    name: str = model.manifest["feature_set"]
    if wanted not in (_USUAL, name):
        raise UsageError(f"the model to go on from has the feature set {name!r}: no other can be chosen")
    return name


def _check_labels(labels: Mapping[str, int], model: Model | None) -> None:
    if model and not set(labels) & set(model.manifest["labels"]):
        raise DataError(
            "the notes share no label with the model to go on from: turn theirs into ours, or begin anew"
        )


def _about(model: Model | None) -> dict[str, Any] | None:
    """Say which model training went on from."""
    return {"name": model.folder.name, "files": model.manifest["files"]} if model else None


def _claims(documents: Sequence[Document], channels: Sequence[Channel]) -> list[list[Span]]:
    claims: list[list[Span]] = [[] for _ in documents]
    if any(channel.name == "claim" for channel in channels):
        for name in Crf.needs:
            for said, spans in zip(claims, registry.create("detectors", name).detect(documents), strict=True):
                said += spans
    return claims


# --- fitting ----------------------------------------------------------------------------------------------

Fit = Callable[..., tuple[Likelihood, Doubles]]


def _fit(
    name: str,
    problem: Problem,
    sequences: Ints | None = None,
    *,
    model: Model | None,
    settings: _Settings,
    checkpoint: Checkpoint,
    progress: Callable[[int, float], None],
) -> tuple[Likelihood, Doubles]:
    """Minimise the loss of a problem, from where a fit of this name was stopped, if it was."""
    known, values = np.zeros(0, dtype=np.int64), np.zeros(0)
    if model:
        old, pairs = _known(problem, model, FEATURE_SETS[settings.feature_set])
        known, values = pairs[pairs >= 0], old.values[pairs >= 0]
    likelihood = Likelihood(problem, gaussian=settings.gaussian, sequences=sequences, more=known)
    likelihood.centre[np.searchsorted(likelihood.pairs, known)] = values
    if model:
        steps = model.arrays["transitions"]
        likelihood.transitions(likelihood.centre)[: len(steps), : len(steps)] = steps
    before, weights = checkpoint.get(name) or Reached(0, likelihood.centre)
    steps = minimise(likelihood, weights, iterations=settings.iterations - before, lasso=settings.lasso)
    try:
        for iteration, loss, weights in steps:
            progress(before + iteration, loss)
            checkpoint.put(name, Reached(before + iteration, weights))
        checkpoint.put(name, Reached(settings.iterations, weights))  # done, be it before its time
    finally:
        checkpoint.write(name)
    return likelihood, weights


def _known(problem: Problem, model: Model, channels: Sequence[Channel]) -> tuple[Packed, Ints]:
    """Return a model's weights, and for each its pair in the problem, below 0 for a feature it lacks."""
    old = unpack(model.arrays, model.manifest["scale"], labels=len(model.manifest["tags"]))
    features = zip(*places_of(problem.names, channels), strict=True)
    number = {feature: place for place, feature in enumerate(features)}
    here = [
        number.get((old.digests[row], place), -1)
        for row, place in zip(old.rows.tolist(), old.places.tolist(), strict=True)
    ]
    return old, np.array(here, dtype=np.int64) * len(problem.tags) + old.tags


def _weights(
    likelihood: Likelihood, weights: Doubles, model: Model | None, channels: Sequence[Channel]
) -> Packed:
    """Return the weights one by one, and those of the model gone on from that the notes do not speak of."""
    features, tags = np.divmod(likelihood.pairs, likelihood.labels)
    digests, places = places_of(likelihood.problem.names, channels)
    made = Packed(digests, features, np.array(places)[features], tags, weights[: len(features)])
    if model is None:
        return made
    old, pairs = _known(likelihood.problem, model, channels)
    rest = np.flatnonzero(pairs < 0)
    return Packed(
        [*digests, *old.digests],
        np.concatenate((made.rows, len(digests) + old.rows[rest])),
        np.concatenate((made.places, old.places[rest])),
        np.concatenate((made.tags, old.tags[rest])),
        np.concatenate((made.values, old.values[rest])),
    )


# --- the bias ---------------------------------------------------------------------------------------------


def _cross_validate(
    notes: Sequence[Note],
    channels: Sequence[Channel],
    folds: int,
    fit: Fit,
    stage: Callable[[str], None],
    tags: Sequence[str],
    rarest: int,
) -> Sweep:
    """Label each fold of the notes by what the others teach, at every bias."""
    problem = state(notes, channels, rarest=rarest, tags=tags)
    fold = np.array(fold_of([note.document for note in notes], folds))
    total = NOTHING
    for number in range(folds):
        held = [place for place, its in enumerate(fold.tolist()) if its == number]
        sequences = np.flatnonzero(fold[problem.owners] != number)
        if not held or not len(sequences):
            continue
        stage(f"fold {number + 1} of {folds}")
        likelihood, weights = fit(f"fold-{number + 1}", problem, sequences)
        emissions = likelihood.emissions(weights)
        lines = [
            emissions[problem.places[place] : problem.places[place] + len(notes[place].tokens)]
            for place in held
        ]
        chain = Chain(likelihood.transitions(weights).astype(np.float32), problem.tags.index(OUTSIDE))
        total += sweep([notes[place] for place in held], lines, chain, problem.tags)
    if total is NOTHING:
        raise DataError("too few notes for cross-validation: give a bias")
    return total
