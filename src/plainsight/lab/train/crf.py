"""Train a CRF: features by channels, L-BFGS with a Gaussian prior (S22, S23), the bias by cross-validation.

The prior draws weights towards what was known before: towards those of a model that training goes on from, or
towards trust in what the rules claim, which tells when there are few notes (`prior`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError, suggest
from plainsight.lab.detect.crf import Crf
from plainsight.lab.detect.crf.chain import Chain
from plainsight.lab.detect.crf.channels import FEATURE_SETS, Channel, Note
from plainsight.lab.detect.crf.notes import read_notes
from plainsight.lab.train.bias import NOTHING, Sweep, fold_of, some_of, sweep
from plainsight.lab.train.checkpoint import Checkpoint, Reached, signature
from plainsight.lab.train.checks import check_notes
from plainsight.lab.train.lbfgs import minimise
from plainsight.lab.train.likelihood import Likelihood
from plainsight.lab.train.packing import Packed, pack, places_of
from plainsight.lab.train.prior import Prior, of_claims, of_model
from plainsight.lab.train.problem import Problem, state
from plainsight.lab.train.scores import scores
from plainsight.model import Model, load_model, save_model
from plainsight.text.tags import OUTSIDE

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
    trust: float


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
    trust: float = 8.0,
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

    ``gaussian`` and ``lasso`` weigh the penalties; values seen fewer than ``rarest`` times are left out;
    ``trust`` is the weight that the prior gives to what rules claim, if the feature set looks at it.
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
        trust=trust,
    )
    found = check_notes(documents)
    _check_labels(found.labels, model)
    stage("reading the notes")
    channels = FEATURE_SETS[settings.feature_set]
    read = read_notes(documents, _claims(documents, channels))
    of = signature(documents, {**asdict(settings), "init": model and model.manifest["files"]})
    checkpoint = Checkpoint(folder.with_name(folder.name + ".part"), of)
    prior = _prior(model, settings, found.labels)
    fit = partial(_fit, prior=prior, settings=settings, checkpoint=checkpoint, progress=progress)
    tags = prior.tags if prior else ()

    stage("all notes")
    problem = state(read, channels, rarest=rarest, tags=tags)
    likelihood, weights = fit("all", problem)
    made = _weights(likelihood, weights, prior, channels)
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


def _prior(model: Model | None, settings: _Settings, labels: Collection[str]) -> Prior | None:
    channels = FEATURE_SETS[settings.feature_set]
    if model:
        return of_model(model)
    if settings.trust and _looks_at_claims(channels):
        return of_claims(sorted(labels), channels, settings.trust)
    return None


def _looks_at_claims(channels: Sequence[Channel]) -> bool:
    return any(channel.name == "claim" for channel in channels)


def _claims(documents: Sequence[Document], channels: Sequence[Channel]) -> list[list[Span]]:
    claims: list[list[Span]] = [[] for _ in documents]
    if _looks_at_claims(channels):
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
    prior: Prior | None,
    settings: _Settings,
    checkpoint: Checkpoint,
    progress: Callable[[int, float], None],
) -> tuple[Likelihood, Doubles]:
    """Minimise the loss of a problem, from where a fit of this name was stopped, if it was."""
    if prior:
        channels = FEATURE_SETS[settings.feature_set]
        likelihood = prior.likelihood(problem, channels, gaussian=settings.gaussian, sequences=sequences)
    else:
        likelihood = Likelihood(problem, gaussian=settings.gaussian, sequences=sequences)
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


def _weights(
    likelihood: Likelihood, weights: Doubles, prior: Prior | None, channels: Sequence[Channel]
) -> Packed:
    """Return the weights one by one, and those of the prior that the notes do not speak of."""
    features, tags = np.divmod(likelihood.pairs, likelihood.labels)
    digests, places = places_of(likelihood.problem.names, channels)
    made = Packed(digests, features, np.array(places)[features], tags, weights[: len(features)])
    if prior is None:
        return made
    rest = prior.rest(likelihood.problem, channels)
    return Packed(
        [*digests, *rest.digests],
        np.concatenate((made.rows, len(digests) + rest.rows)),
        np.concatenate((made.places, rest.places)),
        np.concatenate((made.tags, rest.tags)),
        np.concatenate((made.values, rest.values)),
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
